#include "coracle/step/sph/joint.h"

#include "coracle/base/parallel.h"
#include "coracle/solve/minimise.h"
#include "coracle/step/body/body_solve.h"
#include "coracle/step/body/held.h"
#include "coracle/step/sph/node_freedom.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr int most_iterations = 100;

// Unknowns: all particles, then the nodes of the bodies. The body problem has the nodes, then the particles that are
// near.
class Joint : public Minimisation {
 public:
  Joint(BodyProblem& problem, const SphSystem& system, const std::vector<std::uint8_t>& stays,
        const std::vector<std::size_t>& near, const std::vector<Vec3>& free, std::vector<BlockSolver::Fixed> held,
        double near_enough, MatrixFreeCg& cg, std::size_t nodes, NodeField bodies, std::vector<Vec3>& particles)
      : problem_(problem),
        s_(system),
        stays_(stays),
        near_(near),
        free_(free),
        held_(std::move(held)),
        near_enough_(near_enough),
        cg_(cg),
        nodes_(nodes),
        freedom_(system.size(), nodes, problem.followers(), held_),
        v_(std::move(bodies)),
        u_(particles) {
    for (std::size_t k = 0; k < near.size(); ++k) u_[near[k]] = v_[nodes + k];
    is_near_.assign(system.size(), 0);
    for (const std::size_t i : near) is_near_[i] = 1;
    value_ = value_of(v_, u_);
  }
  double value() const override { return value_; }
  double slope() const override { return slope_; }
  bool feasible() const override { return problem_.arrived(); }
  Size size() const override {
    double most = 0;
    for (const Vec3& c : change_) most = std::max(most, c.norm());
    for (const Vec3& c : particle_change_) most = std::max(most, c.norm());
    return {most, near_enough_ / problem_.options().tolerance};
  }
  double largest_share() override { return problem_.largest_share(v_, change_); }

