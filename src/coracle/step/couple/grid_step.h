// The stages that pages of fluids on a grid share.
#pragma once

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
                                  const ProjectionInput& input, Stages& stage, StepReport& report, GridSolve& found);

std::vector<NodeField> velocities(const std::vector<Body>& bodies);

// Forces into the report; the surfaces of bodies get the velocity by which they move. v_before: of the bodies, before
// the solve.
void accept_solve(const ProjectionInput& input, const Kick& kick, const std::vector<NodeField>& v_before,
                  const GridSolve& found, World& world, const GridFlow& flow, const StepWork& step,
                  const GridWork& work, Surfaces& surfaces, StepReport& report);

inline constexpr int layers_for_transfer = 3;  // faces around the fluid that a transfer to and from the grid may need

// Stage "extrapolate": the drift in flow.u and the velocity u_kicked beyond the faces in work.valid; the drift also
// inside solids.
[[nodiscard]] bool extrapolate_velocity(const Scene& scene, GridFlow& flow, GridWork& work, const Surfaces& surfaces,
                                        Stages& stage);

// The fluid's velocity changes over kick.length, that of bodies over dt. For the sum of momenta to be exact at changing
// steps, the centre of mass of a free body changes as the fluid does: its velocity gets `share` times its change in
// this step more, share = kick.length / dt − 1. A body at rest stays at rest, and its shape does not notice.
void carry_bodies(const std::vector<NodeField>& v_before, double share, std::vector<Body>& bodies);

// Note where a pocket without an opening ("a free surface") is squeezed; `volume`: of all the fluid, m³.
void note_squeezed_pocket(const ProjectionReport& projection, double volume, const char* fluid, const char* opening,
                          StepReport& report);

// "STAGE: velocities are not finite", or empty where they are.
std::string not_finite(const char* stage, const FaceField<double>& u);

// Pressure at a point from the active cells around it, Pa; zero where there are none.
double pressure_at(const GridFlow& flow, const PressureSystem& system, const Vec3& x);

// The pockets of a flow and their volumes.
std::vector<PocketReport> report_pockets(const World& world, const GridFlow& flow, const GridWork& work);

// Pressure on the skin of every body, Pa per node: the mean over the wet patches around a node, weighted by their area;
// zero where there are none.
std::vector<std::vector<double>> skin_pressure(const World& world, const GridFlow& flow, const GridWork& work);

}  // namespace coracle
