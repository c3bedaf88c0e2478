// One V-cycle as a preconditioner for 7-point matrices.
//
// Piecewise-constant 2×2×2 aggregation keeps every level a 7-point stencil, for any weights of cut cells and the free
// surface. The coarse operator is scaled by 0.5, which compensates the stiffness of constant prolongation
// [ShaoUAAMG22]. Red-black Gauss–Seidel, two sweeps before and two after in reverse order, so that the cycle is
// symmetric; the coarsest level is solved directly. All in float; the outer iteration is in double. multigrid_cell.h
// has the arithmetic of a cell, which CUDA's kernels share.
#pragma once

#include "coracle/solve/multigrid_cell.h"
#include "coracle/solve/stencil.h"

#include <memory>

namespace coracle {

// The unknowns of the coarsest level, and its matrix, which is made regular.
struct CoarseMatrix {
  std::vector<int> cells;
  Eigen::MatrixXd values;
};
CoarseMatrix coarse_matrix(const StencilView<float>& a);

class Multigrid {
 public:
  Multigrid();
  ~Multigrid();
  // `extra` is added to the diagonal of some cells.
  void set_up(const Stencil<double>& a, const std::vector<std::pair<int, double>>& extra = {});
  // z ≈ A⁻¹ r
  void apply(const Vector& r, Vector& z);

 private:
  struct Level {
    Stencil<float> a;
    std::vector<float> excess;  // diag − Σ off; stored, because computing it in float loses its digits
    std::vector<float> inverse_diag, b;
    std::vector<float> x;      // with one extra value before the first cell and one after the last
    std::vector<float> zeros;  // one row
    float* values() { return x.data() + 1; }
  };
  void cycle(std::size_t level);

  std::vector<Level> levels_;
  std::vector<int> coarse_cells_;
  std::unique_ptr<Eigen::LLT<Eigen::MatrixXd>> coarse_;
};

}  // namespace coracle
