// Tetrahedra with ten nodes, and the laws that they share with those of four.
#include "coracle/step/body/quadratic_tets.h"

#include "coracle/solve/block_solver.h"
#include "coracle/step/body/stress.h"
#include "coracle/world/bodies.h"
#include "validation/setup.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <random>

namespace coracle {
namespace {

const MaterialModel models[] = {MaterialModel::corotational, MaterialModel::st_venant_kirchhoff,
                                MaterialModel::fixed_corotated, MaterialModel::stable_neo_hookean,
                                MaterialModel::neo_hookean};

const ElementOrder orders[] = {ElementOrder::linear, ElementOrder::quadratic};

Body block(MaterialModel material, double poisson, ElementOrder element = ElementOrder::quadratic,
           const Vec3i& cells = Vec3i(2, 1, 1)) {
  BodyOptions o;
  o.name = "block";
  o.shape.kind = ShapeKind::box;
  o.shape.size = Vec3(0.4, 0.2, 0.3);
  o.mesh = BodyMesh::grid6;
  o.cells = cells;
  o.element = element;
  o.material = material;
  o.poisson = poisson;
  o.young = 1e4;
  return build_body(o);
}

std::vector<Vec3> shaken(std::vector<Vec3> x, double by) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> d(-by, by);
  for (Vec3& p : x) p += Vec3(d(random), d(random), d(random));
  return x;
}

void expect_masses_and_closed_skin(const Body& body) {
  double mass = 0, volume = 0;
  Vec3 area = Vec3::Zero();
  for (const double m : body.rest->mass) {
    EXPECT_GT(m, 0);
    mass += m;
  }
  EXPECT_NEAR(mass, 1000 * 0.4 * 0.2 * 0.3, 1e-10);
  const std::vector<Vec3> x = shaken(body.x, 0.02);
  for (const Vec3i& t : body.rest->skin.tris) area += (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]);
  EXPECT_LT(area.norm(), 1e-12);
  for (const Vec3i& t : body.rest->skin.tris) volume += body.x[t[0]].dot(body.x[t[1]].cross(body.x[t[2]])) / 6;
  EXPECT_NEAR(volume, 0.4 * 0.2 * 0.3, 1e-12);
  EXPECT_NEAR(body_volume(body), volume, 1e-12);
  EXPECT_LT((center_of_mass(body) - body.rest->options.shape.center).norm(), 1e-12);
}

TEST(BothTets, masses_are_positive_and_add_up_and_the_skin_is_closed) {
  for (const ElementOrder order : orders) expect_masses_and_closed_skin(block(MaterialModel::corotational, 0.3, order));
}

void expect_uniform_strain_met(ElementOrder order) {
  for (const MaterialModel material : models)
    for (const double poisson : {0.3, 0.499}) {
      const Body body = block(material, poisson, order, Vec3i(2, 2, 2));
      Mat3 f = Mat3::Identity();
      f(0, 1) = 0.05, f(1, 1) = 1.02, f(2, 0) = -0.03;
      std::vector<Vec3> x = body.x;
      for (Vec3& p : x) p = f * p;
      const double volume = 0.4 * 0.2 * 0.3, density = energy_density(material, lame(1e4, poisson), f);
      EXPECT_NEAR(elastic_energy(body, x), volume * density, 1e-9 * volume * density);
      std::vector<Vec3> force(x.size(), Vec3::Zero());
      add_elastic_gradient(body, x, 0, force);
      double most = 0;
      for (const Vec3& g : force) most = std::max(most, g.norm());
      std::vector<char> outside(x.size(), 0);
      for (const int n : body.rest->skin.nodes) outside[n] = 1;
      EXPECT_LT(body.rest->skin.nodes.size(), x.size());
      for (std::size_t n = 0; n < x.size(); ++n)
        if (!outside[n]) {
          EXPECT_LT(force[n].norm(), 1e-9 * most);
        }
    }
}

TEST(BothTets, a_uniform_strain_is_met_exactly_and_leaves_no_force_inside) {
  for (const ElementOrder order : orders) expect_uniform_strain_met(order);
}

