// The barrier of contacts and its derivatives, in every region of closest features, and friction.
#include "coracle/step/contact/barrier.h"
#include "coracle/base/random.h"
#include "coracle/step/contact/friction_law.h"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace coracle {
namespace {

using Vec12 = Eigen::Matrix<double, 12, 1>;
// Of size 12. (GCC 12 warns of Eigen's own code for other types.)
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 12, 12>;

const BarrierLaw law{.kappa = 3.0, .reach = 0.5};  // of order one, as the nodes are
const double epsilon = mollifier_threshold(0.8, 0.7);

Vec3 random_point(std::uint64_t key, int i) {
  return Vec3(uniform(key, 3 * i), uniform(key, 3 * i + 1), uniform(key, 3 * i + 2)) - Vec3::Constant(0.5);
}

Vec12 flat(const FourNodes& x) {
  Vec12 v;
  v << x[0], x[1], x[2], x[3];
  return v;
}

FourNodes nodes(const Vec12& v) { return {v.segment<3>(0), v.segment<3>(3), v.segment<3>(6), v.segment<3>(9)}; }

// One kind of contact, so that the same claims can be made of all: of thin surfaces, and of those with a thickness.
struct Kind {
  std::string name;
  SimplexDistance (*distance)(const FourNodes&);
  BarrierLaw law;
  double gap(const FourNodes& x) const { return std::sqrt(distance(x).squared) - law.offset; }
  double energy(const FourNodes& x) const { return barrier_energy(x, distance(x), law); }
  ContactTerm term(const FourNodes& x, Hessian hessian, const FreeNodes& free) const {
    return barrier_term(x, distance(x), law, hessian, free);
  }
};

const double thick = 0.15;
const Kind kinds[] = {
    {"point and triangle", point_triangle_distance, {.kappa = 3.0, .reach = 0.5}},
    {"two edges", edge_edge_distance, {.kappa = 3.0, .reach = 0.5, .epsilon = epsilon}},
    {"thick point and triangle", point_triangle_distance, {.kappa = 3.0, .reach = 0.5, .offset = thick}},
    {"two thick edges", edge_edge_distance, {.kappa = 3.0, .reach = 0.5, .offset = thick, .epsilon = epsilon}}};

struct Case {
  const Kind* kind;
  FourNodes x;
  ClosestFeature feature;
  bool mollified;
};

// Random contacts: `wanted` in every region. Edges come both crossed and nearly parallel.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    constexpr int wanted = 12;
    std::vector<Case> list;
    std::map<std::tuple<const Kind*, ClosestFeature, bool>, int> count;
    for (std::uint64_t key = 0; key < 40000; ++key)
      for (const Kind& kind : kinds) {
        FourNodes x{random_point(key, 0), random_point(key, 1), random_point(key, 2), random_point(key, 3)};
        const bool edges = kind.law.epsilon > 0;
        if (edges && key % 2 == 0) x[3] = x[2] + (x[1] - x[0]) + 0.03 * (x[3] - x[2]);
        const double c = (x[1] - x[0]).cross(x[3] - x[2]).squaredNorm();
        const bool mollified = edges && c < 0.95 * epsilon;
        const SimplexDistance closest = kind.distance(x);
        const double y = kind.gap(x) / kind.law.reach;
        if (y < 0.15 || y > 0.9 || std::abs(c - epsilon) < 0.05 * epsilon) continue;
        // Not at a switch, where second derivatives jump, and not nearly degenerate.
        const bool inside = (closest.weight.array() == 0 || closest.weight.array().abs() > 0.02).all();
        const double area = (x[2] - x[1]).cross(x[3] - x[1]).norm();
        if (!inside || (!edges && area < 0.1) || (x[1] - x[0]).norm() < 0.2) continue;
        if (mollified && c < 0.01 * epsilon) continue;
        if (count[{&kind, closest.feature, mollified}]++ < wanted)
          list.push_back({&kind, x, closest.feature, mollified});
      }
    return list;
  }();
  return all;
}

