#include "coracle/step/sph/particle_phase.h"

#include "coracle/step/contact/barrier.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

constexpr double spacing = 0.01, area = 1.209 * spacing * spacing, mass = 1e-3, g = 9.81;
const Bounds box{Vec3::Zero(), Vec3::Ones()};
constexpr double stiffness = 1e4;
const TouchLaw law{.reach = 0.6 * spacing, .friction = 0};

// φ(y) = ρ g D / (1.209 κ), y = d/d̂: y = 0.9815 for D = 10 mm and κ = 10 kPa.
TEST(LoneParticle, rests_on_the_floor_where_the_barrier_carries_its_weight) {
  constexpr double h = 2e-3;
  LoneParticle p{.x = Vec3(0.5, law.reach, 0.5), .mass = mass, .kappa = stiffness * area, .triangles = {}};
  Vec3 v = Vec3::Zero();
  for (int i = 0; i < 2000; ++i) {
    p.target = v + Vec3(0, -g * h, 0);
    const LoneResult r = settle(p, box, law, h, 0, 1e-9);
    ASSERT_TRUE(r.ok);
    v = r.v;
    p.x += h * v;
  }
  EXPECT_LT(v.norm(), 1e-7);
  EXPECT_NEAR(area * barrier_pressure({.kappa = stiffness, .reach = law.reach}, p.x.y()), mass * g, 1e-6 * mass * g);
  EXPECT_NEAR(p.x.y() / law.reach, 0.9815, 1e-4);
}

MovingTriangle triangle(double y, double way, double radius) {
  MovingTriangle t{.x = {Vec3(0, y, 0), Vec3(1, y, 0), Vec3(0.5, y, 1)}, .way = {}, .radius = radius};
  t.way.fill(Vec3(0, way, 0));
  return t;
}

TEST(LoneParticle, does_not_pass_a_sheet_of_1_mm_at_50_or_1000_m_s) {
  for (const double speed : {50.0, 1000.0}) {
    LoneParticle p{.x = Vec3(0.5, 0.55, 0.3),
                   .target = Vec3(0, -speed, 0),
                   .mass = mass,
                   .kappa = stiffness * area,
                   .triangles = {triangle(0.5, 0, 5e-4)}};
    const LoneResult r = settle(p, box, law, 5e-3, 0, 1e-6);
    ASSERT_TRUE(r.ok) << speed;
    EXPECT_GT((p.x + 5e-3 * r.v).y(), 0.5 + 5e-4) << speed;
    EXPECT_GT(r.nearest, 0) << speed;
  }
}

TEST(LoneParticle, is_pushed_by_a_solid_that_comes_and_the_solid_arrives) {
  LoneParticle p{
      .x = Vec3(0.5, 0.504, 0.3), .mass = mass, .kappa = stiffness * area, .triangles = {triangle(0.5, 0.1, 0)}};
  const LoneResult r = settle(p, box, law, 5e-3, 0, 1e-6);
  ASSERT_TRUE(r.ok);
  EXPECT_GT((p.x + 5e-3 * r.v).y(), 0.6);
  EXPECT_LT((p.x + 5e-3 * r.v).y(), 0.6 + law.reach);
}

// On a floor that carries m g, friction takes μ g h of the speed in a step.
TEST(LoneParticle, slides_and_sticks_by_coulombs_law) {
  constexpr double h = 1e-3, mu = 0.4;
  TouchLaw rough = law;
  rough.friction = mu;
  const BarrierLaw barrier{.kappa = stiffness, .reach = law.reach};
  double low = 0, high = law.reach;  // where the barrier carries the weight
  for (int i = 0; i < 60; ++i)
    (area * barrier_pressure(barrier, 0.5 * (low + high)) > mass * g ? low : high) = 0.5 * (low + high);
  LoneParticle p{.x = Vec3(0.5, low, 0.5), .mass = mass, .kappa = stiffness * area, .triangles = {}};
  p.target = Vec3(0.5, -g * h, 0);
  const LoneResult fast = settle(p, box, rough, h, 1e-3 * h, 1e-9);
  ASSERT_TRUE(fast.ok);
  EXPECT_NEAR(fast.v.x(), 0.5 - mu * g * h, 1e-6);
  p.target = Vec3(0.5 * mu * g * h, -g * h, 0);
  const LoneResult slow = settle(p, box, rough, h, 1e-3 * h, 1e-9);
  ASSERT_TRUE(slow.ok);
  EXPECT_LT(slow.v.x(), 1e-3);
}

}  // namespace
}  // namespace coracle
