// Grid, mesh and time step refined together: errors of coupled motion against theory, and how fast they fall.
//
// What order to expect: a cell has one pressure, at its centre, wherever a body's surface lies in it. On a surface that
// lies along the grid that is an error of up to ρ g dx / 2 in the load: first order. On a curved surface these errors
// have all signs and average out: second order. In time the splitting is first order.
#include "validation/case.h"
#include "validation/setup.h"
#include "validation/snapshot.h"

#include <fmt/format.h>

#include <stdexcept>

namespace coracle::validation {
namespace {

constexpr double g = 9.81, water = 1000;

using Points = std::vector<std::pair<double, double>>;

// Of log y over log x, least squares.
double slope(const Points& points) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [x, y] : points) {
    const double a = std::log(x), b = std::log(y);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  const double n = double(points.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double rms(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum / double(values.size()));
}

// The errors over the cells, and a straight line of the expected order through the last of them.
Curve error_curve(const std::string& title, const Points& errors, int order) {
  Curve curve{title, "cells", "error", errors, {}, {{fmt::format("order {}", order), {}}}, true};
  for (const auto& [n, error] : errors)
    curve.others[0].points.push_back({n, errors.back().second * std::pow(errors.back().first / n, order)});
  return curve;
}

// --- Water on an elastic block, as in added_mass_column: β tan β = ρs l / (ρf H), ω = β √(E/ρs) / l.

constexpr double block = 0.5, depth = 1, young = 1e5, height = 2;  // m, m, Pa, m

// `shift`: of the grid against block and water, in cells; the error depends on where in a cell the block's top comes to
// lie, so it is taken over several.
std::string column(int n, double shift, const std::string& integrator, double dt, double damping, double seconds) {
  const double dx = height / n, wide = 2 * dx;
  return fmt::format(R"(
[domain]
min = [0, {0}, 0]
max = [{1}, {2}, {1}]
resolution = {3}
[time]
fps = 50
frames = {4}
max_dt = {5}
[[liquid.region]]
shape = "box"
min = [0, {6}, 0]
max = [{1}, {7}, {1}]
[[body]]
name = "block"
shape = "box"
min = [0, 0, 0]
max = [{1}, {6}, {1}]
mesh = "grid6"
cells = [1, {8}, 1]
young = {9}
poisson = 0
density = 1000
damping_stiffness = {10}
[[body.hold]]
type = "pin"
side = "y_min"
[[body.hold]]
type = "roller"
side = "x_min"
normal = [1, 0, 0]
[[body.hold]]
type = "roller"
side = "x_max"
normal = [1, 0, 0]
[[body.hold]]
type = "roller"
side = "z_min"
normal = [0, 0, 1]
[[body.hold]]
type = "roller"
side = "z_max"
normal = [0, 0, 1]
[elastic]
contact = false
integrator = "{11}"
)",
                     -shift * dx, wide, height - shift * dx, n, std::lround(50 * seconds), dt, block, block + depth,
                     n / 8, young, damping, integrator);
}

double top_of(const World& w) {
  double sum = 0;
  int count = 0;
  const Body& body = w.bodies[0];
  for (std::size_t i = 0; i < body.x.size(); ++i)
    if (body.rest->mesh.x[i].y() > block - 1e-9) sum += body.x[i].y() - block, ++count;
  return sum / count;
}

struct ColumnErrors {
  double sag = 0, frequency = 0, decay = 0;  // of sag, of frequency, 1/s
};

ColumnErrors column_errors(int n, double shift) {
  double low = 0, high = M_PI / 2;
  while (high - low > 1e-14)
    (low + high < 2 * std::atan(2 * block / (low + high) / depth) ? low : high) = (low + high) / 2;
  const double omega = low * std::sqrt(young / water) / block;
  const double sag = g * block / young * (water * depth + 0.5 * water * block);
  const double dt = 0.64 / n;

  // Released from the unloaded state, it swings about the static position.
  std::vector<double> crossings, turns, times;
  double last = 0, before_last = 0, time = 0;
  run_text(column(n, shift, "midpoint", dt, 0, 1.7), "column",
           [&](const StepReport& r, const World& w, const Workspace&) {
             const double top = top_of(w), off = top + sag, off_before = last + sag;
             if (off * off_before < 0) crossings.push_back(time + (r.time - time) * off_before / (off_before - off));
             if ((top - last) * (last - before_last) < 0) turns.push_back(std::abs(off_before)), times.push_back(time);
             before_last = last, last = top, time = r.time;
           });
  if (crossings.size() < 3 || turns.size() < 2) throw std::runtime_error("the column does not swing");
  const std::size_t halves = (crossings.size() - 1) / 2 * 2;  // whole periods
  const double measured = M_PI * double(halves) / (crossings[halves] - crossings[0]);

  // Critically damped by its stiffness, backward Euler: the static position.
  double still = 0, weight = 0;
  run_text(column(n, shift, "backward_euler", 0.02, 2 / omega, 1.2), "column",
           [&](const StepReport& r, const World& w, const Workspace&) {
             if (r.time > 0.8) still += r.dt * top_of(w), weight += r.dt;
           });
  return {-still / weight / sag - 1, measured / omega - 1,
          std::log(turns[0] / turns.back()) / (times.back() - times[0])};
}

// --- A sphere let go in a full spherical container

// Acceleration over g in one projection.
double acceleration(int n, double share, const Vec3& center, double radius, double container) {
  const Grid grid = unit_grid(n);
  BodyOptions o;
  o.name = "ball";
  o.shape.kind = ShapeKind::sphere;
  o.shape.center = center;
  o.shape.radius = radius;
  o.edge = 2.5 * grid.dx;
  o.density = share * water;
  constexpr double dt = 1e-3;
  const double sound = 60 * 2 * radius / dt;  // crosses it so often in a step: it answers as a whole
  o.young = o.density * sound * sound;
  Snapshot s = make_snapshot(grid, {o}, {make_solid(sphere_mesh(center, container, grid.dx), true)});
  s.dt = dt;
  s.elastic.contact = false;
  s.solver.tolerance = 1e-10;
  s.fall = Vec3(0, -g * dt, 0);
  s.set_velocity([&](const Vec3&) { return s.fall; });
  const CoupledReport report = s.project();
  if (!report.ok) throw std::runtime_error(report.trouble);
  const Body& body = s.world.bodies[0];
  double momentum = 0, mass = 0;
  for (std::size_t i = 0; i < body.v.size(); ++i)
    momentum += body.rest->mass[i] * body.v[i].y(), mass += body.rest->mass[i];
  return momentum / mass / (g * dt);
}

}  // namespace