TEST(Barrier, the_tests_below_see_every_feature_and_mollified_edges) {
  std::map<std::tuple<const Kind*, ClosestFeature, bool>, int> count;
  for (const Case& c : cases()) ++count[{c.kind, c.feature, c.mollified}];
  for (const Kind& kind : kinds)
    for (int f = 0; f <= int(ClosestFeature::lines); ++f) {
      const bool of_edges = f >= int(ClosestFeature::a0_b0);
      if (of_edges != (kind.law.epsilon > 0)) continue;
      EXPECT_EQ((count[{&kind, ClosestFeature(f), false}]), 12) << kind.name << f;
      EXPECT_GE((count[{&kind, ClosestFeature(f), true}]), of_edges ? 4 : 0) << kind.name << f;
    }
}

TEST(Barrier, the_scalar_barrier_has_the_derivatives_that_differences_give) {
  const double reach2 = law.reach * law.reach;
  for (const double y2 : {1e-6, 0.01, 0.3, 0.499, 0.501, 0.9, 0.999}) {
    const double s = y2 * reach2, h = 1e-5 * std::min(s, reach2 - s);
    const BarrierValue b = barrier(law, s), up = barrier(law, s + h), down = barrier(law, s - h);
    EXPECT_NEAR(b.value, -law.kappa * law.reach * (y2 - 1) * (y2 - 1) * std::log(y2), 1e-14 * std::abs(std::log(y2)));
    EXPECT_NEAR((up.value - down.value) / (2 * h) / b.first, 1, 1e-7) << y2;
    EXPECT_NEAR((up.first - down.first) / (2 * h) / b.second, 1, 1e-7) << y2;
    EXPECT_LT(b.first, 0);
    EXPECT_GT(b.second, 0);
  }
}

TEST(Barrier, with_a_thickness_the_barrier_acts_on_the_gap) {
  const BarrierLaw offset{.kappa = 3.0, .reach = 0.5, .offset = 0.2};
  for (const double y : {1e-3, 0.1, 0.6, 0.8, 0.999}) {
    const double g = y * law.reach, d = g + offset.offset, s = d * d, h = 1e-5 * d * std::min(g, law.reach - g);
    const BarrierValue b = barrier(offset, s), up = barrier(offset, s + h), down = barrier(offset, s - h);
    EXPECT_NEAR(b.value / barrier(law, g * g).value, 1, 1e-12) << y;
    EXPECT_NEAR(barrier_pressure(offset, d) / barrier_pressure(law, g), 1, 1e-12) << y;
    EXPECT_NEAR((up.value - down.value) / (2 * h) / b.first, 1, 1e-7) << y;
    EXPECT_NEAR((up.first - down.first) / (2 * h) / b.second, 1, 1e-7) << y;
  }
  for (const double d : {0.0, 0.1, 0.2})
    EXPECT_EQ(barrier(offset, d * d).value, std::numeric_limits<double>::infinity()) << d;
  EXPECT_EQ(barrier(offset, 0.71 * 0.71).value, 0);
}

TEST(Barrier, the_normal_force_of_friction_is_that_of_the_energy) {
  // Edges that cross, moved apart along their normal: c does not change, and −∂E/∂d is the force.
  for (const double angle : {0.5, 0.02, 0.01}) {  // the last two are mollified
    const auto crossed = [&](double d) -> FourNodes {
      return {Vec3(-0.4, d, 0), Vec3(0.4, d, 0), 0.35 * Vec3(-std::cos(angle), 0, -std::sin(angle)),
              0.35 * Vec3(std::cos(angle), 0, std::sin(angle))};
    };
    for (const Kind* kind : {&kinds[1], &kinds[3]}) {
      const double d = 0.3, h = 1e-6;
      const double slope = (kind->energy(crossed(d + h)) - kind->energy(crossed(d - h))) / (2 * h);
      EXPECT_NEAR(-slope / barrier_force(crossed(d), kind->distance(crossed(d)), kind->law), 1, 1e-7) << angle;
    }
  }
}

