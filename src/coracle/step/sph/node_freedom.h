// Which nodes of the bodies are unknowns beside the particles: held nodes move as given along their held directions,
// and followers move with their leaders. In lists of particles, then nodes.
#pragma once

#include "coracle/follower.h"
#include "coracle/solve/block_solver.h"
#include "coracle/solve/matrix_free_cg.h"

#include <vector>

namespace coracle {

class NodeFreedom {
 public:
  // `particles`: how many come before the nodes.
  NodeFreedom(std::size_t particles, std::size_t nodes, const std::vector<Follower>& followers,
              const std::vector<BlockSolver::Fixed>& fixed);

  void follow(WideField& x) const;  // followers take the weighted sum of their leaders
  void lead(WideField& f) const;    // the forces of followers go to their leaders
  // Zero where nodes are not free.
  void restrict(WideField& f) const;
  // The rows of a product A p: what is not free stands alone, so that A stays positive definite.
  void decouple(const WideField& p, WideField& y) const;
  // The diagonal of A as restricted, from the blocks of all nodes.
  void condense(std::vector<Mat3>& diagonal) const;
  // The given velocities, less those that the nodes have already; elsewhere zero.
  WideField given(const std::vector<Vec3>& already) const;

 private:
  std::size_t first_, nodes_;
  const std::vector<Follower>& followers_;
  const std::vector<BlockSolver::Fixed>& fixed_;
  std::vector<Mat3> free_;     // per node
  std::vector<char> follows_;  // per node
};

}  // namespace coracle
