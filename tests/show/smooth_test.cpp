#include "coracle/show/smooth.h"

#include "coracle/base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

// Two matte floors side by side, the right one twice as bright, under light of 1 with grain of a tenth.
struct Floors {
  Material left, right;
  Exposure film;
  Floors() {
    film = {40, 20, {}, {}, {}};
    for (int i = 0; i < 800; ++i) {
      const int x = i % 40, y = i / 40;
      const bool on_left = x < 20;
      const float color = on_left ? 0.3f : 0.6f, grain = 0.1f * std::sqrt(12.0f) * float(uniform(3, i) - 0.5);
      film.seen.push_back(
          {on_left ? &left : &right, Vec3f(float(x), 0, float(y)), Vec3f::UnitY(), Vec3f::Constant(color)});
      film.light.push_back(Vec3f::Constant(color * (1 + grain)));
      film.variance.push_back(0.01f * color * color);
    }
  }
  // Root of the mean square of what light/colour is off 1.
  double grain() const {
    double sum = 0;
    for (std::size_t i = 0; i < film.light.size(); ++i)
      sum += std::pow(film.light[i][0] / film.seen[i].color[0] - 1, 2);
    return std::sqrt(sum / double(film.light.size()));
  }
};

TEST(Smooth, takes_most_of_the_grain_and_keeps_the_edge_and_the_mean) {
  Floors f;
  EXPECT_NEAR(f.grain(), 0.1, 0.01);
  smooth(f.film);
  EXPECT_LT(f.grain(), 0.025);
  double sum = 0;
  for (std::size_t i = 0; i < 800; ++i) sum += f.film.light[i][0] / f.film.seen[i].color[0] / 800;
  EXPECT_NEAR(sum, 1, 0.01);
  EXPECT_NEAR(f.film.light[19][0], 0.3, 0.02);
  EXPECT_NEAR(f.film.light[20][0], 0.6, 0.04);
}

TEST(Smooth, a_shadow_far_beyond_the_grain_stays_sharp_and_water_untouched) {
  Floors f;
  for (std::size_t i = 0; i < 800; ++i) {
    f.film.light[i] = Vec3f::Constant(i / 40 < 10 ? 0.1f : 1.0f);
    f.film.variance[i] = 1e-4f;
    if (i % 40 == 30) f.film.seen[i].matte = nullptr, f.film.light[i] = Vec3f::Constant(5);
  }
  const std::vector<Vec3f> before = f.film.light;
  smooth(f.film);
  for (std::size_t i = 0; i < 800; ++i) EXPECT_LT((f.film.light[i] - before[i]).norm(), 1e-3f) << i;
}

}  // namespace
}  // namespace coracle
