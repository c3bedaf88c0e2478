// Floating bodies come to rest at the draft of Archimedes' principle.
#include "validation/figures.h"
#include "validation/setup.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::validation {
namespace {

struct Draft {
  Mean balance, probes;  // m
};

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

Outcome floating_sphere() {
  // d² (3R − d) = 4 s R³. The level h by balance of volume: h A = V + submerged(h), with the volume V as measured.
  constexpr double radius = 0.2, side = 0.8, fill = 0.45;
  struct Ball {
    double share, ratio;
    const char *kind, *options;
  };
  const char *deformable = "young = 1e6", *rigid = "kind = \"rigid\"";
  Outcome out;
  for (const Ball& ball : {Ball{0.2, 0.5743, "", deformable}, Ball{0.5, 1.0, "", deformable},
                           Ball{0.2, 0.5743, ", rigid", rigid}, Ball{0.5, 1.0, ", rigid", rigid}}) {
    const double share = ball.share, ratio = ball.ratio;
    const std::string name = fmt::format("{}{}", share, ball.kind);
    Draft draft;
    Curve curve{"Floating sphere, ρs/ρf " + name, "t, s", "d / R", {}, {}};
    run_text(fmt::format(R"(
[domain]
max = [{0}, {0}, {0}]
resolution = 32
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
{5})",
                         side, fill, fill + radius - ratio * radius + 0.03, radius, share * water, gauges(side, side),
                         ball.options),
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
    out.results.push_back(within(fmt::format("d / R, ρs/ρf {}, level by volume", name), draft.balance.value(), ratio,
                                 0.02 * ratio, "", "Archimedes"));
    out.results.push_back(
        reported(fmt::format("d / R, ρs/ρf {}, level by gauges", name), draft.probes.value(), "", "Archimedes"));
    out.curves.push_back(curve);
  }
  return out;
}

Outcome tilted_prism() {
  // Released at a tilt of 8 degrees; wide and low, so that it rights itself.
  constexpr double width = 0.44, height = 0.2, length = 0.36, side = 0.8, share = 0.6;
  constexpr int resolution = 40;
  constexpr double tolerance = 0.5 * side / resolution / height;  // half a cell
  Draft draft;
  double tilt = 0;
  Curve curve{"Prism let go tilted", "t, s", "degrees", {}, {}};
  run_text(fmt::format(R"(
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
{6})",
                       side, resolution, width, height, length, share * water, gauges(side, 0.6)),
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
             curve.measured.push_back({r.time, degrees});
             curve.reference.push_back({r.time, 0});
             if (r.time < settled) return;
             tilt = std::max(tilt, std::abs(degrees));
             const double bottom = r.bodies[0].center.y() - height / 2, area = width * length;
             const double level = (r.liquid().volume - area * bottom) / (side * side - area);
             draft.balance.add((level - bottom) / height, r.dt);
             draft.probes.add((level_by_gauges(r) - bottom) / height, r.dt);
           });
  return {{within("draft over height, level by volume", draft.balance.value(), share, tolerance, "",
                  "Archimedes; half a cell, a flat floor feels one pressure a cell"),
           reported("draft over height, level by gauges", draft.probes.value(), "", "Archimedes"),
           at_most("tilt once settled", tilt, 1, "degrees", "it floats upright")},
          {curve}};
}

}  // namespace coracle::validation
