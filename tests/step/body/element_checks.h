// What every kind of element must satisfy, and equilibria, for the tests of shells and rods.
#pragma once

#include "coracle/solve/block_solver.h"
#include "coracle/step/body/elements.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace coracle::element_checks {

using Nodes = std::vector<Vec3>;

inline Body make_body(const BodyOptions& options, Nodes x, Elements elements, std::vector<double> mass) {
  auto rest = std::make_shared<BodyRest>();
  rest->options = options;
  rest->x = x;
  rest->mass = std::move(mass);
  rest->elements = std::move(elements);
  Body body;
  body.rest = std::move(rest);
  body.v.assign(x.size(), Vec3::Zero());
  body.x = std::move(x);
  return body;
}

inline Nodes random_nodes(std::size_t count, int seed = 3) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> d(-1, 1);
  Nodes x(count);
  for (Vec3& p : x)
    for (int c = 0; c < 3; ++c) p[c] = d(random);
  return x;
}

inline Nodes moved(Nodes x, double by, const Nodes& way) {
  for (std::size_t n = 0; n < x.size(); ++n) x[n] += by * way[n];
  return x;
}

inline double dot(const Nodes& p, const Nodes& q) {
  double sum = 0;
  for (std::size_t n = 0; n < p.size(); ++n) sum += p[n].dot(q[n]);
  return sum;
}

inline double largest_node(const Nodes& p) {
  double most = 0;
  for (const Vec3& v : p) most = std::max(most, v.norm());
  return most;
}

inline Nodes gradient(const Body& body, const Nodes& x) {
  Nodes g(x.size(), Vec3::Zero());
  add_elastic_gradient(body, x, 0, g);
  return g;
}

inline Nodes stiffness_times(const Body& body, const Nodes& x, const Nodes& w) {
  Nodes y(x.size(), Vec3::Zero());
  add_stiffness_times(body, x, Linearisation::projected, 1, 0, w, y);
  return y;
}

// The forces are the gradient of the energy, to 1e-7, and add up to nothing, as do their torques.
inline void check_gradient(const Body& body, const Nodes& x, double h) {
  const Nodes g = gradient(body, x);
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  double size = 0, arms = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    sum += g[n], torque += x[n].cross(g[n]), size += g[n].norm(), arms += x[n].norm() * g[n].norm();
  }
  EXPECT_LT(sum.norm(), 1e-12 * size);
  EXPECT_LT(torque.norm(), 1e-12 * arms);
  for (int seed = 1; seed <= 4; ++seed) {
    const Nodes way = random_nodes(x.size(), seed);
    const auto at = [&](double by) { return elastic_energy(body, moved(x, by, way)); };
    const double difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);  // of fourth order
    EXPECT_NEAR(difference, dot(g, way), 1e-7 * std::sqrt(dot(g, g) * dot(way, way)));
  }
}

// K(x) w is the derivative of the gradient along w, to 1e-5.
inline void check_stiffness(const Body& body, const Nodes& x, const Nodes& way, double h) {
  const Nodes product = stiffness_times(body, x, way);
  const Nodes ahead = gradient(body, moved(x, h, way)), back = gradient(body, moved(x, -h, way));
  Nodes error(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) error[n] = (ahead[n] - back[n]) / (2 * h) - product[n];
  EXPECT_LT(largest_node(error), 1e-5 * largest_node(product));
}

inline void assemble(const Body& body, const Nodes& x, BlockSolver& matrix) {
  NodePairs pairs;
  add_pairs(body, 0, pairs);
  matrix.set_pattern(int(x.size()), std::move(pairs));
  matrix.clear();
  add_stiffness(body, x, Linearisation::projected, 1, 0, element_slots(body, 0, matrix), matrix);
}

// The matrix is symmetric and positive semidefinite, and equal to the product without one.
inline void check_matrix(const Body& body, const Nodes& x) {
  BlockSolver matrix;
  assemble(body, x, matrix);
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(3 * x.size(), 3 * x.size());
  matrix.for_each_value([&](int r, int c, double v) { k(r, c) = k(c, r) = v; });
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k, Eigen::EigenvaluesOnly).eigenvalues();
  EXPECT_GT(values[0], -1e-12 * values[values.size() - 1]);
  const Nodes w = random_nodes(x.size(), 5), v = random_nodes(x.size(), 6), product = stiffness_times(body, x, w);
  Nodes by_matrix(x.size());
  matrix.multiply(w, by_matrix);
  EXPECT_LT(largest_node(moved(by_matrix, -1, product)), 1e-12 * largest_node(product));
  EXPECT_NEAR(dot(v, product), dot(w, stiffness_times(body, x, v)),
              1e-12 * std::sqrt(dot(product, product) * dot(v, v)));
}

