// Barrier contact against closed forms and laws.
#include "validation/crossings.h"
#include "validation/figures.h"
#include "validation/setup.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>

namespace coracle::validation {
namespace {

// The speed of a block along a slope of 30°, as a curve in time.
Points slide(const char* kind, double friction) {
  Points speed;
  const double angle = M_PI / 6;
  run_text(fmt::format(R"(
gravity = [{0}, {1}, 0]
[domain]
min = [0, 0, 0]
max = [6, 1, 1]
resolution = 32
[time]
fps = 20
frames = 20
max_dt = 0.005
[contact]
kind = "barrier"
friction = {2}
[[body]]
name = "block"
{3}
shape = "box"
center = [0.5, 0.055, 0.5]
size = [0.2, 0.1, 0.2]
density = 1000
)",
                       g * std::sin(angle), -g * std::cos(angle), friction, kind),
           "incline", [&](const StepReport& r, const World&, const Workspace&) {
             speed.push_back({r.time, r.bodies[0].momentum.x() / (1000 * 0.2 * 0.1 * 0.2)});
           });
  return speed;
}

// −∂b/∂d of the barrier over κ: 8 y (y² − 1) ln y + 2 (y² − 1)² / y, y = d/d̂ (step/contact/barrier.h).
double barrier_pressure_over_kappa(double y) {
  return y >= 1 ? 0 : 8 * y * (y * y - 1) * std::log(y) + 2 * (y * y - 1) * (y * y - 1) / y;
}

// The force of the floor at y = 0 on a body by the closed form of the barrier.
double floor_force(const Body& body, double kappa, double reach) {
  std::vector<double> area(body.x.size(), 0);
  for (const Vec3i& t : body.rest->skin.tris)
    for (const int n : t)
      area[n] += (body.rest->x[t[1]] - body.rest->x[t[0]]).cross(body.rest->x[t[2]] - body.rest->x[t[0]]).norm() / 6;
  double force = 0;
  for (const int n : body.rest->skin.nodes)
    force += area[n] * kappa * barrier_pressure_over_kappa(body.x[n].y() / reach);
  return force;
}

}  // namespace

Outcome incline() {
  Outcome out;
  const char* rigid = "kind = \"rigid\"\nedge = 0.1";
  const char* soft = "mesh = \"grid6\"\ncells = [2, 1, 2]\nyoung = 1e7";
  for (const auto& [kind, name] : {std::pair{rigid, "rigid"}, {soft, "E = 10 MPa"}})
    for (const double friction : {0.0, 0.03, 0.2, 0.5}) {
      const Points speed = slide(kind, friction);
      const double measured = (value_at(speed, 1.0) - value_at(speed, 0.4)) / 0.6;
      const double expected = g * (0.5 - friction * std::sqrt(0.75));
      out.results.push_back(within(fmt::format("acceleration, μ = {}, {}", friction, name), measured, expected,
                                   0.02 * expected, "m/s²", "g (sin θ − μ cos θ)"));
    }
  const double slides = value_at(slide(rigid, 0.56), 1.0), sticks = value_at(slide(rigid, 0.6), 1.0);
  out.results.push_back(at_least("speed after 1 s just below the threshold, μ = 0.56", slides, 0.05, "m/s",
                                 "tan 30° = 0.577: it slides"));
  out.results.push_back(at_most("speed after 1 s just above it, μ = 0.6", std::abs(sticks), 1e-3, "m/s",
                                "it sticks: creep below contact.slip"));
  return out;
}

Outcome resting_gap() {
  constexpr double kappa = 2e4, reach = 0.01;
  Outcome out;
  for (const auto& [name, shape] :
       {std::pair{"block", "shape = \"box\"\ncenter = [0.5, 0.107, 0.5]\nsize = [0.2, 0.2, 0.2]"},
        {"ball", "shape = \"sphere\"\ncenter = [0.5, 0.107, 0.5]\nradius = 0.1"}}) {
    double force = 0, weight = 0, gap = 0, reported_gap = 0;
    run_text(fmt::format(R"(
[domain]
resolution = 32
[time]
fps = 20
frames = 40
max_dt = 0.01
[contact]
kind = "barrier"
stiffness = {}
distance = {}
[[body]]
name = "body"
kind = "rigid"
{}
edge = 0.05
density = 500
damping_mass = 10
)",
                         kappa, reach, shape),
             name, [&](const StepReport& r, const World& w, const Workspace&) {
               const Body& body = w.bodies[0];
               force = floor_force(body, kappa, reach);
               weight = momenta(w.bodies).mass * g;
               gap = 1;
               for (const int n : body.rest->skin.nodes) gap = std::min(gap, body.x[n].y());
               reported_gap = r.contact->min_distance;
             });
    out.results.push_back(within(fmt::format("{}: force of the floor over the weight", name), force / weight, 1, 2e-3,
                                 "", "A κ φ(y), φ = 8 y (y² − 1) ln y + 2 (y² − 1)²/y"));
    out.results.push_back(reported(fmt::format("{}: rests at, over the reach", name), gap / reach, "", "the same"));
    out.results.push_back(within(fmt::format("{}: reported gap over that of the lowest vertex", name),
                                 reported_gap / gap, 1, 1e-9, "", "the same"));
  }
  return out;
}

