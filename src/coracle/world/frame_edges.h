// The six edges of the frame of a rigid body. Velocities along which no edge grows or shrinks do not strain it. Dampers
// along the edges take out those that do, and conserve momenta: they pull the ends of an edge towards each other.
#pragma once

#include "coracle/body.h"
#include "coracle/solve/block_solver.h"

#include <array>
#include <vector>

namespace coracle {

struct FrameEdge {
  int i = -1, j = -1;      // nodes, over all bodies
  Vec3 n = Vec3::UnitX();  // from j to i
};

// In the order of element_slots() of a tet. `first`: the first node of the body.
std::array<FrameEdge, 6> frame_edges(const Rigid& rigid, int first, const std::vector<Vec3>& x);

// n·(vᵢ − vⱼ), in m/s
inline double rate(const FrameEdge& e, const std::vector<Vec3>& v) { return e.n.dot(v[e.i] - v[e.j]); }

// r ← r − push n at i, the opposite at j
inline void pull_together(const FrameEdge& e, double push, std::vector<Vec3>& r) {
  r[e.i] -= push * e.n, r[e.j] += push * e.n;
}

// The matrix of a damper: its product with v is `damping` times the rate, along n at i, and the opposite at j.
void add_damper(const FrameEdge& e, double damping, BlockSolver::Slot slot, BlockSolver& matrix);

}  // namespace coracle
