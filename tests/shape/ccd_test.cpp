// Continuous collision detection against samples of the paths.
#include "coracle/shape/ccd.h"
#include "coracle/base/parallel.h"
#include "coracle/base/random.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <mutex>

namespace coracle {
namespace {

constexpr int samples = 32;  // then as many again around the closest

Vec3 random_point(std::uint64_t key, int i) {
  return Vec3(uniform(key, 3 * i), uniform(key, 3 * i + 1), uniform(key, 3 * i + 2)) - Vec3::Constant(0.5);
}

FourNodes moved(const FourNodes& x, const FourNodes& u, double t) {
  FourNodes y;
  for (int i = 0; i < 4; ++i) y[i] = x[i] + t * u[i];
  return y;
}

struct Path {
  FourNodes x, u;
};

// Paths of all kinds. In most of them the two sides meet, or nearly meet, at some time.
constexpr int kinds = 11;
Path random_path(std::uint64_t key, bool edges) {
  Path path;
  auto& [x, u] = path;
  for (int i = 0; i < 4; ++i) x[i] = random_point(key, i), u[i] = random_point(key, 4 + i);
  const Vec3 n = (edges ? (x[1] - x[0]).cross(x[3] - x[2]) : (x[2] - x[1]).cross(x[3] - x[1])).normalized();
  const int near_side = edges ? 2 : 1;  // nodes before this one belong to the first side
  const double small = std::pow(10.0, -4 * uniform(key, 60));
  switch (key % kinds) {
    case 0:
      break;  // anything
    case 1:   // a short way apart
      for (int i = 0; i < near_side; ++i) x[i] += (-n.dot(x[i] - x[near_side]) + small * 0.1) * n;
      break;
    case 2:  // all in a plane
      for (int i = 0; i < 4; ++i) x[i].y() = 0, u[i].y() = 0;
      break;
    case 3:
      u = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
      break;  // at rest
    case 4:   // parallel edges, a line as triangle
      x[3] = x[2] + (x[1] - x[0]) * (0.5 + uniform(key, 61));
      if (!edges) x[3] = x[1] + uniform(key, 61) * (x[2] - x[1]);
      if (uniform(key, 62) < 0.5) u[3] = u[2], u[1] = u[0];
      break;
    case 5:  // grazing: the first side slides past at a small distance
      for (int i = 0; i < near_side; ++i) {
        x[i] += (-n.dot(x[i] - x[near_side]) + small) * n;
        u[i] -= (1 - 0.1 * small) * n.dot(u[i]) * n;
      }
      for (int i = near_side; i < 4; ++i) u[i] = 0.01 * small * u[i];
      break;
    case 6:  // no area, no length
      x[3] = x[2], u[3] = u[2];
      if (uniform(key, 61) < 0.3) x[1] = x[2], u[1] = u[2];
      break;
    case 7: {  // turning as a whole, with a little more
      const Eigen::AngleAxisd turn(uniform(key, 61), random_point(key, 30).normalized());
      for (int i = 0; i < 4; ++i) u[i] = turn * x[i] - x[i] + 0.1 * small * u[i];
      break;
    }
    case 8:  // all fast the same way
      for (int i = 0; i < 4; ++i) u[i] = 100 * random_point(key, 31) + 0.3 * u[i];
      break;
    case 9:  // aimed at each other's middle
      for (int i = 0; i < near_side; ++i)
        u[i] = (edges ? Vec3((x[2] + x[3]) / 2 - (x[0] + x[1]) / 2) : Vec3((x[1] + x[2] + x[3]) / 3 - x[0])) * 1.5;
      for (int i = near_side; i < 4; ++i) u[i] *= small;
      break;
    case 10: {  // a short way apart, turning about each other
      const Vec3 shift = (edges ? Vec3((x[2] + x[3] - x[0] - x[1]) / 2) : Vec3((x[1] + x[2] + x[3]) / 3 - x[0]));
      for (int i = 0; i < near_side; ++i) x[i] += shift + 0.1 * small * n;
      const Eigen::AngleAxisd turn(uniform(key, 61), random_point(key, 30).normalized());
      for (int i = 0; i < 4; ++i) u[i] = turn * (x[i] - x[0]) - (x[i] - x[0]);
      for (int i = 0; i < near_side; ++i) u[i] += (0.2 * uniform(key, 64) - 0.1) * small * n;
      break;
    }
  }
  const double scale = std::pow(10.0, 9 * uniform(key, 63) - 6);  // 1 µm to 1 km
  for (int i = 0; i < 4; ++i) x[i] *= scale, u[i] *= scale;
  return path;
}

struct Tally {
  int paths = 0, impacts = 0, unfinished = 0, late = 0, early = 0;
};

template <class Ccd, class Distance>
Tally compare(std::size_t paths, bool edges, double gap_share, const Ccd& ccd, const Distance& distance) {
  Tally total{.paths = int(paths)};
  std::mutex lock;
  for_blocks(paths, 1000, [&](std::size_t begin, std::size_t end) {
    Tally tally;
    for (std::size_t key = begin; key < end; ++key) {
      const auto [x, u] = random_path(key, edges);
      const auto distance_at = [&, &x = x, &u = u](double t) { return std::sqrt(distance(moved(x, u, t)).squared); };
      const double start = distance_at(0), gap = gap_share * start, room = start - gap;
      const double t = ccd(x, u, CcdOptions{.gap = gap});
      // Samples up to t, then around the closest one.
      double least = start, at = 0;
      const auto sample = [&](double from, double to) {
        for (int i = 0; i <= samples; ++i) {
          const double time = from + (to - from) * i / samples, d = distance_at(time);
          if (d < least) least = d, at = time;
        }
      };
      sample(0, t);
      const double step = t / samples;
      sample(std::max(at - step, 0.0), std::min(at + step, t));
      double size = 0;
      for (int i = 0; i < 4; ++i) size = std::max({size, x[i].norm(), u[i].norm()});
      if (start == 0) {
        tally.early += t != 0;
        continue;
      }
      if (!(t >= 0 && t <= 1) || least - gap < 0.1 * room - 1e-14 * size) ++tally.late;
      if (t < 1) {
        ++tally.impacts;
        if (distance_at(t) - gap > 0.2 * room + 1e-14 * size) ++tally.unfinished;
      }
      if (key % kinds == 3) tally.early += t != 1;
    }
    const std::lock_guard guard(lock);
    total.impacts += tally.impacts, total.unfinished += tally.unfinished;
    total.late += tally.late, total.early += tally.early;
  });
  return total;
}

void expect_safe(const Tally& tally) {
  EXPECT_EQ(tally.late, 0);        // nowhere on the way is less left than a tenth
  EXPECT_EQ(tally.unfinished, 0);  // at every impact, at most two tenths are left
  EXPECT_EQ(tally.early, 0);       // nodes at rest do not collide; those that touch do
  EXPECT_GT(tally.impacts, tally.paths / 20);
}

TEST(Ccd, a_point_never_passes_a_triangle) {
  expect_safe(compare(100000, false, 0, point_triangle_ccd, point_triangle_distance));
}

TEST(Ccd, an_edge_never_passes_an_edge) { expect_safe(compare(100000, true, 0, edge_edge_ccd, edge_edge_distance)); }

TEST(Ccd, surfaces_with_a_thickness_stay_apart_by_it) {
  for (const double share : {0.3, 0.9, 0.999}) {  // of the initial distance
    expect_safe(compare(20000, false, share, point_triangle_ccd, point_triangle_distance));
    expect_safe(compare(20000, true, share, edge_edge_ccd, edge_edge_distance));
  }
}

TEST(Ccd, a_straight_approach_ends_where_a_tenth_is_left) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 0, 1), rest = Vec3::Zero();
  // A particle 5 mm above a triangle, at 50 m/s for 5 ms: it would end 245 mm below.
  const double d = 0.005, speed = 50, dt = 0.005;
  const FourNodes x{Vec3(0.2, d, 0.3), a, b, c}, u{Vec3(0, -speed * dt, 0), rest, rest, rest};
  EXPECT_NEAR(point_triangle_ccd(x, u) * speed * dt, 0.9 * d, 1e-12);
  EXPECT_NEAR(point_triangle_ccd(x, u, {.slack = 0.5}) * speed * dt, 0.5 * d, 1e-12);
  // Half of a thickness of 1 mm lies before the triangle: 4.5 mm are left, and 0.45 mm of those stay.
  EXPECT_NEAR(point_triangle_ccd(x, u, {.gap = 0.0005}) * speed * dt, 0.9 * 0.0045, 1e-12);
  EXPECT_EQ(point_triangle_ccd(x, u, {.until = 0.01}), 0.01);
  // It passes beside the triangle.
  EXPECT_EQ(point_triangle_ccd({Vec3(0.7, d, 0.7), a, b, c}, u), 1);
}

TEST(Ccd, surfaces_that_touch_do_not_move) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 0, 1), up(0, 1, 0), rest = Vec3::Zero();
  EXPECT_EQ(point_triangle_ccd({Vec3(0.2, 0, 0.3), a, b, c}, {up, rest, rest, rest}), 0);
  EXPECT_EQ(edge_edge_ccd({a, b, Vec3(0.5, 0, -1), Vec3(0.5, 0, 1)}, {up, up, rest, rest}), 0);
  EXPECT_EQ(point_triangle_ccd({Vec3(0.2, 0.1, 0.3), a, b, c}, {up, rest, rest, rest}, {.gap = 0.1}), 0);
}

TEST(Ccd, a_common_motion_however_fast_changes_little) {
  for (std::uint64_t key = 0; key < 1000; ++key) {
    const auto [x, u] = random_path(kinds * key, false);
    const Vec3 fast = 1000 * random_point(key, 40) * x[0].norm();
    FourNodes v = u;
    for (Vec3& w : v) w += fast;
    EXPECT_NEAR(point_triangle_ccd(x, v), point_triangle_ccd(x, u), 1e-6);
  }
}

}  // namespace
}  // namespace coracle