Outcome shot_at_sheet() {
  Outcome out;
  for (const double speed : {50.0, 1000.0}) {
    double gap = 1, ahead = 1;
    bool passed = false;
    int crossed = 0;
    const bool completed = run_to_the_end(fmt::format(R"(
gravity = [0, 0, 0]
[domain]
min = [-1, -1, -1]
max = [1, 1, 5]
resolution = 48
[time]
fps = {0}
frames = 20
[[body]]
name = "sheet"
kind = "shell"
shape = "rectangle"
center = [0, 0, 0]
along = [1, 0, 0]
across = [0, 1, 0]
edge = 0.06
shell_thickness = 0.001
young = 1e9
density = 1000
[[body.hold]]
type = "pin"
side = "x_min"
[[body.hold]]
type = "pin"
side = "x_max"
[[body.hold]]
type = "pin"
side = "y_min"
[[body.hold]]
type = "pin"
side = "y_max"
[[body]]
name = "block"
kind = "rigid"
shape = "box"
edge = 0.1
center = [0.01, 0.02, -0.2]
size = [0.1, 0.1, 0.1]
rotate = [20, 30, 40]
density = 1000
velocity = [0, 0, {1}]
)",
                                                      20 * speed, speed),
                                          "shot", [&](const StepReport& r, const World& w, const Workspace&) {
                                            gap = std::min(gap, r.contact->min_distance);
                                            crossed = std::max(crossed, crossings(w));
                                            double sheet = -1;
                                            for (const Vec3& x : w.bodies[0].x) sheet = std::max(sheet, x.z());
                                            double front = -1;
                                            for (const int n : w.bodies[1].rest->skin.nodes)
                                              front = std::max(front, w.bodies[1].x[n].z());
                                            if (front > 0) ahead = std::min(ahead, sheet - front);
                                            passed = passed || (front > 0 && sheet < front);
                                          });
    out.results.push_back(at_least(fmt::format("{:g} m/s: completed", speed), completed, 1, "", "it must not fail"));
    out.results.push_back(
        at_least(fmt::format("{:g} m/s: smallest gap", speed), gap, 1e-12, "m", "nothing passes a barrier"));
    out.results.push_back(at_most(fmt::format("{:g} m/s: edges through triangles", speed), crossed, 0, "",
                                  "counted by geometry alone, after every step"));
    out.results.push_back(
        at_most(fmt::format("{:g} m/s: the block is ahead of the sheet", speed), passed, 0, "", "it does not pass"));
    out.results.push_back(reported(fmt::format("{:g} m/s: the sheet is ahead by at least", speed), ahead, "m", ""));
  }
  return out;
}

