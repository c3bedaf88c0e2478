// The stages that pages of fluids on a grid share.
#pragma once

#include "coracle/base/interpolate.h"
#include "coracle/step/body/measure.h"
#include "coracle/step/couple/grid_bodies.h"
#include "coracle/step/grid/grid_work.h"
#include "coracle/step/grid/leapfrog.h"
#include "coracle/step/stages.h"

#include <string>

namespace coracle {

struct GridSolve {
  ProjectionReport projection;
  BodySolve bodies;
};

// Stage "projection": pressure and the bodies' velocity in one solve. False: the step fails, and the report says why.
[[nodiscard]] bool solve_pressure(const Scene& scene, World& world, GridFlow& flow, StepWork& step, GridWork& work,
                                  const ProjectionInput& input, FluidSystem& fluid, Stages& stage, StepReport& report,
                                  GridSolve& found);

// Forces into the report; the surfaces of bodies get the velocity by which they move. The pressure acts on the fluid
// for the time kick.length, on a body for its own: under backward Euler a free body gets the difference as an impulse,
// so that the sum of momenta is exact at changing steps.
void accept_solve(const Scene& scene, const ProjectionInput& input, const Kick& kick, const GridSolve& found,
                  World& world, const StepWork& step, const FluidSystem& fluid, Surfaces& surfaces, StepReport& report);

inline constexpr int layers_for_transfer = 3;  // faces around the fluid that a transfer to and from the grid may need
int layers_for_paths(double cfl);              // that paths can reach in a step

// Faces less open than this have the acceleration of the faces around them. Their own is that of the little fluid that
// passes them, and can be large.
inline constexpr double well_open_share = 0.5;

// Stage "extrapolate": all velocities beyond the faces in work.valid; inside solids the drift is theirs. Faces less
// open than least_open take the velocity of the faces around them: the flow through a sliver of a face can be fast but
// small, and advected as the velocity of the whole face it would add energy.
[[nodiscard]] bool extrapolate_velocity(const Scene& scene, double least_open, GridFlow& flow, GridWork& work,
                                        const Surfaces& surfaces, Stages& stage);

// Move a body by an impulse, N s, without changing its shape. What holds a body takes its impulse.
void add_impulse(const Vec3& impulse, Body& body);

// Note where a pocket without an opening ("a free surface") is squeezed; `volume`: of all the fluid, m³.
void note_squeezed_pocket(const ProjectionReport& projection, double volume, const char* fluid, const char* opening,
                          StepReport& report);

// "STAGE: velocities are not finite", or empty where they are.
std::string not_finite(const char* stage, const FaceField<double>& u);

// Pressure at a point from the active cells around it, Pa; zero where there are none.
template <class Field, class Marks>
CORACLE_BOTH double pressure_at(const Grid& grid, const Field& pressure, const Marks& active, const Vec3& x) {
  const Corner8 c(Vec3(grid.to_cells(x).array() - 0.5), grid.n);
  double sum = 0, weight = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3i at = c.base;
    double w = 1;
    for (int a = 0; a < 3; ++a) {
      const int up = corner >> a & 1;
      at[a] += up * c.upper[a];
      w *= up ? c.frac[a] : 1 - c.frac[a];
    }
    if (!active[at]) continue;
    sum += w * pressure[at];
    weight += w;
  }
  return weight > 0 ? sum / weight : 0;
}

// The pockets of a flow and their volumes.
std::vector<PocketReport> report_pockets(const World& world, const GridFlow& flow, const GridWork& work);

// Pressure on the skin of every body, Pa per node: the mean over the wet patches around a node, weighted by their area;
// zero where there are none.
std::vector<std::vector<double>> skin_pressure(const World& world, const GridFlow& flow, const GridWork& work);

}  // namespace coracle
