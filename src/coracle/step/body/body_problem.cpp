#include "coracle/step/body/body_problem.h"

#include "coracle/step/body/held.h"
#include "coracle/step/body/load.h"
#include "coracle/step/body/muscles.h"
#include "coracle/step/body/rigid.h"
#include "coracle/step/body/stress.h"
#include "coracle/timer.h"
#include "coracle/world/bodies.h"
#include "coracle/world/ties.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace coracle {
namespace {

// Pairs within so many times their reach have a place in the matrix.
constexpr double near_in_pattern = 3;

// Damping has the same stiffness whether Newton iterates or not.
Linearisation damping_linearisation(const Body& body) {
  return body.rest->options.material == MaterialModel::corotational ? Linearisation::warped : Linearisation::projected;
}

}  // namespace

BodyProblem::Weights BodyProblem::weights(Integrator integrator) {
  switch (integrator) {
    case Integrator::trapezoidal:
      return {0.5, 0.5, 0, 1, 0.5, 0.5};
    case Integrator::midpoint:
      return {0.25, 0.25, 0.5, 0.5, 0.5, 0.5};
    default:
      return {0, 1, 0, 1, 0, 1};
  }
}

BodyProblem::BodyProblem(const BodyStep& step, BodySystem& system)
    : step_(step),
      o_(step.options),
      w_(weights(step.options.integrator)),
      dt_(step.dt),
      kick_dt_(step.kick_dt > 0 ? step.kick_dt : step.dt),
      system_(system),
      bodies_(step.world.bodies),
      first_(first_nodes(step.world.bodies)),
      nodes_(gather_nodes()),
      contacts_(find_contacts(step.world, step.trees, step.contact, dt_, step.gravity_dv), nodes_, before_, w_.c0, w_.c,
                dt_, step.gravity_dv.norm()) {
  if (!system.knows_followers) {
    system.followers = all_followers(step.world);
    system.matrix.set_followers(system.followers);
    system.knows_followers = true;
  }
  shape_rigid_bodies();
  guess_ = before_;
  for (Vec3& v : guess_) v += step.gravity_dv;
  if (step.loaded)
    for (std::size_t b = 0; b < bodies_.size(); ++b) add_load_dv(bodies_[b], kick_dt_, first_[b], guess_);
  if (step.contact.kind == ContactKind::barrier)
    barrier_ = std::make_unique<BarrierContacts>(
        step.world, step.contact, system.contact_mesh, x_, before_, w_.c0, w_.c, dt_,
        step.weight_per_mass < 0 ? step.gravity_dv.norm() / kick_dt_ : step.weight_per_mass, step.loose,
        step.contact_share);
  // The pattern follows from the state at the start of the step and from nothing before, so that a run that is resumed
  // has the same bits.
  update_pattern(barrier_     ? barrier_->pairs(still(), near_in_pattern)
                 : step.model ? pairs(*step.model)
                              : contacts_.pairs());
  keep_damping();
  find_constraints(step.world.clock.time);
}

bool BodyProblem::fail(const std::string& trouble) {
  report_.ok = false;
  report_.trouble = "bodies: " + trouble;
  return false;
}

bool BodyProblem::fail_in_newton(const std::string& trouble) {
  const std::string place = barrier_ && !at_.empty() ? barrier_->tight_place(at_) : "";
  if (place.empty()) return fail(trouble);
  return fail(fmt::format("{}; leave more room there, or raise contact.stiffness ({})", place, trouble));
}

bool BodyProblem::fail_to_start(const NodeField& v) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const NodeField x = elastic_positions(b, v);
    if (!std::isfinite(elastic_energy(bodies_[b], x)))
      return fail(fmt::format(
          "Newton's method has no start: {} is inverted; material = 'stable_neo_hookean' recovers from that",
          name_worst_element(bodies_[b], x)));
  }
  return fail("Newton's method has no start: the energy is not finite");
}

// ---- The start of a step

