// Laws of thin films: how fast they run, what they leave behind.
#include "coracle/step/skinned/film.h"

#include "coracle/shape/tri_mesh.h"
#include "tests/step/skinned/wet_skin.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

const Vec3 gravity(0, -9.81, 0);

// Down a slope of 30°, 20 rows on 20 cm.
TriMesh slope() { return plate_mesh(Vec3(0.02, 0, 0), 0.2 * Vec3(0, -0.5, std::sqrt(0.75)), 2, 20); }
const Vec3 down_slope(0, -0.5, std::sqrt(0.75));
constexpr double sine = 0.5;

TEST(Film, a_uniform_film_reaches_nusselts_velocity) {
  FilmOnSkin skin(slope());
  skin.coat(3e-4);
  const FilmLaw law{.viscosity = 1e-4};
  for (int n = 0; n < 20; ++n) skin.step(law, gravity, 1e-3);  // 20 ms are 67 δ²/3ν; 2 mm of way
  const double nusselt = 9.81 * sine * 3e-4 * 3e-4 / (3 * law.viscosity);
  const std::size_t middle = skin.size() / 2;
  EXPECT_LT((skin.film.v[middle] - nusselt * down_slope).norm(), 1e-6 * nusselt);
}

TEST(Film, a_film_without_drag_falls_freely_along_the_slope) {
  FilmOnSkin skin(slope());
  skin.coat(1e-3);
  const FilmLaw law{.viscosity = 0};
  for (int n = 0; n < 20; ++n) skin.step(law, gravity, 5e-3);
  for (const Vec3& v : skin.film.v) EXPECT_LT((v - 9.81 * 0.1 * sine * down_slope).norm(), 1e-12);
}

TEST(Film, friction_of_turbulent_films_balances_gravity) {
  FilmOnSkin skin(slope());
  skin.coat(1e-3);
  const FilmLaw law{.viscosity = 0, .friction = 1};
  for (int n = 0; n < 40; ++n) skin.step(law, gravity, 5e-3);
  const double steady = std::sqrt(9.81 * sine * 1e-3 / law.friction);  // c_f w² = g δ
  const std::size_t low = skin.size() - 20;                            // far from the upper border
  EXPECT_NEAR(skin.film.v[low].dot(down_slope), steady, 1e-6 * steady);
}

// Held on a vertical plate of 1 m that began with 0.3 mm of water, over ⅔ L √(νL/gt), at 4 s and 8 s [Jeffreys30].
std::array<double, 2> held_over_jeffreys(double dt, const Mat3& turn) {
  const double width = 0.02, length = 1;
  FilmOnSkin skin(plate_mesh(turn * Vec3(width, 0, 0), turn * Vec3(0, -length, 0), 2, 100));
  skin.coat(3e-4);
  const FilmLaw law;
  std::array<double, 2> held{};
  for (int n = 0; n < std::lround(8 / dt); ++n) {
    skin.step(law, turn * gravity, dt);
    const double time = (n + 1) * dt;
    const double theory = 2. / 3 * length * std::sqrt(law.viscosity * length / (9.81 * time)) * width;
    if (std::abs(time - 4) < dt / 2) held[0] = skin.film_volume() / theory;
    if (std::abs(time - 8) < dt / 2) held[1] = skin.film_volume() / theory;
  }
  return held;
}

TEST(Film, a_plate_drains_by_jeffreys_law) {
  for (double held : held_over_jeffreys(5e-3, Mat3::Identity())) EXPECT_NEAR(held, 1, 0.01);
}

TEST(Film, a_plate_drains_alike_in_any_direction) {
  const auto upright = held_over_jeffreys(1e-2, Mat3::Identity());
  const auto turned = held_over_jeffreys(1e-2, rotation_xyz(Vec3(20, 70, -130)));
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(turned[k], upright[k], 1e-9);
}

TEST(Film, what_a_plate_holds_does_not_depend_on_the_step) {
  const auto fine = held_over_jeffreys(2.5e-3, Mat3::Identity());
  for (double dt : {5e-3, 1e-2}) {
    const auto held = held_over_jeffreys(dt, Mat3::Identity());
    for (int k = 0; k < 2; ++k) EXPECT_NEAR(held[k], fine[k], 0.005);
  }
}

