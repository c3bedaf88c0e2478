// Liquid alone: a dam break around a rigid ball.
#pragma once

#include "bench/measure.h"
#include "validation/setup.h"

namespace coracle::bench {

struct DamAroundBall {
  Grid grid;
  std::vector<Solid> solids;
  Boundary cut;
  Array3<double> phi;

  explicit DamAroundBall(int n)
      : grid(validation::unit_grid(n)),
        solids{validation::make_solid(sphere_mesh(Vec3(0.62, 0.21, 0.52), 0.15, grid.dx))},
        cut(validation::cut_grid(grid, solids)),
        phi(validation::plane_phi(grid, Vec3(0.5, 0.4, 0.5), Vec3(0.4, 1, 0.1).normalized())) {}

  // The fastest of several projections of a uniform stream.
  FormRun solve(const SolverOptions& solver) const {
    const ProjectionInput in{.grid = grid,
                             .cut = cut,
                             .fluid_phi = phi,
                             .surfaces = solids,
                             .density = validation::water,
                             .dt = 1.0 / 120,
                             .solver = solver};
    PressureSystem system;
    return best_of([&] {
      FaceField<double> u = validation::uniform_velocity(grid, Vec3(0.3, -0.08, 0));
      Array3<double> p(grid.n);
      FaceField<std::uint8_t> valid;
      FormRun run;
      run.report = project(in, system, u, p, valid).solve;
      run.residual = run.volume_error = run.report.residual;
      return run;
    });
  }
};

}  // namespace coracle::bench