// The nodes of all bodies in one list, body after body.
NodeScales BodyProblem::gather_nodes() {
  NodeScales nodes;
  for (const Body& body : bodies_) {
    const BodyRest& rest = *body.rest;
    x_.insert(x_.end(), body.x.begin(), body.x.end());
    before_.insert(before_.end(), body.v.begin(), body.v.end());
    mass_.insert(mass_.end(), rest.mass.begin(), rest.mass.end());
    double all = 0;
    for (const double m : rest.mass) all += m;
    for (const double m : rest.mass) nodes.mass.push_back(m > 0 ? m : all / double(rest.skin.nodes.size()));
    nodes.edge.insert(nodes.edge.end(), body.x.size(), rest.skin.edge);
    const bool rigid = std::holds_alternative<Rigid>(rest.elements);
    nodes.elastic.insert(nodes.elastic.end(), body.x.size(), rigid ? 0 : rest.options.young * rest.skin.edge);
  }
  return nodes;
}

// Under midpoint, rigid bodies are held rigid at the end of the step, not in its middle (rigid.h).
void BodyProblem::shape_rigid_bodies() {
  acting_.resize(bodies_.size());
  if (o_.integrator != Integrator::midpoint) return;
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    const auto* rigid = std::get_if<Rigid>(&body.rest->elements);
    if (!rigid) continue;
    auto rest = std::make_shared<BodyRest>();
    rest->options = body.rest->options;
    rest->elements = rigid_at_end(*body.rest, *rigid, body.x, body.v, dt_);
    acting_[b].rest = std::move(rest);
  }
}

void BodyProblem::update_pattern(NodePairs pairs) {
  const bool same_bodies = system_.matrix.nodes() == int(x_.size()) && system_.slots.size() == bodies_.size();
  if (same_bodies && pairs == system_.contact_pairs) return;
  system_.contact_pairs = pairs;
  for (std::size_t b = 0; b < bodies_.size(); ++b) add_pairs(bodies_[b], first_[b], pairs);
  system_.matrix.set_pattern(int(x_.size()), std::move(pairs));
  system_.slots.clear();
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    system_.slots.push_back(element_slots(bodies_[b], first_[b], system_.matrix));
}

void BodyProblem::find_constraints(double time) {
  fixed_ = held_velocities(bodies_, time, dt_);
  for (BlockSolver::Fixed& f : fixed_) {
    prescribed_.push_back(f.value);
    f.value = (f.value - w_.c0 * before_[f.node]) / w_.c;
  }
}

