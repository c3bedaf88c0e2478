#include "coracle/step/couple/grid_bodies.h"

#include "coracle/base/parallel.h"
#include "coracle/solve/conjugate_gradients.h"
#include "coracle/step/couple/equations.h"
#include "coracle/step/couple/pockets.h"
#include "coracle/step/couple/reference_forms.h"
#include "coracle/world/bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace coracle {
namespace {

constexpr double largest_source = 0.01;  // of a pocket's volume, per step
constexpr int least_contact_passes = 2;  // after passes that did not settle: later ones will not either
constexpr int most_coupled_passes = 4;   // over the contacts, each with a solve for the pressure

double fastest(const std::vector<Body>& bodies) {
  double speed = 0;
  for (const Body& body : bodies) speed = std::max(speed, max_speed(body));
  return speed;
}

std::string no_convergence(const SolveReport& solve, const SolverOptions& options) {
  return fmt::format("projection: no convergence after {} iterations, volume error {:.1e}{}", solve.iterations,
                     solve.residual, options.dump ? "" : " (solver.dump = true keeps the system)");
}

// The fluid around the bodies: what the coupled solve asks of it.
class FluidAround {
 public:
  FluidAround(const ProjectionInput& in, const std::vector<Follower>& followers, FluidSystem& fluid,
              CoupledState& state)
      : in_(in), fluid_(fluid), state_(state), kappa_(kappa(in)), first_(first_nodes(state.bodies)) {
    fluid_.assemble(in_);
    u_ = on_leaders(wet_coupling(in_.cut.patches, in_.surfaces, first_, fluid_.active()), followers);
    if (samples()) j_ = on_leaders(pressing_coupling(in_.cut, in_.surfaces, first_, fluid_.active()), followers);
    sort_pockets();
    feed_pockets();
    find_force();
  }

  // Force of the present pressure on the nodes, N.
  const NodeField& force() const { return force_; }

  // Find the next pressure and the bodies' unknown x together: B x = rhs + force, and every cell keeps its volume when
  // nodes move by motion + c x. B is factorised. False: no convergence, and the problem's report says so.
  [[nodiscard]] bool solve(BodyProblem& bodies, const NodeField& motion, const NodeField& rhs, NodeField& x) {
    const std::vector<double> inertia = bodies.inertia();
    const auto equations = [&](const Stencil<double>& l, const Vector& fluid_rhs) -> CoupledEquations {
      return {.l = l,
              .rhs = fluid_rhs,
              .u = u_,
              .b = bodies.matrix(),
              .body_rhs = rhs,
              .c = bodies.c(),
              .kappa = kappa_,
              .inertia = inertia,
              .dx = in_.grid.dx,
              .dt = in_.dt,
              .density = in_.density,
              .rigid_pockets = rigid_,
              .elastic_pockets = elastic_,
              .floor = flux_round_off(in_, std::max(fluid_.fastest(), fastest(state_.bodies))),
              .j = samples() ? &j_ : nullptr};
    };
    SolveReport report;
    PressureSystem* const home = fluid_.home();
    if (in_.solver.form == CoupledForm::schur) {
      const Stencil<double> nowhere;
      const Vector none;
      const CoupledEquations e = equations(nowhere, none);
      const auto solve_pressures = [&](const CellValues& of_x, WetTerm& term) {
        CellValues flux = of_x;
        add_wet_flux(u_, motion, 1, flux.value);
        // Dry bodies add nothing, and a GPU need not wait for them.
        WetTerm* const wet = u_.cell.empty() ? nullptr : &term;
        return fluid_.solve({.flux = flux, .singular = rigid_, .deflated = elastic_, .wet = wet},
                            pressure_options(in_.solver, e.floor));
      };
      report = solve_schur(e, solve_pressures, fluid_.next(), x);
      report.unknowns = fluid_.unknowns();
      report.nonzeros = fluid_.nonzeros() + 6 * u_.node.size();
    } else {
      copy(home->rhs, rhs_);
      add_flux(u_, motion, -1, rhs_);
      copy(home->q, home->next);
      const CoupledEquations e = equations(home->matrix, rhs_);
      report = in_.solver.form == CoupledForm::spd ? solve_spd(e, in_.solver, home->next, x)
                                                   : solve_indefinite(e, in_.solver, home->next, x);
    }
    report.iterations += solve_.iterations;
    report.setup_s += solve_.setup_s;
    report.solve_s += solve_.solve_s;
    solve_ = report;
    if (solve_.status == SolveStatus::converged) return true;
    bodies.report().ok = false;
    bodies.report().trouble = no_convergence(solve_, in_.solver);
    if (in_.solver.dump && home) {
      copy(home->rhs, rhs_);
      add_flux(u_, motion, -1, rhs_);
      failed_ = std::make_shared<const AssembledSystem>(assemble_indefinite(equations(home->matrix, rhs_)));
    }
    return false;
  }

