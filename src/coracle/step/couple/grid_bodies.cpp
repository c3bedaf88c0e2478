#include "coracle/step/couple/grid_bodies.h"

#include "coracle/base/parallel.h"
#include "coracle/solve/conjugate_gradients.h"
#include "coracle/step/couple/equations.h"
#include "coracle/step/couple/pockets.h"
#include "coracle/step/couple/reference_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double largest_source = 0.01;  // of a pocket's volume in a step

double kappa(const ProjectionInput& in) { return in.density * in.grid.cell_volume() / in.dt; }

double fastest(const std::vector<Body>& bodies) {
  double speed = 0;
  for (const Body& body : bodies) speed = std::max(speed, max_speed(body));
  return speed;
}

std::vector<int> first_nodes(const std::vector<Body>& bodies) {
  std::vector<int> first;
  int next = 0;
  for (const Body& body : bodies) first.push_back(next), next += int(body.x.size());
  return first;
}

int count_nodes(const std::vector<Body>& bodies) {
  int nodes = 0;
  for (const Body& body : bodies) nodes += int(body.x.size());
  return nodes;
}

std::string no_convergence(const SolveReport& solve, const SolverOptions& options) {
  return fmt::format("projection: no convergence after {} iterations, volume error {:.1e}{}", solve.iterations,
                     solve.residual, options.dump ? "" : " (solver.dump = true keeps the system)");
}

class CoupledSolve {
 public:
  CoupledSolve(const ProjectionInput& liquid, PressureSystem& pressure, CoupledState& state)
      : in_(liquid), pressure_(pressure), state_(state), kappa_(kappa(liquid)) {
    assemble_pressure(in_, state.u, state.p, pressure_);
    u_ = wet_coupling(in_.cut.patches, in_.surfaces, first_nodes(state.bodies), pressure_.active);
    by_samples_ = !in_.cut.samples.empty();
    if (by_samples_) j_ = pressing_coupling(in_.cut, in_.surfaces, first_nodes(state.bodies), pressure_.active);
    sort_pockets();
    feed_pockets();
    find_force();
    around_.solve = [this](const BodyEquation& e, NodeField& change) { return solve(e, change); };
    around_.accept = [this](double share) { accept(share); };
    around_.energy = [this] { return energy(); };
  }

  CoupledReport run(const BodyStep& step, BodySystem& system) {
    CoupledReport report;
    report.bodies = solve_bodies(step, system, state_.bodies, state_.moved, &around_);
    report.ok = report.bodies.ok;
    report.trouble = report.bodies.trouble;
    report.failed = failed_;
    report.projection.solve = solve_;
    report.projection.solve.passes = report.bodies.iterations;
    report.projection.solve.bodies_s = report.bodies.assembly_s + report.bodies.factor_s;
    report.projection.active = count_unknowns(pressure_.matrix);
    if (!report.ok) return report;
    Vector error = left_over();
    report.projection.closed_imbalance = net_inflow(in_, error, rigid_);
    remove_means(error, rigid_);
    report.projection.max_divergence =
        largest(error.size(), [&](std::size_t i) { return std::abs(error[i]); }) / in_.grid.dx;
    apply_pressure(in_, pressure_, state_.u, state_.p, state_.valid);
    return report;
  }

 private:
  // Whether a pressure reaches nodes that are free to move.
  bool moves_nodes(const Coupling& by, const Vector& pressure) const {
    NodeField force(count_nodes(state_.bodies), Vec3::Zero());
    add_force(by, pressure, 1, force);
    std::size_t first = 0;
    for (const Body& body : state_.bodies) {
      for (const Hold& hold : body.rest->holds) force[first + hold.node] = hold.free * force[first + hold.node];
      first += body.x.size();
    }
    constexpr double gives = 1e-6;  // of a face
    return std::any_of(force.begin(), force.end(), [](const Vec3& f) { return f.norm() > gives; });
  }