// The velocity by which nothing moves.
NodeField BodyProblem::still() const {
  NodeField v(x_.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = -w_.c0 / w_.c * before_[i];
  return v;
}

NodeField BodyProblem::start() {
  NodeField v = guess_;
  // A body that rests on something keeps its velocity: contact carries its weight. From vⁿ + gravity, friction would
  // first have to stop it again.
  if (barrier_)
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      if (barrier_->touched(b)) std::copy_n(before_.begin() + first_[b], bodies_[b].x.size(), v.begin() + first_[b]);
  for (const BlockSolver::Fixed& f : fixed_) v[f.node] = f.free * v[f.node] + f.value - f.free * f.value;
  system_.matrix.follow(v);
  if (!barrier_) return v;
  const NodeField from = still();
  barrier_->set_progress(0);
  const double share = barrier_->free_share(from, v);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = from[i] + share * (v[i] - from[i]);
  barrier_->set_progress(share);
  return v;
}

NodeField BodyProblem::rest() {
  if (barrier_) {
    barrier_->set_progress(0);
    return still();
  }
  NodeField v(x_.size(), Vec3::Zero());
  for (const BlockSolver::Fixed& f : fixed_) v[f.node] = f.value - f.free * f.value;
  system_.matrix.follow(v);
  return v;
}

double BodyProblem::largest_share(const NodeField& v, const NodeField& change) {
  if (!barrier_) return 1;
  NodeField to = v;
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += change[i];
  return barrier_->free_share(v, to);
}

// ---- Matrix and right-hand side

NodeField BodyProblem::elastic_positions(std::size_t body, const NodeField& v) const {
  NodeField x(bodies_[body].x.size());
  const int first = first_[body];
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = x_[first + i] + dt_ * (w_.a0 * before_[first + i] + w_.a * v[first + i]);
  return x;
}

Linearisation BodyProblem::elastic_linearisation(const Body& body) const {
  return !o_.newton && body.rest->options.material == MaterialModel::corotational ? Linearisation::warped
                                                                                  : Linearisation::projected;
}

// Where Newton iterates, K is taken at the start of the step in d τ_k K, and this part of B stays.
void BodyProblem::keep_damping() {
  const auto damped = [&](const Body& body) { return damping_stiffness(body) > 0; };
  keeps_damping_ = o_.newton && std::any_of(bodies_.begin(), bodies_.end(), damped);
  if (!keeps_damping_) return;
  system_.matrix.clear();
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (damped(bodies_[b]))
      add_stiffness(bodies_[b], bodies_[b].x, damping_linearisation(bodies_[b]), w_.d * damping_stiffness(bodies_[b]),
                    first_[b], system_.slots[b], system_.matrix);
  system_.matrix.keep();
}

// B without contact, at positions(body): M (1/dt + d τ_m) + (a dt + d τ_k) K.
template <class Positions>
void BodyProblem::add_bodies(Positions&& positions) {
  if (keeps_damping_)
    system_.matrix.go_back();
  else
    system_.matrix.clear();
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    const int first = first_[b];
    for (std::size_t i = 0; i < body.x.size(); ++i)
      system_.matrix.add_diagonal(first + int(i),
                                  (1 / kick_dt_ + w_.d * damping_mass(body)) * mass_[first + i] * Mat3::Identity());
    const double elastic = has_elasticity(b) ? w_.a * dt_ : 0, damping = w_.d * damping_stiffness(body);
    add_stiffness(acting(b), positions(b), elastic_linearisation(body), o_.newton ? elastic : elastic + damping, first,
                  system_.slots[b], system_.matrix);
    add_pull_stiffness(body, elastic, first, system_.slots[b], system_.matrix);
  }
}

template <class Positions>
void BodyProblem::assemble(Positions&& positions) {
  const auto start = std::chrono::steady_clock::now();
  if (!o_.newton && assembled_) {  // only the contacts have changed
    system_.matrix.go_back();
  } else {
    add_bodies(positions);
    if (!o_.newton) system_.matrix.keep();
    assembled_ = true;
  }
  contacts_.add_blocks(system_.matrix);
  if (barrier_) barrier_->add_blocks(system_.matrix);
  if (step_.model) coracle::add_blocks(*step_.model, dt_, system_.matrix);
  report_.assembly_s += seconds_since(start);
}

// D w of all bodies, K taken at the start of the step.
void BodyProblem::add_damping(const NodeField& v, NodeField& r) const {
  NodeField w(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) w[i] = w_.d0 * before_[i] + w_.d * v[i];
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Body& body = bodies_[b];
    const int first = first_[b];
    if (damping_mass(body) > 0)
      for (std::size_t i = first; i < first + body.x.size(); ++i) r[i] += damping_mass(body) * mass_[i] * w[i];
    if (damping_stiffness(body) > 0 && !keeps_damping_)
      add_stiffness_times(body, body.x, damping_linearisation(body), damping_stiffness(body), first, w, r);
  }
  if (!keeps_damping_) return;
  NodeField force;
  system_.matrix.multiply_kept(w, force);
  for (std::size_t i = 0; i < v.size(); ++i) r[i] += force[i] / w_.d;
}

void BodyProblem::linearise(NodeField& rhs) {
  assemble([&](std::size_t b) -> const NodeField& { return bodies_[b].x; });
  // The residual of the linearised equation at v = 0; B v = −residual.
  const NodeField zero(x_.size(), Vec3::Zero());
  rhs.assign(x_.size(), Vec3::Zero());
  for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] = -mass_[i] / kick_dt_ * guess_[i];
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!has_elasticity(b)) continue;
    add_elastic_gradient(acting(b), bodies_[b].x, first_[b], rhs);
    add_pull_gradient(bodies_[b], bodies_[b].x, first_[b], rhs);
    if (w_.a0 > 0) {
      add_stiffness_times(acting(b), bodies_[b].x, elastic_linearisation(bodies_[b]), w_.a0 * dt_, first_[b], before_,
                          rhs);
      add_pull_stiffness_times(bodies_[b], w_.a0 * dt_, first_[b], before_, rhs);
    }
  }
  add_damping(zero, rhs);
  contacts_.add_residual(zero, rhs);
  for (Vec3& f : rhs) f = -f;
}

