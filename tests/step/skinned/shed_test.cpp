#include "coracle/step/skinned/shed.h"

#include "coracle/shape/tri_mesh.h"
#include "validation/film_on_skin.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using namespace validation;

const Vec3 gravity(0, -9.81, 0);
constexpr double particle = 1e-6;  // m³

// 10 cm square in triangles of 1 cm; its normal points down, or up.
FilmOnSkin ceiling() { return FilmOnSkin(plate_mesh(Vec3(0.1, 0, 0), Vec3(0, 0, 0.1), 10, 10)); }
FilmOnSkin floor() { return FilmOnSkin(plate_mesh(Vec3(0, 0, 0.1), Vec3(0.1, 0, 0), 10, 10)); }

int shed(FilmOnSkin& skin) {
  skin.update();
  const FilmLaw law;
  const DripPatches patches = find_drip_patches(skin.edges, skin.frame, law);
  return shed(patches, skin.motion(), skin.frame, law, gravity, particle, skin.film, skin.drops);
}

double pendant(const FilmOnSkin& skin) {
  return std::accumulate(skin.film.pendant.begin(), skin.film.pendant.end(), 0.0);
}

TEST(Shed, what_is_held_does_not_depend_on_the_triangles) {
  // A film that slowly grows to 1.5 mm. What still hangs is less than a drop, 48 mm³, on every 24 mm square.
  const double area = 0.01, drops = area / (0.024 * 0.024);
  for (int parts : {5, 10, 20, 40}) {
    FilmOnSkin skin(plate_mesh(Vec3(0.1, 0, 0), Vec3(0, 0, 0.1), parts, parts));
    skin.coat(1e-3);
    for (int n = 0; n < 100; ++n) {
      for (std::size_t i = 0; i < skin.size(); ++i) skin.film.volume[i] += 5e-6 * skin.frame.area[i];
      shed(skin);
    }
    EXPECT_LT(pendant(skin), drops * 48e-9) << parts;
    EXPECT_NEAR(skin.film_volume(), 1e-3 * area, 1e-8 * area);
    EXPECT_NEAR(skin.total_volume(), 1.5e-3 * area, 1e-12 * area);
  }
}

TEST(Shed, a_floor_keeps_everything) {
  FilmOnSkin skin = floor();
  skin.coat(3e-3);
  EXPECT_EQ(shed(skin), 0);
  EXPECT_EQ(pendant(skin), 0);
}

TEST(Shed, drops_start_outside_the_skin_with_the_velocity_of_the_film) {
  FilmOnSkin skin = ceiling();
  skin.v.assign(skin.v.size(), Vec3(1, 0.5, 0));
  skin.update();
  skin.coat(3e-3);
  for (Vec3& v : skin.film.v) v += Vec3(0, 0, 0.2);
  ASSERT_GT(shed(skin), 0);
  for (std::size_t k = 0; k < skin.drops.size(); ++k) {
    const double radius = std::cbrt(3 * skin.drops.volume[k] / (4 * M_PI));
    EXPECT_LE(skin.drops.x[k].y(), -radius * (1 - 1e-12));
    EXPECT_LT((skin.drops.v[k] - Vec3(1, 0.5, 0.2)).norm(), 1e-14);
  }
}

TEST(Shed, heavier_pull_makes_smaller_drops) {
  // A neck of length ∝ √(σ/ρa) carries σ √(σ/ρa): the weight ρ V a of the drop.
  const FilmLaw law;
  for (double pull : {5.0, 9.81, 100.0}) {
    const double volume = falling_volume(law, pull, 1);
    EXPECT_NEAR(law.density * volume * pull, 2.5 * law.tension * std::sqrt(law.tension / law.density / pull),
                1e-12 * law.density * volume * pull);
  }
  EXPECT_EQ(falling_volume(law, 0.001, particle), particle);
}

TEST(Shed, what_hangs_flows_again_when_the_skin_turns_up) {
  FilmOnSkin skin = ceiling();
  skin.coat(1.05e-3);  // half a drop hangs on every patch
  EXPECT_EQ(shed(skin), 0);
  const double hanging = pendant(skin), start = skin.total_volume();
  EXPECT_NEAR(hanging, 5e-5 * 0.01, 1e-12);
  skin.v.assign(skin.v.size(), Vec3(0, 0, 0.3));
  for (Vec3& x : skin.mesh.x) x = Vec3(x.x(), 0, -x.z());
  EXPECT_EQ(shed(skin), 0);
  EXPECT_EQ(pendant(skin), 0);
  EXPECT_NEAR(skin.film_volume(), start, 1e-12 * start);
  // The film was at rest; what hung comes with the velocity of the skin.
  EXPECT_LT((skin.momentum() - hanging * Vec3(0, 0, 0.3)).norm(), 1e-12 * start);
}

TEST(Shed, a_spinning_ball_sheds_where_it_moves_fastest) {
  FilmOnSkin skin(sphere_mesh(Vec3::Zero(), 0.1, 0.01));
  const double omega = 60;  // 37 g at the equator
  for (std::size_t i = 0; i < skin.a.size(); ++i) {
    const Vec3& x = skin.mesh.x[i];
    skin.v[i] = omega * Vec3::UnitY().cross(x);
    skin.a[i] = -omega * omega * Vec3(x.x(), 0, x.z());
  }
  skin.update();
  skin.coat(4e-4);
  const double start = skin.total_volume();
  while (shed(skin) > 0) {
  }
  EXPECT_NEAR(skin.total_volume(), start, 1e-12 * start);
  for (std::size_t i = 0; i < skin.size(); ++i) {
    const double s = Vec3(skin.centroid(i).x(), 0, skin.centroid(i).z()).norm() / 0.1;
    const double pull = omega * omega * 0.1 * s * s + gravity.dot(skin.frame.normal[i]);
    const double held = pull > 0 ? std::min(4e-4, 1e-3 * std::sqrt(9.81 / pull)) : 4e-4;
    EXPECT_NEAR(skin.thickness(i), held, 0.02 * held);  // the ball has flat triangles
  }
  // Less than 0.4 mm is held above 61 m/s²: with the help of gravity, from 37 mm off the axis on.
  for (const Vec3& x : skin.drops.x) EXPECT_GT(Vec3(x.x(), 0, x.z()).norm(), 0.036);
}

}  // namespace
}  // namespace coracle
