// What films keep, and from which points of view they look the same.
#include "coracle/base/parallel.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/step/skinned/film.h"
#include "validation/film_on_skin.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using namespace validation;

const Vec3 gravity(0, -9.81, 0);

FilmOnSkin splashed_torus() {
  FilmOnSkin skin(torus_mesh(Vec3::Zero(), Vec3(1, 2, 0), 0.1, 0.04, 0.01));
  skin.splash(7);
  return skin;
}

// Σ q w².
double twice_energy(const FilmOnSkin& skin) {
  double sum = 0;
  for (std::size_t i = 0; i < skin.size(); ++i)
    sum += skin.film.volume[i] * (skin.film.v[i] - skin.frame.v[i]).squaredNorm();
  return sum;
}

TEST(FilmBalance, every_drop_is_kept_and_no_volume_is_negative) {
  FilmOnSkin skin = splashed_torus();
  const double start = skin.film_volume();
  for (int n = 0; n < 50; ++n) {
    skin.step({}, gravity, 5e-3);
    EXPECT_NEAR(skin.film_volume(), start, 1e-12 * start);
    for (double volume : skin.film.volume) ASSERT_GE(volume, 0);
  }
}

TEST(FilmBalance, what_flows_over_a_border_leaves_with_its_momentum) {
  FilmOnSkin skin(plate_mesh(Vec3(0.2, 0, 0.05), Vec3(0, -0.1, 0), 12, 9));
  skin.splash(3);
  const double start = skin.film_volume();
  const Vec3 momentum = skin.momentum();
  for (int n = 0; n < 20; ++n) skin.step({.viscosity = 0}, Vec3::Zero(), 5e-3);
  EXPECT_GT(skin.drops.size(), 0);
  EXPECT_LT(skin.film_volume(), 0.9 * start);
  EXPECT_NEAR(skin.total_volume(), start, 1e-12 * start);
  EXPECT_LT((skin.momentum() - momentum).norm(), 1e-12 * start);  // at velocities of 1 m/s
}

TEST(FilmBalance, bends_turn_a_film_and_give_it_no_energy) {
  FilmOnSkin skin = splashed_torus();
  double before = twice_energy(skin);
  for (int n = 0; n < 20; ++n) {
    skin.step({.viscosity = 0}, Vec3::Zero(), 5e-3);
    const double now = twice_energy(skin);
    EXPECT_LE(now, before * (1 + 1e-14));
    before = now;
    for (std::size_t i = 0; i < skin.size(); ++i) ASSERT_LT(std::abs(skin.film.v[i].dot(skin.frame.normal[i])), 1e-14);
  }
  EXPECT_GT(before, 0);
}

TEST(FilmBalance, a_stream_runs_over_a_sharp_edge_without_losing_speed) {
  // Two faces of a box: along +x on top, then down its side.
  FilmOnSkin skin(box_mesh(Vec3::Zero(), Vec3::Ones()));
  for (std::size_t i = 0; i < skin.size(); ++i)
    if (skin.frame.normal[i].y() > 0.5) skin.film.volume[i] = 1e-3, skin.film.v[i] = Vec3(0.5, 0, 0);
  for (int n = 0; n < 40; ++n) skin.step({.viscosity = 0}, Vec3::Zero(), 1e-2);
  double down = 0;
  for (std::size_t i = 0; i < skin.size(); ++i)
    if (skin.frame.normal[i].x() > 0.5 && skin.film.volume[i] > 0) {
      EXPECT_LT((skin.film.v[i] - Vec3(0, -0.5, 0)).norm(), 1e-14);
      down += skin.film.volume[i];
    }
  EXPECT_GT(down, 1e-4);
}