TEST(Barrier, the_barrier_ends_smoothly_at_its_reach_and_is_infinite_at_contact) {
  const double reach2 = law.reach * law.reach;
  const BarrierValue inside = barrier(law, (1 - 1e-9) * reach2), outside = barrier(law, reach2);
  EXPECT_EQ(outside.value, 0);
  EXPECT_EQ(outside.first, 0);
  EXPECT_EQ(outside.second, 0);
  EXPECT_NEAR(inside.value, 0, 1e-26);
  EXPECT_NEAR(inside.first, 0, 1e-16);
  EXPECT_NEAR(inside.second, 0, 1e-6);
  for (const double s : {0.0, -1.0, 1e-200}) EXPECT_EQ(barrier(law, s).value, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isfinite(barrier(law, 1e-90 * reach2).second));
}

TEST(Barrier, a_particle_on_a_plane_rests_where_the_pressure_carries_it) {
  // φ(y) = ρ g D / (1.209 κ): a cube of water of 10 mm on its disc of 1.209 D², κ = 10⁴ Pa, d̂ = 0.6 D.
  const double d = 0.01, area = M_PI * std::pow(3 / (4 * M_PI), 2.0 / 3) * d * d, weight = 1000 * 9.81 * d * d * d;
  const BarrierLaw particle{.kappa = 1e4, .reach = 0.6 * d};
  EXPECT_NEAR(area / (d * d), 1.209, 0.0005);
  EXPECT_NEAR(barrier_pressure(particle, 0.9815 * particle.reach) * area / weight, 1, 0.005);
  const double y = 0.4;
  EXPECT_NEAR(barrier_pressure(particle, y * particle.reach),
              1e4 * (8 * y * (y * y - 1) * std::log(y) + 2 * (y * y - 1) * (y * y - 1) / y), 1e-9);
}

TEST(Barrier, gradients_and_hessians_are_those_that_differences_give_in_every_region) {
  const double h = 5e-7;
  for (const Case& c : cases()) {
    const ContactTerm term = c.kind->term(c.x, Hessian::exact, all_free);
    EXPECT_EQ(term.energy, c.kind->energy(c.x));
    const Vec12 x = flat(c.x), gradient = flat(term.gradient);
    Vec12 g;
    Mat12 hessian;
    for (int i = 0; i < 12; ++i) {
      const FourNodes up = nodes(x + h * Vec12::Unit(i)), down = nodes(x - h * Vec12::Unit(i));
      ASSERT_EQ(c.kind->distance(up).feature, c.feature);
      ASSERT_EQ(c.kind->distance(down).feature, c.feature);
      g[i] = (c.kind->energy(up) - c.kind->energy(down)) / (2 * h);
      const auto gradient_at = [&](const FourNodes& y) {
        return flat(c.kind->term(y, Hessian::none, all_free).gradient);
      };
      hessian.col(i) = (gradient_at(up) - gradient_at(down)) / (2 * h);
    }
    const std::string where = c.kind->name + ", feature " + std::to_string(int(c.feature));
    EXPECT_LE((g - gradient).norm(), 1e-7 * gradient.norm()) << where << (c.mollified ? ", mollified" : "");
    EXPECT_LE((hessian - term.hessian).norm(), 1e-5 * term.hessian.norm()) << where;
    EXPECT_LE((term.hessian - term.hessian.transpose()).norm(), 1e-14 * term.hessian.norm());
  }
}

