// The schur form: pressures alone, S q = rhs − c U B⁻¹ body_rhs, S = L + c κ U B⁻¹ Uᵀ (J in place of Uᵀ where pressure
// acts on samples). The pressure solver sees the second term of S as its WetTerm.
#include "coracle/base/parallel.h"
#include "coracle/solve/conjugate_gradients.h"
#include "coracle/step/couple/equations.h"
#include "coracle/step/grid/projection.h"
#include "coracle/timer.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// The diagonal of B counts the stiffness of the shortest waves; smooth motion meets less of it. Between 1 and 10 this
// changes little except for light soft bodies (density 50, E 1e4: 49 iterations with 1, 37 with 3, 66 by the diagonal
// of the whole term alone).
constexpr double smooth_motion = 3;

// Row sums of c κ U diag(B)⁻¹ Uᵀ: cells along a surface share nodes, which couple them.
std::vector<std::pair<int, double>> lumped(const CoupledEquations& e) {
  NodeField inverse(e.b.nodes()), area(e.b.nodes(), Vec3::Zero());
  e.b.for_each_value([&](int row, int column, double value) {
    if (row == column) inverse[row / 3][row % 3] = 1 / value;
  });
  for (std::size_t k = 0; k < e.u.node.size(); ++k) area[e.u.node[k]] += e.u.weight[k].cwiseAbs();
  for (const BlockSolver::Fixed& f : e.b.fixed()) area[f.node] = (f.free * area[f.node]).cwiseAbs();
  std::vector<std::pair<int, double>> diagonal;
  for (std::size_t i = 0; i < e.u.cell.size(); ++i) {
    double sum = 0;
    for (int k = e.u.start[i]; k < e.u.start[i + 1]; ++k) {
      const int n = e.u.node[k];
      sum += e.u.weight[k].cwiseAbs().dot(inverse[n].cwiseProduct(area[n]));
    }
    diagonal.emplace_back(e.u.cell[i], smooth_motion * e.c * e.kappa * sum);
  }
  return diagonal;
}

double product(const NodeField& a, const NodeField& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum;
}

// W = c κ U B⁻¹ J.
class BodyTerm : public WetTerm {
 public:
  explicit BodyTerm(const CoupledEquations& e) : e_(e), force_(e.b.nodes()) {
    // B⁻¹ Uᵀ Z: the response of the bodies to the pressure of a pocket.
    if (e.elastic_pockets.empty()) return;
    int last = e.u.cell.empty() ? 0 : e.u.cell.back();
    for (const auto& cells : e.elastic_pockets) last = std::max(last, cells.back());
    Vector indicator(std::size_t(last) + 1, 0);
    for (const auto& cells : e.elastic_pockets) {
      for (int i : cells) indicator[i] = 1;
      NodeField force(e.b.nodes(), Vec3::Zero()), response;
      add_force(e.u, indicator, 1, force);
      e.b.solve_free(response, force);
      for (int i : cells) indicator[i] = 0;
      pocket_response_.push_back(std::move(response));
    }
  }

  void add(const Vector& x, double tolerance, Vector& y) override {
    if (e_.u.cell.empty()) return;
    press(x, e_.kappa);
    e_.b.solve_free(response_, force_, tolerance);
    add_flux(e_.u, response_, e_.c, y);
  }
  void subtract_sums(const Vector& x, Eigen::VectorXd& t) override {
    press(x, 1);
    for (std::size_t i = 0; i < pocket_response_.size(); ++i)
      t[Eigen::Index(i)] -= e_.c * e_.kappa * product(pocket_response_[i], force_);
  }
  const std::vector<int>& cells() const override { return e_.u.cell; }
  std::vector<std::pair<int, double>> lumped() const override { return coracle::lumped(e_); }
  bool symmetric() const override { return e_.symmetric(); }
  bool exact() const override { return !e_.b.by_iterations(); }

 private:
  void press(const Vector& x, double scale) {
    std::fill(force_.begin(), force_.end(), Vec3::Zero());
    add_force(e_.force(), x, scale, force_);
  }

  const CoupledEquations& e_;
  NodeField force_, response_;
  std::vector<NodeField> pocket_response_;
};

}  // namespace

Vector volume_error(const CoupledEquations& e, const Vector& q, const NodeField& change) {
  Vector r;
  multiply(e.l, q, r);
  add_flux(e.u, change, e.c, r);
  for_each_index(r.size(), [&](std::size_t i) { r[i] -= e.rhs[i]; });
  remove_means(r, e.rigid_pockets);
  return r;
}

double volume_task(const CoupledEquations& e) {
  NodeField free_motion;
  if (!e.b.solve(free_motion, e.body_rhs)) return NAN;
  Vector task = e.rhs;
  add_flux(e.u, free_motion, -e.c, task);
  remove_means(task, e.rigid_pockets);
  return norm(task);
}

SolveReport solve_schur(const CoupledEquations& e, const SolvePressures& solve, const Vector& q, NodeField& change) {
  const auto start = std::chrono::steady_clock::now();
  NodeField free_motion;
  SolveReport broken;
  broken.status = SolveStatus::broke_down;
  broken.form = "schur";
  if (!e.b.solve(free_motion, e.body_rhs)) return broken;
  CellValues flux{e.u.cell, std::vector<double>(e.u.cell.size(), 0)};
  add_wet_flux(e.u, free_motion, e.c, flux.value);
  BodyTerm term(e);
  const double own_setup_s = seconds_since(start);
  SolveReport report = solve(flux, term);

  const auto finishing = std::chrono::steady_clock::now();
  NodeField pushed = e.body_rhs;
  add_force(e.force(), q, e.kappa, pushed);
  if (!e.b.solve(change, pushed)) return broken;
  report.form = "schur";
  report.setup_s += own_setup_s;
  report.solve_s += seconds_since(finishing);
  return report;
}

SolveReport solve_schur(const CoupledEquations& e, const SolverOptions& options, PressureSolver& solver, Vector& q,
                        NodeField& change) {
  const auto solve = [&](const CellValues& flux, WetTerm& term) {
    Vector g;
    copy(e.rhs, g);
    for (std::size_t i = 0; i < flux.cell.size(); ++i) g[flux.cell[i]] -= flux.value[i];
    return solver.solve(
        {.matrix = e.l, .rhs = g, .singular = e.rigid_pockets, .deflated = e.elastic_pockets, .wet = &term},
        pressure_options(options, e.floor), q);
  };
  SolveReport report = solve_schur(e, solve, q, change);
  report.unknowns = count_unknowns(e.l);
  report.nonzeros = count_nonzeros(e.l) + 6 * e.u.node.size();
  return report;
}

}  // namespace coracle
