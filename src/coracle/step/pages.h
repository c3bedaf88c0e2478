// The pages of a step, one a kind of fluid, and what they share. Which is read is decided in substep.cpp.
#pragma once

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

bool finite(const FaceField<double>& u);
StepReport failed(StepReport report, const std::string& trouble);
void advance_clock(Clock& clock, double dt);
// By the velocities that the bodies' solve found.
void move_bodies(std::vector<Body>& bodies, const std::vector<std::vector<Vec3>>& motion, double dt);
// Why a body cannot move so: an element is inverted that its material does not allow to be. Empty: it can.
std::string burst_trouble(const std::vector<Body>& bodies, const std::vector<std::vector<Vec3>>& motion, double dt);
// Faces around the fluid that paths can reach in a step.
int layers_for_paths(double cfl);

}  // namespace coracle