TEST(FilmBalance, a_skin_that_slides_below_a_film_without_drag_does_not_move_it) {
  // No fictitious forces: at rest in the world it stays so, however the disc spins.
  const double omega = 20, dt = 5e-3;
  FilmOnSkin skin(plate_mesh(Vec3(0.2, 0, 0), Vec3(0, 0.2, 0), 12, 12));
  skin.splash(2);
  skin.film.v.assign(skin.size(), Vec3::Zero());
  const double start = skin.total_volume();
  const Mat3 turn = Eigen::AngleAxisd(omega * dt, Vec3::UnitZ()).matrix();
  for (int n = 0; n < 10; ++n) {
    for (std::size_t i = 0; i < skin.v.size(); ++i) {
      skin.mesh.x[i] = turn * skin.mesh.x[i];
      skin.v[i] = omega * Vec3::UnitZ().cross(skin.mesh.x[i]);
    }
    skin.step({.viscosity = 0}, Vec3::Zero(), dt);
  }
  EXPECT_NEAR(skin.total_volume(), start, 1e-12 * start);
  for (std::size_t i = 0; i < skin.size(); ++i)
    if (skin.thickness(i) > 1e-12) {
      EXPECT_LT(skin.film.v[i].norm(), 1e-12);
    }
}

TEST(FilmBalance, a_skin_that_stretches_keeps_its_liquid) {
  FilmOnSkin skin = splashed_torus();
  skin.film.v.assign(skin.size(), Vec3::Zero());
  const Film start = skin.film;
  const double thickness = skin.thickness(5);
  for (Vec3& x : skin.mesh.x) x *= 2;
  skin.step({}, Vec3::Zero(), 5e-3);
  EXPECT_EQ(skin.film.volume, start.volume);
  EXPECT_NEAR(skin.thickness(5), thickness / 4, 1e-15);
}

TEST(FilmBalance, any_number_of_threads_gives_the_same_bits) {
  const auto run = [](int threads) {
    const ThreadLimit limit(threads);
    FilmOnSkin skin(sphere_mesh(Vec3::Zero(), 0.1, 0.005));  // more than one block of triangles
    skin.splash(5);
    for (int n = 0; n < 3; ++n) skin.step({}, gravity, 5e-3);
    return skin.film;
  };
  const Film one = run(1), two = run(2);
  EXPECT_EQ(one.volume, two.volume);
  EXPECT_EQ(one.v, two.v);
}

TEST(FilmBalance, giving_and_taking_keep_volume_and_momentum_along_the_skin) {
  FilmOnSkin skin = splashed_torus();
  for (Vec3& v : skin.v) v = Vec3(1, 2, 3);
  skin.update();
  const std::size_t i = 11;
  const Portion rain{.volume = 3e-8, .v = Vec3(-1, 4, 2)};
  const double volume = skin.film.volume[i];
  const Vec3 momentum = volume * skin.film.v[i] + rain.volume * rain.v;
  settle(skin.frame, i, rain, skin.film);
  EXPECT_DOUBLE_EQ(skin.film.volume[i], volume + rain.volume);
  EXPECT_LT(along_skin(skin.frame, i, skin.film.volume[i] * skin.film.v[i] - momentum).norm(), 1e-15 * momentum.norm());
  EXPECT_NEAR((skin.film.v[i] - skin.frame.v[i]).dot(skin.frame.normal[i]), 0, 1e-14);

  const double before = skin.film.volume[i];
  const Portion taken = skim(skin.frame, i, 1e-4, skin.film);
  EXPECT_NEAR(skin.thickness(i), 1e-4, 1e-18);
  EXPECT_DOUBLE_EQ(skin.film.volume[i] + taken.volume, before);
  EXPECT_EQ(taken.v, skin.film.v[i]);
  EXPECT_EQ(skim(skin.frame, i, 2e-4, skin.film).volume, 0);

  EXPECT_EQ(lacking(skin.frame, i, 0.5e-4, skin.film), 0);
  settle(skin.frame, i, {.volume = lacking(skin.frame, i, 3e-4, skin.film), .v = skin.frame.v[i]}, skin.film);
  EXPECT_NEAR(skin.thickness(i), 3e-4, 1e-18);
}

}  // namespace
}  // namespace coracle
