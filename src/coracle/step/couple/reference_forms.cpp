#include "coracle/step/couple/reference_forms.h"

#include "coracle/base/check.h"
#include "coracle/error.h"
#include "coracle/solve/conjugate_gradients.h"
#include "coracle/timer.h"

#include <Eigen/IterativeLinearSolvers>

#include <algorithm>
#include <cmath>
#include <utility>

namespace coracle {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Dense = Eigen::VectorXd;

constexpr double sigma = 0.9;         // of the mass in Z₁                          [ZarifiBatty17 sec. 6]
constexpr double usual_alpha = 1e-3;  // where the norms give none
constexpr int more_iterations = 20;   // times those that schur is allowed: these forms need thousands
constexpr double tightest_tolerance = 1e-16;
constexpr double most_tightening = 1e-3;  // at a time, to avoid needless iterations

bool pinned(const BlockSolver::Fixed& f) { return f.free.norm() < 0.5; }  // a projector's norm is 0 or at least 1

Vec3 held_part(const BlockSolver::Fixed& f) { return f.value - f.free * f.value; }

// The pieces that both forms are made of.
struct Pieces {
  std::vector<int> cell, number;  // cell of each unknown p; unknown of each cell, -1: none
  std::vector<int> node, place;   // the same for the nodes that are not pinned
  std::vector<int> wet;           // unknowns p that bodies touch, increasing
  Sparse b;                       // B̃, both triangles
  Sparse ut;                      // P U_pᵀ, one column per wet cell
  Sparse jt;                      // P J_p, the same; empty where it equals ut
  Dense force, g;                 // b and g above

  explicit Pieces(const CoupledEquations& e) {
    number.assign(e.rhs.size(), -1);
    for (std::size_t i = 0; i < number.size(); ++i)
      if (e.l.diag.data[i] != 0) number[i] = int(cell.size()), cell.push_back(int(i));
    place.assign(e.b.nodes(), 0);
    for (const BlockSolver::Fixed& f : e.b.fixed())
      if (pinned(f)) place[f.node] = -1;
    for (int i = 0; i < e.b.nodes(); ++i)
      if (place[i] == 0) place[i] = int(node.size()), node.push_back(i);
    gather_bodies(e);
    std::vector<int> cells = e.u.cell;
    if (!e.symmetric()) cells.insert(cells.end(), e.force().cell.begin(), e.force().cell.end());
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    for (const int c : cells) {
      CHECK(number[c] >= 0);
      wet.push_back(number[c]);
    }
    ut = gather_coupling(e, e.u);
    if (!e.symmetric()) jt = gather_coupling(e, e.force());
    gather_rhs(e);
  }
  Eigen::Index cells() const { return Eigen::Index(cell.size()); }
  Eigen::Index velocities() const { return 3 * Eigen::Index(node.size()); }

 private:
  void gather_bodies(const CoupledEquations& e) {
    Sparse lower(velocities(), velocities());
    std::size_t count = 0;
    e.b.for_each_value([&](int, int, double) { ++count; });
    lower.reserve(Eigen::Index(count));
    int last = -1;
    e.b.for_each_value([&](int row, int column, double value) {
      const int r = place[row / 3], c = place[column / 3];
      if (r < 0 || c < 0) return;
      const int to = 3 * c + column % 3;
      while (last < to) lower.startVec(++last);
      if (value != 0) lower.insertBack(3 * r + row % 3, to) = value / e.c;
    });
    lower.finalize();
    b = lower.selfadjointView<Eigen::Lower>();
    NodeField rhs = e.body_rhs;
    e.b.constrain_rhs(rhs);
    force.resize(velocities());
    for (std::size_t i = 0; i < node.size(); ++i) force.segment<3>(3 * Eigen::Index(i)) = rhs[node[i]];
  }