// Along straight paths, find where the closest feature switches; energy and gradient must not jump there.
TEST(Barrier, energy_and_forces_are_continuous_where_the_closest_feature_switches) {
  int switches = 0;
  for (std::uint64_t key = 0; key < 400; ++key)
    for (const Kind& kind : kinds) {
      FourNodes from, to;
      for (int i = 0; i < 4; ++i) from[i] = random_point(key, i), to[i] = random_point(key, 4 + i);
      if (key % 4 == 0) from[3] = from[2] + (from[1] - from[0]) + 0.02 * to[0];
      const Vec12 x = flat(from), u = flat(to) - x;
      for (int k = 0; k < 40; ++k) {
        double lo = k / 40.0, hi = (k + 1) / 40.0;
        const auto feature = [&](double t) { return kind.distance(nodes(x + t * u)).feature; };
        const ClosestFeature before = feature(lo);
        if (feature(hi) == before) continue;
        while (hi - lo > 1e-13) (feature(0.5 * (lo + hi)) == before ? lo : hi) = 0.5 * (lo + hi);
        const ContactTerm a = kind.term(nodes(x + lo * u), Hessian::exact, all_free);
        const ContactTerm b = kind.term(nodes(x + hi * u), Hessian::exact, all_free);
        const double way = (hi - lo) * u.norm(), change = way * (a.hessian.norm() + b.hessian.norm());
        const double y = kind.gap(nodes(x + lo * u)) / law.reach;
        if (y < 0.05 || y > 1) continue;
        ++switches;
        EXPECT_NEAR(a.energy, b.energy, 1e-9 * (1 + a.energy)) << kind.name;
        EXPECT_LE((flat(a.gradient) - flat(b.gradient)).norm(), change + 1e-10 * (1 + flat(a.gradient).norm()))
            << kind.name << " from feature " << int(before) << " to " << int(feature(hi)) << ", key " << key;
      }
    }
  EXPECT_GT(switches, 300);
}

TEST(Barrier, energy_and_forces_do_not_depend_on_place_and_turn_with_the_nodes) {
  for (const Case& c : cases()) {
    const ContactTerm term = c.kind->term(c.x, Hessian::exact, all_free);
    // Coordinates that are multiples of 2⁻⁴⁰ are moved by 8, −4, 2 without rounding.
    FourNodes rounded = c.x, shifted;
    for (int i = 0; i < 4; ++i)
      for (int a = 0; a < 3; ++a) rounded[i][a] = std::ldexp(std::round(std::ldexp(c.x[i][a], 40)), -40);
    for (int i = 0; i < 4; ++i) shifted[i] = rounded[i] + Vec3(8, -4, 2);
    const ContactTerm here = c.kind->term(rounded, Hessian::exact, all_free);
    const ContactTerm there = c.kind->term(shifted, Hessian::exact, all_free);
    EXPECT_NEAR(there.energy / here.energy, 1, 1e-12);
    EXPECT_LE((flat(there.gradient) - flat(here.gradient)).norm(), 1e-12 * flat(here.gradient).norm());
    EXPECT_LE((there.hessian - here.hessian).norm(), 1e-12 * here.hessian.norm());

    const Mat3 turn = Eigen::Quaterniond(0.3, -0.5, 0.2, 0.7).normalized().toRotationMatrix();
    FourNodes turned;
    for (int i = 0; i < 4; ++i) turned[i] = turn * c.x[i];
    const ContactTerm after = c.kind->term(turned, Hessian::projected, all_free);
    const ContactTerm before = c.kind->term(c.x, Hessian::projected, all_free);
    EXPECT_NEAR(after.energy / term.energy, 1, 1e-10);
    Mat12 turns = Mat12::Zero();
    for (int i = 0; i < 4; ++i) turns.block<3, 3>(3 * i, 3 * i) = turn;
    EXPECT_LE((flat(after.gradient) - turns * flat(before.gradient)).norm(), 1e-10 * flat(before.gradient).norm());
    EXPECT_LE((after.hessian - turns * before.hessian * turns.transpose()).norm(), 1e-10 * before.hessian.norm());
  }
}