NodeField BodyProblem::residual(const NodeField& v) const {
  NodeField r(x_.size(), Vec3::Zero());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = mass_[i] / kick_dt_ * (v[i] - guess_[i]);
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (has_elasticity(b)) {
      const NodeField x = elastic_positions(b, v);
      add_elastic_gradient(acting(b), x, first_[b], r);
      add_pull_gradient(bodies_[b], x, first_[b], r);
    }
  add_damping(v, r);
  contacts_.add_residual(v, r);
  if (barrier_) barrier_->add_residual(r);
  if (step_.model) coracle::add_residual(*step_.model, dt_, v, r);
  return r;
}

void BodyProblem::linearise_at(const NodeField& v, NodeField& rhs) {
  if (barrier_) {
    barrier_->update(v);
    at_ = v;
    // Keep the pattern, and with it its analysis, as long as it holds all pairs.
    const NodePairs needed = barrier_->pairs(v), &old = system_.contact_pairs;
    if (!std::includes(old.begin(), old.end(), needed.begin(), needed.end())) {
      const NodePairs near = barrier_->pairs(v, near_in_pattern);
      NodePairs all;
      std::set_union(old.begin(), old.end(), near.begin(), near.end(), std::back_inserter(all));
      update_pattern(std::move(all));
      keep_damping();
    }
  }
  rhs = residual(v);
  assemble([&](std::size_t b) { return elastic_positions(b, v); });
  for (Vec3& f : rhs) f = -f;
}

bool BodyProblem::factor(Unknown unknown) {
  ++report_.iterations;
  std::vector<BlockSolver::Fixed> fixed = fixed_;
  if (unknown == Unknown::change)
    for (BlockSolver::Fixed& f : fixed) f.value = barrier_ ? Vec3(f.value - at_[f.node]) : Vec3::Zero();
  const bool factored = system_.matrix.factor(fixed);
  report_.factor_s += system_.matrix.factor_seconds();
  return factored || fail_in_newton("the stiffness matrix is not positive definite or not finite");
}

bool BodyProblem::solve(const NodeField& rhs, const NodeField* force, NodeField& x) {
  if (!force) return system_.matrix.solve(x, rhs) || fail("velocities are not finite");
  NodeField pushed = rhs;
  for (std::size_t i = 0; i < rhs.size(); ++i) pushed[i] += (*force)[i];
  return system_.matrix.solve(x, pushed) || fail("velocities are not finite");
}

std::vector<double> BodyProblem::inertia() const {
  std::vector<double> share = mass_;
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    for (std::size_t i = 0; i < bodies_[b].x.size(); ++i)
      share[first_[b] + i] *= 1 / kick_dt_ + w_.d * damping_mass(bodies_[b]);
  return share;
}

// ---- Potential

double BodyProblem::potential(const NodeField& v) const {
  double sum = contacts_.potential(v);
  if (barrier_) sum += barrier_->potential(v);
  if (step_.model) sum += coracle::potential(*step_.model, dt_, v);
  if (!std::isfinite(sum)) return sum;
  for (std::size_t i = 0; i < v.size(); ++i) sum += 0.5 * mass_[i] / kick_dt_ * (v[i] - guess_[i]).squaredNorm();
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (has_elasticity(b)) {
      const NodeField x = elastic_positions(b, v);
      sum += (elastic_energy(acting(b), x) + pull_energy(bodies_[b], x)) / (w_.a * dt_);
    }
  NodeField damping(v.size(), Vec3::Zero());
  add_damping(v, damping);
  for (std::size_t i = 0; i < v.size(); ++i) sum += 0.5 / w_.d * damping[i].dot(w_.d0 * before_[i] + w_.d * v[i]);
  return sum;
}

