// Symmetric positive definite systems of 3×3 blocks by conjugate gradients, for bodies too large to be factorised.
//
// Preconditioner z = D⁻¹ r + R (Rᵀ B R)⁻¹ Rᵀ r: the diagonal blocks reduce short-range error, translations of groups of
// about sixty neighbouring nodes reduce long-range error. The system of the groups is small and is factorised.
#pragma once

#include "coracle/types.h"

#include <memory>
#include <vector>

namespace coracle {

class BlockSolver;

class BlockCg {
 public:
  BlockCg();
  ~BlockCg();
  // The pattern of the lower triangle: rows of block column j at [first[j], first[j + 1]), the diagonal first.
  void set_pattern(const std::vector<int>& first, const std::vector<int>& row);
  // block(k) returns entry k of the pattern. False if a diagonal block or the system of the groups is not positive
  // definite.
  template <class F>
  [[nodiscard]] bool set_values(F&& block) {
    for (std::size_t k = 0; k < lower_.size(); ++k) {
      const Mat3 b = block(k);
      value_[lower_[k]] = b;
      if (upper_[k] != lower_[k]) value_[upper_[k]] = b.transpose();
    }
    return prepare();
  }
  // Solve from x = 0 until ‖b − B x‖ ≤ tolerance ‖b‖; false if that is not reached.
  [[nodiscard]] bool solve(std::vector<Vec3>& x, const std::vector<Vec3>& b, double tolerance, int most_iterations);
  int iterations() const { return iterations_; }  // of the last solve

 private:
  bool prepare();
  void multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y) const;
  void precondition(const std::vector<Vec3>& r, std::vector<Vec3>& z);

  std::vector<int> start_, column_;  // block rows, both triangles
  std::vector<int> lower_, upper_;   // indices of entry k of the pattern and of its transpose
  std::vector<Mat3> value_;
  std::vector<Mat3> inverse_diag_;
  std::vector<int> group_;  // per node
  std::vector<int> group_start_, group_nodes_;
  std::unique_ptr<BlockSolver> groups_;
  std::vector<Vec3> r_, z_, p_, q_, group_r_, group_z_;
  int iterations_ = 0;
};

}  // namespace coracle
