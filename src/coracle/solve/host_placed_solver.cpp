#include "coracle/base/parallel.h"
#include "coracle/solve/placed_solver.h"

namespace coracle {
namespace {

class HostPlacedSolver : public PlacedSolver {
 public:
  PlacedEquation lay_out(const Vec3i& n) override {
    if (matrix_.n != n) {
      matrix_.assign(n);
      for (Vector* v : {&rhs_, &q_, &next_, &product_}) v->assign(matrix_.diag.size(), 0);
    }
    return {n,
            matrix_.diag.data.data(),
            {matrix_.off[0].data.data(), matrix_.off[1].data.data(), matrix_.off[2].data.data()},
            rhs_.data(),
            q_.data(),
            next_.data(),
            product_.data()};
  }
  SolveReport solve(const PlacedTask& task, const PressureOptions& options) override {
    matrix_.find_spans();
    copy(rhs_, b_);
    for (std::size_t i = 0; i < task.cell.size(); ++i) b_[task.cell[i]] -= task.flux[i];
    for_each_index(q_.size(), [&](std::size_t i) { next_[i] = q_[i]; });
    return solver_->solve(
        {.matrix = matrix_, .rhs = b_, .singular = task.singular, .deflated = task.deflated, .wet = task.wet}, options,
        next_);
  }
  void multiply(const double* x) override {
    matrix_.find_spans();
    coracle::multiply(matrix_, x == q_.data() ? q_ : next_, product_);
  }

 private:
  Stencil<double> matrix_;
  Vector rhs_, q_, next_, b_, product_;
  std::unique_ptr<PressureSolver> solver_ = make_pressure_solver();
};

}  // namespace

std::unique_ptr<PlacedSolver> make_host_placed_solver() { return std::make_unique<HostPlacedSolver>(); }

}  // namespace coracle
