// Viscous liquid of smoothed particles against theory, and by all ways of dividing a step.
#include "validation/figures.h"
#include "validation/sph_setup.h"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>

namespace coracle::validation {
namespace {

struct Drop {
  double height = 0, width = 0;  // m: of the centre of mass; between the outermost particles along x
};
Drop spread(const char* splitting, double dt) {
  Drop drop;
  run_text(fmt::format(R"(
method = "proxy"
[domain]
max = [0.4, 0.2, 0.4]
resolution = 20
[time]
fps = 20
frames = 30
max_dt = {}
[liquid]
viscosity = 100
[proxy]
splitting = "{}"
[[liquid.region]]
shape = "sphere"
center = [0.2, 0.06, 0.2]
radius = 0.06
)",
                       dt, splitting),
           "sph_drop", [&](const StepReport&, const World& w, const Workspace&) {
             const SphLiquid& liquid = sph_of(w);
             const auto [first, last] = std::minmax_element(liquid.x.begin(), liquid.x.end(),
                                                            [](const Vec3& a, const Vec3& b) { return a.x() < b.x(); });
             drop = {cloud(liquid).center.y(), last->x() - first->x()};
           });
  return drop;
}

// Flow in a duct of square section w, along x, over G w²/η:
//     (4/π³) Σ_{n odd} (−1)^{(n−1)/2} (1 − cosh(nπz/w) / cosh(nπ/2)) cos(nπy/w) / n³,   y and z from the middle
double duct(double y, double z, double w) {
  if (std::abs(y) > w / 2 || std::abs(z) > w / 2) return 0;
  double sum = 0;
  for (int n = 1; n < 20; n += 2)
    sum += (n % 4 == 1 ? 1 : -1) * (1 - std::cosh(n * M_PI * z / w) / std::cosh(n * M_PI / 2)) *
           std::cos(n * M_PI * y / w) / (n * n * n);
  return 4 / (M_PI * M_PI * M_PI) * sum;
}

// Velocities in sections of the duct, and the amplitude and width of the flow of least squares.
struct Profile {
  std::vector<Vec3> points;  // y, z from the middle, u
  struct Fit {
    double width = 0, amplitude = 0, error = INFINITY;  // m, m/s, m/s rms
  };
  Fit fit(double lo, double hi) const {
    Fit best;
    for (double w = lo; w <= hi; w += 0.01 * (hi - lo)) {
      double uf = 0, ff = 0, uu = 0;
      for (const Vec3& p : points) {
        const double f = duct(p.x(), p.y(), w);
        uf += p.z() * f, ff += f * f, uu += p.z() * p.z();
      }
      const double error = std::sqrt(std::max(uu - uf * uf / ff, 0.0) / double(points.size()));
      if (error < best.error) best = {w, uf / ff, error};
    }
    return best;
  }
};

// A vortex in a square box whose sides let liquid slip, in x and y:
//     u = A e^{−2νk²t} (sin kx cos ky, −cos kx sin ky, 0),   k = π/side
// It keeps its form, however fast it is. The liquid fills the box; the flow first breaks up the lattice.
struct Vortex {
  double viscosity = 0, pressure = 0;  // m²/s, by the decay of A from 0.4 to 0.2 m/s; Pa
};
Vortex vortex(double ghost) {
  constexpr double side = 0.2, dt = 0.002, k = M_PI / side;  // m, s
  SteppedRun run(fmt::format(R"(
method = "proxy"
gravity = [0, 0, 0]
[domain]
max = [{0}, {0}, {0}]
resolution = 8
[proxy]
ghost = {1}
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [{0}, {0}, {0}]
)",
                             side, ghost),
                 "sph_vortex");
  const auto mode = [&](const Vec3& x) {
    return Vec3(std::sin(k * x.x()) * std::cos(k * x.y()), -std::cos(k * x.x()) * std::sin(k * x.y()), 0);
  };
  SphLiquid& liquid = sph_of(run.world);
  for (std::size_t i = 0; i < liquid.size(); ++i) liquid.v[i] = liquid.v_last[i] = mode(liquid.x[i]);
  const auto amplitude = [&] {
    double vf = 0, ff = 0;
    for (std::size_t i = 0; i < liquid.size(); ++i) {
      const Vec3 f = mode(liquid.x[i]);
      vf += liquid.v[i].dot(f), ff += f.squaredNorm();
    }
    return vf / ff;
  };
  while (amplitude() > 0.4) run.step(dt);
  const double begin = run.world.clock.time;
  Mean pressure;
  while (amplitude() > 0.2 && run.world.clock.time < 5) {
    run.step(dt);
    for (const double j : sph_work(run.work).ratio) pressure.add(1e5 * (1 - j), dt);
  }
  return {std::log(2) / (2 * k * k * (run.world.clock.time - begin)), pressure.value()};
}

}  // namespace