Outcome coupled_convergence() {
  Outcome out;
  const auto add = [&](const std::string& name, const Points& errors, int order, double least, const std::string& unit,
                       const std::string& why) {
    const auto& [n, error] = errors.back();
    out.results.push_back(reported(fmt::format("{}, {} cells", name, n), error, unit, why));
    out.results.push_back(at_least(name + ": order", -slope(errors), least, "", why));
    out.curves.push_back(error_curve(name, errors, order));
  };

  // One dimension. Δt and the mesh go with dx: 0.64 s and an eighth of the cells over n.
  Points sag, frequency, decay;
  for (const int n : {32, 64, 128, 192}) {
    constexpr int shifts = 6;
    std::vector<double> sags, frequencies, decays;
    for (int i = 0; i < shifts; ++i) {
      const ColumnErrors e = column_errors(n, (i + 0.5) / shifts);
      sags.push_back(e.sag), frequencies.push_back(e.frequency), decays.push_back(e.decay);
    }
    sag.push_back({n, rms(sags)}), frequency.push_back({n, rms(frequencies)}), decay.push_back({n, rms(decays)});
  }
  add("Water on a block: static displacement, error", sag, 1, 0.9, "of it", "one pressure a cell on a flat top");
  add("Water on a block: frequency, error", frequency, 2, 1.5, "of it",
      "the pressure's lag of half a step damps, and shifts the frequency at second order");
  add("Water on a block: decay of the swing", decay, 1, 0.9, "1/s", "first order in time; theory has none");

  // Three dimensions: a sphere's first acceleration. The liquid's inertia, met at every angle of cut cell and tet, is
  // all there is to it: neither elasticity nor transport can make up for a fault of the coupling.
  constexpr double radius = 0.23, container = 0.46;
  const double a3 = std::pow(radius, 3), b3 = std::pow(container, 3), added = (b3 + 2 * a3) / (2 * (b3 - a3));
  for (const double share : {0.2, 2.0}) {
    const double expected = (1 - share) / (share + added);
    Points errors;
    for (const int n : {16, 24, 32, 48, 64}) {
      std::vector<double> poses;
      for (int pose = 0; pose < 3; ++pose) {
        const Vec3 center = Vec3::Constant(0.5) + 0.5 / n * random_unit(pose);
        poses.push_back(acceleration(n, share, center, radius, container) / expected - 1);
      }
      errors.push_back({n, rms(poses)});
    }
    add(fmt::format("Released sphere, ρs/ρf {}: acceleration, error", share), errors, 2, 1.7, "of it",
        "(1 − s) / (s + C); curved surfaces: second order");
  }
  return out;
}

}  // namespace coracle::validation
