// Newton's method with a line search, on functions whose minima are known.
#include "coracle/solve/minimise.h"

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace coracle {
namespace {

// A function of a few variables, and where the method has been.
struct Problem : Minimisation {
  std::function<double(const Eigen::VectorXd&)> f;
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> gradient;
  std::function<Eigen::VectorXd(const Eigen::VectorXd&)> choose;  // the direction
  Eigen::VectorXd x, d;
  double scale = 1;  // what a change is measured against

  int directions = 0, looks = 0;
  std::vector<double> values, shares;  // at every point it stood at; of every direction

  bool find_direction() override {
    if (directions == 0) values.push_back(f(x));
    ++directions;
    d = choose(x);
    return true;
  }
  double value() const override { return f(x); }
  double slope() const override { return gradient(x).dot(d); }
  double value_at(double share) override {
    ++looks;
    return f(x + share * d);
  }
  void advance(double share) override {
    x += share * d;
    shares.push_back(share);
    values.push_back(f(x));
  }
  Size size() const override { return {.change = d.norm(), .scale = scale}; }
};

// ½ x·A x − b·x with eigenvalues 1 … 10, from x = 0; its minimum is A⁻¹ b.
struct Quadratic : Problem {
  Eigen::MatrixXd a{{4, 1, 0, -1}, {1, 6, 2, 0}, {0, 2, 8, 1}, {-1, 0, 1, 3}};
  Eigen::VectorXd b{{1, -2, 3, 5}};
  Quadratic() {
    f = [this](const Eigen::VectorXd& at) { return 0.5 * at.dot(a * at) - b.dot(at); };
    gradient = [this](const Eigen::VectorXd& at) -> Eigen::VectorXd { return a * at - b; };
    choose = [this](const Eigen::VectorXd& at) -> Eigen::VectorXd { return a.llt().solve(b - a * at); };
    x = Eigen::VectorXd::Zero(4);
  }
};

TEST(Minimise, a_convex_quadratic_is_at_its_minimum_after_one_step_of_newton) {
  Quadratic once;
  (void)minimise(once, {.max_iterations = 1});
  EXPECT_EQ(once.shares, std::vector<double>{1});
  EXPECT_LT((once.a * once.x - once.b).norm(), 1e-14 * once.b.norm());  // some ten roundings

  Quadratic whole;
  EXPECT_EQ(minimise(whole, {}), NewtonEnd::converged);
  EXPECT_EQ(whole.directions, 2) << "the second finds nothing but round-off to go";
  EXPECT_LT(whole.d.norm(), 1e-14 * whole.x.norm());
}

// (1 − x)² + 100 (y − x²)²: a bent valley whose floor falls to (1, 1). The full second step from the usual start climbs
// its wall, from 4.7 to 1400.
struct Rosenbrock : Problem {
  Rosenbrock() {
    f = [](const Eigen::VectorXd& p) { return std::pow(1 - p[0], 2) + 100 * std::pow(p[1] - p[0] * p[0], 2); };
    gradient = [](const Eigen::VectorXd& p) -> Eigen::VectorXd {
      const double off = p[1] - p[0] * p[0];
      return Eigen::Vector2d(-2 * (1 - p[0]) - 400 * p[0] * off, 200 * off);
    };
    choose = [this](const Eigen::VectorXd& p) -> Eigen::VectorXd {
      Eigen::Matrix2d h;
      h << 2 - 400 * (p[1] - 3 * p[0] * p[0]), -400 * p[0], -400 * p[0], 200;
      return h.ldlt().solve(-gradient(p));
    };
    x = Eigen::Vector2d(-1.2, 1);
  }
};

TEST(Minimise, a_bent_valley_is_descended_in_every_step_to_its_lowest_point) {
  Rosenbrock valley;
  EXPECT_EQ(minimise(valley, {}), NewtonEnd::converged);
  for (std::size_t i = 1; i < valley.values.size(); ++i) EXPECT_LE(valley.values[i], valley.values[i - 1]) << i;
  EXPECT_LT(*std::min_element(valley.shares.begin(), valley.shares.end()), 1) << "the line search was not needed";
  // The last change was below the tolerance 1e-8, and what is left after it is of second order.
  EXPECT_LT((valley.x - Eigen::Vector2d(1, 1)).norm(), 1e-12);
}

// x − log x has its minimum at 1 and ends at 0.
TEST(Minimise, points_that_are_not_allowed_are_never_gone_to) {
  Problem barrier;
  barrier.f = [](const Eigen::VectorXd& p) {
    return p[0] > 0 ? p[0] - std::log(p[0]) : std::numeric_limits<double>::infinity();
  };
  barrier.gradient = [](const Eigen::VectorXd& p) -> Eigen::VectorXd {
    return Eigen::VectorXd::Constant(1, 1 - 1 / p[0]);
  };
  barrier.choose = [](const Eigen::VectorXd& p) -> Eigen::VectorXd {  // Newton: −f′ / f″
    return Eigen::VectorXd::Constant(1, p[0] - p[0] * p[0]);
  };
  barrier.x = Eigen::VectorXd::Constant(1, 10);  // the full step goes to −80
  EXPECT_EQ(minimise(barrier, {}), NewtonEnd::converged);
  for (const double value : barrier.values) EXPECT_TRUE(std::isfinite(value));
  EXPECT_EQ(barrier.shares[0], 0.0625);  // of 90: the largest power of ½ that ends above 0 is 1/16, and it descends
  EXPECT_NEAR(barrier.x[0], 1, 1e-12);
}

// Up the slope of a line.
struct Uphill : Problem {
  Uphill() {
    f = [](const Eigen::VectorXd& p) { return p[0]; };
    gradient = [](const Eigen::VectorXd&) -> Eigen::VectorXd { return Eigen::VectorXd::Ones(1); };
    choose = [](const Eigen::VectorXd&) -> Eigen::VectorXd { return Eigen::VectorXd::Ones(1); };
    x = Eigen::VectorXd::Zero(1);
  }
  double slope() const override { return -1; }  // it promises what the function does not keep
};

TEST(Minimise, a_direction_that_never_descends_ends_it_where_it_stands) {
  Uphill uphill;
  EXPECT_EQ(minimise(uphill, {}), NewtonEnd::no_descent);
  EXPECT_EQ(uphill.x[0], 0);
  EXPECT_EQ(uphill.directions, 1);
  EXPECT_EQ(uphill.looks, 21);  // 1, ½, … 2⁻²⁰
}

TEST(Minimise, where_nothing_lower_is_found_a_small_change_is_good_enough_and_a_tiny_one_is_taken) {
  Uphill crude;
  crude.scale = 101;  // the change is below a hundredth of it
  EXPECT_EQ(minimise(crude, {}), NewtonEnd::converged);
  EXPECT_EQ(crude.x[0], 0);
  Uphill tiny;
  tiny.scale = 1.1e5;  // below 1e-5: round-off of the function, for all that the line search can tell
  EXPECT_EQ(minimise(tiny, {.max_iterations = 3}), NewtonEnd::converged);
  EXPECT_EQ(tiny.x[0], 3);
}

struct Lost : Quadratic {
  int good;  // directions before the one that cannot be found
  explicit Lost(int directions_found) : good(directions_found) {}
  bool find_direction() override { return directions < good && Problem::find_direction(); }
};

TEST(Minimise, a_direction_that_cannot_be_found_ends_it) {
  for (const int good : {0, 1}) {
    Lost lost(good);
    EXPECT_EQ(minimise(lost, {}), NewtonEnd::no_direction);
    EXPECT_EQ(lost.shares.size(), std::size_t(good));
  }
}

// Steps of a tenth of Newton's, that leave nine tenths of the distance each.
struct Slow : Quadratic {
  Slow() {
    choose = [this](const Eigen::VectorXd& at) -> Eigen::VectorXd { return 0.1 * a.llt().solve(b - a * at); };
  }
};

TEST(Minimise, more_iterations_than_allowed_are_too_many_unless_the_last_change_was_small) {
  Slow slow;
  slow.scale = slow.a.llt().solve(slow.b).norm();                          // changes are 0.1 × 0.9ⁿ of it
  EXPECT_EQ(minimise(slow, {.max_iterations = 20}), NewtonEnd::too_many);  // 0.1 × 0.9¹⁹ = 0.0135
  EXPECT_EQ(slow.directions, 20);
  Slow nearly;
  nearly.scale = slow.scale;
  EXPECT_EQ(minimise(nearly, {.max_iterations = 24}), NewtonEnd::converged);  // 0.1 × 0.9²³ = 0.0089 < 1e-2
  EXPECT_EQ(nearly.directions, 24);
}

}  // namespace
}  // namespace coracle