  // ½ pᵀ L p at q + s (next − q), as e₀ + e₁ s + e₂ s².
  std::array<double, 3> energy() const {
    const auto [a, b, d] = fluid_.products();
    return {0.5 * kappa_ * a, kappa_ * (b - a), 0.5 * kappa_ * (a - 2 * b + d)};
  }

  // q ← q + share (next − q)
  void accept(double share) {
    fluid_.accept(share);
    find_force();
  }

  CoupledReport finish(const BodySolve& bodies) {
    CoupledReport report;
    report.bodies = bodies;
    report.ok = bodies.ok;
    report.trouble = bodies.trouble;
    report.failed = failed_;
    report.projection.solve = solve_;
    report.projection.solve.passes = bodies.iterations;
    report.projection.solve.bodies_s = bodies.assembly_s + bodies.factor_s;
    report.projection.active = fluid_.unknowns();
    if (!report.ok) return report;
    NodeField motion;
    for (const NodeField& body : state_.motion) motion.insert(motion.end(), body.begin(), body.end());
    CellValues flux{u_.cell, std::vector<double>(u_.cell.size(), 0)};
    add_wet_flux(u_, motion, 1, flux.value);
    const FluidSystem::Remaining error = fluid_.remaining(flux, rigid_);
    report.projection.closed_imbalance = largest_inflow(in_, error.sums);
    report.projection.max_divergence = error.largest / in_.grid.dx;
    fluid_.apply();
    return report;
  }

 private:
  bool samples() const { return in_.cut.pressure_acts_on == PressureActsOn::samples; }

  // Whether a pressure reaches nodes that are free to move.
  bool moves_nodes(const Coupling& by, const Vector& pressure) const {
    NodeField force(first_.back(), Vec3::Zero());
    add_force(by, pressure, 1, force);
    for (std::size_t b = 0; b < state_.bodies.size(); ++b)
      for (const Hold& hold : state_.bodies[b].rest->holds) {
        Vec3& f = force[first_[b] + hold.node];
        f = hold.free * f;
      }
    constexpr double negligible = 1e-6;  // of a face
    return std::any_of(force.begin(), force.end(), [](const Vec3& f) { return f.norm() > negligible; });
  }

  // Sort the pockets by whether bodies can change their volume.
  void sort_pockets() {
    if (fluid_.closed().empty()) return;
    Vector indicator(fluid_.active().size(), 0);
    for (const auto& cells : fluid_.closed()) {
      for (int i : cells) indicator[i] = 1;
      // The pressure must act on free nodes, and free nodes must be able to change the volume.
      const bool elastic = moves_nodes(u_, indicator) && (!samples() || moves_nodes(j_, indicator));
      for (int i : cells) indicator[i] = 0;
      (elastic ? elastic_ : rigid_).push_back(cells);
    }
  }

  // Add the volume that pockets must gain as a source. V₀ grows by the inflow.
  void feed_pockets() {
    const double dx = in_.grid.dx;
    const std::vector<double> volumes = pocket_volumes(in_.grid, in_.cut, in_.surfaces, elastic_);
    state_.pockets = remember_pockets(state_.pockets, elastic_, volumes);
    CellValues source;
    for (std::size_t k = 0; k < state_.pockets.size(); ++k) {
      Pocket& pocket = state_.pockets[k];
      const double volume = volumes[k];
      double inflow = 0;
      for (const Patch& p : in_.cut.patches)
        if (in_.surfaces[p.surface].inflow && std::binary_search(pocket.cells.begin(), pocket.cells.end(), p.cell))
          inflow -= patch_flux(p, in_.surfaces) * dx * dx * in_.motion_dt();
      double change = 0;
      if (in_.solver.pocket_volume && volume > 0) {
        const double ratio = pocket.last_dt > 0 ? in_.motion_dt() / pocket.last_dt : 0;
        // Integration error that this step will add again. With whole faces it jumps from step to step: ignore it.
        const double growth = !in_.cut.on_surface ? 0 : ratio * ratio * (volume - pocket.target_volume);
        change = std::clamp(pocket.volume - growth - volume, -largest_source * volume, largest_source * volume);
        double room = 0;
        for (int i : pocket.cells) room += in_.cut.volume.data[i];
        const double rate = change / (in_.motion_dt() * room * in_.grid.cell_volume());
        for (const int i : pocket.cells)
          source.cell.push_back(i), source.value.push_back(rate * in_.cut.volume.data[i] * dx);
      }
      pocket.volume += inflow;
      pocket.target_volume = volume + change + inflow;
      pocket.last_dt = volume > 0 ? in_.motion_dt() : 0;
    }
    if (!source.cell.empty()) fluid_.add_source(source);
  }