  // A pocket's constant pressure presses on something that can give, or it does not.
  void sort_pockets() {
    if (pressure_.closed.empty()) return;
    Vector indicator(pressure_.rhs.size(), 0);
    for (const auto& cells : pressure_.closed) {
      for (int i : cells) indicator[i] = 1;
      // It must press, and what gives must make room.
      const bool elastic = moves_nodes(u_, indicator) && (!by_samples_ || moves_nodes(j_, indicator));
      for (int i : cells) indicator[i] = 0;
      (elastic ? elastic_ : rigid_).push_back(cells);
    }
  }

  // What the pockets that bodies close are to gain, as a source; V₀ grows by what inflows bring.
  void feed_pockets() {
    const double dx = in_.grid.dx;
    const std::vector<double> volumes = pocket_volumes(in_.grid, in_.cut, in_.surfaces, elastic_);
    state_.pockets = remember_pockets(state_.pockets, elastic_, volumes);
    for (std::size_t k = 0; k < state_.pockets.size(); ++k) {
      Pocket& pocket = state_.pockets[k];
      const double volume = volumes[k];
      double brought = 0;
      for (const Patch& p : in_.cut.patches)
        if (in_.surfaces[p.surface].inflow && std::binary_search(pocket.cells.begin(), pocket.cells.end(), p.cell))
          brought -= patch_flux(p, in_.surfaces) * dx * dx * in_.dt;
      double change = 0;
      if (in_.solver.pocket_volume && volume > 0) {
        const double ratio = pocket.last_dt > 0 ? in_.dt / pocket.last_dt : 0;
        // What the motion will add by itself; by whole faces that jumps from step to step.
        const double growth = by_samples_ ? 0 : ratio * ratio * (volume - pocket.aimed);
        change = std::clamp(pocket.volume - growth - volume, -largest_source * volume, largest_source * volume);
        double room = 0;
        for (int i : pocket.cells) room += in_.cut.volume.data[i];
        const double rate = change / (in_.dt * room * in_.grid.cell_volume());
        for (int i : pocket.cells) pressure_.rhs[i] += rate * in_.cut.volume.data[i] * dx;
      }
      pocket.volume += brought;
      pocket.aimed = volume + change + brought;
      pocket.last_dt = volume > 0 ? in_.dt : 0;
    }
  }

  bool solve(const BodyEquation& e, NodeField& change) {
    copy(pressure_.rhs, rhs_);
    add_flux(u_, e.moving, -1, rhs_);
    copy(pressure_.q, next_);
    const CoupledEquations equations{pressure_.matrix,
                                     rhs_,
                                     u_,
                                     e.matrix,
                                     e.rhs,
                                     e.c,
                                     kappa_,
                                     e.inertia,
                                     in_.grid.dx,
                                     in_.dt,
                                     in_.density,
                                     rigid_,
                                     elastic_,
                                     flux_round_off(in_, state_.u, fastest(state_.bodies)),
                                     by_samples_ ? &j_ : nullptr};
    SolveReport report;
    switch (in_.solver.form) {
      case CoupledForm::schur:
        report = solve_schur(equations, in_.solver, pressure_.memory, next_, change);
        break;
      case CoupledForm::spd:
        report = solve_spd(equations, in_.solver, next_, change);
        break;
      case CoupledForm::indefinite:
        report = solve_indefinite(equations, in_.solver, next_, change);
        break;
    }
    report.iterations += solve_.iterations;
    report.setup_s += solve_.setup_s;
    report.solve_s += solve_.solve_s;
    solve_ = report;
    if (solve_.status != SolveStatus::converged) {
      around_.trouble = no_convergence(solve_, in_.solver);
      if (in_.solver.dump) failed_ = std::make_shared<const AssembledSystem>(assemble_indefinite(equations));
      return false;
    }
    return true;
  }

  // ½ pᵀ L p from q towards next.
  std::array<double, 3> energy() const {
    Vector lq, lnext;
    multiply(pressure_.matrix, pressure_.q, lq);
    multiply(pressure_.matrix, next_, lnext);
    const double a = dot(pressure_.q, lq), b = dot(next_, lq), d = dot(next_, lnext);
    return {0.5 * kappa_ * a, kappa_ * (b - a), 0.5 * kappa_ * (a - 2 * b + d)};
  }

