// S q = rhs − c U B⁻¹ body_rhs,  S = L + c κ U B⁻¹ Uᵀ  (J in place of Uᵀ where pressure acts through it).
//
// The multigrid cycle is that of L plus the lumped second term, a multiple of the row sums of c κ U diag(B)⁻¹ Uᵀ. Where
// a pocket is closed by bodies L cannot see its mean pressure, which only the bodies' stiffness resists: the pockets'
// indicator vectors Z are deflated [TangNabben09, A-DEF2], z = (1 − Z E⁻¹ Zᵀ S) M⁻¹ r + Z E⁻¹ Zᵀ r, E = Zᵀ S Z. As L Z
// = 0 and Zᵀ L = 0 this needs only the second term, which lives in the wet cells.
#include "coracle/base/parallel.h"
#include "coracle/solve/bicgstab.h"
#include "coracle/solve/conjugate_gradients.h"
#include "coracle/step/couple/equations.h"

#include <Eigen/LU>

#include <chrono>
#include <cmath>

namespace coracle {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The diagonal of B counts the stiffness of the shortest waves; smooth motion meets less of it. Between 1 and 10 this
// changes little but for light soft bodies (density 50, E 1e4: 49 iterations with 1, 37 with 3, 66 by the diagonal of
// the whole term alone).
constexpr double smooth_motion = 3;

// Row sums of c κ U diag(B)⁻¹ Uᵀ: cells along a surface share nodes and feel them in common.
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

// The pockets' constants: B⁻¹ Uᵀ Z and (Zᵀ S Z)⁻¹, S = L + c κ U B⁻¹ J.
class Deflation {
 public:
  explicit Deflation(const CoupledEquations& e) : e_(e) {
    const std::size_t k = e.elastic_pockets.size();
    Vector indicator(e.rhs.size(), 0);
    for (const auto& cells : e.elastic_pockets) {
      for (int i : cells) indicator[i] = 1;
      NodeField force(e.b.nodes(), Vec3::Zero()), answer;
      add_force(e.u, indicator, 1, force);
      e.b.solve_free(answer, force);
      for (int i : cells) indicator[i] = 0;
      answer_.push_back(std::move(answer));
    }
    Eigen::MatrixXd energy(k, k);
    for (std::size_t j = 0; j < k; ++j) {
      for (int i : e.elastic_pockets[j]) indicator[i] = 1;
      NodeField pressed(e.b.nodes(), Vec3::Zero());
      add_force(e.force(), indicator, 1, pressed);
      for (int i : e.elastic_pockets[j]) indicator[i] = 0;
      for (std::size_t i = 0; i < k; ++i)
        energy(Eigen::Index(i), Eigen::Index(j)) = e.c * e.kappa * product(answer_[i], pressed);
    }
    energy_.compute(energy);
  }
  bool empty() const { return answer_.empty(); }

  // x ← x + Z E⁻¹ Zᵀ r
  void add_coarse(const Vector& r, Vector& x) const { add(sums(r), x); }
  // z ← z − Z E⁻¹ (S Z)ᵀ z + Z E⁻¹ Zᵀ r
  void correct(const Vector& r, Vector& z) const {
    NodeField force(e_.b.nodes(), Vec3::Zero());
    add_force(e_.force(), z, 1, force);
    Eigen::VectorXd t = sums(r);
    for (std::size_t i = 0; i < answer_.size(); ++i) t[Eigen::Index(i)] -= e_.c * e_.kappa * product(answer_[i], force);
    add(t, z);
  }