std::pair<double, double> BodyProblem::size(const NodeField& v, const NodeField& change) const {
  double size = 0, scale = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    size = std::max(size, change[i].norm());
    scale = std::max(scale, v[i].norm() + nodes_.edge[i] / dt_ * 1e-3);
  }
  return {size, step_.near_enough > 0 ? step_.near_enough / o_.tolerance : scale};
}

// ---- The end of a step

NodeField BodyProblem::motion(const NodeField& v) const {
  NodeField motion(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) motion[i] = w_.c0 * before_[i] + w_.c * v[i];
  return motion;
}

// Constrained nodes take prescribed velocities; an integrator that averages velocities would make theirs oscillate.
void BodyProblem::keep_prescribed(NodeField& v) const {
  for (std::size_t i = 0; i < fixed_.size(); ++i)
    v[fixed_[i].node] = fixed_[i].free * v[fixed_[i].node] + prescribed_[i];
}

// The trapezoidal rule does not damp contacts: to stop a node within a step, a contact reverses the node's velocity,
// and a body that should come to rest would bounce for ever. So a node that a wall or a solid pushes ends the step with
// the normal velocity by which it has moved. Contacts between bodies are not changed, to conserve momentum.
void BodyProblem::stop_pushed(NodeField& v) const {
  if (o_.integrator != Integrator::trapezoidal) return;
  const NodeField found = v;
  for (std::size_t i = 0; i < contacts_.list().size(); ++i) {
    const Contact& c = contacts_.list()[i];
    if (!contacts_.pushes(i) || (c.node[0] >= 0 && c.node[1] >= 0)) continue;
    for (const int n : c.node)
      if (n >= 0) v[n] += c.normal * c.normal.dot(w_.c0 * before_[n] + w_.c * found[n] - v[n]);
  }
}

// The velocities v + δ next to v, by kinetic energy, that leave the shape of rigid bodies as it is (rigid.h):
//     (M + κ E) δ = −κ E v,     κ E: the dampers of edges
// Solved twice, so that round-off of so stiff a system does not reach the momenta.
void BodyProblem::take_out_strain_rates(const NodeField& moved, NodeField& v) {
  const auto rigid = [&](std::size_t b) { return std::get_if<Rigid>(&bodies_[b].rest->elements); };
  bool any = false;
  for (std::size_t b = 0; b < bodies_.size(); ++b) any = any || rigid(b);
  if (!any || w_.c0 == 0) return;
  constexpr double stiff = 1e9;  // times the mass of the body: a plate has a share (thickness / width)² of it
  NodeField end = x_, change;
  for (std::size_t i = 0; i < end.size(); ++i) end[i] += dt_ * moved[i];
  const auto damping = [&](std::size_t b) {
    double mass = 0;
    for (const double m : bodies_[b].rest->mass) mass += m;
    return stiff * mass;
  };
  BlockSolver& matrix = system_.matrix;
  matrix.clear();
  for (std::size_t i = 0; i < v.size(); ++i) matrix.add_diagonal(int(i), mass_[i] * Mat3::Identity());
  for (std::size_t b = 0; b < bodies_.size(); ++b)
    if (rigid(b)) add_edge_damping(*rigid(b), end, damping(b), first_[b], system_.slots[b], matrix);
  std::vector<BlockSolver::Fixed> fixed = fixed_;
  for (BlockSolver::Fixed& f : fixed) f.value = Vec3::Zero();
  bool solved = matrix.factor(fixed);
  const NodeField found = v;
  for (int pass = 0; pass < 2 && solved; ++pass) {
    NodeField rhs(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) rhs[i] = mass_[i] * (found[i] - v[i]);
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      if (rigid(b)) subtract_edge_damping(*rigid(b), end, damping(b), first_[b], v, rhs);
    solved = matrix.solve(change, rhs);
    for (std::size_t i = 0; i < v.size() && solved; ++i) v[i] += change[i];
  }
  if (!solved) fail("the velocities of rigid bodies are not finite");
}

