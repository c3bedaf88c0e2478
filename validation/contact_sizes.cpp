// The defaults of contact, from a millimetre to ten metres and from 1e3 to 1e10 Pa.
#include "coracle/step/contact/contact.h"
#include "coracle/world/bodies.h"
#include "validation/case.h"
#include "validation/crossings.h"
#include "validation/setup.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::validation {
namespace {

struct Stack {
  bool completed = false;
  double reach = 0;                    // m, by default
  double nearest = INFINITY, gap = 0;  // m: the smallest gap ever, and at the end
  int crossed = 0;                     // the most
  double speed = 0;                    // m/s, at the end
  double upper = 0;                    // m: height of the centre of the upper cube
  double iterations = 0;               // of Newton's method, per step
};

// Two cubes fall by half of their size, one onto the floor and one, turned, onto the first.
Stack drop(double size, double young, double density, double gravity) {
  const double fall = std::sqrt(size / gravity), dt = fall / 20;
  const auto cube = [&](const char* name, double height, double turn) {
    return fmt::format(R"(
[[body]]
name = "{0}"
shape = "box"
center = [0, {1}, 0]
size = [{3}, {3}, {3}]
rotate = [0, {2}, 0]
mesh = "grid6"
element = "linear"
cells = [2, 2, 2]
material = "stable_neo_hookean"
young = {4}
density = {5}
damping_mass = {6}
)",
                       name, height, turn, size, young, density, 1 / fall);
  };
  const std::string scene = fmt::format(R"(
gravity = [0, {0}, 0]
[domain]
min = [{1}, 0, {1}]
max = [{2}, {3}, {2}]
resolution = 16
[time]
fps = {4}
frames = 240
max_dt = {5}
[contact]
kind = "barrier"
)",
                                        -gravity, -2 * size, 2 * size, 4 * size, 1 / dt, dt) +
                            cube("lower", size, 0) + cube("upper", 2.5 * size, 20);
  Stack stack;
  int steps = 0;
  const auto look = [&](const StepReport& r, const World& w, const Workspace&) {
    stack.reach = contact_distance(0, w.bodies[0]);
    stack.gap = r.contact->min_distance;
    stack.nearest = std::min(stack.nearest, stack.gap);
    stack.crossed = std::max(stack.crossed, crossings(w));
    stack.upper = r.bodies[1].center.y();
    stack.speed = std::max(max_speed(w.bodies[0]), max_speed(w.bodies[1]));
    stack.iterations += r.solver.iterations, ++steps;
  };
  stack.completed = run_to_the_end(scene, "contact_sizes", look);
  stack.iterations /= steps;
  return stack;
}

}  // namespace

Outcome contact_sizes() {
  constexpr double density = 1000, largest_load = 0.05;
  Outcome out;
  for (const double size : {1e-3, 0.1, 10.0})
    for (const double young : {1e3, 1e6, 1e10}) {
      // Cubes with ρ g L above E flatten under their own weight: there gravity is less.
      const double gravity = std::min(g, largest_load * young / (density * size));
      const double load = density * gravity * size / young;
      const Stack stack = drop(size, young, density, gravity);
      const std::string with =
          fmt::format(", {:g} m, {:g} Pa{}", size, young, gravity < g ? fmt::format(", {:.3g} m/s²", gravity) : "");
      out.results.push_back(at_least("completed" + with, stack.completed, 1, "", "it must not fail"));
      out.results.push_back(
          at_least("smallest gap over the size" + with, stack.nearest / size, 1e-12, "", "nothing passes a barrier"));
      out.results.push_back(at_most("edges through triangles" + with, stack.crossed, 0, "", "by geometry alone"));
      out.results.push_back(at_most("speed at the end over √(g L)" + with, stack.speed / std::sqrt(gravity * size),
                                    1e-2, "", "it comes to rest: 1 % of a fall"));
      out.results.push_back(
          at_most("gap at the end over the reach" + with, stack.gap / stack.reach, 0.999, "", "they touch"));
      // Without gaps the upper centre stands at 1.5 L, less at most the sag of a column with free sides: 3/2 ρ g L²/E
      // of the lower cube under both weights, 3/8 of the lower half of the upper one. Each gap adds at most the reach.
      const double sag = 15.0 / 8 * load, gaps = 2 * stack.reach / size;
      out.results.push_back(within("height of the upper centre over the size" + with, stack.upper / size,
                                   1.5 + (gaps - sag) / 2, (gaps + sag) / 2, "", "between full sag and full gaps"));
      out.results.push_back(reported("Newton's iterations per step" + with, stack.iterations, "", ""));
    }
  return out;
}

}  // namespace coracle::validation