  void accept(double share) {
    for_each_index(next_.size(), [&](std::size_t i) { pressure_.q[i] += share * (next_[i] - pressure_.q[i]); });
    find_force();
  }

  void find_force() {
    around_.force.assign(count_nodes(state_.bodies), Vec3::Zero());
    add_force(pressing(), pressure_.q, kappa_, around_.force);
  }

  // What flows into every cell at last, per dx².
  Vector left_over() const {
    Vector r;
    multiply(pressure_.matrix, pressure_.q, r);
    NodeField moved;
    for (const auto& body : state_.moved) moved.insert(moved.end(), body.begin(), body.end());
    add_flux(u_, moved, 1, r);
    for_each_index(r.size(), [&](std::size_t i) { r[i] = pressure_.rhs[i] - r[i]; });
    return r;
  }

  const Coupling& pressing() const { return by_samples_ ? j_ : u_; }

  const ProjectionInput& in_;
  PressureSystem& pressure_;
  CoupledState& state_;
  double kappa_;
  Coupling u_, j_;  // velocity to flux; pressure to force where that is not its transpose
  bool by_samples_ = false;
  std::vector<std::vector<int>> rigid_, elastic_;  // closed components, by what encloses them
  Vector rhs_, next_;
  SolveReport solve_;
  std::shared_ptr<const AssembledSystem> failed_;
  Surroundings around_;
};

// The system of the liquid alone.
AssembledSystem liquid_system(const ProjectionInput& in, const PressureSystem& pressure) {
  BlockSolver no_bodies;
  const NodeField nothing;
  const Coupling nowhere{{}, {0}, {}, {}};
  return assemble_indefinite({pressure.matrix,
                              pressure.rhs,
                              nowhere,
                              no_bodies,
                              nothing,
                              1,
                              kappa(in),
                              {},
                              in.grid.dx,
                              in.dt,
                              in.density,
                              pressure.closed,
                              {},
                              0});
}

CoupledReport alternate(const ProjectionInput& liquid, const BodyStep& step, PressureSystem& pressure,
                        BodySystem& system, CoupledState& state) {
  CoupledReport report;
  report.projection = project(liquid, pressure, state.u, state.p, state.valid);
  if (report.projection.solve.status != SolveStatus::converged) {
    report.ok = false;
    report.trouble = no_convergence(report.projection.solve, liquid.solver);
    if (liquid.solver.dump) report.failed = std::make_shared<const AssembledSystem>(liquid_system(liquid, pressure));
    return report;
  }
  if (state.bodies.empty()) return report;
  Surroundings pressed;
  pressed.force.assign(count_nodes(state.bodies), Vec3::Zero());
  add_force(pressing_coupling(liquid.cut, liquid.surfaces, first_nodes(state.bodies), pressure.active), pressure.q,
            kappa(liquid), pressed.force);
  report.bodies = solve_bodies(step, system, state.bodies, state.moved, &pressed);
  report.ok = report.bodies.ok;
  report.trouble = report.bodies.trouble;
  return report;
}

}  // namespace

CoupledReport project_with_bodies(const ProjectionInput& liquid, const BodyStep& step, PressureSystem& pressure,
                                  BodySystem& system, CoupledState state) {
  if (state.bodies.empty() || liquid.solver.coupling == CouplingStrength::weak)
    return alternate(liquid, step, pressure, system, state);
  ProjectionInput in = liquid;
  in.bodies_given = false;
  if (liquid.solver.coupling == CouplingStrength::strong) return CoupledSolve(in, pressure, state).run(step, system);

  CoupledReport report;
  BodyStep undamped = step;
  undamped.damped = false;
  report.bodies = solve_bodies(undamped, system, state.bodies, state.moved);
  report.ok = report.bodies.ok;
  report.trouble = report.bodies.trouble;
  if (!report.ok) return report;
  BodyStep damped = step;
  damped.fall = Vec3::Zero();
  damped.elastic = false;
  return CoupledSolve(in, pressure, state).run(damped, system);
}

}  // namespace coracle