TEST(Barrier, forces_and_torques_of_a_contact_add_up_to_zero) {
  for (const Case& c : cases()) {
    const ContactTerm term = c.kind->term(c.x, Hessian::exact, all_free);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (int i = 0; i < 4; ++i) force += term.gradient[i], torque += c.x[i].cross(term.gradient[i]);
    const double size = flat(term.gradient).norm();
    EXPECT_LE(force.norm(), 1e-14 * size);
    EXPECT_LE(torque.norm(), 1e-13 * size);
    // Forces do not change in a common translation; in a common rotation θ they turn: H (θ × x) = θ × gradient.
    for (int a = 0; a < 3; ++a) {
      Vec12 shift, spin, turned;
      for (int i = 0; i < 4; ++i) {
        shift.segment<3>(3 * i) = Vec3::Unit(a);
        spin.segment<3>(3 * i) = Vec3::Unit(a).cross(c.x[i]);
        turned.segment<3>(3 * i) = Vec3::Unit(a).cross(term.gradient[i]);
      }
      EXPECT_LE((term.hessian * shift).norm(), 1e-13 * term.hessian.norm());
      EXPECT_LE((term.hessian * spin - turned).norm(), 1e-13 * term.hessian.norm());
    }
  }
}

TEST(Barrier, the_projected_hessian_is_the_nearest_positive_semidefinite_one_for_any_free_nodes) {
  const FreeNodes masks[] = {all_free,
                             {true, false, false, false},
                             {false, true, true, true},
                             {true, true, false, false},
                             {false, false, true, false},
                             {true, true, false, true},
                             {false, false, false, false}};
  for (const Case& c : cases())
    for (const FreeNodes& free : masks) {
      const Mat12 exact = c.kind->term(c.x, Hessian::exact, free).hessian;
      const Mat12 projected = c.kind->term(c.x, Hessian::projected, free).hessian;
      // By the eigenvalues of the whole matrix.
      const Eigen::SelfAdjointEigenSolver<Square> eigen{Square(exact)};
      const Square& v = eigen.eigenvectors();
      const Mat12 nearest = v * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * v.transpose();
      EXPECT_LE((projected - nearest).norm(), 1e-12 * exact.norm()) << c.kind->name << int(c.feature) << c.mollified;
      Mat12 direct = exact;
      project_positive(direct);
      EXPECT_LE((direct - nearest).norm(), 1e-12 * exact.norm());
      for (int i = 0; i < 4; ++i) EXPECT_TRUE(free[i] || projected.middleRows<3>(3 * i).isZero(0));
    }
}

TEST(Barrier, projection_leaves_a_positive_semidefinite_matrix_as_it_is) {
  Mat12 root;
  for (int i = 0; i < 144; ++i) root.data()[i] = uniform(7, i) - 0.5;
  const Mat12 positive = root * root.transpose() + 0.1 * Mat12::Identity();
  Mat12 projected = positive;
  project_positive(projected);
  EXPECT_EQ(projected, positive);
}

// A point that moves while the triangle is held has b'' n nᵀ: already positive above the face. With all four nodes
// free there is always a negative eigenvalue for each direction in which the closest point slides, since tilting and
// sliding together bring the two closer.
TEST(Barrier, above_the_face_the_hessian_is_positive_for_the_point_alone_but_not_for_all_four_nodes) {
  for (const Case& c : cases()) {
    if (c.feature != ClosestFeature::face) continue;
    const Mat12 alone = c.kind->term(c.x, Hessian::exact, {true, false, false, false}).hessian;
    const Mat12 projected = c.kind->term(c.x, Hessian::projected, {true, false, false, false}).hessian;
    EXPECT_LE((alone - projected).norm(), 1e-14 * alone.norm());
    const Mat12 all = c.kind->term(c.x, Hessian::exact, all_free).hessian;
    const auto values = Eigen::SelfAdjointEigenSolver<Square>(Square(all)).eigenvalues().eval();
    EXPECT_LT(values[1], -1e-3 * values[11]);
    EXPECT_GT(values[2], -1e-12 * values[11]);
  }
}

