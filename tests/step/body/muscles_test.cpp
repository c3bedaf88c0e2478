// Elements that pull along their fibres.
#include "coracle/step/body/muscles.h"

#include "coracle/error.h"
#include "coracle/solve/block_solver.h"
#include "coracle/step/body/stress.h"
#include "coracle/world/bodies.h"
#include "element_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coracle {
namespace {

using element_checks::dot;
using element_checks::largest_node;
using element_checks::moved;
using element_checks::Nodes;
using element_checks::random_nodes;

const ElementOrder orders[] = {ElementOrder::linear, ElementOrder::quadratic};

MuscleOptions muscle(const Vec3& fibre) {
  MuscleOptions m;
  m.name = "muscle";
  m.fibre = fibre;
  m.stress = 2e3;
  m.level = 1;
  m.swing = 0;
  return m;
}

// A bar along x, whose muscle is all of it.
Body bar(ElementOrder order, const Vec3& fibre = Vec3(1, 0.5, 0), double poisson = 0) {
  BodyOptions o;
  o.name = "bar";
  o.shape.kind = ShapeKind::box;
  o.shape.size = Vec3(0.4, 0.1, 0.1);
  o.mesh = BodyMesh::grid6;
  o.cells = Vec3i(4, 1, 1);
  o.element = order;
  o.young = 1e4;
  o.poisson = poisson;
  o.muscles.push_back(muscle(fibre));
  std::vector<Body> bodies{build_body(o)};
  tense_muscles(bodies, 0);
  return std::move(bodies[0]);
}

Nodes forces(const Body& body, const Nodes& x) {
  Nodes f(x.size(), Vec3::Zero());
  add_pull_gradient(body, x, 0, f);
  return f;
}

TEST(Muscles, the_force_is_the_gradient_of_the_energy_and_the_stiffness_that_of_the_force) {
  for (const ElementOrder order : orders) {
    const Body body = bar(order);
    const Nodes x = moved(body.x, 0.02, random_nodes(body.x.size())), way = random_nodes(body.x.size(), 5);
    // The energy is quadratic, so that differences are exact.
    const double slope = (pull_energy(body, moved(x, 0.1, way)) - pull_energy(body, moved(x, -0.1, way))) / 0.2;
    EXPECT_NEAR(slope, dot(forces(body, x), way), 1e-10 * std::abs(slope));
    Nodes product(x.size(), Vec3::Zero());
    add_pull_stiffness_times(body, 1, 0, way, product);
    const Nodes after = forces(body, moved(x, 1, way)), before = forces(body, x);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_LT((after[i] - before[i] - product[i]).norm(), 1e-11 * largest_node(product));
  }
}

TEST(Muscles, the_assembled_matrix_is_the_product_without_one) {
  for (const ElementOrder order : orders) {
    const Body body = bar(order);
    const Nodes way = random_nodes(body.x.size(), 5);
    NodePairs pairs;
    add_pairs(body, 0, pairs);
    BlockSolver matrix;
    matrix.set_pattern(int(way.size()), std::move(pairs));
    matrix.clear();
    Nodes rhs(way.size(), Vec3::Zero()), back;
    add_pull_stiffness_times(body, 1, 0, way, rhs);
    for (std::size_t n = 0; n < way.size(); ++n) {
      matrix.add_diagonal(int(n), 10 * Mat3::Identity());
      rhs[n] += 10 * way[n];
    }
    add_pull_stiffness(body, 1, 0, element_slots(body, 0, matrix), matrix);
    ASSERT_TRUE(matrix.factor({}));
    ASSERT_TRUE(matrix.solve(back, rhs));
    for (std::size_t n = 0; n < way.size(); ++n) EXPECT_LT((back[n] - way[n]).norm(), 1e-10);
  }
}

TEST(Muscles, push_and_turn_no_body_and_turn_with_it) {
  for (const ElementOrder order : orders) {
    const Body body = bar(order);
    const Nodes x = moved(body.x, 0.02, random_nodes(body.x.size())), f = forces(body, x);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (std::size_t i = 0; i < x.size(); ++i) {
      force += f[i];
      torque += x[i].cross(f[i]);
    }
    EXPECT_LT(force.norm(), 1e-12 * largest_node(f));
    EXPECT_LT(torque.norm(), 1e-12 * largest_node(f));
    const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    Nodes turned = x;
    for (Vec3& p : turned) p = turn * p + Vec3(3, -1, 2);
    const Nodes g = forces(body, turned);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT((g[i] - turn * f[i]).norm(), 1e-11 * largest_node(f));
  }
}

// With no Poisson effect and fibres along the bar, its stretch l is where the elastic stress and the pull are in
// balance: St. Venant-Kirchhoff has S = E (l² − 1) / 2, hence l² = 1 − 2 s / E.
TEST(Muscles, a_free_bar_shortens_until_elasticity_balances_the_pull) {
  for (const ElementOrder order : orders) {
    Body body = bar(order, Vec3::UnitX());
    auto rest = std::make_shared<BodyRest>(*body.rest);
    rest->options.material = MaterialModel::st_venant_kirchhoff;
    body.rest = rest;
    const double stretch = std::sqrt(1 - 2 * 2e3 / 1e4);
    Nodes x = body.x;
    for (Vec3& p : x) p.x() *= stretch;
    Nodes f = forces(body, x);
    const double scale = largest_node(f);
    add_elastic_gradient(body, x, 0, f);
    EXPECT_LT(largest_node(f), 1e-11 * scale);
    body.x = x;
    const VonMises stress = von_mises(body);  // nothing holds the bar
    for (const auto& values : {stress.elements, stress.nodes})
      EXPECT_LT(*std::max_element(values.begin(), values.end()), 1e-11 * 2e3);
  }
}

TEST(Muscles, the_activation_is_a_wave_that_travels_along_and_is_cut) {
  MuscleOptions m = muscle(Vec3::UnitX());
  m.level = 0.3, m.swing = 0.6, m.frequency = 2, m.phase = 0.4, m.wavelength = 0.5, m.start = 1, m.end = 9;
  const auto wave = [](double t, double s) {
    return 0.3 + 0.6 * std::sin(2 * std::numbers::pi * (2 * (t - 1) - s / 0.5) + 0.4);
  };
  for (double t = 1; t < 2; t += 0.07)
    for (double s = -0.4; s < 0.4; s += 0.09) {
      EXPECT_NEAR(activation(m, s, t), std::clamp(wave(t, s), 0.0, 1.0), 1e-14);
      EXPECT_NEAR(activation(m, s + 0.1, t + 0.1), activation(m, s, t), 1e-12);  // at 1 m/s
    }
  EXPECT_EQ(activation(m, 0, 0.99), 0);
  EXPECT_EQ(activation(m, 0, 9.01), 0);
  m.swing = 0, m.ramp = 0.5;
  EXPECT_NEAR(activation(m, 0, 1.1), 0.3 * 0.2, 1e-15);
  EXPECT_DOUBLE_EQ(activation(m, 0, 3), 0.3);
}

TEST(Muscles, regions_choose_elements_and_a_muscle_without_any_is_refused) {
  BodyOptions o = bar(ElementOrder::linear).rest->options;
  ShapeOptions half;
  half.kind = ShapeKind::box;
  half.center = o.shape.center - Vec3(0.1, 0, 0);
  half.size = Vec3(0.2, 0.2, 0.2);
  o.muscles[0].regions.push_back(half);
  const Body body = build_body(o);
  const auto& tets = std::get<Tets>(body.rest->elements);
  EXPECT_EQ(body.rest->fibres.size() * 2, tets.tets.size());
  for (const Fibre& fibre : body.rest->fibres) EXPECT_LT(fibre.place, o.shape.center.x());
  o.muscles[0].regions[0].center = Vec3(5, 5, 5);
  EXPECT_THROW(build_body(o), SceneError);
}

}  // namespace
}  // namespace coracle