  void find_force() {
    force_.assign(first_.back(), Vec3::Zero());
    add_force(samples() ? j_ : u_, fluid_.q(), kappa_, force_);
  }

  const ProjectionInput& in_;
  FluidSystem& fluid_;
  CoupledState& state_;
  double kappa_;
  std::vector<int> first_;
  Coupling u_, j_;            // velocity to flux; pressure to force, where pressure acts on samples
  CellSets rigid_, elastic_;  // closed components, by what encloses them
  NodeField force_;
  Vector rhs_;
  SolveReport solve_;
  std::shared_ptr<const AssembledSystem> failed_;
};

// The potential of bodies and fluid: c × potential of the bodies + ½ pᵀ L p. Every step of Newton keeps the volume of
// all cells, from a start that keeps it, and on that set the minimum is the solution.
class BodiesInFluid : public Minimisation {
 public:
  BodiesInFluid(BodyProblem& bodies, FluidAround& fluid, NodeField& v) : bodies_(bodies), fluid_(fluid), v_(v) {}

  bool find_direction() override {
    NodeField rhs;
    bodies_.linearise_at(v_, rhs);
    if (!bodies_.factor(BodyProblem::Unknown::change)) return false;
    if (!fluid_.solve(bodies_, bodies_.motion(v_), rhs, change_)) return false;
    fluid_energy_ = fluid_.energy();
    value_ = bodies_.c() * bodies_.potential(v_) + fluid_energy_[0];
    slope_ = fluid_energy_[1];
    for (std::size_t i = 0; i < v_.size(); ++i) slope_ -= Vec3(bodies_.c() * rhs[i]).dot(change_[i]);
    return true;
  }
  double value() const override { return value_; }
  double slope() const override { return slope_; }
  double value_at(double share) override {
    next_.resize(v_.size());
    for (std::size_t i = 0; i < v_.size(); ++i) next_[i] = v_[i] + share * change_[i];
    bodies_.try_share(share);
    const auto& [e0, e1, e2] = fluid_energy_;
    return bodies_.c() * bodies_.potential(next_) + (e0 + share * (e1 + share * e2));
  }
  void advance(double share) override {
    v_.swap(next_);
    fluid_.accept(share);
    bodies_.accept_share();
  }
  double largest_share() override { return bodies_.largest_share(v_, change_); }
  bool feasible() const override { return bodies_.arrived(); }
  Size size() const override {
    const auto [change, scale] = bodies_.size(v_, change_);
    return {change, scale};
  }

