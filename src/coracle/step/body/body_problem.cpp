#include "coracle/step/body/body_problem.h"

#include "coracle/world/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace coracle {
namespace {

struct Weights {
  double a0, a, d0, d, c0, c;
};

Weights weights(Integrator integrator) {
  switch (integrator) {
    case Integrator::trapezoidal:
      return {0.5, 0.5, 0, 1, 0.5, 0.5};
    case Integrator::midpoint:
      return {0.25, 0.25, 0.5, 0.5, 0.5, 0.5};
    default:
      return {0, 1, 0, 1, 0, 1};
  }
}

constexpr int most_passes = 10;  // over the set of active contacts and their sliding
constexpr int least_passes = 2;
constexpr int most_coupled_passes = 4;  // the same, where each solves for the pressure as well
constexpr double sufficient = 1e-4;     // decrease of the line search
constexpr int most_halvings = 20;
constexpr double crude = 1e-2;  // relative change of velocity with which Newton may stop where it stalls

using Field = NodeField;

class Stepper {
 public:
  Stepper(const BodyStep& step, BodySystem& system, const std::vector<Body>& bodies, Surroundings* around)
      : step_(step),
        o_(step.options),
        w_(weights(step.options.integrator)),
        dt_(step.dt),
        system_(system),
        bodies_(bodies),
        around_(around),
        nodes_(gather(bodies, system)),
        contacts_(find_contacts(step.world.grid, step.world.solids, step.field, bodies, step.options, dt_, step.fall),
                  nodes_, before_, w_.c0, w_.c, dt_, step.fall.norm()) {
    guess_ = before_;
    for (Vec3& v : guess_) v += step.fall;
    update_pattern();
    find_holds(step.world.clock.time);
  }

  BodySolve run(Field& v) {
    int settling = most_passes;
    v = guess_;
    for (const BlockSolver::Fixed& f : fixed_) v[f.node] = f.free * v[f.node] + f.value - f.free * f.value;
    contacts_.update(v);
    if (!around_ || !around_->solve) {
      settle(v, most_passes, nullptr);
    } else if (contacts_.list().empty()) {
      settle(v, 1, around_);
    } else {
      // Contacts settle under the pressure as last known, which is cheap; then all together. Those that will not settle
      // at first will not later.
      for (int pass = 0; pass < most_coupled_passes && report_.ok; ++pass) {
        const bool rub = contacts_.any_friction();
        const int before = report_.iterations;
        if (!o_.newton && contacts_.active() > 0 && !settle(v, settling, nullptr)) break;
        if (report_.iterations - before == most_passes) settling = least_passes;
        contacts_.rub(rub);
        if (!solve(v, around_) || contacts_.update(v)) break;
      }
    }
    if (report_.ok) measure();
    return report_;
  }

  // Held nodes are told how they move; an integrator that averages velocities would make theirs swing.
  void settle_held(Field& v) const {
    for (std::size_t i = 0; i < fixed_.size(); ++i) v[fixed_[i].node] = fixed_[i].free * v[fixed_[i].node] + told_[i];
  }

  // The trapezoidal rule has no damping of its own for what contacts stop: to stop it within a step, they turn its
  // velocity round, and what should come to rest would hop for ever. So what walls and solids push leaves the step with
  // the velocity along their normal by which it has moved. Between bodies nothing is changed: they must keep their
  // momentum.
  void settle_pushed(Field& v) const {
    if (o_.integrator != Integrator::trapezoidal) return;
    const Field found = v;
    for (std::size_t i = 0; i < contacts_.list().size(); ++i) {
      const Contact& c = contacts_.list()[i];
      if (!contacts_.pushes(i) || (c.node[0] >= 0 && c.node[1] >= 0)) continue;
      for (const int n : c.node)
        if (n >= 0) v[n] += c.normal * c.normal.dot(moving(n, found[n]) - v[n]);
    }
  }

  // The velocity by which nodes move over the step.
  Vec3 moving(int i, const Vec3& v) const { return w_.c0 * before_[i] + w_.c * v; }

 private:
  // Everything of the nodes in one list, body after body.
  NodeScales gather(const std::vector<Body>& bodies, BodySystem& system) {
    NodeScales nodes;
    system.first.clear();
    for (const Body& body : bodies) {
      system.first.push_back(int(x_.size()));
      x_.insert(x_.end(), body.x.begin(), body.x.end());
      before_.insert(before_.end(), body.v.begin(), body.v.end());
      nodes.mass.insert(nodes.mass.end(), body.rest->mass.begin(), body.rest->mass.end());
      nodes.edge.insert(nodes.edge.end(), body.x.size(), body.rest->edge);
      nodes.elastic.insert(nodes.elastic.end(), body.x.size(), body.rest->options.young * body.rest->edge);
    }
    return nodes;
  }

