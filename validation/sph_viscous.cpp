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

}  // namespace

Outcome sph_poiseuille() {
  // An inflow pushes the liquid through a duct that friction makes rough. Particles touch its walls from D/2 away, and
  // rest there: the flow is that of a duct narrower by D. Across the duct, weak gravity makes a pressure of known
  // slope, which tells by how much the discrete gradient of pressure is weaker than it should be.
  constexpr double side = 0.2, spacing = 0.0125, viscosity = 20, across = 1, speed = 0.2;  // m, m, Pa s, m/s², m/s
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
  const double measured = push * fit.width * fit.width / fit.amplitude / viscosity;
  Outcome out;
  out.results = {
      within("viscosity by push and profile over the given one", measured, 1, 0.1, "", "laminar flow in a square duct"),
      reported("proxy.viscosity_scale that would give it", 1.25 / measured, "", "1.25 by default"),
      reported("width of the flow over side − D", fit.width / (side - spacing), "", "particles rest D/2 from a wall"),
      reported("deviation from the profile, rms, over the mean speed", fit.error / speed, "", "the same"),
      reported("mean speed over that of the inflow", flux / speed, "", "continuity"),
      reported("slope of the pressure across over ρ g", gradient, "", "hydrostatics"),
      reported("push over 28.45 η U / side²", push / (28.454 * viscosity * speed / (side * side)), "",
               "no slip at the walls themselves")};
  Curve curve{"Flow in a square duct", "y, m", "m/s", {}, {}};
  for (const Vec3& p : profile.points)
    if (std::abs(p.y()) < spacing / 2) curve.reference.push_back({p.x(), p.z()});
  for (double y = -side / 2; y <= side / 2 + 1e-9; y += side / 40)
    curve.measured.push_back({y, fit.amplitude * duct(y, 0, fit.width)});
  out.curves = {curve};
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