TEST(Film, the_top_of_a_ball_drains_as_thin_films_do) {
  // δ⁻² = δ₀⁻² + 4gt/3νR, for any place of the mesh on top.
  const double radius = 0.1, start = 1e-3, dt = 5e-3;
  const int steps = 200;
  const FilmLaw law{.viscosity = 1e-4};
  for (const Vec3& down : {Vec3(0, -1, 0), Vec3(0.3, -0.8, 0.5), Vec3(1, 1, 1)}) {
    FilmOnSkin skin(sphere_mesh(Vec3::Zero(), radius, 0.02));
    skin.coat(start);
    for (int n = 0; n < steps; ++n) skin.step(law, 9.81 * down.normalized(), dt);
    std::size_t top = 0;
    for (std::size_t i = 0; i < skin.size(); ++i)
      if (skin.centroid(i).dot(down) < skin.centroid(top).dot(down)) top = i;
    const double theory = 1 / std::sqrt(1 / (start * start) + 4 * 9.81 * steps * dt / (3 * law.viscosity * radius));
    EXPECT_NEAR(skin.thickness(top), theory, 0.03 * theory);
  }
}

TEST(Film, a_film_on_a_spinning_disc_thins_evenly) {
  // δ⁻² = δ₀⁻² + 4ω²t/3ν: no force but the skin's, which drags the film around with it [Emslie58].
  // Coriolis' force, of order ωδ²/ν, is left out of that.
  const double omega = 5, start = 1e-3, dt = 5e-3, time = 4;
  const FilmLaw law{.viscosity = 1e-4};
  FilmOnSkin skin(plate_mesh(Vec3(0.2, 0, 0), Vec3(0, 0.2, 0), 12, 12));
  for (Vec3& x : skin.mesh.x) x -= Vec3(0.1, 0.1, 0);
  const std::vector<Vec3> rest = skin.mesh.x;
  const auto turn_to = [&](double t) {
    const Mat3 turn = Eigen::AngleAxisd(omega * t, Vec3::UnitZ()).matrix();
    for (std::size_t i = 0; i < rest.size(); ++i) {
      skin.mesh.x[i] = turn * rest[i];
      skin.v[i] = omega * Vec3::UnitZ().cross(skin.mesh.x[i]);
    }
    skin.update();
  };
  turn_to(0);
  skin.coat(start);
  for (int n = 0; n < std::lround(time / dt); ++n) turn_to((n + 1) * dt), skin.step(law, Vec3::Zero(), dt);
  const double theory = 1 / std::sqrt(1 / (start * start) + 4 * omega * omega * time / (3 * law.viscosity));
  for (std::size_t i = 0; i < skin.size(); ++i)
    if (skin.centroid(i).norm() < 0.05) {
      EXPECT_NEAR(skin.thickness(i), theory, 0.01 * theory);
    }
}

TEST(Film, a_front_on_a_dry_skin_moves_as_fast_as_the_film_behind_it) {
  const int rows = 100;
  FilmOnSkin skin(plate_mesh(Vec3(0.02, 0, 0), Vec3(0, -1, 0), 2, rows));
  const FilmLaw law{.viscosity = 1e-4};
  const double thickness = 1e-3, speed = 9.81 * thickness * thickness / (3 * law.viscosity);  // 33 mm/s
  for (std::size_t i = 0; i < skin.size() / 2; ++i) skin.film.volume[i] = thickness * skin.frame.area[i];
  const int steps = 400;
  for (int n = 0; n < steps; ++n) skin.step(law, gravity, 5e-3);
  double front = 0;  // the lowest place with half the thickness
  for (std::size_t i = 0; i < skin.size(); ++i)
    if (skin.thickness(i) > thickness / 2) front = std::max(front, -skin.centroid(i).y());
  // It does not pile up: at the mean velocity of film and dry skin it would be ∛2 as thick before it passes on.
  for (std::size_t i = 0; i < skin.size(); ++i) EXPECT_LT(skin.thickness(i), 1.05 * thickness);
  EXPECT_NEAR(front, 0.5 + speed * 5e-3 * steps, 1. / rows);  // to a row
}

}  // namespace
}  // namespace coracle