  bool solve(Field& v, Surroundings* around) { return o_.newton ? newton(v, around) : linear(v, around); }

  // Passes over the contacts until the same ones push.
  bool settle(Field& v, int passes, Surroundings* around) {
    const bool rub = contacts_.any_friction();
    for (int pass = 0; pass < passes; ++pass) {
      contacts_.rub(rub && (pass > 0 || contacts_.rubbing()));  // the very first pass finds the normal forces
      if (!solve(v, around)) return false;
      const bool settled = contacts_.update(v);
      if (contacts_.active() == 0 || (settled && contacts_.rubbing() == rub)) break;
    }
    return true;
  }

  void update_pattern() {
    std::vector<std::pair<int, int>> pairs = contacts_.pairs();
    const bool same_bodies = system_.matrix.nodes() == int(x_.size()) && system_.slots.size() == bodies_.size();
    if (same_bodies && pairs == system_.contact_pairs) return;
    system_.contact_pairs = pairs;
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      for (const Vec4i& t : bodies_[b].rest->mesh.tets)
        for (int p = 0; p < 4; ++p)
          for (int q = p + 1; q < 4; ++q) pairs.emplace_back(system_.first[b] + t[p], system_.first[b] + t[q]);
    system_.matrix.set_pattern(int(x_.size()), std::move(pairs));
    system_.slots.clear();
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      system_.slots.push_back(element_slots(bodies_[b], system_.first[b], system_.matrix));
  }

  void find_holds(double time) {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const BodyRest& rest = *bodies_[b].rest;
      std::vector<Field> now(rest.motions.size()), then(rest.motions.size());
      Field unused;
      for (std::size_t m = 0; m < rest.motions.size(); ++m) {
        apply_motions(rest.motions[m], time, rest.mesh.x, now[m], unused);
        apply_motions(rest.motions[m], time + dt_, rest.mesh.x, then[m], unused);
      }
      for (const Hold& hold : rest.holds) {
        const int i = system_.first[b] + hold.node;
        Vec3 move = Vec3::Zero();
        for (const Hold::Direction& d : hold.directions)
          if (d.motion >= 0) move += d.along * d.along.dot(then[d.motion][hold.node] - now[d.motion][hold.node]) / dt_;
        fixed_.push_back({i, hold.free, (move - w_.c0 * before_[i]) / w_.c});
        told_.push_back(move);
      }
    }
  }

  Field at(const Body& body, int first, const Field& v) const {  // x_e of one body
    Field x(body.x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = x_[first + i] + dt_ * (w_.a0 * before_[first + i] + w_.a * v[first + i]);
    return x;
  }

  Linearisation how(const Body& body) const {
    return !o_.newton && body.rest->options.material == MaterialModel::corotational ? Linearisation::warped
                                                                                    : Linearisation::projected;
  }
  // Damping has the same stiffness whether Newton iterates or not.
  static Linearisation how_damped(const Body& body) {
    return body.rest->options.material == MaterialModel::corotational ? Linearisation::warped
                                                                      : Linearisation::projected;
  }

  // B without contact, at positions(body): M (1/dt + d τ_m) + (a dt + d τ_k) K.
  template <class Positions>
  void add_bodies(Positions&& positions) {
    system_.matrix.clear();
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const BodyOptions& m = bodies_[b].rest->options;
      const int first = system_.first[b];
      for (std::size_t i = 0; i < bodies_[b].x.size(); ++i)
        system_.matrix.add_diagonal(first + int(i),
                                    (1 / dt_ + w_.d * damping_mass(m)) * nodes_.mass[first + i] * Mat3::Identity());
      const double elastic = step_.elastic ? w_.a * dt_ : 0, damping = w_.d * damping_stiffness(m);
      const bool together = !o_.newton || damping == 0;  // both at the start of the step
      add_stiffness(bodies_[b], positions(b), how(bodies_[b]), together ? elastic + damping : elastic, first,
                    system_.slots[b], system_.matrix);
      if (!together)
        add_stiffness(bodies_[b], bodies_[b].x, how_damped(bodies_[b]), damping, first, system_.slots[b],
                      system_.matrix);
    }
  }