  Sparse gather_coupling(const CoupledEquations& e, const Coupling& u) const {
    std::vector<const BlockSolver::Fixed*> at(e.b.nodes(), nullptr);
    for (const BlockSolver::Fixed& f : e.b.fixed()) at[f.node] = &f;
    Sparse t(velocities(), Eigen::Index(wet.size()));
    t.reserve(3 * Eigen::Index(u.node.size()));
    std::size_t i = 0;
    for (std::size_t column = 0; column < wet.size(); ++column) {
      t.startVec(Eigen::Index(column));
      if (i == u.cell.size() || number[u.cell[i]] != wet[column]) continue;
      for (int k = u.start[i]; k < u.start[i + 1]; ++k) {
        const int n = u.node[k];
        if (place[n] < 0) continue;
        const Vec3 weight = e.dx * e.dx * (at[n] ? Vec3(at[n]->free * u.weight[k]) : u.weight[k]);
        for (int a = 0; a < 3; ++a)
          if (weight[a] != 0) t.insertBack(3 * place[n] + a, Eigen::Index(column)) = weight[a];
      }
      ++i;
    }
    t.finalize();
    return t;
  }

  void gather_rhs(const CoupledEquations& e) {
    NodeField held(e.b.nodes(), Vec3::Zero());
    for (const BlockSolver::Fixed& f : e.b.fixed()) held[f.node] = held_part(f);
    Vector rhs = e.rhs;
    add_flux(e.u, held, -e.c, rhs);
    remove_means(rhs, e.rigid_pockets);
    g.resize(cells());
    for (Eigen::Index i = 0; i < cells(); ++i) g[i] = e.dx * e.dx * rhs[cell[i]];
  }
};

// ( L_p + pressures   fluxᵀ      )   pressures, force and flux in the columns of wet cells
// ( force             velocities )
Sparse stack(const CoupledEquations& e, const Pieces& pieces, const Sparse& pressures, const Sparse& force,
             const Sparse& flux, const Sparse& velocities) {
  const Stencil<double>& l = e.l;
  const double scale = e.dx * e.dt / e.density;
  const Eigen::Index cells = pieces.cells(), all = cells + pieces.velocities();
  Sparse a(all, all);
  a.reserve(7 * cells + pressures.nonZeros() + force.nonZeros() + flux.nonZeros() + velocities.nonZeros());
  std::vector<char> twice(l.diag.size(), 0);
  for (const auto& pocket : e.rigid_pockets) twice[pocket.front()] = 1;

  std::size_t next_wet = 0;
  for (Eigen::Index column = 0; column < cells; ++column) {
    a.startVec(column);
    const int i = pieces.cell[column];
    const Vec3i at = l.diag.cell(i);
    // The stencil's column, rows increasing.
    std::pair<int, double> entry[7];
    int entries = 0;
    for (int axis : {2, 1, 0}) {
      const int s = int(l.diag.stride(axis));
      if (at[axis] > 0 && l.off[axis].data[i - s] != 0)
        entry[entries++] = {pieces.number[i - s], -scale * l.off[axis].data[i - s]};
    }
    entry[entries++] = {int(column), scale * l.diag.data[i] * (twice[i] ? 2 : 1)};
    for (int axis : {0, 1, 2}) {
      const int s = int(l.diag.stride(axis));
      if (at[axis] + 1 < l.n[axis] && l.off[axis].data[i] != 0)
        entry[entries++] = {pieces.number[i + s], -scale * l.off[axis].data[i]};
    }
    // Merge it with the entries of the bodies.
    int k = 0;
    const bool wet = next_wet < pieces.wet.size() && pieces.wet[next_wet] == column;
    const Eigen::Index w = Eigen::Index(next_wet);
    if (wet) {
      for (Sparse::InnerIterator it(pressures, w); it; ++it) {
        const int row = pieces.wet[it.row()];
        while (k < entries && entry[k].first < row) a.insertBack(entry[k].first, column) = entry[k].second, ++k;
        double value = it.value();
        if (k < entries && entry[k].first == row) value += entry[k++].second;
        if (value != 0) a.insertBack(row, column) = value;
      }
      ++next_wet;
    }
    for (; k < entries; ++k) a.insertBack(entry[k].first, column) = entry[k].second;
    if (wet)
      for (Sparse::InnerIterator it(force, w); it; ++it)
        if (it.value() != 0) a.insertBack(cells + it.row(), column) = it.value();
  }
  const Sparse transposed = flux.transpose();
  for (Eigen::Index c = 0; c < pieces.velocities(); ++c) {
    a.startVec(cells + c);
    for (Sparse::InnerIterator it(transposed, c); it; ++it)
      if (it.value() != 0) a.insertBack(pieces.wet[it.row()], cells + c) = it.value();
    for (Sparse::InnerIterator it(velocities, c); it; ++it)
      if (it.value() != 0) a.insertBack(cells + it.row(), cells + c) = it.value();
  }
  a.finalize();
  return a;
}

AssembledSystem finish(Pieces& pieces, const Sparse& matrix, const Dense& b1, const Dense& b2, double alpha) {
  AssembledSystem system;
  system.matrix = matrix;
  system.rhs.resize(b1.size() + b2.size());
  system.rhs << b1, b2;
  system.cell = std::move(pieces.cell);
  system.node = std::move(pieces.node);
  system.alpha = alpha;
  return system;
}

// Solve with one of Eigen's solvers until the volume error, or its own residual, is small enough.
template <class Solver>
SolveReport solve_by(Solver& solver, const char* form, const CoupledEquations& e, const SolverOptions& options,
                     const AssembledSystem& system, std::chrono::steady_clock::time_point start, Vector& q,
                     NodeField& change) {
  SolveReport report;
  report.form = form;
  report.unknowns = std::size_t(system.rhs.size());
  report.nonzeros = std::size_t(system.matrix.nonZeros());
  report.status = SolveStatus::broke_down;
  if (report.unknowns > 0) solver.compute(system.matrix);
  report.setup_s = seconds_since(start);
  if (report.unknowns > 0 && solver.info() != Eigen::Success) return report;

  const auto solving = std::chrono::steady_clock::now();
  const bool by_volume = options.stop_at == StopAt::volume_error;
  const double task = volume_task(e), target = std::max(options.tolerance * task, e.floor);
  const double scale = std::max(task, e.floor);
  if (!std::isfinite(task)) return report;
  Dense x = Dense::Zero(system.rhs.size());
  // Where the volume error decides, solve for the velocities under the pressures: the bodies' momentum is then exact,
  // and the volume error is the only error.
  const auto solve_velocities = [&] {
    NodeField pushed = e.body_rhs;
    add_force(e.force(), q, e.kappa, pushed);
    return e.b.solve(change, pushed);
  };
  if (by_volume && task <= target) {  // nothing for the pressure to do
    std::fill(q.begin(), q.end(), 0.0);
    if (!solve_velocities()) return report;
    report.status = SolveStatus::converged;
    report.residual = scale > 0 ? task / scale : 0;
    report.solve_s = seconds_since(solving);
    return report;
  }
  if (by_volume) {
    // Start from the given pressures where that is better than zero. Not where the form's own residual decides: the
    // bodies' rows outweigh the cells', so the solver would stop at once.
    if (!solve_velocities()) return report;
    x = gather(e, system, q, change);
    if ((system.matrix * x - system.rhs).norm() > system.rhs.norm()) x.setZero();
  }

  const int most = more_iterations * options.max_iterations;
  double tolerance = options.tolerance, error = 0;
  for (;;) {
    int iterations = 0;
    if (report.unknowns > 0) {
      solver.setTolerance(tolerance);
      solver.setMaxIterations(most - report.iterations);
      x = solver.solveWithGuess(system.rhs, x).eval();
      iterations = int(solver.iterations());
    }
    report.iterations += iterations;
    scatter(e, system, x, q, change);
    if (by_volume && x.allFinite() && !solve_velocities()) break;
    error = norm(volume_error(e, q, change));
    report.status = SolveStatus::broke_down;
    if (!x.allFinite() || !std::isfinite(error)) break;
    if (by_volume ? error <= target : report.unknowns == 0 || solver.info() == Eigen::Success) {
      report.status = SolveStatus::converged;
      break;
    }
    report.status = SolveStatus::not_converged;
    const bool nothing_left = tolerance <= tightest_tolerance && iterations == 0;
    if (!by_volume || report.iterations >= most || nothing_left) break;
    tolerance = std::max(tolerance * std::max(0.1 * target / error, most_tightening), tightest_tolerance);
  }
  if (report.status == SolveStatus::not_converged && solver.info() == Eigen::NumericalIssue)
    report.status = SolveStatus::broke_down;
  report.residual = scale > 0 ? error / scale : 0;
  report.solve_s = seconds_since(solving);
  return report;
}

}  // namespace

