// A system without its leaves: nodes that are coupled to others, but not to each other, as particles of a liquid are
// that touch bodies. Their 3×3 blocks D_q are eliminated [Xie23 eq. 5.10]. With B_q the blocks of row q:
//     (B − Σ_q B_qᵀ D_q⁻¹ B_q) x = rhs − Σ_q B_qᵀ D_q⁻¹ rhs_q,     x_q = D_q⁻¹ (rhs_q − B_q x)
#pragma once

#include "coracle/solve/block_solver.h"

#include <utility>
#include <vector>

namespace coracle {

class Leaves {
 public:
  // The last `leaves` of the nodes are leaves. The pattern of B is that of its lower triangle: rows of block column j
  // at [first[j], first[j + 1]), the diagonal first.
  void set_pattern(int nodes, int leaves, const std::vector<int>& first, const std::vector<int>& row);
  // block(j, k) returns entry k of the pattern of B, in column j. False if a leaf's block is not positive definite.
  template <class F>
  [[nodiscard]] bool set_values(F&& block) {
    system.clear();
    for (int j = 0; j < stem_; ++j)
      for (int k = first_[j]; k < first_[j + 1]; ++k) {
        if (row_[k] == j)
          system.add_diagonal(j, block(j, k));
        else if (row_[k] < stem_)
          system.add(slot_[k], block(j, k));
        else
          coupling_[place_[k]].block = block(j, k);
      }
    for (std::size_t q = 0; q < inverse_.size(); ++q) inverse_[q] = block(stem_ + int(q), first_[stem_ + q]);
    return eliminate();
  }
  std::vector<Vec3> stem_of(const std::vector<Vec3>& rhs) const;
  // Completes x, which has the solution of the system.
  void complete(const std::vector<Vec3>& rhs, std::vector<Vec3>& x) const;
  int stem() const { return stem_; }  // nodes that are no leaves

  BlockSolver system;

 private:
  bool eliminate();

  struct Coupling {  // of a leaf with a node of the stem
    int node;
    Mat3 block;  // B_q at that node
  };
  int stem_ = 0;
  std::vector<int> first_, row_;
  std::vector<BlockSolver::Slot> slot_;  // per entry of B
  std::vector<int> place_;               // per entry of B: in coupling_
  std::vector<int> leaf_start_;          // the couplings of leaf q: [leaf_start_[q], leaf_start_[q + 1])
  std::vector<Coupling> coupling_;
  std::vector<BlockSolver::Slot> fill_;  // leaf by leaf: of each pair of its couplings
  std::vector<Mat3> inverse_;            // D⁻¹, per leaf
};

}  // namespace coracle
