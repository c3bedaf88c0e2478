// Distances between points and triangles and between edges, against a search for the minimum.
#include "coracle/shape/simplex_distance.h"
#include "coracle/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace coracle {
namespace {

Vec3 random_point(std::uint64_t key, int i) {
  return Vec3(uniform(key, 3 * i), uniform(key, 3 * i + 1), uniform(key, 3 * i + 2)) - Vec3::Constant(0.5);
}

FourNodes random_nodes(std::uint64_t key) {
  return {random_point(key, 0), random_point(key, 1), random_point(key, 2), random_point(key, 3)};
}

// Random nodes, of which every kind but the first is degenerate in its own way.
constexpr int kinds = 9;
FourNodes nodes_of_kind(std::uint64_t key, int kind) {
  FourNodes x = random_nodes(key);
  const double t = uniform(key, 20);
  switch (kind) {
    case 1:
      x[3] = x[2];
      break;  // a side or an edge without length
    case 2:
      x[1] = x[2] = x[3];
      break;  // a triangle that is a point
    case 3:
      x[2] = x[1] + t * (x[3] - x[1]);
      break;  // a triangle that is a line
    case 4:
      x[3] = x[2] + (2 * t - 1) * (x[1] - x[0]);
      break;  // parallel edges
    case 5:
      x[0] = x[1];
      break;  // an edge without length; p on a corner
    case 6:
      x[0] = (x[1] + x[2] + x[3]) / 3;
      break;  // p in the face
    case 7:
      x[2] = x[1] + t * (x[3] - x[1]) + 1e-9 * x[0];
      break;  // a triangle that is nearly a line
    case 8:
      x[3] = x[2] + (x[1] - x[0]) + 1e-7 * (x[3] - x[2]);
      break;  // nearly parallel edges
  }
  return x;
}

// The least value of a convex function on [0, 1].
template <class F>
double least(F&& f) {
  double lo = 0, hi = 1;
  for (int i = 0; i < 60; ++i) {
    const double third = (hi - lo) / 3;
    if (f(lo + third) < f(hi - third))
      hi -= third;
    else
      lo += third;
  }
  return std::min({f(0.0), f(1.0), f(0.5 * (lo + hi))});
}

double searched_point_triangle(const FourNodes& x) {
  return std::sqrt(least([&](double u) {
    return least([&](double v) {
      const Vec3 on = (1 - u) * x[1] + u * ((1 - v) * x[2] + v * x[3]);
      return (x[0] - on).squaredNorm();
    });
  }));
}

double searched_edge_edge(const FourNodes& x) {
  return std::sqrt(least([&](double s) {
    const Vec3 on = (1 - s) * x[0] + s * x[1];
    return least([&](double t) { return (on - (1 - t) * x[2] - t * x[3]).squaredNorm(); });
  }));
}

void expect_consistent(const SimplexDistance& d, const FourNodes& x, double scale) {
  ASSERT_TRUE(std::isfinite(d.squared) && d.weight.allFinite() && d.difference.allFinite());
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < 4; ++i) sum += d.weight[i] * x[i];
  EXPECT_LE((sum - d.difference).norm(), 1e-15 * scale * 4);
  EXPECT_NEAR(d.weight.sum(), 0, 1e-15);
  EXPECT_DOUBLE_EQ(d.squared, d.difference.squaredNorm());
  // Nodes that slides change are those with weight, and s is stationary along them.
  const Slides slides = slides_of(d.feature);
  for (int k = 0; k < slides.count; ++k) {
    const auto [plus, minus] = slides.slide[k];
    EXPECT_NE(d.weight[plus], 0);
    EXPECT_NE(d.weight[minus], 0);
  }
}

TEST(SimplexDistance, distances_are_those_that_a_search_for_the_minimum_finds) {
  for (std::uint64_t key = 0; key < 900; ++key) {
    const int kind = int(key % kinds);
    const double scale = std::pow(10.0, double(key % 10) - 6);  // 1 µm to 1 km
    FourNodes x = nodes_of_kind(key, kind);
    for (Vec3& p : x) p *= scale;
    const SimplexDistance pt = point_triangle_distance(x), ee = edge_edge_distance(x);
    expect_consistent(pt, x, scale);
    expect_consistent(ee, x, scale);
    // A search can be too high by the root of rounding where the distance is zero.
    const auto tolerance = [&](double squared) { return (squared > 1e-4 * scale * scale ? 1e-13 : 1e-8) * scale; };
    EXPECT_NEAR(std::sqrt(pt.squared), searched_point_triangle(x), tolerance(pt.squared)) << "kind " << kind;
    EXPECT_NEAR(std::sqrt(ee.squared), searched_edge_edge(x), tolerance(ee.squared)) << "kind " << kind;
  }
}