AssembledSystem assemble_spd(const CoupledEquations& e, double alpha) {
  Pieces pieces(e);
  // With h = Z₁^−½, w = h U_pᵀ and y = h Z₂ the blocks are L_p + wᵀ w, −yᵀ w and Z₂ + yᵀ y: symmetric to the last bit.
  Dense z1(pieces.velocities());
  for (std::size_t i = 0; i < pieces.node.size(); ++i)
    z1.segment<3>(3 * Eigen::Index(i)).setConstant(sigma * e.inertia[pieces.node[i]] / e.c);
  const Dense h = z1.cwiseSqrt().cwiseInverse();
  Sparse z2 = pieces.b;
  for (Eigen::Index i = 0; i < z1.size(); ++i) z2.coeffRef(i, i) -= z1[i];
  const Sparse w = h.asDiagonal() * pieces.ut, y = h.asDiagonal() * z2;
  const Sparse wt = w.transpose(), yt = y.transpose();

  Dense b1 = pieces.g;
  const Dense moved = pieces.force.cwiseQuotient(z1), flux = pieces.ut.transpose() * moved;
  for (std::size_t i = 0; i < pieces.wet.size(); ++i) b1[pieces.wet[i]] -= flux[Eigen::Index(i)];
  const Dense b2 = z2 * moved;
  if (alpha == 0) alpha = b1.norm() / b2.norm();
  if (!(alpha > 0) || !std::isfinite(alpha)) alpha = usual_alpha;

  const Sparse pressures = wt * w, mixed = -alpha * Sparse(yt * w);
  const Sparse velocities = alpha * alpha * (z2 + Sparse(yt * y));
  return finish(pieces, stack(e, pieces, pressures, mixed, mixed, velocities), b1, alpha * b2, alpha);
}

