// Rigid bodies against theory.
#include "validation/coupled_setup.h"
#include "validation/figures.h"
#include "validation/released_sphere.h"
#include "validation/setup.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>

namespace coracle::validation {
namespace {

struct Spin {
  int flips = 0;
  double least = 1, most = 1;  // energy over that at the start
  double per_step = 0;         // loss of angular momentum in a step, over (ω dt)² of it: the largest
  double strain = 0;           // largest change of a distance in the body
};

// A box that spins about its middle axis, nudged.
Spin spin_box(const char* integrator, double seconds, double dt) {
  Spin spin;
  double start = -1, last = 0, sign = 1;
  run_text("gravity = [0, 0, 0]\n" + without_contact(int(50 * seconds), 50.0, dt, integrator) + R"(
[[body]]
name = "box"
kind = "rigid"
shape = "box"
center = [0, 0, 0]
size = [0.1, 0.2, 0.3]
edge = 0.3
density = 1000
spin = [0.02, 10, 0.02]
)",
           "spin", [&](const StepReport& r, const World& w, const Workspace&) {
             const Body& body = w.bodies[0];
             const double energy = r.bodies[0].kinetic_energy;
             if (start < 0) start = energy;
             spin.least = std::min(spin.least, energy / start);
             spin.most = std::max(spin.most, energy / start);
             const double l = r.bodies[0].angular_momentum.norm();
             if (last > 0) spin.per_step = std::max(spin.per_step, (1 - l / last) / std::pow(10 * r.dt, 2));
             last = l;
             // The body's own y axis against the angular momentum, which keeps its direction.
             Vec3 axis = Vec3::Zero();
             for (const int n : body.rest->skin.nodes) axis += body.rest->x[n].y() * body.x[n];
             const double along = axis.normalized().dot(r.bodies[0].angular_momentum.normalized());
             if (along * sign < -0.9) ++spin.flips, sign = -sign;
             for (std::size_t i = 1; i < body.x.size(); ++i) {
               const double rest = (body.rest->x[i] - body.rest->x[0]).norm(), now = (body.x[i] - body.x[0]).norm();
               spin.strain = std::max(spin.strain, std::abs(now / rest - 1));
             }
           });
  return spin;
}

}  // namespace

Outcome rigid_motion() {
  Outcome out;
  double fall = 0;
  run_text(without_contact(25, 50, 0.01, "midpoint") + R"(
[[body]]
name = "ball"
kind = "rigid"
shape = "sphere"
center = [0, 0, 0]
radius = 0.2
edge = 0.1
velocity = [0.5, 1, 0]
spin = [1, 5, 2]
)",
           "fall", [&](const StepReport& r, const World&, const Workspace&) {
             const Vec3 expected(0.5 * r.time, r.time - 0.5 * g * r.time * r.time, 0);
             fall = std::max(fall, (r.bodies[0].center - expected).norm());
           });
  out.results.push_back(at_most("free fall: largest error of the place over 0.5 s", fall, 1e-10, "m", "Galilei"));
  const Spin middle = spin_box("midpoint", 40, 0.005);
  out.results.push_back(at_least("flips about the middle axis in 40 s", middle.flips, 10, "", "Dzhanibekov"));
  out.results.push_back(at_least("least energy over ten flips, midpoint", middle.least, 0.99, "of the first", "Euler"));
  out.results.push_back(at_most("most energy over ten flips, midpoint", middle.most, 1.01, "of the first", "Euler"));
  out.results.push_back(at_most("largest strain, midpoint", middle.strain, 1e-3, "", "it is rigid"));
  const Spin euler = spin_box("backward_euler", 2, 0.005);
  out.results.push_back(at_most("backward Euler: loss of angular momentum in a step over (ω Δt)²", euler.per_step, 1,
                                "", "first order in time"));
  out.results.push_back(reported("backward Euler: energy after 2 s", euler.least, "of the first", ""));
  return out;
}

Outcome rigid_in_water() {
  Outcome out;
  for (const double s : {0.2, 0.5, 2.0}) {
    const double expected = released_in_theory(s);
    out.results.push_back(within(fmt::format("released rigid sphere: acceleration over g, s = {}", s),
                                 released_in_projection(s, 64, Vec3::Constant(0.5), 0.06, 30, {.rigid = true}),
                                 expected, 0.03 * std::abs(expected), "", "(1 − s) / (s + C), potential flow"));
  }
  return out;
}

}  // namespace coracle::validation
