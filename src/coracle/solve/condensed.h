// A system without the nodes that follow others. With x = T y, where T is the identity on free nodes and holds the
// weights of followers, B x = rhs becomes Tᵀ B T y = Tᵀ rhs. The unknowns y are the free nodes, in their order, so that
// followers cost the solve nothing; how B changes among them matters only by the leaders that it couples.
#pragma once

#include "coracle/follower.h"
#include "coracle/solve/block_solver.h"

#include <utility>
#include <vector>

namespace coracle {

class Condensed {
 public:
  // Followers are sorted by node, and none of their leaders follows. The pattern of B is that of its lower triangle:
  // rows of block column j at [first[j], first[j + 1]), the diagonal first.
  void set_pattern(int nodes, const std::vector<Follower>& followers, const std::vector<int>& first,
                   const std::vector<int>& row);
  // block(j, k) returns entry k of the pattern of B, in column j.
  template <class F>
  void set_values(F&& block) {
    system.clear();
    for (std::size_t j = 0; j + 1 < first_.size(); ++j)
      for (int k = first_[j]; k < first_[j + 1]; ++k)
        if (const Mat3 b = block(int(j), k); !b.isZero(0))
          add(int(j), k, b);  // most vertices of rigid bodies have none
  }
  std::vector<Vec3> lead(const std::vector<Vec3>& f) const;               // y = Tᵀ f
  void follow(const std::vector<Vec3>& y, std::vector<Vec3>& x) const;    // x = T y
  std::vector<Vec3> free_of(const std::vector<Vec3>& x) const;            // y, where x = T y
  void put_free(const std::vector<Vec3>& y, std::vector<Vec3>& x) const;  // zero at followers
  int place(int node) const { return place_[node]; }                      // among the free nodes; -1: it follows
  int node(int place) const { return node_[place]; }

  BlockSolver system;  // of y
  double idle = 1;     // the diagonal that callers see in the rows of followers

 private:
  struct Target {  // of an entry of B: an entry of Tᵀ B T
    int diagonal;  // place; -1: off the diagonal, at `slot`
    BlockSolver::Slot slot;
  };
  void add(int j, int k, const Mat3& block);

  std::vector<int> first_, row_;  // pattern of B
  std::vector<int> place_, node_;
  std::vector<int> t_start_, t_place_;  // rows of T
  std::vector<double> t_weight_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> target_;  // per entry of B: its first target, one per pair of leaders of row and column
  std::vector<Target> targets_;
};

}  // namespace coracle