 private:
  BodyProblem& bodies_;
  FluidAround& fluid_;
  NodeField& v_;
  NodeField change_, next_;
  std::array<double, 3> fluid_energy_{};
  double value_ = 0, slope_ = 0;
};

// One coupled solve for the present state of the contacts; v is the result.
[[nodiscard]] bool coupled_pass(BodyProblem& bodies, FluidAround& fluid, NodeField& v) {
  const ElasticOptions& o = bodies.options();
  if (bodies.has_barrier()) {
    // From where nothing has moved; the first whole step meets the volume of all cells.
    v = bodies.rest();
    BodiesInFluid together(bodies, fluid, v);
    return newton_ended(bodies, minimise(together, {o.max_iterations, o.tolerance}));
  }
  NodeField rhs;
  bodies.linearise(rhs);
  if (!bodies.factor(BodyProblem::Unknown::velocity)) return false;
  const NodeField zero(v.size(), Vec3::Zero());
  if (!fluid.solve(bodies, bodies.motion(zero), rhs, v)) return false;
  fluid.accept(1);
  if (!o.newton) return true;
  if (!std::isfinite(bodies.potential(v))) return bodies.fail_to_start(v);
  BodiesInFluid together(bodies, fluid, v);
  return newton_ended(bodies, minimise(together, {o.max_iterations, o.tolerance}));
}

CoupledReport solve_together(const ProjectionInput& in, const BodyStep& step, FluidSystem& system_of_fluid,
                             BodySystem& system, CoupledState& state) {
  BodyProblem bodies(step, system);
  FluidAround fluid(in, bodies.followers(), system_of_fluid, state);
  ContactForces& contacts = bodies.contacts();
  NodeField v = bodies.start();
  contacts.update(v);
  if (contacts.list().empty()) {
    (void)coupled_pass(bodies, fluid, v);  // its failure is in the report
  } else {
    // Settle the contacts under the last known pressure, which is cheap; then solve for all together.
    const bool friction = contacts.any_friction();
    int passes = most_contact_passes;
    for (int pass = 0; pass < most_coupled_passes && bodies.report().ok; ++pass) {
      const int before = bodies.report().iterations;
      if (!step.options.newton && contacts.active() > 0 && !settle_contacts(bodies, &fluid.force(), passes, v)) break;
      if (bodies.report().iterations - before == most_contact_passes) passes = least_contact_passes;
      contacts.set_friction(friction);
      if (!coupled_pass(bodies, fluid, v) || contacts.update(v)) break;
    }
  }
  if (bodies.report().ok) bodies.finish(std::move(v), state.bodies, state.motion);
  return fluid.finish(bodies.report());
}

// The system of the fluid alone.
AssembledSystem fluid_system(const ProjectionInput& in, const PressureSystem& pressure) {
  BlockSolver no_bodies;
  const NodeField nothing;
  const Coupling nowhere{.cell = {}, .start = {0}, .node = {}, .weight = {}};
  return assemble_indefinite({.l = pressure.matrix,
                              .rhs = pressure.rhs,
                              .u = nowhere,
                              .b = no_bodies,
                              .body_rhs = nothing,
                              .c = 1,
                              .kappa = kappa(in),
                              .inertia = {},
                              .dx = in.grid.dx,
                              .dt = in.dt,
                              .density = in.density,
                              .rigid_pockets = pressure.closed,
                              .elastic_pockets = {}});
}

CoupledReport solve_in_turn(const ProjectionInput& input, const BodyStep& step, FluidSystem& fluid, BodySystem& system,
                            CoupledState& state) {
  CoupledReport report;
  report.projection = project(input, fluid);
  if (report.projection.solve.status != SolveStatus::converged) {
    report.ok = false;
    report.trouble = no_convergence(report.projection.solve, input.solver);
    if (input.solver.dump && fluid.home())
      report.failed = std::make_shared<const AssembledSystem>(fluid_system(input, *fluid.home()));
    return report;
  }
  if (state.bodies.empty()) return report;
  const std::vector<int> first = first_nodes(state.bodies);
  NodeField force(first.back(), Vec3::Zero());
  add_force(pressing_coupling(input.cut, input.surfaces, first, fluid.active()), fluid.q(), kappa(input), force);
  report.bodies = solve_bodies(step, system, state.bodies, state.motion, &force);
  report.ok = report.bodies.ok;
  report.trouble = report.bodies.trouble;
  return report;
}

}  // namespace

CoupledReport project_with_bodies(const ProjectionInput& input, const BodyStep& step, FluidSystem& fluid,
                                  BodySystem& system, CoupledState state) {
  if (state.bodies.empty() || input.solver.coupling == CouplingStrength::weak)
    return solve_in_turn(input, step, fluid, system, state);
  ProjectionInput in = input;
  in.bodies_given = false;
  if (input.solver.coupling == CouplingStrength::strong) return solve_together(in, step, fluid, system, state);

  CoupledReport report;
  BodyStep undamped = step;
  undamped.damped = false;
  report.bodies = solve_bodies(undamped, system, state.bodies, state.motion);
  report.ok = report.bodies.ok;
  report.trouble = report.bodies.trouble;
  if (!report.ok) return report;
  BodyStep damped = step;
  damped.gravity_dv = Vec3::Zero();
  damped.elastic = damped.loaded = false;
  return solve_together(in, damped, fluid, system, state);
}

}  // namespace coracle
