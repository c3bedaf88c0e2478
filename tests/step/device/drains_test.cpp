// Outflows take at a place what they take on the processor.
#include "coracle/step/liquid/device/drains.h"

#include <gtest/gtest.h>

#include <random>

namespace coracle {
namespace {

ShapeOptions shape(ShapeKind kind, const Vec3& center) {
  ShapeOptions s;
  s.kind = kind;
  s.center = center;
  s.size = Vec3(0.5, 0.3, 0.4);
  s.radius = 0.25, s.height = 0.4, s.tube = 0.12, s.thickness = 0.1;
  s.axis = Vec3(1, 2, 0.5);
  s.point = center, s.normal = Vec3(1, 0.3, -0.2);
  s.rotate = Vec3(20, 30, -40);
  return s;
}
ShapeOptions of(ShapeKind kind, std::vector<ShapeOptions> parts) {
  ShapeOptions s;
  s.kind = kind;
  s.parts = std::move(parts);
  return s;
}

std::vector<Region> regions() {
  using enum ShapeKind;
  const Vec3 a(0.4, 0.5, 0.5), b(0.6, 0.45, 0.5), c(0.5, 0.6, 0.4);
  std::vector<Region> all;
  for (const ShapeKind kind : {box, sphere, cylinder, half_space, torus, hollow_sphere})
    all.emplace_back(shape(kind, a));
  all.emplace_back(sphere_mesh(b, 0.3, 0.05));
  const ShapeOptions two = of(union_of, {shape(box, a), shape(sphere, b), shape(torus, c)});
  const ShapeOptions less = of(difference, {shape(sphere, a), shape(box, b), shape(cylinder, c)});
  all.emplace_back(two);
  all.emplace_back(less);
  all.emplace_back(of(intersection, {two, shape(half_space, b), shape(sphere, c)}));
  all.emplace_back(of(difference, {two, of(intersection, {less, shape(box, a)}), shape(hollow_sphere, b)}));
  all.emplace_back(of(smooth_union, {shape(sphere, a), shape(box, b)}));
  all.emplace_back(of(difference, {shape(sphere, c), of(smooth_union, {shape(sphere, a), shape(box, b)})}));
  all.emplace_back(of(union_of, {}));
  return all;
}

TEST(Drains, take_what_regions_contain) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> coordinate(0, 1);
  Host place;
  PlacedParticles<Host> particles;
  particles.resize(5000, false);
  for (std::size_t p = 0; p < particles.count; ++p)
    particles.x.data()[p] = {coordinate(random), coordinate(random), coordinate(random)};
  Host::Array<std::uint8_t> gone;
  const std::vector<Region> all = regions();
  std::vector<std::uint8_t> any(particles.count, 0);
  for (std::size_t r = 0; r < all.size(); ++r) {
    PlacedRegions<Host> placed;
    const std::vector<Region> one = {all[r]};
    place_regions(place, one, placed);
    mark_drained(place, placed, particles, gone);
    std::size_t taken = 0;
    for (std::size_t p = 0; p < particles.count; ++p) {
      const bool contained = all[r].contains(particles.x.data()[p]);
      ASSERT_EQ(bool(gone.data()[p]), contained) << r;
      taken += contained;
      any[p] = any[p] || (contained && r < 3);
    }
    if (r + 1 < all.size()) {  // the last one is empty
      EXPECT_GT(taken, 50u) << r;
      EXPECT_LT(taken, 4500u) << r;
    }
  }
  PlacedRegions<Host> three;
  const std::vector<Region> first(all.begin(), all.begin() + 3);
  place_regions(place, first, three);
  mark_drained(place, three, particles, gone);
  for (std::size_t p = 0; p < particles.count; ++p) ASSERT_EQ(gone.data()[p], any[p]);
}

}  // namespace
}  // namespace coracle
