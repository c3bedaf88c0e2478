// Floating bodies come to rest at the draft of Archimedes' principle.
#include "validation/floating.h"

#include "validation/setup.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::validation {
namespace {

constexpr double settled = 1.5;  // s: mass damping has damped most of the heave by then

// Four gauges in the corners of a tank `side` wide.
std::string gauges(double side, double height) {
  std::string text;
  for (const int corner : {0, 1, 2, 3}) {
    const double x = (corner & 1 ? 0.94 : 0.06) * side, z = (corner & 2 ? 0.94 : 0.06) * side;
    text +=
        fmt::format("[[probe]]\nname = \"level_{0}\"\ntype = \"height\"\nfrom = [{1}, 0, {2}]\nto = [{1}, {3}, {2}]\n",
                    corner, x, z, height);
  }
  return text;
}

double level_by_gauges(const StepReport& r) {
  double sum = 0;
  for (const double p : r.probes) sum += p;
  return sum / double(r.probes.size());
}

}  // namespace

Draft float_ball(const FloatingBall& ball, const FloatingIn& in, Curve& curve) {
  // The level h by balance of volume: h A = V + submerged(h), with the volume V as measured.
  constexpr double radius = 0.2, side = tank_side, fill = 0.45;
  const double ratio = ball.ratio;
  Draft draft;
  run_text(fmt::format(R"(
method = "{7}"
[domain]
max = [{0}, {0}, {0}]
resolution = {8}
[time]
fps = 25
frames = 75
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [{0}, {1}, {0}]
[[body]]
name = "ball"
shape = "sphere"
center = [0.4, {2}, 0.4]
radius = {3}
edge = 0.04
{6}
density = {4}
damping_mass = 7
{5}
{9})",
                       side, fill, fill + radius - ratio * radius + 0.03, radius, ball.share * water,
                       gauges(side, side), ball.options, in.method, in.resolution, in.more),
           "floating_sphere", [&](const StepReport& r, const World&, const Workspace&) {
             const double bottom = r.bodies[0].center.y() - radius;
             double d = ratio * radius;
             for (int i = 0; i < 50; ++i)
               d = (r.liquid().volume + M_PI * d * d * (3 * radius - d) / 3) / (side * side) - bottom;
             curve.measured.push_back({r.time, d / radius});
             curve.reference.push_back({r.time, ratio});
             if (r.time < settled) return;
             draft.balance.add(d / radius, r.dt);
             draft.probes.add((level_by_gauges(r) - bottom) / radius, r.dt);
           });
  return draft;
}

FloatingPrism float_prism(const FloatingIn& in) {
  constexpr double width = 0.44, height = prism_height, length = 0.36, side = tank_side;
  FloatingPrism found;
  run_text(fmt::format(R"(
method = "{7}"
[domain]
max = [{0}, 0.6, {0}]
resolution = {1}
[time]
fps = 25
frames = 75
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [{0}, 0.3, {0}]
[[body]]
name = "prism"
shape = "box"
center = [0.4, 0.29, 0.4]
size = [{2}, {3}, {4}]
rotate = [0, 0, 8]
mesh = "grid6"
element = "linear"
cells = [8, 4, 7]
young = 1e6
density = {5}
damping_mass = 5
{6}
{8})",
                       side, in.resolution, width, height, length, prism_share * water, gauges(side, 0.6), in.method,
                       in.more),
           "tilted_prism", [&](const StepReport& r, const World& w, const Workspace&) {
             const Body& body = w.bodies[0];
             const Mat3 turn = rotation_xyz(Vec3(0, 0, 8));
             Vec3 ends[2] = {Vec3::Zero(), Vec3::Zero()};
             int counts[2] = {0, 0};
             for (std::size_t i = 0; i < body.x.size(); ++i) {
               const double along = (turn.transpose() * (body.rest->x[i] - Vec3(0.4, 0.29, 0.4))).x();
               if (std::abs(along) < width / 2 - 1e-9) continue;
               ends[along > 0] += body.x[i], ++counts[along > 0];
             }
             const Vec3 axis = ends[1] / counts[1] - ends[0] / counts[0];
             const double degrees = std::atan2(axis.y(), axis.x()) * 180 / M_PI;
             found.curve.measured.push_back({r.time, degrees});
             found.curve.reference.push_back({r.time, 0});
             if (r.time < settled) return;
             found.tilt = std::max(found.tilt, std::abs(degrees));
             const double bottom = r.bodies[0].center.y() - height / 2, area = width * length;
             const double level = (r.liquid().volume - area * bottom) / (side * side - area);
             found.draft.balance.add((level - bottom) / height, r.dt);
             found.draft.probes.add((level_by_gauges(r) - bottom) / height, r.dt);
           });
  return found;
}

Outcome floating_sphere() {
  const char *deformable = "young = 1e6", *rigid = "kind = \"rigid\"";
  Outcome out;
  for (const auto& [ball, kind] : {std::pair{FloatingBall{0.2, 0.5743, deformable}, ""},
                                   {FloatingBall{0.5, 1.0, deformable}, ""},
                                   {FloatingBall{0.2, 0.5743, rigid}, ", rigid"},
                                   {FloatingBall{0.5, 1.0, rigid}, ", rigid"}}) {
    const std::string name = fmt::format("{}{}", ball.share, kind);
    Curve curve{"Floating sphere, ρs/ρf " + name, "t, s", "d / R", {}, {}};
    const Draft draft = float_ball(ball, {}, curve);
    out.results.push_back(within(fmt::format("d / R, ρs/ρf {}, level by volume", name), draft.balance.value(),
                                 ball.ratio, 0.02 * ball.ratio, "", "Archimedes"));
    out.results.push_back(
        reported(fmt::format("d / R, ρs/ρf {}, level by gauges", name), draft.probes.value(), "", "Archimedes"));
    out.curves.push_back(curve);
  }
  return out;
}

Outcome tilted_prism() {
  constexpr int resolution = 40;
  constexpr double tolerance = 0.5 * tank_side / resolution / prism_height;  // half a cell
  const FloatingPrism prism = float_prism({.resolution = resolution});
  return {{within("draft over height, level by volume", prism.draft.balance.value(), prism_share, tolerance, "",
                  "Archimedes; half a cell, a flat floor feels one pressure a cell"),
           reported("draft over height, level by gauges", prism.draft.probes.value(), "", "Archimedes"),
           at_most("tilt once settled", prism.tilt, 1, "degrees", "it floats upright")},
          {prism.curve}};
}

}  // namespace coracle::validation
