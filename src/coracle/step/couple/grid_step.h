// The stages that pages of fluids on a grid share.
#pragma once

#include "coracle/step/body/measure.h"
#include "coracle/step/couple/grid_bodies.h"
#include "coracle/step/grid/grid_work.h"
#include "coracle/step/stages.h"

#include <string>

namespace coracle {

// Stage "projection": pressure and the bodies' velocity in one solve, forces into the report; the surfaces of bodies
// get the velocity by which they move. False: the step fails, and the report says why.
[[nodiscard]] bool solve_pressure(const Scene& scene, World& world, GridFlow& flow, StepWork& step, GridWork& work,
                                  const ProjectionInput& input, const Vec3& gravity_dv, Surfaces& surfaces,
                                  Stages& stage, StepReport& report, ProjectionReport& projection);

// Stage "extrapolate": velocity beyond the faces in work.valid, and inside solids.
[[nodiscard]] bool extrapolate_velocity(const Scene& scene, GridFlow& flow, GridWork& work, const Surfaces& surfaces,
                                        Stages& stage);

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
