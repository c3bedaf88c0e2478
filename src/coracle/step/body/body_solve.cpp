#include "coracle/step/body/body_solve.h"

#include <fmt/format.h>

#include <cmath>

namespace coracle {
namespace {

// The potential of the bodies less the work of the given force.
class BodiesAlone : public Minimisation {
 public:
  BodiesAlone(BodyProblem& problem, const NodeField* force, NodeField& v) : problem_(problem), force_(force), v_(v) {
    value_ = value_of(v_);
  }
  // If the guess inverts an element that must not be inverted, start from rest.
  [[nodiscard]] bool has_start() {
    if (std::isfinite(value_)) return true;
    v_ = problem_.rest();
    value_ = value_of(v_);
    return std::isfinite(value_);
  }

  bool find_direction() override {
    NodeField rhs;
    problem_.linearise_at(v_, rhs);
    if (!problem_.factor(BodyProblem::Unknown::change) || !problem_.solve(rhs, force_, change_)) return false;
    slope_ = 0;
    for (std::size_t i = 0; i < v_.size(); ++i)
      slope_ -= (force_ ? Vec3(rhs[i] + (*force_)[i]) : rhs[i]).dot(change_[i]);
    return true;
  }
  double value() const override { return value_; }
  double slope() const override { return slope_; }
  double value_at(double share) override {
    next_.resize(v_.size());
    for (std::size_t i = 0; i < v_.size(); ++i) next_[i] = v_[i] + share * change_[i];
    problem_.try_share(share);
    return next_value_ = value_of(next_);
  }
  void advance(double) override {  // to the point of the last value_at()
    v_.swap(next_);
    value_ = next_value_;
    problem_.accept_share();
  }
  double largest_share() override { return problem_.largest_share(v_, change_); }
  bool feasible() const override { return problem_.arrived(); }
  Size size() const override {
    const auto [change, scale] = problem_.size(v_, change_);
    return {change, scale};
  }

 private:
  double value_of(const NodeField& v) const {
    double sum = problem_.potential(v);
    for (std::size_t i = 0; i < v.size() && force_; ++i) sum -= (*force_)[i].dot(v[i]);
    return sum;
  }

  BodyProblem& problem_;
  const NodeField* force_;
  NodeField& v_;
  NodeField change_, next_;
  double value_ = 0, slope_ = 0, next_value_ = 0;
};

}  // namespace

bool newton_ended(BodyProblem& problem, NewtonEnd end) {
  switch (end) {
    case NewtonEnd::converged:
      return true;
    case NewtonEnd::no_direction:
      return false;  // the report already has the reason
    case NewtonEnd::no_descent:
      return problem.fail_in_newton("Newton's method finds no descent");
    case NewtonEnd::too_many:
      return problem.fail_in_newton(
          fmt::format("Newton's method did not converge in {} iterations", problem.options().max_iterations));
  }
  return false;
}

bool solve_pass(BodyProblem& problem, const NodeField* force, NodeField& v) {
  const ElasticOptions& o = problem.options();
  if (!o.newton) {
    NodeField rhs;
    problem.linearise(rhs);
    return problem.factor(BodyProblem::Unknown::velocity) && problem.solve(rhs, force, v);
  }
  BodiesAlone alone(problem, force, v);
  if (!alone.has_start()) return problem.fail_to_start(v);
  return newton_ended(problem, minimise(alone, {o.max_iterations, o.tolerance}));
}

bool settle_contacts(BodyProblem& problem, const NodeField* force, int passes, NodeField& v) {
  ContactForces& contacts = problem.contacts();
  const bool friction = contacts.any_friction();
  for (int pass = 0; pass < passes; ++pass) {
    contacts.set_friction(friction && (pass > 0 || contacts.friction_on()));  // the first pass finds the normal forces
    if (!solve_pass(problem, force, v)) return false;
    const bool settled = contacts.update(v);
    if (contacts.active() == 0 || (settled && contacts.friction_on() == friction)) break;
  }
  return true;
}

BodySolve solve_bodies(const BodyStep& step, BodySystem& system, std::vector<Body>& bodies,
                       std::vector<NodeField>& motion, const NodeField* force) {
  BodyProblem problem(step, system);
  NodeField v = problem.start();
  problem.contacts().update(v);
  if (settle_contacts(problem, force, most_contact_passes, v)) problem.finish(std::move(v), bodies, motion);
  return problem.report();
}

}  // namespace coracle