Outcome sph_vortex() {
  // Particles under pressure that pass each other lose speed without any viscosity: about as if D and √(p/ρ) were the
  // free path and the speed of molecules.
  Outcome out;
  for (const double ghost : {0.8, 0.0}) {
    constexpr double spacing = 0.0125;
    const Vortex found = vortex(ghost);
    const std::string name = fmt::format(", ghosts {}", ghost);
    out.results.push_back(reported("dynamic viscosity of water" + name, water * found.viscosity, "Pa s", "0.001"));
    out.results.push_back(reported("mean pressure" + name, found.pressure, "Pa", "0 in a full box"));
    out.results.push_back(reported("viscosity over D √(p/ρ)" + name,
                                   found.viscosity / (spacing * std::sqrt(found.pressure / water)), "", ""));
  }
  return out;
}

namespace {

// Returns the viscosity that the flow shows, in Pa s.
double flow_through_duct(double viscosity, double speed, Outcome& out) {
  // An inflow pushes the liquid through a duct that friction makes rough. Particles touch its walls from D/2 away, and
  // rest there: the flow is that of a duct narrower by D. Across the duct, weak gravity makes a pressure of known
  // slope, which tells by how much the discrete gradient of pressure is weaker than it should be.
  constexpr double side = 0.2, spacing = 0.0125, across = 1;  // m, m, m/s²
  Profile profile;
  double n = 0;
  Vec3 sums = Vec3::Zero();     // of x, y, p
  Mat3 squares = Mat3::Zero();  // of their products
  double next = 1.5;            // s
  run_text(fmt::format(R"(
method = "proxy"
gravity = [0, {1}, 0]
[domain]
max = [0.6, {0}, {0}]
resolution = 24
[time]
fps = 20
frames = 50
[liquid]
viscosity = {2}
[proxy]
friction = 10
[[liquid.region]]
shape = "box"
min = [0.05, 0, 0]
max = [0.55, {0}, {0}]
velocity = [{3}, 0, 0]
[[inflow]]
name = "in"
shape = "box"
min = [0, 0, 0]
max = [0.05, {0}, {0}]
velocity = [{3}, 0, 0]
[[outflow]]
name = "out"
shape = "box"
min = [0.55, 0, 0]
max = [0.6, {0}, {0}]
)",
                       side, -across, viscosity, speed),
           "sph_poiseuille", [&](const StepReport& r, const World& w, const Workspace& work) {
             if (r.time < next) return;
             next += 0.1;
             const std::vector<double>& ratio = sph_work(work).ratio;
             const SphLiquid& liquid = sph_of(w);
             for (std::size_t i = 0; i < liquid.size(); ++i) {
               const Vec3& x = liquid.x[i];
               if (x.x() < 0.2 || x.x() > 0.4) continue;
               profile.points.push_back({x.y() - side / 2, x.z() - side / 2, liquid.v[i].x()});
               const auto beside = [&](double c) { return std::min(c, side - c) < 2 * spacing; };
               if (beside(x.y()) || beside(x.z())) continue;
               const Vec3 row(x.x(), x.y(), 1e5 * (1 - ratio[i]));
               n += 1, sums += row, squares += row * row.transpose();
             }
           });
  // p = c + p_x x + p_y y by least squares.
  const Mat3 spread = squares / n - sums / n * (sums / n).transpose();
  const Eigen::Vector2d slope = spread.topLeftCorner<2, 2>().inverse() * spread.topRightCorner<2, 1>();
  const double gradient = slope.y() / (-water * across), push = -slope.x() / gradient;
  const Profile::Fit fit = profile.fit(0.7 * side, 1.2 * side);
  double flux = 0;
  for (const Vec3& p : profile.points) flux += p.z() / double(profile.points.size());
  const double measured = push * fit.width * fit.width / fit.amplitude;
  const std::string name = fmt::format(", {} Pa s", viscosity);
  for (Result r :
       {reported("viscosity by push and profile over the given one", measured / viscosity, "",
                 "laminar flow in a square duct"),
        reported("width of the flow over side − D", fit.width / (side - spacing), "", "particles rest D/2 from a wall"),
        reported("deviation from the profile, rms, over the mean speed", fit.error / speed, "", "the same"),
        reported("mean speed over that of the inflow", flux / speed, "", "continuity"),
        reported("slope of the pressure across over ρ g", gradient, "", "hydrostatics"),
        reported("push over 28.45 η U / side²", push / (28.454 * viscosity * speed / (side * side)), "",
                 "no slip at the walls themselves")}) {
    r.name += name;
    out.results.push_back(r);
  }
  Curve curve{"Flow in a square duct" + name, "y, m", "m/s", {}, {}};
  for (const Vec3& p : profile.points)
    if (std::abs(p.y()) < spacing / 2) curve.reference.push_back({p.x(), p.z()});
  for (double y = -side / 2; y <= side / 2 + 1e-9; y += side / 40)
    curve.measured.push_back({y, fit.amplitude * duct(y, 0, fit.width)});
  out.curves.push_back(curve);
  return measured;
}

}  // namespace

