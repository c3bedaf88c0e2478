// Shells and rods, built by scenes, against theory.
#include "validation/figures.h"
#include "validation/setup.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::validation {
namespace {

// Runs a scene without contact and returns the mean displacement of chosen nodes at every time.
Points follow(const std::string& scene, const char* name, const std::function<bool(const Vec3&)>& where, int axis) {
  Points moved;
  run_text(scene, name, [&](const StepReport& r, const World& w, const Workspace&) {
    moved.push_back({r.time, displacement(w.bodies[0], where)[axis]});
  });
  return moved;
}

// Period of a decaying swing, from the times when it passes its mean upwards.
double period(const Points& curve) {
  double mean = 0;
  for (const auto& p : curve) mean += p.second / double(curve.size());
  std::vector<double> up;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const auto& [t0, u0] = curve[i - 1];
    const auto& [t1, u1] = curve[i];
    if (u0 < mean && u1 >= mean) up.push_back(t0 + (t1 - t0) * (mean - u0) / (u1 - u0));
  }
  return up.size() < 2 ? NAN : (up.back() - up.front()) / double(up.size() - 1);
}

}  // namespace

Outcome shell_strip() {
  // A strip from −edge to length, held at its first two rows of nodes.
  constexpr double length = 0.5, thickness = 0.005, young = 1e9, density = 1000, edge = 0.025;
  const auto strip = [&](double poisson, const char* more) {
    return fmt::format(R"(
[[body]]
name = "strip"
kind = "shell"
shape = "rectangle"
center = [{}, 0, 0]
along = [{}, 0, 0]
across = [0, 0, -0.1]
edge = {}
shell_thickness = {}
young = {}
poisson = {}
density = {}
{}
[[body.hold]]
type = "pin"
[[body.hold.region]]
shape = "box"
min = [-1, -1, -1]
max = [0.0001, 1, 1]
)",
                       0.5 * (length - edge), length + edge, edge, thickness, young, poisson, density, more);
  };
  const auto at_tip = [&](const Vec3& x) { return x.x() > length - 1e-6; };
  const double span = length + 0.5 * edge;  // the clamp lies midway between the two held rows
  Outcome out;
  const double stiffness = young * std::pow(thickness, 3) / 12;
  const Points sag =
      follow(without_contact(40, 20, 0.01, "backward_euler") + strip(0, "damping_mass = 20"), "shell_strip", at_tip, 1);
  out.results.push_back(within("tip's sag over ρ g t L⁴ / 8 D, ν = 0",
                               -sag.back().second / (density * g * thickness * std::pow(span, 4) / (8 * stiffness)), 1,
                               0.05, "", "Kirchhoff's plate"));
  const Points swing = follow(without_contact(100, 100, 0.0025, "midpoint") + strip(0, ""), "shell_strip", at_tip, 1);
  const double expected = 2 * M_PI / 3.516 * std::sqrt(density * thickness * std::pow(span, 4) / stiffness);
  out.results.push_back(
      within("period over that of the first mode", period(swing) / expected, 1, 0.05, "", "Euler and Bernoulli"));
  return out;
}

Outcome rod_cantilever() {
  constexpr double length = 0.5, radius = 0.005, young = 1e9, density = 1000, edge = 0.0125;
  const auto rod = [&](const char* more) {
    return fmt::format(R"(
[[body]]
name = "rod"
kind = "rod"
shape = "line"
points = [[{}, 0, 0], [{}, 0, 0]]
edge = {}
rod_radius = {}
young = {}
density = {}
{}
[[body.hold]]
type = "pin"
[[body.hold.region]]
shape = "box"
min = [-1, -1, -1]
max = [0.0001, 1, 1]
)",
                       -edge, length, edge, radius, young, density, more);
  };
  const auto at_tip = [&](const Vec3& x) { return x.x() > length - 1e-6; };
  const double span = length + 0.5 * edge;  // the clamp lies midway between the two held nodes
  const double bending = young * M_PI * std::pow(radius, 4) / 4, line = density * M_PI * radius * radius;
  Outcome out;
  const Points sag =
      follow(without_contact(40, 20, 0.01, "backward_euler") + rod("damping_mass = 20"), "rod", at_tip, 1);
  out.results.push_back(within("tip's sag over ρ g A L⁴ / 8 E I",
                               -sag.back().second / (line * g * std::pow(span, 4) / (8 * bending)), 1, 0.02, "",
                               "Euler and Bernoulli"));
  const Points swing = follow(without_contact(100, 100, 0.0025, "midpoint") + rod(""), "rod", at_tip, 1);
  const double expected = 2 * M_PI / 3.516 * std::sqrt(line * std::pow(span, 4) / bending);
  out.results.push_back(
      within("period over that of the first mode", period(swing) / expected, 1, 0.03, "", "Euler and Bernoulli"));
  return out;
}

Outcome catenary() {
  // A chain of length 1.5 between supports 1 m apart: y = a cosh(x/a), 2 a sinh(1/2a) = length.
  constexpr double length = 1.5;
  double a = 0.3;
  for (int i = 0; i < 60; ++i) {
    const double f = 2 * a * std::sinh(0.5 / a) - length;
    const double slope = 2 * std::sinh(0.5 / a) - std::cosh(0.5 / a) / a;
    a -= f / slope;
  }
  Outcome out;
  Curve curve{"A hanging chain", "x, m", "y, m", {}, {}};
  // It starts straight, and its ends come together.
  run_text(without_contact(120, 20, 0.01, "backward_euler") + R"(
[[body]]
name = "chain"
kind = "rod"
shape = "line"
points = [[-0.75, 0, 0], [0.75, 0, 0]]
edge = 0.03
rod_radius = 0.001
young = 6e7
density = 8000
damping_mass = 3
[[body.hold]]
type = "pin"
side = "x_min"
[[body.hold.motion]]
type = "keyframes"
times = [0, 1]
offsets = [[0, 0, 0], [0.25, 0, 0]]
[[body.hold]]
type = "pin"
side = "x_max"
[[body.hold.motion]]
type = "keyframes"
times = [0, 1]
offsets = [[0, 0, 0], [-0.25, 0, 0]]
)",
           "catenary", [&](const StepReport&, const World& w, const Workspace&) {
             curve.measured.clear();
             for (const Vec3& x : w.bodies[0].x) curve.measured.push_back({x.x(), x.y()});
           });
  std::sort(curve.measured.begin(), curve.measured.end());
  const double top = a * std::cosh(0.5 / a);
  double worst = 0, lowest = 0;
  for (const auto& [x, y] : curve.measured) {
    const double theory = a * std::cosh(x / a) - top;
    curve.reference.push_back({x, theory});
    worst = std::max(worst, std::abs(y - theory));
    lowest = std::min(lowest, y);
  }
  out.results.push_back(
      at_most("largest distance from the catenary over its sag", worst / (top - a), 0.01, "", "y = a cosh(x/a)"));
  out.results.push_back(within("sag over that of the catenary", -lowest / (top - a), 1, 0.01, "", "the same"));
  out.curves = {curve};
  return out;
}

}  // namespace coracle::validation