Outcome contact_laws() {
  Outcome out;
  for (const double friction : {0.0, 0.5}) {
    Momenta first;
    double linear = 0, angular = 0, scale = 0, angular_scale = 0, torque = 0, work = 0, start = -1, last = 0;
    std::vector<std::vector<Vec3>> before;
    std::size_t touching = 0;
    run_text(fmt::format(R"(
gravity = [0, 0, 0]
[domain]
min = [-1, -1, -1]
max = [1, 1, 1]
resolution = 16
[time]
fps = 100
frames = 30
max_dt = 0.002
[contact]
kind = "barrier"
friction = {}
[elastic]
tolerance = 1e-12
max_iterations = 100
[[body]]
name = "a"
shape = "box"
mesh = "grid6"
cells = [2, 2, 2]
center = [-0.15, 0.03, 0]
size = [0.2, 0.2, 0.2]
rotate = [10, 20, 30]
material = "stable_neo_hookean"
young = 1e5
velocity = [2, 0, 0.3]
spin = [3, 2, 1]
[[body]]
name = "b"
shape = "sphere"
center = [0.15, -0.02, 0.02]
radius = 0.1
edge = 0.06
material = "stable_neo_hookean"
young = 1e5
velocity = [-2, 0.5, 0]
spin = [-2, 4, 5]
)",
                         friction),
             "contact_laws", [&](const StepReport& r, const World& w, const Workspace&) {
               const Momenta now = momenta(w.bodies);
               if (start < 0) first = now;
               linear = std::max(linear, (now.linear - first.linear).norm());
               angular = std::max(angular, (now.angular - first.angular).norm());
               for (const BodyReport& b : r.bodies) scale = std::max(scale, b.momentum.norm());
               angular_scale = std::max(angular_scale, now.angular.norm());
               Vec3 turn = Vec3::Zero();
               for (std::size_t b = 0; b < w.bodies.size() && !before.empty(); ++b)
                 for (std::size_t i = 0; i < w.bodies[b].x.size(); ++i)
                   turn += w.bodies[b].rest->mass[i] * w.bodies[b].x[i].cross(w.bodies[b].v[i] - before[b][i]);
               before.clear();
               for (const Body& body : w.bodies) before.push_back(body.v);
               torque = std::max(torque, turn.norm() / (scale * 0.1));
               work += r.contact->friction_work;
               touching = std::max(touching, r.contact->active);
               last = 0;
               for (const BodyReport& b : r.bodies) last += b.kinetic_energy + b.elastic_energy;
               if (start < 0) start = last;
             });
    const std::string with = fmt::format(", μ = {}", friction);
    out.results.push_back(at_least("pairs in contact" + with, double(touching), 10, "", "they collide"));
    out.results.push_back(
        at_most("change of linear momentum" + with, linear / scale, 1e-10, "of a body's", "action is reaction"));
    out.results.push_back(reported("change of angular momentum" + with, angular / angular_scale, "",
                                   friction > 0 ? "backward Euler; friction acts across the gap" : "backward Euler"));
    if (friction == 0)
      out.results.push_back(at_most("torque about the places at the end of a step, of all forces" + with, torque, 1e-10,
                                    "of a body's momentum × size",
                                    "Σ x × m (v − vⁿ) = 0: forces act along the lines of closest points"));
    out.results.push_back(reported("work of friction" + with, work, "J", ""));
    out.results.push_back(at_most("energy at the end over that at the start" + with, last / start, 1, "",
                                  "backward Euler, contact and friction only lose"));
  }
  return out;
}

Outcome pile_on_cloth() {
  std::string scene = R"(
[domain]
min = [-0.6, 0, -0.6]
max = [0.6, 1.8, 0.6]
resolution = 32
[time]
fps = 25
frames = 250
max_dt = 0.01
[[body]]
name = "cloth"
kind = "shell"
shape = "rectangle"
center = [0, 0.5, 0]
along = [1.1, 0, 0]
across = [0, 0, -1.1]
edge = 0.07
shell_thickness = 0.002
young = 1e6
density = 500
damping_mass = 1
[[body.hold]]
type = "pin"
side = "x_min"
[[body.hold]]
type = "pin"
side = "x_max"
)";
  for (int i = 0; i < 10; ++i)
    scene += fmt::format(
        "[[body]]\nname = \"b{}\"\nshape = \"{}\"\ncenter = [{}, {}, {}]\n{}\nedge = 0.07\nyoung = 1e5\ndensity = "
        "300\nmaterial = \"stable_neo_hookean\"\ndamping_mass = 1\n",
        i, i % 2 ? "sphere" : "box", 0.1 * (uniform(i, 0) - 0.5), 0.62 + 0.115 * i, 0.1 * (uniform(i, 1) - 0.5),
        i % 2 ? "radius = 0.05" : "size = [0.1, 0.09, 0.11]\nrotate = [10, 25, 5]");
  double gap = 1, speed = 0;
  int crossed = 0;
  run_text(scene, "pile_on_cloth", [&](const StepReport& r, const World& w, const Workspace&) {
    gap = std::min(gap, r.contact->min_distance);
    crossed = std::max(crossed, crossings(w));
    speed = 0;
    for (const BodyReport& b : r.bodies)
      if (b.name != "cloth") speed = std::max(speed, std::sqrt(2 * b.kinetic_energy / (300 * b.volume)));
  });
  return {{at_least("smallest gap over 10 s", gap, 1e-12, "m", "nothing ever meets"),
           at_most("edges through triangles", crossed, 0, "", "counted by geometry alone, after every step"),
           at_most("fastest body after 10 s", speed, 0.02, "m/s", "they come to rest")},
          {}};
}

}  // namespace coracle::validation
