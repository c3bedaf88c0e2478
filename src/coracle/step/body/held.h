// The velocities that held nodes have over a step.
#pragma once

#include "coracle/solve/block_solver.h"
#include "coracle/world.h"

#include <vector>

namespace coracle {

// The way that a program has added to the motion of a hold, m.
Vec3 way(const Shift& shift, double time);

// Nodes as numbered by first_nodes(); the mean velocity from `time` to `time` + dt, along the directions that are held.
std::vector<BlockSolver::Fixed> held_velocities(const std::vector<Body>& bodies, double time, double dt);

}  // namespace coracle
