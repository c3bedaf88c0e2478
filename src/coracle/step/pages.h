// The pages of a step, one a kind of fluid, and what they share. Which is read is decided in substep.cpp.
#pragma once

#include "coracle/step/grid/projection.h"
#include "coracle/step/substep.h"

#include <array>
#include <string>

namespace coracle {

// Each advances the world by dt (substep.h).
StepReport liquid_step(const Scene& scene, World& world, Workspace& work, double dt);
StepReport gas_step(const Scene& scene, World& world, Workspace& work, double dt);
// What a step with gas begins with follows from the state. The solid field must be up to date.
void prepare_gas(const Scene& scene, World& world, Workspace& work);
std::array<bool, 6> open_sides(const Scene& scene);
// Bodies and solids alone.
StepReport dry_step(const Scene& scene, World& world, Workspace& work, double dt);

// Stage "projection": pressure and the bodies' velocity in one solve, what they do to each other into the report; the
// surfaces get the velocity by which they move. Where that fails, the report says so and is not ok.
void solve_pressure(const Scene& scene, World& world, Workspace& work, const ProjectionInput& input, const Vec3& fall,
                    Surfaces& surfaces, StepReport& report, ProjectionReport& projection);
// Stage "extrapolate": velocity beyond the faces in work.valid, and inside solids.
void spread_velocity(const Scene& scene, World& world, Workspace& work, const Surfaces& surfaces, StepReport& report);

bool finite(const FaceField<double>& u);
StepReport failed(StepReport report, const std::string& trouble);
void advance_clock(Clock& clock, double dt);
// By the velocities that the bodies' solve found.
void move_bodies(std::vector<Body>& bodies, const std::vector<std::vector<Vec3>>& motion, double dt);
// Why a body cannot move so: an element is inverted that its material does not allow to be. Empty: it can.
std::string burst_trouble(const std::vector<Body>& bodies, const std::vector<std::vector<Vec3>>& motion, double dt);

}  // namespace coracle
