#include "bench/condition.h"

#include "bench/measure.h"
#include "coracle/base/check.h"
#include "coracle/base/random.h"
#include "coracle/error.h"
#include "coracle/solve/conjugate_gradients.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>

#include <cmath>
#include <functional>

namespace coracle::bench {
namespace {

using Dense = Eigen::VectorXd;
using Map = std::function<Dense(const Dense&)>;

constexpr double mass_share = 0.9;  // σ of Z₁ in reference_forms.cpp; the check of inverse() detects a wrong value
constexpr double settled = 1e-3;    // relative change of the largest Ritz value, in two successive steps
constexpr int most_steps = 60;      // of Lanczos
constexpr double inverse_within = 1e-4;  // ‖A A⁻¹ r − r‖ / ‖r‖: too small to change the second digit of a logarithm

// The largest |λ| of a symmetric map. All vectors are kept and made orthogonal to each other.
double largest(Eigen::Index size, const Map& map) {
  Eigen::MatrixXd v(size, most_steps);
  for (Eigen::Index i = 0; i < size; ++i) v(i, 0) = uniform(1, std::uint64_t(i)) - 0.5;
  v.col(0).normalize();
  Dense diagonal(most_steps), beside(most_steps);
  double last = 0;
  int calm = 0;
  for (int k = 0; k < most_steps; ++k) {
    Dense w = map(v.col(k));
    diagonal[k] = w.dot(v.col(k));
    for (int pass = 0; pass < 2; ++pass) w -= v.leftCols(k + 1) * (v.leftCols(k + 1).transpose() * w).eval();
    beside[k] = w.norm();
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz;
    ritz.computeFromTridiagonal(diagonal.head(k + 1), beside.head(k), Eigen::EigenvaluesOnly);
    const double now = ritz.eigenvalues().cwiseAbs().maxCoeff();
    calm = std::abs(now - last) <= settled * now ? calm + 1 : 0;
    last = now;
    if (calm == 2 || beside[k] <= 1e-12 * now || k + 1 == most_steps) break;
    v.col(k + 1) = w / beside[k];
  }
  return last;
}

class Inverses {
 public:
  Inverses(const CoupledEquations& e, const SolverOptions& options, PressureSystem& pressure)
      : e_(e), options_(options), pressure_(pressure) {
    options_.tolerance = 1e-10;
  }

  // S⁻¹ r
  Vector schur(const Vector& r) {
    Vector q;
    NodeField change;
    solve(r, NodeField(e_.b.nodes(), Vec3::Zero()), q, change);
    return q;
  }
  // (L_p p + U_p V, U_pᵀ p − B̃ V) = r
  Dense indefinite(const AssembledSystem& s, const Dense& r) {
    const Eigen::Index cells = Eigen::Index(s.cell.size());
    Vector rhs(e_.rhs.size(), 0), q;
    NodeField force(e_.b.nodes(), Vec3::Zero()), change;
    for (Eigen::Index i = 0; i < cells; ++i) rhs[s.cell[i]] = r[i] / (e_.dx * e_.dx);
    for (std::size_t i = 0; i < s.node.size(); ++i) force[s.node[i]] = -r.segment<3>(cells + 3 * Eigen::Index(i));
    solve(rhs, force, q, change);
    return gather(e_, s, q, change);
  }

 private:
  void solve(const Vector& rhs, const NodeField& force, Vector& q, NodeField& change) {
    const CoupledEquations e{.l = e_.l,
                             .rhs = rhs,
                             .u = e_.u,
                             .b = e_.b,
                             .body_rhs = force,
                             .c = e_.c,
                             .kappa = e_.kappa,
                             .inertia = e_.inertia,
                             .dx = e_.dx,
                             .dt = e_.dt,
                             .density = e_.density,
                             .rigid_pockets = e_.rigid_pockets,
                             .elastic_pockets = e_.elastic_pockets};
    q.assign(rhs.size(), 0);
    CHECK(solve_schur(e, options_, *pressure_.solver, q, change).status == SolveStatus::converged);
  }

  const CoupledEquations& e_;
  SolverOptions options_;
  PressureSystem& pressure_;
};

double log10_condition(const Eigen::SparseMatrix<double>& a, const Map& inverse) {
  const double top = largest(a.rows(), [&](const Dense& x) -> Dense { return a * x; });
  const double bottom = 1 / largest(a.rows(), [&](const Dense& r) {
                          const Dense x = inverse(r);
                          CHECK((a * x - r).norm() <= inverse_within * r.norm());
                          return x;
                        });
  return std::log10(top / bottom);
}

double log10_condition_of_spd(const CoupledEquations& e, double alpha, const AssembledSystem& indefinite,
                              Inverses& inverses) {
  const AssembledSystem spd = assemble_spd(e, alpha);
  const Eigen::Index cells = Eigen::Index(spd.cell.size()), rest = spd.rhs.size() - cells;
  Dense z1(rest);
  for (std::size_t i = 0; i < spd.node.size(); ++i)
    z1.segment<3>(3 * Eigen::Index(i)).setConstant(mass_share * e.inertia[spd.node[i]] / e.c);
  Eigen::SparseMatrix<double> z2 = -indefinite.matrix.bottomRightCorner(rest, rest);
  for (Eigen::Index i = 0; i < rest; ++i) z2.coeffRef(i, i) -= z1[i];
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> z2_factor(z2);
  CHECK(z2_factor.info() == Eigen::Success);
  return log10_condition(spd.matrix, [&](const Dense& r) {
    Dense v = Dense::Zero(r.size());
    v.tail(rest) = z2_factor.solve(r.tail(rest)) / spd.alpha;
    Dense b(r.size());
    b.head(cells) = r.head(cells) + (indefinite.matrix * v).head(cells);
    b.tail(rest) = -z1.cwiseProduct(v.tail(rest));
    Dense x = inverses.indefinite(indefinite, b);
    x.tail(rest) /= spd.alpha;
    return x;
  });
}

double log10_condition_of_schur(const CoupledEquations& e, const AssembledSystem& numbering, Inverses& inverses) {
  const Eigen::Index cells = Eigen::Index(numbering.cell.size());
  const auto spread = [&](const Dense& x) {
    Vector all(e.rhs.size(), 0);
    for (Eigen::Index i = 0; i < cells; ++i) all[numbering.cell[i]] = x[i];
    return all;
  };
  const auto pick = [&](const Vector& all) {
    Dense x(cells);
    for (Eigen::Index i = 0; i < cells; ++i) x[i] = all[numbering.cell[i]];
    return x;
  };
  const double top = largest(cells, [&](const Dense& x) {
    const Vector all = spread(x);
    Vector y;
    multiply(e.l, all, y);
    NodeField force(e.b.nodes(), Vec3::Zero()), answer;
    add_force(e.u, all, e.kappa, force);
    e.b.solve_free(answer, force);
    add_flux(e.u, answer, e.c, y);
    return pick(y);
  });
  return std::log10(top * largest(cells, [&](const Dense& r) { return pick(inverses.schur(spread(r))); }));
}

}  // namespace

Conditions estimate_conditions(const CoupledEquations& e, const SolverOptions& options, PressureSystem& pressure) {
  Inverses inverses(e, options, pressure);
  const AssembledSystem indefinite = assemble_indefinite(e);
  Conditions c;
  c.indefinite = log10_condition(indefinite.matrix, [&](const Dense& r) { return inverses.indefinite(indefinite, r); });
  c.spd = log10_condition_of_spd(e, options.alpha, indefinite, inverses);
  c.schur = log10_condition_of_schur(e, indefinite, inverses);
  return c;
}

}  // namespace coracle::bench
