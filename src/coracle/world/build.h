// Build the world from the scene.
#pragma once

#include "coracle/scene/layers.h"
#include "coracle/world.h"

#include <string>
#include <vector>

namespace coracle {

// Solids and bodies at time zero, and an empty fluid of the kind in the scene; start() (step/advance.h) fills it.
World build_world(const Scene& scene);
// Solids, inflows and jets at time zero.
std::vector<Solid> build_solids(const Scene& scene);
// A note per body whose meshing takes long, to be shown before it begins.
std::vector<std::string> large_bodies(const Scene& scene);
// The deformable bodies of a scene; throws SceneError if one cannot be meshed.
std::vector<Body> build_bodies(const Scene& scene);
// An empty fluid of this kind.
Fluid empty_fluid(FluidKind kind, const Grid& grid);
// The grid of a scene.
Grid scene_grid(const DomainOptions& domain);

// Set positions and velocities at a time.
void move_solids(std::vector<Solid>& solids, double time);
// Set the mean velocities from `time` to `time` + dt: v = (x(t + dt) − x(t)) / dt. Positions must be those at `time`.
void set_velocity_over(std::vector<Solid>& solids, double time, double dt);

}  // namespace coracle