AssembledSystem assemble_indefinite(const CoupledEquations& e) {
  Pieces pieces(e);
  const Sparse none(Eigen::Index(pieces.wet.size()), Eigen::Index(pieces.wet.size()));
  AssembledSystem system =
      finish(pieces, stack(e, pieces, none, e.symmetric() ? pieces.ut : pieces.jt, pieces.ut, -pieces.b), pieces.g,
             -pieces.force, 1);
  system.symmetric = e.symmetric();
  return system;
}

void scatter(const CoupledEquations& e, const AssembledSystem& system, const Dense& x, Vector& q, NodeField& change) {
  const double to_q = e.dt / (e.density * e.dx), to_change = system.alpha / e.c;
  const Eigen::Index cells = Eigen::Index(system.cell.size());
  q.assign(e.rhs.size(), 0);
  for (Eigen::Index i = 0; i < cells; ++i) q[system.cell[i]] = to_q * x[i];
  remove_means(q, e.rigid_pockets);
  change.assign(e.b.nodes(), Vec3::Zero());
  for (std::size_t i = 0; i < system.node.size(); ++i)
    change[system.node[i]] = to_change * x.segment<3>(cells + 3 * Eigen::Index(i));
  for (const BlockSolver::Fixed& f : e.b.fixed()) change[f.node] = f.free * change[f.node] + held_part(f);
}

Dense gather(const CoupledEquations& e, const AssembledSystem& system, const Vector& q, const NodeField& change) {
  const Eigen::Index cells = Eigen::Index(system.cell.size());
  Dense x(system.rhs.size());
  for (Eigen::Index i = 0; i < cells; ++i) x[i] = q[system.cell[i]] * e.density * e.dx / e.dt;
  for (std::size_t i = 0; i < system.node.size(); ++i)
    x.segment<3>(cells + 3 * Eigen::Index(i)) = e.c / system.alpha * change[system.node[i]];
  return x;
}

SolveReport solve_spd(const CoupledEquations& e, const SolverOptions& options, Vector& q, NodeField& change) {
  const auto start = std::chrono::steady_clock::now();
  const AssembledSystem system = assemble_spd(e, options.alpha);
  // In the cells' own order: Eigen's default, minimum degree, costs 1.6 times the iterations.
  Eigen::ConjugateGradient<Sparse, Eigen::Lower | Eigen::Upper,
                           Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::NaturalOrdering<int>>>
      solver;
  return solve_by(solver, "spd", e, options, system, start, q, change);
}

SolveReport solve_indefinite(const CoupledEquations& e, const SolverOptions& options, Vector& q, NodeField& change) {
  const auto start = std::chrono::steady_clock::now();
  const AssembledSystem system = assemble_indefinite(e);
  Eigen::BiCGSTAB<Sparse, Eigen::IncompleteLUT<double>> solver;
  return solve_by(solver, "indefinite", e, options, system, start, q, change);
}

}  // namespace coracle
