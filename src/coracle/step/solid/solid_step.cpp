#include "coracle/step/solid/solid_step.h"

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

constexpr double contact_stiffness = 1000;  // of m / dt²: a node that carries a thousand like it sinks by g dt²
// Surfaces nearer than the rest distance, but not yet than half of it, are moved apart no faster than this, so that
// bodies that begin in touch do not jump: in what gravity adds in a step, and in edges a second.
constexpr double recovery_falls = 2, recovery_edges = 0.1;
constexpr double stiffer_than_elastic = 10;  // and of E times the edge, so that what presses hard does not sink in
// Slower sliding counts as sticking: in what gravity adds in a step, and in edges a second.
constexpr double sticking_falls = 0.05, sticking_edges = 1e-3;
constexpr int most_passes = 10;         // over the set of active contacts and their sliding
constexpr double settled_slide = 0.05;  // relative change of a sliding speed that counts as none
constexpr double sufficient = 1e-4;     // decrease of the line search
constexpr int most_halvings = 20;
constexpr double crude = 1e-2;  // relative change of velocity with which Newton may stop where it stalls

using Field = std::vector<Vec3>;  // one vector a node, all bodies

struct Push {
  double normal = 0;  // N, of the last pass
  double slide = 0;   // m/s
  bool active = false;
};

class Stepper {
 public:
  Stepper(const ElasticOptions& options, const World& world, const SolidField& field, double dt, const Vec3& fall,
          BodySystem& system, std::vector<Body>& bodies)
      : o_(options), w_(weights(options.integrator)), dt_(dt), system_(system), bodies_(bodies) {
    system.first.clear();
    for (const Body& body : bodies) {
      system.first.push_back(int(x_.size()));
      x_.insert(x_.end(), body.x.begin(), body.x.end());
      before_.insert(before_.end(), body.v.begin(), body.v.end());
      mass_.insert(mass_.end(), body.rest->mass.begin(), body.rest->mass.end());
      edge_.insert(edge_.end(), body.x.size(), body.rest->edge);
      elastic_.insert(elastic_.end(), body.x.size(), body.rest->options.young * body.rest->edge);
    }
    guess_ = before_;
    for (Vec3& v : guess_) v += fall;
    contacts_ = find_contacts(world.grid, world.solids, field, bodies, options, dt, fall);
    fall_ = fall.norm();
    for (Contact& c : contacts_) {
      const double apart = c.distance - c.gap, slow = dt * (recovery_falls * fall_ + recovery_edges * edge_[c.owner()]);
      c.gap = std::max(c.gap, -slow) + std::min(0.0, c.distance - 0.5 * apart);
      c.gap += w_.c0 * dt * c.relative(before_).dot(c.normal);  // what the step's motion owes to the old velocity
    }
    pushes_.resize(contacts_.size());
    update_pattern();
    find_holds(world.clock.time);
  }

  BodySolve run(Field& v) {
    v = guess_;
    for (const BlockCholesky::Fixed& f : fixed_) v[f.node] = f.free * v[f.node] + f.value - f.free * f.value;
    update_pushes(v);
    const bool rub = std::any_of(contacts_.begin(), contacts_.end(), [](const Contact& c) { return c.friction > 0; });
    for (int pass = 0; pass < most_passes; ++pass) {
      rubbing_ = rub && pass > 0;  // the first pass finds the normal forces
      if (!(o_.newton ? newton(v) : linear(v))) return report_;
      const bool settled = update_pushes(v);
      if (active_ == 0 || (settled && rubbing_ == rub)) break;
    }
    measure();
    return report_;
  }

  // Held nodes are told how they move; an integrator that averages velocities would make theirs swing.
  void settle_held(Field& v) const {
    for (std::size_t i = 0; i < fixed_.size(); ++i) v[fixed_[i].node] = fixed_[i].free * v[fixed_[i].node] + told_[i];
  }

  // The velocity by which nodes move over the step.
  Vec3 moving(int i, const Vec3& v) const { return w_.c0 * before_[i] + w_.c * v; }

 private:
  void update_pattern() {
    std::vector<std::pair<int, int>> pairs;
    for (const Contact& c : contacts_)
      if (c.node[1] >= 0)
        for (int p = c.node[0] >= 0 ? 0 : 1; p < 4; ++p)
          for (int q = p + 1; q < 4; ++q) pairs.emplace_back(std::minmax(c.node[p], c.node[q]));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
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

  // Which contacts push at velocity v, how hard, and how fast they slide; whether that is as it was.
  bool update_pushes(const Field& v) {
    bool settled = true;
    active_ = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Contact& c = contacts_[i];
      const Vec3 relative = c.relative(v);
      const double along = relative.dot(c.normal), gap = c.gap + w_.c * dt_ * along;
      const bool active = gap < 0;
      const double slide = (relative - along * c.normal).norm(), slowest = slowest_slide(c);
      settled = settled && active == pushes_[i].active &&
                (!active || std::abs(slide - pushes_[i].slide) < std::max(settled_slide * slide, 0.5 * slowest));
      pushes_[i] = {active ? -stiffness(c) * gap : 0, slide, active};
      active_ += active;
    }
    return settled;
  }

