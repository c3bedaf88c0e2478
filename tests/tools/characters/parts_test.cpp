// The parts that make characters: flesh, coarser triangles, limbs that reach, curves.
#include "coracle/base/random.h"
#include "coracle/shape/tri_mesh.h"
#include "tools/characters/character.h"
#include "tools/characters/coarsen.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle::characters {
namespace {

Vec3 some_point(int i) {
  const auto part = [&](double share) { return 2 * (share * i - std::floor(share * i)) - 1; };
  return {part(0.618034), part(0.754878), part(0.569840)};  // spread evenly over a cube
}

TEST(Flesh, of_a_round_cone_is_as_far_as_the_nearest_of_its_spheres) {
  const Flesh cone{.a = {-0.3, 0.1, 0}, .b = {0.4, 0.2, 0.1}, .ra = 0.3, .rb = 0.1};
  for (int i = 0; i < 200; ++i) {
    const Vec3 x = some_point(i);
    double nearest = 1e9;
    for (int k = 0; k <= 1000; ++k) {
      const double s = 1e-3 * k;
      nearest = std::min(nearest, (x - cone.a - s * (cone.b - cone.a)).norm() - (1 - s) * cone.ra - s * cone.rb);
    }
    EXPECT_NEAR(distance_to(cone, x), nearest, 1e-5);  // the samples are 1e-3 apart, and the minimum is flat
  }
}

TEST(Flesh, that_is_pressed_has_the_thickness_asked_for) {
  const Flesh fin{.a = {0, 0, 0}, .b = {1, 0, 0}, .ra = 0.2, .rb = 0.2, .flat = 0.3, .across = Vec3::UnitY()};
  EXPECT_NEAR(distance_to(fin, {0.5, 0.06, 0}), 0, 1e-12);    // through its middle: flat · radius
  EXPECT_NEAR(distance_to(fin, {0.5, 0, 0.2}), 0, 1e-12);     // at its rim: the radius
  EXPECT_NEAR(distance_to(fin, {0.5, 0.5, 0}), 0.44, 1e-12);  // and distances along both are true
  EXPECT_NEAR(distance_to(fin, {0.5, 0, 0.5}), 0.3, 1e-12);
}

TEST(Flesh, blends_smoothly_and_only_near_creases) {
  const Flesh a{.a = {-0.3, 0, 0}, .b = {-0.3, 0, 0}, .ra = 0.3, .rb = 0.3};
  const Flesh b{.a = {0.3, 0, 0}, .b = {0.3, 0, 0}, .ra = 0.3, .rb = 0.3, .blend = 0.2};
  for (int i = 0; i < 200; ++i) {
    const Vec3 x = some_point(i);
    const double plain = std::min(distance_to(a, x), distance_to(b, x)), d = distance_to({a, b}, x);
    EXPECT_LE(d, plain);
    EXPECT_GE(d, plain - 0.25 * b.blend);
    if (std::abs(distance_to(a, x) - distance_to(b, x)) > b.blend) {
      EXPECT_EQ(d, plain);
    }
  }
  // In the crease, where the plain union has a kink, slopes from both sides agree.
  const auto slope = [&](double x) {
    return (distance_to({a, b}, {x + 1e-6, 0.3, 0}) - distance_to({a, b}, {x - 1e-6, 0.3, 0})) / 2e-6;
  };
  EXPECT_NEAR(slope(-1e-4), slope(1e-4), 1e-2);
}

TEST(Coarsen, keeps_a_sphere_closed_and_round) {
  TriMesh mesh = sphere_mesh(Vec3::Zero(), 1, 0.05);
  const std::size_t before = mesh.tris.size();
  coarsen(
      mesh, [](const Vec3&) { return 0.2; }, [](const Vec3& x) { return x.normalized(); });
  EXPECT_EQ(closedness_problem(mesh), "");
  // Triangles of edges around l have an area around √3/4 l²; here l lies between three quarters and 1.35 of 0.2.
  EXPECT_LT(mesh.tris.size(), before / 8);
  for (const Vec3i& t : mesh.tris)
    for (int k = 0; k < 3; ++k) EXPECT_LT((mesh.x[t[k]] - mesh.x[t[(k + 1) % 3]]).norm(), 1.35 * 0.2 + 1e-12);
  // A chord of length l lies l²/8 inside; the volume is short by at most 3 l²/8.
  EXPECT_NEAR(enclosed_volume(mesh) / (4 * M_PI / 3), 1, 3 * 0.27 * 0.27 / 8);
}

TEST(Limb, reaches_what_it_can_and_turns_smoothly_into_what_it_cannot) {
  Character c;
  c.add_bone("upper", -1, {0, 0, 0});
  c.add_bone("lower", 0, {0.1, -0.5, 0});
  c.add_bone("end", 1, {0, -0.9, 0});
  const double length = c.bones[1].joint.norm() + (c.bones[2].joint - c.bones[1].joint).norm();
  const auto end_at = [&](const Vec3& target) {
    Pose pose = c.rest();
    reach(c, pose, 0, 1, 2, target, Vec3::UnitX());
    return frames_of(c.bones, pose).place[2];
  };
  for (int i = 0; i < 50; ++i) {
    const Vec3 target = (0.3 + 0.012 * i) * length * some_point(i).normalized();
    if (target.norm() < 0.98 * length) {
      EXPECT_LT((end_at(target) - target).norm(), 1e-12);
    }
  }
  const Vec3 way = Vec3(0.3, -1, 0.2).normalized();
  double last = end_at(0.9 * length * way).norm();
  for (double d = 0.91; d < 1.3; d += 0.01) {  // nearer and nearer to straight, never beyond, always ahead
    const Vec3 end = end_at(d * length * way);
    EXPECT_LT((end.normalized() - way).norm(), 1e-9);
    EXPECT_GT(end.norm(), last);
    EXPECT_LT(last = end.norm(), length);
  }
}

TEST(Curve, passes_its_knots_with_one_slope_from_both_sides) {
  const std::vector<std::array<double, 2>> knots = {{0, 1}, {0.3, 2}, {1, 5}, {1.2, 5.5}, {2, 0}};
  for (const auto& [t, value] : knots) {
    EXPECT_NEAR(curve(knots, t), value, 1e-12);
    const double h = 1e-6, before = (curve(knots, t) - curve(knots, t - h)) / h,
                 after = (curve(knots, t + h) - curve(knots, t)) / h;
    EXPECT_NEAR(before, after, 1e-3);
  }
  EXPECT_EQ(curve(knots, -1), 1);
  EXPECT_EQ(curve(knots, 3), 0);
}

}  // namespace
}  // namespace coracle::characters