Outcome sph_poiseuille() {
  // Particles that pass each other lose speed without any viscosity (sph_vortex). The pressure is the same in both
  // runs, and so is that loss: it falls out of the difference.
  Outcome out;
  constexpr double low = 20, high = 100;  // Pa s
  const double at_low = flow_through_duct(low, 0.2, out), at_high = flow_through_duct(high, 0.04, out);
  const double scale = (at_high - at_low) / (high - low);
  out.results.push_back(
      within("viscosity gained over that given more", scale, 1, 0.1, "", "laminar flow in a square duct"));
  out.results.push_back(
      reported("viscosity without any given", at_low - scale * low, "Pa s", "particles pass each other"));
  return out;
}

Outcome sph_drop() {
  Outcome out;
  for (const double dt : {0.002, 0.005}) {
    const Drop joint = spread("joint", dt);
    for (const char* splitting : splittings) {
      const std::string name = fmt::format(", {} ms, {}", 1000 * dt, splitting);
      const Drop drop = std::string_view(splitting) == "joint" ? joint : spread(splitting, dt);
      out.results.push_back(reported("height of the centre of mass after 1.5 s" + name, 1000 * drop.height, "mm", ""));
      out.results.push_back(reported("width after 1.5 s" + name, 1000 * drop.width, "mm", ""));
      if (std::string_view(splitting) != "delta") continue;
      out.results.push_back(
          within("height over that of joint" + name, drop.height / joint.height, 1, 0.03, "", "one minimisation"));
      out.results.push_back(
          within("width over that of joint" + name, drop.width / joint.width, 1, 0.03, "", "one minimisation"));
    }
  }
  return out;
}

}  // namespace coracle::validation