void expect_forces_are_the_gradient(ElementOrder order) {
  for (const MaterialModel material : models)
    for (const double poisson : {0.3, 0.49}) {
      const Body body = block(material, poisson, order);
      const std::vector<Vec3> x = shaken(body.x, 0.01), way = shaken(std::vector<Vec3>(x.size(), Vec3::Zero()), 1);
      std::vector<Vec3> force(x.size(), Vec3::Zero());
      add_elastic_gradient(body, x, 0, force);
      Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
      double slope = 0, size = 0;
      for (std::size_t n = 0; n < x.size(); ++n) {
        sum += force[n], torque += x[n].cross(force[n]), slope += force[n].dot(way[n]), size += force[n].norm();
      }
      EXPECT_LT(sum.norm(), 1e-12 * size);
      EXPECT_LT(torque.norm(), 1e-12 * size);
      double error[2];
      for (int i = 0; i < 2; ++i) {
        const double h = i ? 5e-6 : 1e-5;
        std::vector<Vec3> ahead = x, back = x;
        for (std::size_t n = 0; n < x.size(); ++n) ahead[n] += h * way[n], back[n] -= h * way[n];
        error[i] = std::abs((elastic_energy(body, ahead) - elastic_energy(body, back)) / (2 * h) - slope);
      }
      EXPECT_LT(error[0], 1e-4 * std::abs(slope)) << int(material) << " " << poisson;
      EXPECT_LT(error[1], 0.5 * error[0] + 1e-9 * std::abs(slope)) << int(material) << " " << poisson;
    }
}

TEST(BothTets, forces_are_the_gradient_of_the_energy_and_add_up_to_nothing) {
  for (const ElementOrder order : orders) expect_forces_are_the_gradient(order);
}

TEST(QuadraticTets, the_stiffness_is_the_gradient_of_the_forces_where_it_is_positive) {
  for (const MaterialModel material : models)
    for (const double poisson : {0.3, 0.49}) {
      const Body body = block(material, poisson);
      // Near rest and stretched a little, where the exact matrix of every solid is positive.
      std::vector<Vec3> x = body.x;
      for (Vec3& p : x) p *= poisson > 0.4 ? 1.0005 : 1.02;
      x = shaken(x, 1e-5);
      const std::vector<Vec3> way = shaken(std::vector<Vec3>(x.size(), Vec3::Zero()), 1);
      std::vector<Vec3> product(x.size(), Vec3::Zero()), ahead(x.size(), Vec3::Zero()), back(x.size(), Vec3::Zero());
      add_stiffness_times(body, x, Linearisation::projected, 1, 0, way, product);
      const double h = 1e-6;
      std::vector<Vec3> there = x;
      for (std::size_t n = 0; n < x.size(); ++n) there[n] = x[n] + h * way[n];
      add_elastic_gradient(body, there, 0, ahead);
      for (std::size_t n = 0; n < x.size(); ++n) there[n] = x[n] - h * way[n];
      add_elastic_gradient(body, there, 0, back);
      double error = 0, size = 0;
      for (std::size_t n = 0; n < x.size(); ++n) {
        error = std::max(error, ((ahead[n] - back[n]) / (2 * h) - product[n]).norm());
        size = std::max(size, product[n].norm());
      }
      EXPECT_LT(error, 1e-5 * size) << int(material) << " " << poisson;
    }
}

TEST(QuadraticTets, the_assembled_matrix_is_the_product_without_one) {
  const Body body = block(MaterialModel::stable_neo_hookean, 0.49);
  const std::vector<Vec3> x = shaken(body.x, 0.01), way = shaken(std::vector<Vec3>(x.size(), Vec3::Zero()), 1);
  NodePairs pairs;
  add_pairs(body, 0, pairs);
  BlockSolver matrix;
  matrix.set_pattern(int(x.size()), std::move(pairs));
  matrix.clear();
  for (std::size_t n = 0; n < x.size(); ++n) matrix.add_diagonal(int(n), 1e3 * Mat3::Identity());
  add_stiffness(body, x, Linearisation::projected, 1, 0, element_slots(body, 0, matrix), matrix);
  ASSERT_TRUE(matrix.factor({}));
  std::vector<Vec3> rhs(x.size(), Vec3::Zero()), back;
  add_stiffness_times(body, x, Linearisation::projected, 1, 0, way, rhs);
  for (std::size_t n = 0; n < x.size(); ++n) rhs[n] += 1e3 * way[n];
  ASSERT_TRUE(matrix.solve(back, rhs));
  for (std::size_t n = 0; n < x.size(); ++n) EXPECT_LT((back[n] - way[n]).norm(), 1e-8);
}