TEST(SimplexDistance, every_feature_is_found_and_its_weights_lie_on_it) {
  std::map<ClosestFeature, int> count;
  for (std::uint64_t key = 0; key < 20000; ++key) {
    const FourNodes x = random_nodes(key);
    for (const SimplexDistance& d : {point_triangle_distance(x), edge_edge_distance(x)}) {
      ++count[d.feature];
      const int nodes = int((d.weight.array() != 0).count());
      EXPECT_EQ(nodes, 2 + slides_of(d.feature).count);
    }
  }
  for (int f = 0; f <= int(ClosestFeature::lines); ++f) EXPECT_GT(count[ClosestFeature(f)], 50) << f;
}

TEST(SimplexDistance, points_above_a_triangle_have_the_distances_that_one_reads_off) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 0, 1);
  using enum ClosestFeature;
  const struct {
    Vec3 p;
    double squared;
    ClosestFeature feature;
  } cases[] = {{{0.25, 0.5, 0.25}, 0.25, face}, {{0.5, 1, -1}, 2, side_ab}, {{-1, 1, 0.5}, 2, side_ca},
               {{1, 1, 1}, 1.5, side_bc},       {{-1, 1, -1}, 3, corner_a}, {{3, 0, -1}, 5, corner_b},
               {{-1, 0, 3}, 5, corner_c},       {{0.25, 0, 0.25}, 0, face}};
  for (const auto& k : cases) {
    const SimplexDistance d = point_triangle_distance({k.p, a, b, c});
    EXPECT_DOUBLE_EQ(d.squared, k.squared);
    EXPECT_EQ(d.feature, k.feature) << k.p.transpose();
  }
}

TEST(SimplexDistance, edges_have_the_distances_that_one_reads_off) {
  using enum ClosestFeature;
  const Vec3 a0(0, 0, 0), a1(2, 0, 0);
  const struct {
    Vec3 b0, b1;
    double squared;
    ClosestFeature feature;
  } cases[] = {
      {{1, 1, -1}, {1, 1, 1}, 1, lines},     {{1, 1, 1}, {1, 1, 3}, 2, b0_on_a},  {{1, 1, 3}, {1, 1, 1}, 2, b1_on_a},
      {{-1, 1, -1}, {-1, 1, 1}, 2, a0_on_b}, {{3, 1, -1}, {3, 1, 1}, 2, a1_on_b}, {{-1, 1, 1}, {-1, 1, 3}, 3, a0_b0},
      {{-1, 1, 3}, {-1, 1, 1}, 3, a0_b1},    {{3, 1, 1}, {3, 1, 3}, 3, a1_b0},    {{3, 1, 3}, {3, 1, 1}, 3, a1_b1},
      {{-1, 1, 0}, {3, 1, 0}, 1, a0_on_b},   {{-3, 1, 0}, {-1, 1, 0}, 2, a0_b1}};
  for (const auto& k : cases) {
    const SimplexDistance d = edge_edge_distance({a0, a1, k.b0, k.b1});
    EXPECT_DOUBLE_EQ(d.squared, k.squared);
    EXPECT_EQ(d.feature, k.feature) << k.b0.transpose() << ", " << k.b1.transpose();
  }
}

TEST(SimplexDistance, nodes_that_coincide_have_distance_zero_and_no_nan) {
  const Vec3 p(0.1, 0.2, 0.3);
  for (const double size : {0.0, 1e-300, 1e-160, 1e-80}) {
    const FourNodes x{p, p + Vec3(size, 0, 0), p + Vec3(0, size, 0), p + Vec3(0, 0, size)};
    for (const SimplexDistance& d : {point_triangle_distance(x), edge_edge_distance(x)}) {
      EXPECT_TRUE(std::isfinite(d.squared) && d.weight.allFinite());
      EXPECT_NEAR(d.squared, 0, 1e-150);
    }
    FourNodes near_origin = x;
    for (Vec3& q : near_origin) q -= p;
    for (const SimplexDistance& d : {point_triangle_distance(near_origin), edge_edge_distance(near_origin)})
      EXPECT_TRUE(std::isfinite(d.squared) && d.weight.allFinite());
  }
}

}  // namespace
}  // namespace coracle