 private:
  static double product(const NodeField& a, const NodeField& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
    return sum;
  }
  Eigen::VectorXd sums(const Vector& r) const {
    Eigen::VectorXd t(Eigen::Index(e_.elastic_pockets.size()));
    for (std::size_t p = 0; p < e_.elastic_pockets.size(); ++p) {
      double sum = 0;
      for (int i : e_.elastic_pockets[p]) sum += r[i];
      t[Eigen::Index(p)] = sum;
    }
    return t;
  }
  void add(const Eigen::VectorXd& t, Vector& x) const {
    const Eigen::VectorXd level = energy_.solve(t);
    for (std::size_t p = 0; p < e_.elastic_pockets.size(); ++p)
      for (int i : e_.elastic_pockets[p]) x[i] += level[Eigen::Index(p)];
  }

  const CoupledEquations& e_;
  std::vector<NodeField> answer_;
  Eigen::PartialPivLU<Eigen::MatrixXd> energy_;
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

SolveReport solve_schur(const CoupledEquations& e, const SolverOptions& options, SolverMemory& memory, Vector& q,
                        NodeField& change) {
  const auto start = std::chrono::steady_clock::now();
  NodeField free_motion;
  SolveReport broken;
  broken.status = SolveStatus::broke_down;
  broken.form = "schur";
  if (!e.b.solve(free_motion, e.body_rhs)) return broken;
  Vector g;
  copy(e.rhs, g);
  add_flux(e.u, free_motion, -e.c, g);

  const bool by_multigrid = options.preconditioner == Preconditioner::multigrid;
  if (by_multigrid)
    memory.multigrid.set_up(e.l, lumped(e));
  else
    memory.cholesky.set_up(e.l);
  const Deflation deflation(e);
  const double setup_s = seconds_since(start);

  const auto solving = std::chrono::steady_clock::now();
  NodeField force(e.b.nodes()), answer;
  // Where B is solved by iterations, they may be the fewer the further this solve has come: what a product with S errs
  // by is to stay below what the residual has yet to lose [SimonciniSzyld03].
  constexpr double inner_share = 0.02;
  double inner = BlockSolver::least_tolerance;
  const std::vector<Range> support = support_of(e.l);
  const Apply multiply_s = [&](const Vector& x, Vector& y) {
    multiply(e.l, x, y);
    if (e.u.cell.empty()) return;
    std::fill(force.begin(), force.end(), Vec3::Zero());
    add_force(e.force(), x, e.kappa, force);
    e.b.solve_free(answer, force, inner);
    add_flux(e.u, answer, e.c, y);
  };
  const double task = norm(g);
  const Apply precondition = [&](const Vector& r, Vector& z) {
    if (e.b.by_iterations()) {
      double size = 0;
      for (const Range& row : support)
        for (std::size_t i = row.begin; i < row.end; ++i) size += r[i] * r[i];
      inner = std::max(BlockSolver::least_tolerance, inner_share * options.tolerance * task / std::sqrt(size));
    }
    by_multigrid ? memory.multigrid.apply(r, z) : memory.cholesky.apply(r, z);
    if (!deflation.empty()) deflation.correct(r, z);
  };
  if (!deflation.empty()) {  // begin with every pocket's mean right
    Vector r;
    multiply_s(q, r);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = g[i] - r[i];
    deflation.add_coarse(r, q);
  }
  CgOptions cg;
  cg.tolerance = options.tolerance;
  cg.max_iterations = options.max_iterations;
  cg.floor = e.floor;
  cg.support = support;
  cg.vectors = &memory.vectors;
  cg.keep_start = !deflation.empty();
  SolveReport report = e.symmetric() ? conjugate_gradients(multiply_s, g, q, precondition, e.rigid_pockets, cg)
                                     : bicgstab(multiply_s, g, q, precondition, e.rigid_pockets, cg);
  NodeField pushed = e.body_rhs;
  add_force(e.force(), q, e.kappa, pushed);
  if (!e.b.solve(change, pushed)) return broken;
  report.form = "schur";
  report.unknowns = count_unknowns(e.l);
  report.nonzeros = count_nonzeros(e.l) + 6 * e.u.node.size();
  report.setup_s = setup_s;
  report.solve_s = seconds_since(solving);
  return report;
}

}  // namespace coracle