TEST(QuadraticTets, points_inside_and_stress_follow_a_bent_body) {
  const Body body = block(MaterialModel::st_venant_kirchhoff, 0.3);
  const auto bend = [](const Vec3& p) { return Vec3(p.x(), p.y() + 0.3 * p.x() * p.x(), p.z() + 0.2 * p.x() * p.y()); };
  std::vector<Vec3> x = body.x;
  for (Vec3& p : x) p = bend(p);
  const std::vector<Vec3> points{{0.1, 0.05, -0.1}, {-0.13, 0.02, 0.07}, {0.19, -0.09, 0.14}};
  const std::vector<Vec3> found = embedded(embed(*body.rest, points), *body.rest, x);
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT((found[i] - bend(points[i])).norm(), 1e-12);
}

TEST(BothTets, the_worst_element_is_named_with_its_body_and_place) {
  for (const ElementOrder order : orders) {
    const Body body = block(MaterialModel::corotational, 0.3, order);
    std::vector<Vec3> x = body.x;
    EXPECT_GT(worst_element(body, x).quality, 0);
    // Press one corner of the block through the rest of it.
    const auto corner =
        std::min_element(x.begin(), x.end(), [](const Vec3& a, const Vec3& b) { return a.sum() < b.sum(); });
    const Vec3 at = *corner;
    *corner += Vec3(0.4, 0.4, 0.4);
    const WorstElement worst = worst_element(body, x);
    EXPECT_LT(worst.quality, 0);
    EXPECT_LT((worst.center - at).norm(), 0.4);
    if (const Tets* tets = std::get_if<Tets>(&body.rest->elements)) {
      double least = 1;  // by a plain search
      for (const Vec4i& n : tets->tets) least = std::min(least, tet_quality(x[n[0]], x[n[1]], x[n[2]], x[n[3]]));
      EXPECT_EQ(worst.quality, least);
      const Vec4i& n = tets->tets[worst.element];
      EXPECT_TRUE(std::any_of(n.begin(), n.end(), [&](int i) { return x[i] == *corner; }));
    } else {
      const auto& n = std::get<QuadraticTets>(body.rest->elements).nodes[worst.element];
      EXPECT_TRUE(std::any_of(n.begin(), n.end(), [&](int i) { return x[i] == *corner; }));
    }
    const std::string name = name_worst_element(body, x);
    EXPECT_EQ(name.find(fmt::format("element {} of 'block' near (", worst.element)), 0u) << name;
  }
}

// Tip of a thin bar under its weight, over that of the theory of beams; at most 2 % with two layers.
TEST(QuadraticTets, a_bar_of_two_layers_bends_as_a_beam) {
  const double length = 1, thick = 0.05, deflection = 0.005;
  const double young = 1000 * 9.81 * 12 * std::pow(length, 4) / (8 * thick * thick * deflection);
  double tip = 0;
  validation::run_text(
      fmt::format(
          "[domain]\nmin = [-0.5, -0.5, -0.5]\nmax = [1.5, 0.5, 0.5]\nresolution = 8\n[time]\nfps = 1\nframes = "
          "2\nmax_dt = 0.05\n[[body]]\nname = 'bar'\nshape = 'box'\ncenter = [0.5, 0, 0]\nsize = [1, 0.05, "
          "0.05]\nmesh = 'grid6'\ncells = [10, 2, 2]\nelement = 'quadratic'\nyoung = {}\ndamping_mass = "
          "20\n[[body.hold]]\ntype = 'pin'\nside = 'x_min'\n",
          young),
      "bar", [&](const StepReport&, const World& w, const Workspace&) {
        for (std::size_t n = 0; n < w.bodies[0].x.size(); ++n)
          if ((w.bodies[0].rest->x[n] - Vec3(1, 0, 0)).norm() < 1e-9) tip = -w.bodies[0].x[n].y();
      });
  EXPECT_NEAR(tip / deflection, 1, 0.02);
}

}  // namespace
}  // namespace coracle