TEST(Barrier, the_mollifier_is_smooth_and_vanishes_for_parallel_edges) {
  const double h = 1e-6 * epsilon;
  for (const double r : {0.001, 0.3, 0.8, 0.99}) {
    const MollifierValue e = parallel_mollifier(r * epsilon, epsilon);
    const MollifierValue up = parallel_mollifier(r * epsilon + h, epsilon),
                         down = parallel_mollifier(r * epsilon - h, epsilon);
    EXPECT_NEAR((up.value - down.value) / (2 * h) / e.first, 1, 1e-7);
    EXPECT_NEAR((up.first - down.first) / (2 * h) / e.second, 1, 1e-7);
  }
  EXPECT_EQ(parallel_mollifier(0, epsilon).value, 0);
  EXPECT_EQ(parallel_mollifier(epsilon, epsilon).value, 1);
  EXPECT_EQ(parallel_mollifier(epsilon, epsilon).first, 0);
  EXPECT_DOUBLE_EQ(mollifier_threshold(2, 3), 1e-3 * 4 * 9);
}

TEST(Barrier, degenerate_contacts_have_finite_derivatives) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0.5, 0, 0), p(0.3, 0.1, 0);
  const FourNodes stencils[] = {{p, a, b, c},                              // a triangle without area
                                {p, a, a, a},                              // or size
                                {p, a, b, Vec3(0.5, 1e-9, 0)},             // nearly
                                {a, b, a + p, b + p},                      // parallel edges
                                {a, b, a + p, b + p + Vec3(0, 0, 1e-9)},   // nearly
                                {a, b, a + p, b + p + Vec3(0, 0, 1e-13)},  // more nearly
                                {a, a, a + p, b + p},                      // an edge without length
                                {a, a, p, p}};                             // two of them
  for (const FourNodes& x : stencils)
    for (const Kind& kind : kinds)
      for (const Hessian hessian : {Hessian::exact, Hessian::projected}) {
        const ContactTerm term = kind.term(x, hessian, all_free);
        EXPECT_EQ(std::isfinite(term.energy), kind.gap(x) > 0);
        EXPECT_TRUE(flat(term.gradient).allFinite() && term.hessian.allFinite()) << kind.name;
        EXPECT_EQ(term.energy, kind.energy(x));
      }
}

TEST(Friction, f1_and_f2_are_the_derivatives_of_f0_and_join_smoothly) {
  const double stick = 0.01, h = 1e-8;
  for (const double u : {0.001, 0.005, 0.00999, 0.0101, 0.05}) {
    EXPECT_NEAR((friction_f0(u + h, stick) - friction_f0(u - h, stick)) / (2 * h), friction_f1(u, stick), 1e-7);
    EXPECT_NEAR((friction_f1(u + h, stick) - friction_f1(u - h, stick)) / (2 * h), friction_f2(u, stick), 1e-5);
    EXPECT_NEAR(friction_f1_over_u(u, stick) * u, friction_f1(u, stick), 1e-15);
  }
  EXPECT_EQ(friction_f0(0, stick), 0);
  EXPECT_EQ(friction_f1(stick, stick), 1);
  EXPECT_NEAR(friction_f0(stick * (1 - 1e-12), stick), friction_f0(stick, stick), 1e-13);
  // The quadratic with the slope at u* lies above f0 and touches it there.
  for (const double at : {0.002, 0.02})
    for (double u = 0; u < 0.05; u += 0.0007) {
      const double slope = friction_f1_over_u(at, stick);
      EXPECT_GE(0.5 * slope * (u * u - at * at) + friction_f0(at, stick), friction_f0(u, stick) - 1e-15);
    }
}

