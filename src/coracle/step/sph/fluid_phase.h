// The liquid's phase [Xie23 eqs. 5.4–5.6]: one linear solve for the velocities u of the particles and of the bodies'
// nodes, with the energy of the liquid, inertia, gravity and the quadratic model of contact; without elasticity.
//     A u = b,   A = M + h² ∇²P + h² s (H + Q),   b = M v̂ − h ∇P − h s g − h² s (H + Q)_given u_given
// H, g: Hessian and gradient of the barrier at the start; Q: friction; s: the share of the contact that this phase
// takes (delta 1, the paper's 1/2 or 1/3, baseline 0). Held nodes and solids move as given; followers move with their
// leaders.
//
// In Q, surfaces go on as they went at the start: nodes have no elasticity here, and friction with what is about to be
// pulled back would throw particles. The nodes get what friction does to them with the next phase.
#pragma once

#include "coracle/follower.h"
#include "coracle/solve/block_solver.h"
#include "coracle/step/sph/sph_system.h"
#include "coracle/step/sph/touches.h"

#include <string>
#include <vector>

namespace coracle {

// The nodes of the bodies, body after body.
struct PhaseNodes {
  std::vector<double> mass;               // kg
  std::vector<Vec3> start;                // m/s, at the start of the step
  std::vector<Vec3> free;                 // m/s, v̂: with gravity, without other forces
  std::vector<BlockSolver::Fixed> fixed;  // held ones, with their velocities
  std::vector<Follower> followers;        // sorted by node
  std::vector<Vec3> given;                // m/s, of the vertices of solids, which come after the nodes in the mesh
};

struct FluidPhase {
  bool ok = true;
  int iterations = 0;
  std::vector<Vec3> particles, nodes;            // m/s, u
  std::vector<Vec3> particle_force, node_force;  // N: the gradient of the model of the barrier at the end
  std::vector<Vec3> node_friction;               // N: what friction does to the nodes, in the phase after this one
};

// The solve starts at `particle_guess` and `node_guess`. `held`: particles that keep that velocity, those inside
// inflows.
FluidPhase solve_fluid_phase(const SphSystem& system, const std::vector<Touch>& touches, double share,
                             const std::vector<Vec3>& particle_free, const std::vector<Vec3>& particle_guess,
                             const std::vector<Vec3>& node_guess, const std::vector<std::uint8_t>& held,
                             const PhaseNodes& nodes, MatrixFreeCg& cg);

}  // namespace coracle