// Energy and forces do not change when a body is moved and turned.
inline void check_rigid_motion(const Body& body, const Nodes& x) {
  const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, -2) / 3).toRotationMatrix();
  Nodes shifted = x, turned = x;
  for (Vec3& p : shifted) p += Vec3(0.3, -0.7, 0.2);
  for (Vec3& p : turned) p = turn * p;
  const double energy = elastic_energy(body, x);
  EXPECT_NEAR(elastic_energy(body, shifted), energy, 1e-12 * energy);
  EXPECT_NEAR(elastic_energy(body, turned), energy, 1e-10 * energy);
  const Nodes g = gradient(body, x), g_shifted = gradient(body, shifted), g_turned = gradient(body, turned);
  for (std::size_t n = 0; n < x.size(); ++n) {
    EXPECT_LT((g_shifted[n] - g[n]).norm(), 1e-12 * largest_node(g));
    EXPECT_LT((g_turned[n] - turn * g[n]).norm(), 1e-10 * largest_node(g));
  }
}

inline std::vector<BlockSolver::Fixed> held(const std::vector<int>& nodes) {
  std::vector<BlockSolver::Fixed> fixed;
  fixed.reserve(nodes.size());
  for (const int n : nodes) fixed.push_back({n, Mat3::Zero(), Vec3::Zero()});
  return fixed;
}

// The displacement K⁻¹ f from rest.
inline Nodes linear_answer(const Body& body, const std::vector<int>& fixed, const Nodes& f) {
  BlockSolver matrix;
  matrix.use_factor_only();
  assemble(body, body.rest->x, matrix);
  Nodes u(f.size(), Vec3::Zero());
  EXPECT_TRUE(matrix.solve(held(fixed), u, f));
  return u;
}

inline Nodes weight(const Body& body, const Vec3& gravity) {
  Nodes f;
  for (const double m : body.rest->mass) f.push_back(m * gravity);
  return f;
}

// Moves a body to equilibrium under forces f by Newton's method with a line search; returns the number of iterations.
// `bound` is the largest motion of a node in one iteration.
inline int equilibrium(Body& body, const std::vector<int>& fixed, const Nodes& f, double bound, int most = 200) {
  const auto potential = [&](const Nodes& x) { return elastic_energy(body, x) - dot(f, x); };
  std::vector<char> is_fixed(body.x.size(), 0);
  for (const int n : fixed) is_fixed[n] = 1;
  BlockSolver matrix;
  matrix.use_factor_only();
  for (int i = 0; i < most; ++i) {
    Nodes residual = moved(f, -1, gradient(body, body.x)), step(f.size(), Vec3::Zero());
    for (std::size_t n = 0; n < f.size(); ++n)
      if (is_fixed[n]) residual[n].setZero();
    assemble(body, body.x, matrix);
    // A little of the identity, where the stiffness leaves motions free.
    double largest = 0;
    matrix.for_each_value([&](int, int, double v) { largest = std::max(largest, v); });
    for (std::size_t n = 0; n < f.size(); ++n) matrix.add_diagonal(int(n), 1e-10 * largest * Mat3::Identity());
    EXPECT_TRUE(matrix.solve(held(fixed), step, residual));
    const double size = largest_node(step), slope = dot(residual, step), before = potential(body.x);
    if (size < 1e-9 * bound) return i;
    double by = std::min(1.0, bound / size);
    while (by > 1e-10 && potential(moved(body.x, by, step)) > before - 1e-4 * by * slope + 1e-14 * std::abs(before))
      by /= 2;

    body.x = moved(body.x, by, step);
  }
  return most;
}

// The tip of a heavy horizontal cantilever of length 1 with large deflection, along and down: the elastica
// φ'' = −load (1 − s) cos φ, φ(0) = 0, φ'(1) = 0, with load = (weight per length) L³ / (bending stiffness).
inline Eigen::Vector2d heavy_elastica_tip(double load) {
  constexpr int steps = 2000;
  Eigen::Vector2d tip;
  double low = 0, high = load;  // φ'(0)
  for (int i = 0; i < 60; ++i) {
    const double start = 0.5 * (low + high), ds = 1.0 / steps;
    double angle = 0, bend = start;
    tip.setZero();
    for (int k = 0; k < steps; ++k) {  // midpoint rule
      const double middle = angle + 0.5 * ds * bend, half = bend - 0.5 * ds * load * (1 - k * ds) * std::cos(angle);
      angle += ds * half;
      bend -= ds * load * (1 - (k + 0.5) * ds) * std::cos(middle);
      tip += ds * Eigen::Vector2d(std::cos(middle), std::sin(middle));
    }
    (bend > 0 ? high : low) = start;
  }
  return tip;
}

}  // namespace coracle::element_checks
