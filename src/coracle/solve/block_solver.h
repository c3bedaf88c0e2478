// Symmetric positive definite systems of 3×3 blocks, one block row per node, solved by sparse Cholesky (CHOLMOD,
// supernodal), or by conjugate gradients if there are many nodes and few iterations suffice. The pattern changes
// rarely, the values often: the symbolic analysis is kept until the pattern changes.
//
// Some nodes may follow others: x = T y, with y the free nodes and T the weights. Then B is given over all nodes as
// ever, and Tᵀ B T y = Tᵀ rhs is solved. Callers keep one numbering: they see Tᵀ B T with rows of followers that are
// coupled to nothing. Its analysis is kept until the pattern of Tᵀ B T changes, which contacts of followers change
// rarely.
#pragma once

#include "coracle/follower.h"
#include "coracle/solve/block_cg.h"

#include <memory>
#include <utility>
#include <vector>

namespace coracle {

class Condensed;
class Leaves;

class BlockSolver {
 public:
  BlockSolver();
  ~BlockSolver();
  BlockSolver(BlockSolver&&) noexcept;
  BlockSolver& operator=(BlockSolver&&) noexcept;

  // Pairs (i, j) of coupled nodes, in any order; duplicates are allowed. The diagonal is always included.
  void set_pattern(int nodes, std::vector<std::pair<int, int>> pairs);
  // From the next set_pattern() on. Sorted by node; no leader follows.
  void set_followers(std::vector<Follower> followers) { followers_ = std::move(followers); }
  // From the next set_pattern() on: the last so many nodes are coupled to no other of them, and are eliminated first.
  // They neither follow nor lead, and are not constrained.
  void set_leaves(int leaves) { leaf_count_ = leaves; }
  int nodes() const { return nodes_; }
  // On two cores a factorisation with n nodes takes 2.2 s (n/19000)², an iteration 0.8 ms n/19000, and a coupled step
  // needs about fifteen solves: iterating is faster if a solve takes fewer iterations than this share of n. Below a few
  // thousand nodes both are fast.
  static constexpr double most_iterations(double nodes) { return 1.0 / 100 * nodes; }
  static constexpr int always_factorised = 2000;  // nodes, at most
  // Always factorise, from the next set_pattern() on; for comparison.
  void use_factor_only() { factor_only_ = true; }

  void clear();    // all values zero
  void keep();     // save the values
  void go_back();  // restore the saved values
  // The storage of block (i, j), to be looked up once; i and j must be coupled.
  struct Slot {
    int at = 0;              // first value of its first column
    int stride[2] = {0, 0};  // to the next two columns
    bool transposed = false;
  };
  Slot slot(int i, int j) const;
  void add(const Slot& slot, const Mat3& block);  // off-diagonal; its transpose is implied
  void add_diagonal(int i, const Mat3& block);    // symmetric

  // Constrain a node that does not follow: B ← P B P + s (1 − P), where P = `free` keeps the free directions; the
  // others take `value`.
  struct Fixed {
    int node;
    Mat3 free;
    Vec3 value;
  };
  // Apply the constraints to B and prepare the solve; false if B is found not to be positive definite.
  [[nodiscard]] bool factor(const std::vector<Fixed>& fixed);
  static constexpr double least_tolerance = 1e-10;  // of the iterative solve
  // After factor(): solve B x = rhs under the constraints; false if the result is not finite.
  [[nodiscard]] bool solve(std::vector<Vec3>& x, const std::vector<Vec3>& rhs);
  // The same with zero for all constrained values: x = P (P B P)⁻¹ P rhs. An iterative solve stops at a residual of
  // `tolerance` ‖rhs‖.
  void solve_free(std::vector<Vec3>& x, const std::vector<Vec3>& rhs, double tolerance = least_tolerance);
  // factor() and solve().
  [[nodiscard]] bool solve(const std::vector<Fixed>& fixed, std::vector<Vec3>& x, const std::vector<Vec3>& rhs) {
    return factor(fixed) && solve(x, rhs);
  }
  // y = B x. With followers this is Tᵀ B T, as in for_each_value() and constrain_rhs(), and needs factor() before.
  void multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y) const;
  // y = B x over all nodes, whether they follow or not; before factor(), which changes B.
  void multiply_all(const std::vector<Vec3>& x, std::vector<Vec3>& y) const;
  void multiply_kept(const std::vector<Vec3>& x, std::vector<Vec3>& y) const;  // the same with the saved values
  Mat3 diagonal(int node) const { return block_at(node, first_[node]); }       // of B, likewise
  const std::vector<Fixed>& fixed() const { return fixed_; }

  // f(row, column, value) for the lower triangle of the scalar matrix; after factor() it includes the constraints.
  template <class F>
  void for_each_value(F&& f) const {
    if (!condensed_) {
      for (int c = 0; c < 3 * nodes_; ++c)
        for (int k = start_[c]; k < start_[c + 1]; ++k) f(index_[k], c, value_[k]);
      return;
    }
    const BlockSolver& free = free_system();
    for (int c = 0; c < 3 * nodes_; ++c) {
      const int place = free_place(c / 3);
      if (place < 0) {
        f(c, c, idle_diagonal());
        continue;
      }
      const int column = 3 * place + c % 3;
      for (int k = free.start_[column]; k < free.start_[column + 1]; ++k)
        f(3 * free_node(free.index_[k] / 3) + free.index_[k] % 3, c, free.value_[k]);
    }
  }
  // Apply the constraints to the right-hand side: rhs ← P (rhs − B held) + s held.
  void constrain_rhs(std::vector<Vec3>& rhs) const;

  void follow(std::vector<Vec3>& v) const;  // followers take the weighted sum of their leaders
  void lead(std::vector<Vec3>& f) const;    // the forces of followers go to their leaders

  bool by_iterations() const;
  double factor_seconds() const { return factor_s_; }

 private:
  struct Cholmod;
  bool factor_condensed(const std::vector<Fixed>& fixed);
  bool factorise();
  void multiply_by(const std::vector<double>& value, const std::vector<Vec3>& x, std::vector<Vec3>& y) const;
  Mat3 block_at(int j, int k) const;  // entry k of the pattern, in column j
  double largest_diagonal() const;
  void constrain(const std::vector<Fixed>& fixed);
  bool back_substitute(std::vector<Vec3>& x, std::vector<Vec3>& rhs, double tolerance);

  // Of the free nodes, with followers.
  const BlockSolver& free_system() const;
  int free_place(int node) const;  // -1: it follows
  int free_node(int place) const;
  double idle_diagonal() const;  // in the rows of followers

  int nodes_ = 0;
  std::vector<int> first_, row_;  // block columns of the lower triangle: rows of column j at [first_[j], first_[j + 1])
  std::vector<int> column_of_;    // of entry k of the pattern; only if cg_ is used
  std::vector<int> start_, index_;  // the scalar matrix, column by column
  std::vector<double> value_, kept_;
  std::vector<Fixed> fixed_;
  std::vector<Vec3> shift_;  // P (−B held) + s held; empty without constraints
  std::unique_ptr<Cholmod> cholmod_;
  std::unique_ptr<BlockCg> cg_;  // only for large systems
  std::vector<Follower> followers_;
  std::unique_ptr<Condensed> condensed_;  // only with followers: it is solved, and B is only assembled here
  int leaf_count_ = 0;
  std::unique_ptr<Leaves> leaves_;  // only with leaves; likewise
  bool factorised_ = false;
  bool factor_only_ = false;
  double factor_s_ = 0;
};

}  // namespace coracle
