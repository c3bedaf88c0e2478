// A plate clamped at two sides, the floor of a tank.
#include "validation/figures.h"
#include "validation/setup.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::validation {

Outcome hydrostatic_plate() {
  // w = q L⁴ / 384 D is Kirchhoff's plate; with shear, a solid model converges to 7.11e-5 m.
  constexpr double limit = -7.11e-5, thickness = 0.05, young = 67.5e9, nu = 0.34, cell = 0.0125;
  const double stiffness = young * std::pow(thickness, 3) / 12 / (1 - nu * nu);
  const double kirchhoff = -g * (water * 2 + 2700 * thickness) / 384 / stiffness;
  Outcome out;
  Curve curve{"Plate under water: deflection over Kirchhoff's, by layers", "layers", "", {}, {}};
  double below = 0;
  struct Mesh {
    const char* element;
    int layers;
  };
  for (const auto& [element, layers] : {Mesh{"linear", 4}, {"linear", 8}, {"linear", 12}, {"quadratic", 3}}) {
    const bool linear = std::string(element) == "linear";
    Mean middle;
    run_text(fmt::format(R"(
[domain]
min = [0, -0.25, 0]
max = [1, 2.25, 1]
resolution = 200
slab = 1
[time]
fps = 100
frames = 16
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 2, {0}]
[[body]]
name = "plate"
shape = "box"
min = [0, -0.05, 0]
max = [1, 0, {0}]
mesh = "grid6"
element = "{4}"
cells = [{1}, {2}, 1]
young = 67.5e9
poisson = 0.34
density = 2700
[[body.hold]]
type = "pin"
side = "x_min"
[[body.hold]]
type = "pin"
side = "x_max"
{3}
[contact]
kind = "none"
)",
                         cell, 20 * layers, layers, rollers({"z_min", "z_max"}), element),
             "hydrostatic_plate", [&](const StepReport& r, const World& w, const Workspace&) {
               if (r.time < 0.08) return;  // backward Euler has damped it: its period in water is 14 ms
               middle.add(displacement(w.bodies[0], [](const Vec3& x) { return std::abs(x.x() - 0.5) < 1e-9; }).y(),
                          r.dt);
               double count = 0;
               for (const Vec3& x : liquid_of(w).particles.x) count += x.y() < -0.5 * thickness;
               below = std::max(below, count);
             });
    if (!linear) {
      out.results.push_back(within(fmt::format("deflection in the middle, {} quadratic layers", layers), middle.value(),
                                   limit, -0.03 * limit, "m", "plate with shear"));
      continue;
    }
    curve.measured.push_back({layers, middle.value() / kirchhoff});
    curve.reference.push_back({layers, limit / kirchhoff});
    if (layers == 12)
      out.results.push_back(
          within("deflection in the middle, 12 layers", middle.value(), limit, -0.05 * limit, "m", "plate with shear"));
    out.results.push_back(reported(fmt::format("over Kirchhoff's, {} layers", layers), middle.value() / kirchhoff, "",
                                   "linear tets: 0.82, 0.97, 1.00 with 4, 8, 12"));
  }
  out.results.push_back(at_most("particles that came through the plate", below, 0, "", "it is the floor"));
  out.curves = {curve};
  return out;
}

}  // namespace coracle::validation