// Whether rigid bodies have kept their shape. Their energy resists blows, but not what moves as the scene says.
bool BodyProblem::check_rigid(const NodeField& moved) {
  constexpr double most_strain = 0.5;  // a blow at a third of its speed of sound strains a body by a third
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const auto* rigid = std::get_if<Rigid>(&bodies_[b].rest->elements);
    if (!rigid) continue;
    NodeField end = bodies_[b].x;
    for (std::size_t i = 0; i < end.size(); ++i) end[i] += dt_ * moved[first_[b] + i];
    const Mat3 f = deformation(rigid->frame, end, 0);
    if (!((f.transpose() * f - Mat3::Identity()).norm() < most_strain))
      return fail(fmt::format("the rigid body '{}' is squeezed or torn by what moves as the scene says; give it room",
                              bodies_[b].name));
  }
  return true;
}

// ∂Ψ/∂x as the step has used it: at x_e, or linearised about x.
NodeField BodyProblem::elastic_force_used(std::size_t b, const NodeField& v) const {
  const Body& body = bodies_[b];
  NodeField force(body.x.size(), Vec3::Zero());
  if (o_.newton) {
    const NodeField x = elastic_positions(b, v);
    add_elastic_gradient(acting(b), x, 0, force);
    add_pull_gradient(body, x, 0, force);
    return force;
  }
  add_elastic_gradient(acting(b), body.x, 0, force);
  add_pull_gradient(body, body.x, 0, force);
  NodeField way(body.x.size());
  for (std::size_t i = 0; i < way.size(); ++i)
    way[i] = dt_ * (w_.a0 * before_[first_[b] + i] + w_.a * v[first_[b] + i]);
  add_stiffness_times(acting(b), body.x, elastic_linearisation(body), 1, 0, way, force);
  add_pull_stiffness_times(body, 1, 0, way, force);
  return force;
}

// What a body gains in a step, and the work done on it. All that acts on it besides elasticity is M (v − vⁿ)/dt +
// ∂Ψ/∂x, and its work is this times the nodes' way.
BodyProblem::Balance BodyProblem::balance_of(std::size_t b, const NodeField& v, const NodeField& way) const {
  const Body& body = bodies_[b];
  const bool rigid = std::holds_alternative<Rigid>(body.rest->elements);  // its energy only keeps it rigid
  Balance balance;
  NodeField force(body.x.size(), Vec3::Zero()), end = body.x;
  if (!rigid) force = elastic_force_used(b, v);
  double mass = 0;
  for (std::size_t i = 0; i < end.size(); ++i) {
    const double m = mass_[first_[b] + i];
    const Vec3 &then = before_[first_[b] + i], &now = v[first_[b] + i], moved = dt_ * way[i];
    end[i] += moved;
    mass += m;
    balance.energy += 0.5 * m * then.squaredNorm();
    balance.gain += 0.5 * m * (now.squaredNorm() - then.squaredNorm());
    balance.work += m * (now - then).dot(way[i]) + force[i].dot(moved);
  }
  if (rigid) return balance;
  // In a step, the pull of muscles is constant, and so has an energy too.
  const double elastic = elastic_energy(body, body.x) + pull_energy(body, body.x);
  const double elastic_end = elastic_energy(body, end) + pull_energy(body, end);
  balance.inverted = !std::isfinite(elastic_end) && std::isfinite(elastic);
  balance.energy += elastic;
  balance.gain += elastic_end - elastic;
  constexpr double round_off = 1e-15;  // strains of that size mean nothing
  balance.nothing = round_off * body.rest->options.young * mass / body.rest->options.density;
  return balance;
}