  double stiffness(const Contact& c) const {
    double mass = 0, elastic = 0;
    for (int n : c.node)
      if (n >= 0) mass = std::max(mass, mass_[n]), elastic = std::max(elastic, elastic_[n]);
    return contact_stiffness * mass / (dt_ * dt_) + stiffer_than_elastic * elastic;
  }
  double slowest_slide(const Contact& c) const { return sticking_falls * fall_ + sticking_edges * edge_[c.owner()]; }
  double drag(std::size_t i) const {
    if (!rubbing_) return 0;
    const Contact& c = contacts_[i];
    return c.friction * pushes_[i].normal / std::max(pushes_[i].slide, slowest_slide(c));
  }

  // f(node, weight) for the nodes of a contact.
  template <class F>
  static void for_nodes(const Contact& c, F&& f) {
    if (c.node[0] >= 0) f(c.node[0], 1.0);
    if (c.node[1] >= 0)
      for (int k = 0; k < 3; ++k) f(c.node[1 + k], -c.bary[k]);
  }

  void add_contact_blocks() {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (!pushes_[i].active) continue;
      const Contact& c = contacts_[i];
      const Mat3 along = c.normal * c.normal.transpose();
      const Mat3 block = stiffness(c) * w_.c * dt_ * along + drag(i) * (Mat3::Identity() - along);
      for_nodes(c, [&](int p, double wp) {
        system_.matrix.add_diagonal(p, wp * wp * block);
        for_nodes(c, [&](int q, double wq) {
          if (p > q && wp * wq != 0) system_.matrix.add(system_.matrix.slot(p, q), wp * wq * block);
        });
      });
    }
  }

  // r ← r − contact force at v, in the linearised form that the blocks belong to.
  void add_contact_residual(const Field& v, Field& r) const {
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (!pushes_[i].active) continue;
      const Contact& c = contacts_[i];
      const Vec3 relative = c.relative(v);
      const double along = relative.dot(c.normal);
      const Vec3 force =
          -stiffness(c) * (c.gap + w_.c * dt_ * along) * c.normal - drag(i) * (relative - along * c.normal);
      for_nodes(c, [&](int p, double w) { r[p] -= w * force; });
    }
  }

  double contact_potential(const Field& v) const {
    double sum = 0;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      if (!pushes_[i].active) continue;
      const Contact& c = contacts_[i];
      const Vec3 relative = c.relative(v);
      const double along = relative.dot(c.normal), gap = c.gap + w_.c * dt_ * along;
      sum +=
          0.5 * stiffness(c) * gap * gap / (w_.c * dt_) + 0.5 * drag(i) * (relative - along * c.normal).squaredNorm();
    }
    return sum;
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

  // B at positions x_of(body): M (1/dt + d τ_m) + (a dt + d τ_k) K + contact.
  template <class Positions>
  void assemble(Positions&& positions) {
    const auto start = std::chrono::steady_clock::now();
    system_.matrix.clear();
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const BodyOptions& m = bodies_[b].rest->options;
      const int first = system_.first[b];
      for (std::size_t i = 0; i < bodies_[b].x.size(); ++i)
        system_.matrix.add_diagonal(first + int(i),
                                    (1 / dt_ + w_.d * m.damping_mass) * mass_[first + i] * Mat3::Identity());
      const double elastic = w_.a * dt_, damping = w_.d * m.damping_stiffness;
      const bool together = !o_.newton || damping == 0;  // both at the start of the step
      add_stiffness(bodies_[b], positions(b), how(bodies_[b]), together ? elastic + damping : elastic, first,
                    system_.slots[b], system_.matrix);
      if (!together)
        add_stiffness(bodies_[b], bodies_[b].x, how_damped(bodies_[b]), damping, first, system_.slots[b],
                      system_.matrix);
    }
    add_contact_blocks();
    report_.assembly_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  // D w of all bodies, K taken at the start of the step.
  void add_damping(const Field& v, Field& r) const {
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const BodyOptions& m = bodies_[b].rest->options;
      if (m.damping_mass == 0 && m.damping_stiffness == 0) continue;
      Field w(v.size(), Vec3::Zero());
      const int first = system_.first[b];
      for (std::size_t i = 0; i < bodies_[b].x.size(); ++i) {
        w[first + i] = w_.d0 * before_[first + i] + w_.d * v[first + i];
        r[first + i] += m.damping_mass * mass_[first + i] * w[first + i];
      }
      if (m.damping_stiffness > 0)
        add_stiffness_times(bodies_[b], bodies_[b].x, how_damped(bodies_[b]), m.damping_stiffness, first, w, r);
    }
  }

  bool solve(Field& change, const Field& rhs, const std::vector<BlockCholesky::Fixed>& fixed) {
    ++report_.iterations;
    const bool ok = system_.matrix.solve(fixed, change, rhs);
    report_.factor_s += system_.matrix.factor_seconds();
    return ok || fail("the stiffness matrix is not positive definite, or not of numbers");
  }

  // One solve, forces linear about x.
  bool linear(Field& v) {
    assemble([&](std::size_t b) -> const Field& { return bodies_[b].x; });
    // The residual at v = 0 of the linearised equation; B v = −residual.
    Field r(x_.size(), Vec3::Zero()), zero(x_.size(), Vec3::Zero());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = -mass_[i] / dt_ * guess_[i];
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      add_elastic_gradient(bodies_[b], bodies_[b].x, system_.first[b], r);
      if (w_.a0 > 0)
        add_stiffness_times(bodies_[b], bodies_[b].x, how(bodies_[b]), w_.a0 * dt_, system_.first[b], before_, r);
    }
    add_damping(zero, r);
    add_contact_residual(zero, r);
    for (Vec3& f : r) f = -f;
    return solve(v, r, fixed_);
  }

  Field residual(const Field& v) const {
    Field r(x_.size(), Vec3::Zero());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = mass_[i] / dt_ * (v[i] - guess_[i]);
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      add_elastic_gradient(bodies_[b], at(bodies_[b], system_.first[b], v), system_.first[b], r);
    add_damping(v, r);
    add_contact_residual(v, r);
    return r;
  }

  // Its gradient is the residual.
  double potential(const Field& v) const {
    double sum = contact_potential(v);
    for (std::size_t i = 0; i < v.size(); ++i) sum += 0.5 * mass_[i] / dt_ * (v[i] - guess_[i]).squaredNorm();
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      sum += elastic_energy(bodies_[b], at(bodies_[b], system_.first[b], v)) / (w_.a * dt_);
    Field damping(v.size(), Vec3::Zero());
    add_damping(v, damping);
    for (std::size_t i = 0; i < v.size(); ++i) sum += 0.5 / w_.d * damping[i].dot(w_.d0 * before_[i] + w_.d * v[i]);
    return sum;
  }

  bool newton(Field& v) {
    std::vector<BlockCholesky::Fixed> still = fixed_;
    for (BlockCholesky::Fixed& f : still) f.value = Vec3::Zero();  // v meets the constraints; changes must not
    double value = potential(v);
    if (!std::isfinite(value)) {  // the guess inverts an element that must not be: begin from rest
      for (Vec3& u : v) u.setZero();
      for (const BlockCholesky::Fixed& f : fixed_) v[f.node] = f.value - f.free * f.value;
      value = potential(v);
      if (!std::isfinite(value)) return fail("Newton's method has no start: an element is inverted");
    }
    double size = 0, scale = 0;
    for (int iteration = 0; iteration < o_.max_iterations; ++iteration) {
      Field r = residual(v), change;
      assemble([&](std::size_t b) { return at(bodies_[b], system_.first[b], v); });
      for (Vec3& f : r) f = -f;
      if (!solve(change, r, still)) return false;
      double slope = 0;
      size = scale = 0;
      for (std::size_t i = 0; i < v.size(); ++i) {
        slope -= r[i].dot(change[i]);
        size = std::max(size, change[i].norm());
        scale = std::max(scale, v[i].norm() + edge_[i] / dt_ * 1e-3);
      }
      const bool tiny = size < 1e-5 * scale;  // the potential cannot tell such steps from round-off
      double step = 1;
      Field next(v.size());
      for (int halving = 0;; ++halving, step *= 0.5) {
        for (std::size_t i = 0; i < v.size(); ++i) next[i] = v[i] + step * change[i];
        const double there = potential(next);
        if (std::isfinite(there) && (there <= value + sufficient * step * slope || tiny)) {
          value = there;
          break;
        }
        if (halving == most_halvings) return size < crude * scale || fail("Newton's method finds no descent");
      }
      v.swap(next);
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
    report_.contacts = active_;
    report_.penetration.assign(bodies_.size(), 0);
    report_.contacts_of.assign(bodies_.size(), 0);
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const Contact& c = contacts_[i];
      report_.penetration[c.body] = std::max(report_.penetration[c.body], -c.distance);
      report_.contacts_of[c.body] += pushes_[i].active;
    }
  }

  const ElasticOptions& o_;
  const Weights w_;
  const double dt_;
  BodySystem& system_;
  const std::vector<Body>& bodies_;
  Field x_, before_, guess_;
  std::vector<double> mass_, edge_, elastic_;
  double fall_ = 0;
  std::vector<Contact> contacts_;
  std::vector<Push> pushes_;
  std::vector<BlockCholesky::Fixed> fixed_;
  std::vector<Vec3> told_;  // how the held nodes move, one a fixed
  std::size_t active_ = 0;
  bool rubbing_ = false;
  BodySolve report_;
};

}  // namespace

BodySolve solve_bodies(const ElasticOptions& options, const World& world, const SolidField& field, double dt,
                       const Vec3& fall, BodySystem& system, std::vector<Body>& bodies,
                       std::vector<std::vector<Vec3>>& moved) {
  Stepper stepper(options, world, field, dt, fall, system, bodies);
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
  stepper.settle_held(v);
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (std::size_t i = 0; i < bodies[b].x.size(); ++i) bodies[b].v[i] = v[system.first[b] + int(i)];
  return report;
}

}  // namespace coracle
