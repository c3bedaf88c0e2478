// One V-cycle as a preconditioner for 7-point matrices.
//
// Piecewise-constant 2×2×2 aggregation keeps every level a 7-point stencil, whatever the cut cells and the free surface
// do to the weights; the coarse operator is scaled by 0.5, which makes up for the stiffness of constant prolongation
// [ShaoUAAMG22]. Red-black Gauss–Seidel, two sweeps before and two after in reverse order, so that the cycle is
// symmetric; the coarsest level is solved directly. All in float: the outer iteration is in double.
#pragma once

#include "coracle/solve/stencil.h"

#include <memory>

namespace coracle {

class Multigrid {
 public:
  Multigrid();
  ~Multigrid();
  // `extra` adds to the diagonal of some cells.
  void set_up(const Stencil<double>& a, const std::vector<std::pair<int, double>>& extra = {});
  // z ≈ A⁻¹ r
  void apply(const Vector& r, Vector& z);

 private:
  struct Level {
    Stencil<float> a;
    std::vector<float> excess;  // diag − Σ off: carried down by itself, since subtracting it again in float loses it
    std::vector<float> inverse_diag, b;
    std::vector<float> x;      // with one value before the first cell and one after the last
    std::vector<float> zeros;  // a row of them
    float* values() { return x.data() + 1; }
  };
  void cycle(std::size_t level);

  std::vector<Level> levels_;
  std::vector<int> coarse_cells_;
  std::unique_ptr<Eigen::LLT<Eigen::MatrixXd>> coarse_;
};

}  // namespace coracle