// What the energy of bodies grows beyond the work done on them comes from the integrator. Backward Euler loses,
// midpoint with Newton's method keeps, and a linearised step may gain without bound where elements turn far within it.
// Bodies that are tied together count as one: the energy of a rope is small beside what passes through it.
void BodyProblem::watch_energy(const NodeField& v, const std::vector<NodeField>& motion, std::vector<Body>& bodies) {
  if (!step_.elastic) return;
  const std::vector<int> groups = tied_groups(step_.world);
  std::vector<Balance> balances(bodies.size());
  std::vector<int> most(bodies.size(), -1);  // the body of a group that gains most
  std::vector<double> excess(bodies.size(), 0);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Balance own = balance_of(b, v, motion[b]);
    if (own.inverted) {
      NodeField end = bodies[b].x;
      for (std::size_t i = 0; i < end.size(); ++i) end[i] += dt_ * motion[b][i];
      fail(inversion_text(bodies[b], end, o_.newton));
      return;
    }
    const int group = groups[b];
    balances[group].add(own);
    excess[b] = own.gain - own.work;
    if (most[group] < 0 || excess[b] > excess[most[group]]) most[group] = int(b);
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (most[b] < 0) continue;
    const Balance& all = balances[b];
    EnergyWatch& watch = bodies[b].energy;
    // Whatever work brings in counts before it can be seen in the energy.
    const double scale = std::max({watch.largest, all.energy + std::max(all.work, 0.0), all.nothing});
    const double before = watch.gained, gain = all.gain - all.work;
    watch.gained = std::max(0.0, watch.gained + gain);
    const std::string& name = bodies[most[b]].name;
    constexpr double noticed = 0.01;
    // Midpoint gains or loses ΔΨ − ∂Ψ/∂x(x_e)·Δx, which goes with dt³: shorter steps do better. When the sum is too
    // large it is too late for them.
    if (o_.newton && o_.integrator == Integrator::midpoint && gain > noticed * scale) {
      fail(
          fmt::format("in one step the energy of '{}' grows by {:.3g} J more than the work done on it, and was at most "
                      "{:.3g} J; allow shorter steps (time.min_dt), or take elastic.integrator = 'backward_euler'",
                      name, gain, scale));
      return;
    }
    if (gain > 0 && !(watch.gained <= scale)) {
      fail(fmt::format("the energy of '{}' grows by {:.3g} J more than the work done on it, and was at most {:.3g} J{}",
                       name, watch.gained, scale,
                       o_.newton ? "; take shorter steps (time.max_dt)" : "; elastic.newton = true prevents this"));
      return;
    }
    if (watch.gained > noticed * scale && !(before > noticed * watch.largest))
      report_.notes.push_back(fmt::format(
          "the energy of '{}' has grown by {:.2g} J, {:.2g} % of its largest so far, beyond the work done on it{}",
          name, watch.gained, 100 * watch.gained / scale,
          o_.newton ? "; shorter steps (time.max_dt) reduce this" : "; elastic.newton = true prevents this"));
    watch.largest = std::max(watch.largest, all.energy + all.gain - watch.gained);
  }
}

void BodyProblem::finish(NodeField v, std::vector<Body>& bodies, std::vector<NodeField>& motion) {
  report_.contacts = contacts_.active();
  report_.penetration.assign(bodies.size(), 0);
  report_.contacts_of.assign(bodies.size(), 0);
  for (std::size_t i = 0; i < contacts_.list().size(); ++i) {
    const Contact& c = contacts_.list()[i];
    report_.penetration[c.body] = std::max(report_.penetration[c.body], -c.distance);
    report_.contacts_of[c.body] += contacts_.pushes(i);
  }
  if (barrier_) {
    report_.contact = barrier_->report(v);
    report_.contacts = report_.contact->active;
    report_.contacts_of = barrier_->contacts_of(bodies.size());
    if (step_.loose) report_.loose_loads = barrier_->loose_loads(v);
  }
  const NodeField moved = this->motion(v);
  if (!check_rigid(moved)) return;
  motion.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b)
    motion[b].assign(moved.begin() + first_[b], moved.begin() + first_[b + 1]);
  watch_energy(v, motion, bodies);
  stop_pushed(v);
  keep_prescribed(v);
  system_.matrix.follow(v);
  take_out_strain_rates(moved, v);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    std::copy_n(v.begin() + first_[b], bodies[b].x.size(), bodies[b].v.begin());
}

}  // namespace coracle