  template <class Positions>
  void assemble(Positions&& positions) {
    const auto start = std::chrono::steady_clock::now();
    if (!o_.newton && assembled_) {  // only the contacts have changed
      system_.matrix.go_back();
    } else {
      add_bodies(positions);
      if (!o_.newton) system_.matrix.keep();
      assembled_ = true;
    }
    contacts_.add_blocks(system_.matrix);
    report_.assembly_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  double damping_mass(const BodyOptions& o) const { return step_.damped ? o.damping_mass : 0; }
  double damping_stiffness(const BodyOptions& o) const { return step_.damped ? o.damping_stiffness : 0; }

  // D w of all bodies, K taken at the start of the step.
  void add_damping(const Field& v, Field& r) const {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const BodyOptions& m = bodies_[b].rest->options;
      if (!step_.damped || (m.damping_mass == 0 && m.damping_stiffness == 0)) continue;
      Field w(v.size(), Vec3::Zero());
      const int first = system_.first[b];
      for (std::size_t i = 0; i < bodies_[b].x.size(); ++i) {
        w[first + i] = w_.d0 * before_[first + i] + w_.d * v[first + i];
        r[first + i] += m.damping_mass * nodes_.mass[first + i] * w[first + i];
      }
      if (m.damping_stiffness > 0)
        add_stiffness_times(bodies_[b], bodies_[b].x, how_damped(bodies_[b]), m.damping_stiffness, first, w, r);
    }
  }

  // B change = rhs, and what the surroundings add; nodes then move by c₀ vⁿ + c (base + change).
  bool solve(const Field& base, const Field& rhs, const std::vector<BlockSolver::Fixed>& fixed, Field& change,
             Surroundings* around) {
    ++report_.iterations;
    const bool factored = system_.matrix.factor(fixed);
    report_.factor_s += system_.matrix.factor_seconds();
    if (!factored) return fail("the stiffness matrix is not positive definite, or not of numbers");
    if (around) {
      Field moving(base.size());
      for (std::size_t i = 0; i < base.size(); ++i) moving[i] = this->moving(int(i), base[i]);
      if (around->solve({system_.matrix, moving, w_.c, rhs, inertia()}, change)) return true;
      report_.ok = false;
      report_.trouble = around->trouble;
      return false;
    }
    if (!around_) return system_.matrix.solve(change, rhs) || fail("velocities are not numbers");
    Field pushed = rhs;
    for (std::size_t i = 0; i < rhs.size(); ++i) pushed[i] += around_->force[i];
    return system_.matrix.solve(change, pushed) || fail("velocities are not numbers");
  }

  // The part of B that is a multiple of the mass, one a node.
  std::vector<double> inertia() const {
    std::vector<double> share = nodes_.mass;
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      for (std::size_t i = 0; i < bodies_[b].x.size(); ++i)
        share[system_.first[b] + i] *= 1 / dt_ + w_.d * damping_mass(bodies_[b].rest->options);
    return share;
  }

  // One solve, forces linear about x.
  bool linear(Field& v, Surroundings* around) {
    assemble([&](std::size_t b) -> const Field& { return bodies_[b].x; });
    // The residual at v = 0 of the linearised equation; B v = −residual.
    Field r(x_.size(), Vec3::Zero()), zero(x_.size(), Vec3::Zero());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = -nodes_.mass[i] / dt_ * guess_[i];
    for (std::size_t b = 0; b < bodies_.size() && step_.elastic; ++b) {
      add_elastic_gradient(bodies_[b], bodies_[b].x, system_.first[b], r);
      if (w_.a0 > 0)
        add_stiffness_times(bodies_[b], bodies_[b].x, how(bodies_[b]), w_.a0 * dt_, system_.first[b], before_, r);
    }
    add_damping(zero, r);
    contacts_.add_residual(zero, r);
    for (Vec3& f : r) f = -f;
    if (!solve(zero, r, fixed_, v, around)) return false;
    if (around) around->accept(1);
    return true;
  }

  Field residual(const Field& v) const {
    Field r(x_.size(), Vec3::Zero());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = nodes_.mass[i] / dt_ * (v[i] - guess_[i]);
    for (std::size_t b = 0; b < bodies_.size() && step_.elastic; ++b)
      add_elastic_gradient(bodies_[b], at(bodies_[b], system_.first[b], v), system_.first[b], r);
    add_damping(v, r);
    contacts_.add_residual(v, r);
    return r;
  }

  // Its gradient is the residual, less the force of surroundings that are given.
  double potential(const Field& v, bool given) const {
    double sum = contacts_.potential(v);
    for (std::size_t i = 0; i < v.size(); ++i) sum += 0.5 * nodes_.mass[i] / dt_ * (v[i] - guess_[i]).squaredNorm();
    for (std::size_t b = 0; b < bodies_.size() && step_.elastic; ++b)
      sum += elastic_energy(bodies_[b], at(bodies_[b], system_.first[b], v)) / (w_.a * dt_);
    Field damping(v.size(), Vec3::Zero());
    add_damping(v, damping);
    for (std::size_t i = 0; i < v.size(); ++i) sum += 0.5 / w_.d * damping[i].dot(w_.d0 * before_[i] + w_.d * v[i]);
    for (std::size_t i = 0; i < v.size() && given; ++i) sum -= around_->force[i].dot(v[i]);
    return sum;
  }

