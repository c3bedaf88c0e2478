// A wall that moves into a tank: the volume that it sweeps must leave through the free surface.
#include "validation/case.h"
#include "validation/setup.h"

#include <fmt/format.h>

namespace coracle::validation {

Outcome piston_flux() {
  const Grid grid{Vec3::Zero(), 1.0 / 32, Vec3i(32, 24, 8)};
  const Vec3 v(0.8, 0, 0);
  const std::vector<Solid> solids{make_solid(box_mesh(Vec3(-1, -1, -1), Vec3(0.2137, 2, 2)), false, v)};
  const Boundary cut = cut_grid(grid, solids);
  const Array3<double> phi = plane_phi(grid, Vec3(0.5, 0.41, 0), Vec3(0.05, 1, 0.02).normalized());
  ProjectionInput in{
      .grid = grid, .cut = cut, .fluid_phi = phi, .surfaces = solids, .density = water, .dt = 0.01, .solver = {}};
  in.solver.tolerance = 1e-13;
  FaceField<double> u = uniform_velocity(grid, Vec3(0, -0.0981, 0));
  Array3<double> p(grid.n);
  FaceField<std::uint8_t> valid;
  PressureSystem system;
  (void)project(in, system, u, p, valid);
  double out_of_surface = 0;
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < u[a].size(); ++i) {
      const Vec3i hi = u[a].cell(i), lo = hi - Vec3i::Unit(a);
      if (lo[a] < 0 || hi[a] >= grid.n[a]) continue;
      const int wet = int(system.active[lo]) - int(system.active[hi]);
      out_of_surface += wet * cut.open[a].data[i] * u[a].data[i];
    }
  // The wall is plane and crosses whole columns: the swept flux is its speed times the cross-section of the wet cells.
  double swept = 0;
  for (const Patch& patch : cut.patches)
    if (system.active.data[patch.cell]) swept -= patch.area.dot(v);
  double section = 0;
  const int wall_cell = int(0.2137 / grid.dx);
  for (int k = 0; k < grid.n.z(); ++k)
    for (int j = 0; j < grid.n.y(); ++j) section += system.active(wall_cell, j, k);
  return {{within("flux through the surface over swept flux", out_of_surface / swept, 1, 1e-9, "", "incompressibility"),
           within("swept flux over speed times wet section", swept / (v.x() * section), 1, 1e-12, "",
                  "geometry of a plane wall")},
          {}};
}

Outcome piston_level() {
  constexpr double depth = 0.3, stroke = 0.2, length = 1;
  double level = 0;
  Curve curve{"Level over a wall's stroke", "t, s", "level, m", {}, {}};
  run_text(fmt::format(R"(
[domain]
min = [0, 0, 0]
max = [1, 0.6, 1]
resolution = 64
slab = 4
[time]
fps = 20
frames = 20
[liquid]
volume_correction = false
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, {}, 0.0625]
[[solid]]
name = "wall"
shape = "box"
min = [-1, -0.5, -0.5]
max = [0, 1, 0.5]
[[solid.motion]]
type = "keyframes"
times = [0, 0.2, 0.4, 0.6, 0.8, 1.0]
offsets = [[0, 0, 0], [0.02, 0, 0], [0.07, 0, 0], [0.13, 0, 0], [0.18, 0, 0], [0.2, 0, 0]]
)",
                       depth),
           "piston_level", [&](const StepReport& r, const World& w, const Workspace&) {
             const double wall = w.solids[0].x[0].x() < -0.5 ? w.solids[0].x[0].x() + 1 : w.solids[0].x[0].x();
             const Grid& grid = liquid_of(w).grid;
             level = r.liquid().volume / ((length - wall) * grid.n.z() * grid.dx);
             curve.measured.push_back({r.time, level});
             curve.reference.push_back({r.time, depth * length / (length - wall)});
           });
  const double expected = depth * length / (length - stroke);
  return {{within("level after the stroke", level, expected, 0.01 * expected, "m", "volume of the water")}, {curve}};
}

}  // namespace coracle::validation
