// Symmetric positive definite systems of 3×3 blocks, one block row a node, solved by sparse Cholesky (CHOLMOD,
// supernodal), or by conjugate gradients where there are many nodes and these need few iterations. The pattern is set
// rarely, values often: the symbolic analysis is kept while the pattern stays.
#pragma once

#include "coracle/solve/block_cg.h"

#include <memory>
#include <utility>
#include <vector>

namespace coracle {

class BlockSolver {
 public:
  BlockSolver();
  ~BlockSolver();
  BlockSolver(BlockSolver&&) noexcept;
  BlockSolver& operator=(BlockSolver&&) noexcept;

  // Nodes that are coupled: pairs (i, j), in any order and number; the diagonal is always there.
  void set_pattern(int nodes, std::vector<std::pair<int, int>> pairs);
  int nodes() const { return nodes_; }
  // From the next pattern on, whatever the size: to compare.
  void use_factor_only() { by_factor_only_ = true; }

  void clear();    // all values zero
  void keep();     // remember the values as they are,
  void go_back();  // and return to them
  // Where block (i, j) stands, to be looked up once; i and j must be coupled.
  struct Slot {
    int at = 0;              // first value of its first column
    int stride[2] = {0, 0};  // to the next two columns
    bool transposed = false;
  };
  Slot slot(int i, int j) const;
  void add(const Slot& slot, const Mat3& block);  // off-diagonal: stands for itself and its transpose
  void add_diagonal(int i, const Mat3& block);    // symmetric

  // Keep only the directions that `free` keeps at node i: B ← P B P + s (1 − P), and take `value` in the others.
  struct Fixed {
    int node;
    Mat3 free;
    Vec3 value;
  };
  // Put the constraints into B and make ready to solve; false when B is seen not to be positive definite.
  [[nodiscard]] bool factor(const std::vector<Fixed>& fixed);
  static constexpr double least_tolerance = 1e-10;  // of iterations
  // Once factorised: solve B x = rhs under the constraints; false when no numbers come out.
  [[nodiscard]] bool solve(std::vector<Vec3>& x, const std::vector<Vec3>& rhs);
  // The same with all values of the constraints zero: x = P (P B P)⁻¹ P rhs. Where it is by iterations, to a residual
  // of `tolerance` of rhs.
  void solve_free(std::vector<Vec3>& x, const std::vector<Vec3>& rhs, double tolerance = least_tolerance);
  // Both at once.
  [[nodiscard]] bool solve(const std::vector<Fixed>& fixed, std::vector<Vec3>& x, const std::vector<Vec3>& rhs) {
    return factor(fixed) && solve(x, rhs);
  }
  void multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y) const;
  const std::vector<Fixed>& fixed() const { return fixed_; }

  // f(row, column, value) for the lower triangle of the scalar matrix, constraints included once factorised.
  template <class F>
  void for_each_value(F&& f) const {
    for (int c = 0; c < 3 * nodes_; ++c)
      for (int k = start_[c]; k < start_[c + 1]; ++k) f(index_[k], c, value_[k]);
  }
  // What the constraints' values ask of the right-hand side: rhs ← P (rhs − B held) + s held.
  void constrain_rhs(std::vector<Vec3>& rhs) const;

  bool by_iterations() const { return cg_ && !factorised_; }
  double factor_seconds() const { return factor_s_; }

 private:
  struct Cholmod;
  bool factorise();
  Mat3 block_at(std::size_t k) const;  // of entry k of the pattern
  void constrain(const std::vector<Fixed>& fixed);
  bool back_substitute(std::vector<Vec3>& x, std::vector<Vec3>& rhs, double tolerance);

  int nodes_ = 0;
  std::vector<int> first_, row_;  // block columns of the lower triangle: rows of column j at [first_[j], first_[j + 1])
  std::vector<int> column_of_;    // of entry k of the pattern; where cg_ is used
  std::vector<int> start_, index_;  // the scalar matrix, column by column
  std::vector<double> value_, kept_;
  std::vector<Fixed> fixed_;
  std::vector<Vec3> shift_;  // −B held, and s held at fixed nodes; empty when nothing is fixed
  std::unique_ptr<Cholmod> cholmod_;
  std::unique_ptr<BlockCg> cg_;  // of a large body
  bool factorised_ = false;
  bool by_factor_only_ = false;
  double factor_s_ = 0;
};

}  // namespace coracle