TEST(Friction, gradients_and_hessians_are_those_that_differences_give_and_positive) {
  const double stick = 0.05, h = 1e-6;
  for (std::uint64_t key = 0; key < 60; ++key) {
    const Case& c = cases()[key * cases().size() / 60];
    const SlidingContact contact = sliding_contact(c.kind->distance(c.x), 0.4, 2.5);
    EXPECT_NEAR(contact.grip, 1.0, 1e-15);
    const double size = key % 2 == 0 ? 0.02 : 0.4;  // sticking, slipping
    FourNodes moved;
    for (int i = 0; i < 4; ++i) moved[i] = size * random_point(key, 10 + i);
    if (std::abs(slip(contact, moved).norm() - stick) < 0.01 * stick) continue;
    const ContactTerm term = friction_term(contact, moved, stick, Hessian::exact);
    EXPECT_EQ(term.energy, friction_energy(contact, moved, stick));
    const Vec12 x = flat(moved);
    Vec12 g;
    Mat12 hessian;
    for (int i = 0; i < 12; ++i) {
      const FourNodes up = nodes(x + h * Vec12::Unit(i)), down = nodes(x - h * Vec12::Unit(i));
      g[i] = (friction_energy(contact, up, stick) - friction_energy(contact, down, stick)) / (2 * h);
      hessian.col(i) = (flat(friction_term(contact, up, stick, Hessian::none).gradient) -
                        flat(friction_term(contact, down, stick, Hessian::none).gradient)) /
                       (2 * h);
    }
    EXPECT_LE((g - flat(term.gradient)).norm(), 1e-7 * g.norm());
    EXPECT_LE((hessian - term.hessian).norm(), 1e-5 * hessian.norm());
    const auto values = Eigen::SelfAdjointEigenSolver<Square>(Square(term.hessian)).eigenvalues().eval();
    EXPECT_GE(values[0], -1e-14 * values[11]);
    // Forces add up to zero, act across the normal, and are at most μ λ.
    Vec3 force = Vec3::Zero();
    for (const Vec3& part : term.gradient) force += part;
    EXPECT_LE(force.norm(), 1e-15);
    EXPECT_NEAR(term.gradient[0].dot(c.kind->distance(c.x).difference), 0, 1e-15);
    EXPECT_LE(term.gradient[0].norm(), contact.grip * (1 + 1e-12));
  }
}

// Where Newton's method would reverse a slip, the Hessian is that of the quadratic that lies above the energy.
TEST(Friction, a_slip_that_reverses_has_a_hessian_above_the_exact_one_that_leads_to_rest) {
  const double stick = 0.01;
  for (const Case& c : cases()) {
    SlidingContact contact = sliding_contact(c.kind->distance(c.x), 0.4, 2.5);
    FourNodes moved;
    for (int i = 0; i < 4; ++i) moved[i] = random_point(1000007, i);
    const ContactTerm exact = friction_term(contact, moved, stick, Hessian::projected);
    contact.reverses = true;
    const ContactTerm above = friction_term(contact, moved, stick, Hessian::projected);
    EXPECT_EQ(flat(above.gradient), flat(exact.gradient));
    EXPECT_EQ(friction_term(contact, moved, stick, Hessian::exact).hessian, exact.hessian);
    const Square more = above.hessian - exact.hessian;
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Square>(more).eigenvalues()[0], -1e-12 * above.hessian.norm());
    // Its quadratic has its least value where the slip is zero: H u = gradient for the motion u.
    EXPECT_LE((above.hessian * flat(moved) - flat(above.gradient)).norm(), 1e-12 * flat(above.gradient).norm());
  }
}

TEST(Friction, surfaces_at_rest_feel_no_force_but_resist_at_once) {
  const SlidingContact contact = sliding_contact(
      point_triangle_distance({Vec3(0.2, 0.1, 0.3), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)}), 0.5, 4);
  const FourNodes still{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  const ContactTerm term = friction_term(contact, still, 0.01, Hessian::exact);
  EXPECT_EQ(term.energy, 0);
  EXPECT_EQ(flat(term.gradient).norm(), 0);
  // μ λ 2/(h ε_v) along the surface, nothing across it.
  EXPECT_NEAR(term.hessian(0, 0), 0.5 * 4 * 2 / 0.01, 1e-9);
  EXPECT_NEAR(term.hessian(2, 2), 0.5 * 4 * 2 / 0.01, 1e-9);
  EXPECT_NEAR(term.hessian(1, 1), 0, 1e-12);
}

}  // namespace
}  // namespace coracle