  // With surroundings, the potential takes in the liquid's: c potential + ½ pᵀ L p falls, the volume being kept by
  // every step from a start that keeps it.
  bool newton(Field& v, Surroundings* around) {
    const bool given = !around && around_;
    const auto potential_of = [&](const Field& at, double fluid) {
      return around ? w_.c * potential(at, false) + fluid : potential(at, given);
    };
    if (around && !linear(v, around)) return false;
    std::vector<BlockSolver::Fixed> still = fixed_;
    for (BlockSolver::Fixed& f : still) f.value = Vec3::Zero();  // v meets the constraints; changes must not
    double value = potential(v, given);
    if (!std::isfinite(value) && around) return fail("Newton's method has no start: an element is inverted");
    if (!std::isfinite(value)) {  // the guess inverts an element that must not be: begin from rest
      for (Vec3& u : v) u.setZero();
      for (const BlockSolver::Fixed& f : fixed_) v[f.node] = f.value - f.free * f.value;
      value = potential(v, given);
      if (!std::isfinite(value)) return fail("Newton's method has no start: an element is inverted");
    }
    double size = 0, scale = 0;
    for (int iteration = 0; iteration < o_.max_iterations; ++iteration) {
      Field r = residual(v), change;
      assemble([&](std::size_t b) { return at(bodies_[b], system_.first[b], v); });
      for (Vec3& f : r) f = -f;
      if (!solve(v, r, still, change, around)) return false;
      const std::array<double, 3> fluid = around ? around->energy() : std::array<double, 3>{};
      if (around) value = potential_of(v, fluid[0]);
      double slope = fluid[1];
      size = scale = 0;
      for (std::size_t i = 0; i < v.size(); ++i) {
        slope -= (around ? w_.c * r[i] : given ? Vec3(r[i] + around_->force[i]) : r[i]).dot(change[i]);
        size = std::max(size, change[i].norm());
        scale = std::max(scale, v[i].norm() + nodes_.edge[i] / dt_ * 1e-3);
      }
      const bool tiny = size < 1e-5 * scale;  // the potential cannot tell such steps from round-off
      double step = 1;
      Field next(v.size());
      for (int halving = 0;; ++halving, step *= 0.5) {
        for (std::size_t i = 0; i < v.size(); ++i) next[i] = v[i] + step * change[i];
        const double there = potential_of(next, fluid[0] + step * (fluid[1] + step * fluid[2]));
        if (std::isfinite(there) && (there <= value + sufficient * step * slope || tiny)) {
          value = there;
          break;
        }
        if (halving == most_halvings) return size < crude * scale || fail("Newton's method finds no descent");
      }
      v.swap(next);
      if (around) around->accept(step);
      if (step * size <= o_.tolerance * scale) return true;
    }
    return size < crude * scale ||
           fail(fmt::format("Newton's method did not settle in {} iterations", o_.max_iterations));
  }

  bool fail(const std::string& trouble) {
    report_.ok = false;
    report_.trouble = "bodies: " + trouble;
    return false;
  }

  void measure() {
    report_.contacts = contacts_.active();
    report_.penetration.assign(bodies_.size(), 0);
    report_.contacts_of.assign(bodies_.size(), 0);
    for (std::size_t i = 0; i < contacts_.list().size(); ++i) {
      const Contact& c = contacts_.list()[i];
      report_.penetration[c.body] = std::max(report_.penetration[c.body], -c.distance);
      report_.contacts_of[c.body] += contacts_.pushes(i);
    }
  }

  const BodyStep& step_;
  const ElasticOptions& o_;
  const Weights w_;
  const double dt_;
  BodySystem& system_;
  const std::vector<Body>& bodies_;
  Surroundings* around_;
  Field x_, before_, guess_;
  NodeScales nodes_;
  ContactForces contacts_;
  std::vector<BlockSolver::Fixed> fixed_;
  std::vector<Vec3> told_;  // how the held nodes move, one a fixed
  bool assembled_ = false;
  BodySolve report_;
};

}  // namespace

BodySolve solve_bodies(const BodyStep& step, BodySystem& system, std::vector<Body>& bodies,
                       std::vector<std::vector<Vec3>>& moved, Surroundings* around) {
  Stepper stepper(step, system, bodies, around);
  Field v;
  BodySolve report = stepper.run(v);
  if (!report.ok) return report;
  moved.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    moved[b].resize(bodies[b].x.size());
    for (std::size_t i = 0; i < bodies[b].x.size(); ++i) {
      const int n = system.first[b] + int(i);
      moved[b][i] = stepper.moving(n, v[n]);
    }
  }
  stepper.settle_pushed(v);
  stepper.settle_held(v);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (std::size_t i = 0; i < bodies[b].x.size(); ++i) bodies[b].v[i] = v[system.first[b] + int(i)];
  return report;
}

}  // namespace coracle