  bool find_direction() override {
    ++problem_.report().iterations;
    NodeField rhs;
    problem_.linearise_at(v_, rhs);
    const std::size_t n = s_.size();
    const double h = s_.dt;
    WideField b(n + nodes_, Double4{}), x(n + nodes_, Double4{});
    // −∇P / h
    WideField u(n), product(n);
    for (std::size_t i = 0; i < n; ++i) u[i] = wide(u_[i]);
    multiply(s_, u, product);
    const WideField push = right_side(s_, WideField(n, Double4{}));
    for (std::size_t i = 0; i < n; ++i) {
      b[i] = (push[i] - product[i] + s_.mass[i] * u[i]) / h;
      if (!is_near_[i]) b[i] -= wide(s_.mass[i] / h * (u_[i] - free_[i]));
    }
    for (std::size_t k = 0; k < near_.size(); ++k) b[near_[k]] += wide(rhs[nodes_ + k]);
    for (std::size_t i = 0; i < nodes_; ++i) b[n + i] = wide(rhs[i]);
    const WideField gradient = b;
    freedom_.lead(b);
    // Held nodes go the rest of their way.
    const WideField way = freedom_.given(v_);
    WideField pull(n + nodes_);
    product_all(way, pull);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] -= pull[i];
    for (std::size_t i = 0; i < n; ++i)
      if (stays_[i]) b[i] = Double4{};
    freedom_.restrict(b);
    const bool solved = cg_.solve([&](const WideField& p, WideField& y) { apply(p, y); }, diagonal(), b, x);
    iterations_ += cg_.iterations;
    if (!solved) return problem_.fail("the joint solve does not converge");
    for (std::size_t i = 0; i < nodes_; ++i) x[n + i] += way[n + i];
    freedom_.follow(x);
    change_.assign(nodes_ + near_.size(), Vec3::Zero());
    particle_change_.resize(n);
    for (std::size_t i = 0; i < n; ++i) particle_change_[i] = vec3(x[i]);
    for (std::size_t i = 0; i < nodes_; ++i) change_[i] = vec3(x[n + i]);
    for (std::size_t k = 0; k < near_.size(); ++k) change_[nodes_ + k] = particle_change_[near_[k]];
    slope_ = -dot(gradient, x);
    return true;
  }

  double value_at(double share) override {
    next_v_ = v_, next_u_ = u_;
    for (std::size_t i = 0; i < v_.size(); ++i) next_v_[i] += share * change_[i];
    for (std::size_t i = 0; i < u_.size(); ++i) next_u_[i] += share * particle_change_[i];
    problem_.try_share(share);
    return next_value_ = value_of(next_v_, next_u_);
  }
  void advance(double) override {
    v_.swap(next_v_);
    u_.swap(next_u_);
    value_ = next_value_;
    problem_.accept_share();
  }
  const NodeField& solution() const { return v_; }
  int iterations() const { return iterations_; }

 private:
  double value_of(const NodeField& v, const std::vector<Vec3>& u) const {
    WideField w(u.size());
    double sum = problem_.potential(v);
    for (std::size_t i = 0; i < u.size(); ++i) {
      w[i] = wide(u[i]);
      if (!is_near_[i]) sum += 0.5 * s_.mass[i] / s_.dt * (u[i] - free_[i]).squaredNorm();
    }
    return sum + energy(s_, w) / s_.dt;
  }

  // The Hessian times p, with forces of followers at their leaders.
  void product_all(const WideField& p, WideField& y) {
    const std::size_t n = s_.size();
    const double h = s_.dt;
    WideField whole = p;
    freedom_.follow(whole);
    multiply(s_, whole, y);
    y.resize(n + nodes_);
    for_each_index(n, [&](std::size_t i) { y[i] /= h; });
    of_bodies_.resize(nodes_ + near_.size());
    for (std::size_t i = 0; i < nodes_; ++i) of_bodies_[i] = vec3(whole[n + i]);
    for (std::size_t k = 0; k < near_.size(); ++k) of_bodies_[nodes_ + k] = vec3(whole[near_[k]]);
    problem_.matrix().multiply_all(of_bodies_, pulled_);
    for (std::size_t i = 0; i < nodes_; ++i) y[n + i] = wide(pulled_[i]);
    for (std::size_t k = 0; k < near_.size(); ++k)
      y[near_[k]] += wide(pulled_[nodes_ + k] - s_.mass[near_[k]] / h * of_bodies_[nodes_ + k]);  // its inertia once
    freedom_.lead(y);
  }
  void apply(const WideField& p, WideField& y) {
    product_all(p, y);
    for (std::size_t i = 0; i < s_.size(); ++i)
      if (stays_[i]) y[i] = p[i];
    freedom_.decouple(p, y);
  }

  std::vector<Mat3> diagonal() const {
    const std::size_t n = s_.size();
    const double h = s_.dt;
    std::vector<Mat3> d = preconditioner(s_);
    for (Mat3& m : d) m /= h;
    d.resize(n + nodes_);
    const BlockSolver& b = problem_.matrix();
    for (std::size_t k = 0; k < near_.size(); ++k)
      d[near_[k]] += b.diagonal(int(nodes_ + k)) - s_.mass[near_[k]] / h * Mat3::Identity();
    for (std::size_t i = 0; i < nodes_; ++i) d[n + i] = b.diagonal(int(i));
    freedom_.condense(d);
    return d;
  }

  BodyProblem& problem_;
  const SphSystem& s_;
  const std::vector<std::uint8_t>& stays_;  // particles that keep their velocity
  const std::vector<std::size_t>& near_;
  const std::vector<Vec3>& free_;
  const std::vector<BlockSolver::Fixed> held_;
  const double near_enough_;
  MatrixFreeCg& cg_;
  const std::size_t nodes_;
  const NodeFreedom freedom_;
  NodeField v_, next_v_, change_;  // nodes, then particles that are near
  std::vector<Vec3>& u_;           // all particles
  std::vector<Vec3> next_u_, particle_change_;
  std::vector<char> is_near_;
  NodeField of_bodies_, pulled_;
  double value_ = 0, slope_ = 0, next_value_ = 0;
  int iterations_ = 0;
};

}  // namespace

JointResult solve_joint(const Scene& scene, World& world, const SphSystem& system, const std::vector<Vec3>& x,
                        const std::vector<Vec3>& v, const std::vector<Vec3>& free, const std::vector<double>& kappa,
                        const std::vector<std::uint8_t>& held, const std::vector<std::size_t>& near,
                        const TouchLaw& law, double dt, double near_enough, StepWork& step, BodySystem& bodies,
                        MatrixFreeCg& cg) {
  CoupledParticles coupled;
  for (const std::size_t i : near) {
    coupled.x.push_back(x[i]);
    coupled.v.push_back(v[i]);
    coupled.mass.push_back(system.mass[i]);
    coupled.kappa.push_back(kappa[i]);
  }
  BodiesWithParticles with(scene, world, coupled, law, dt, near_enough);
  bodies.matrix.set_leaves(0);
  bodies.matrix.use_factor_only();  // it is only multiplied
  const BodyStep body_step = with.step(dt * scene.gravity);
  BodyProblem problem(body_step, bodies);
  std::size_t nodes = 0;
  for (const Body& body : world.bodies) nodes += body.x.size();
  JointResult result;
  result.v = v;
  Joint joint(problem, system, held, near, free, held_velocities(world.bodies, world.clock.time, dt), near_enough, cg,
              nodes, problem.start(), result.v);
  if (std::isfinite(joint.value())) {
    if (newton_ended(problem, minimise(joint, {most_iterations, problem.options().tolerance})))
      with.finish(problem, joint.solution(), world, step);
  } else {
    problem.fail("the joint solve has no start");
  }
  result.cg_iterations = joint.iterations();
  result.solve = problem.report();
  return result;
}

}  // namespace coracle
