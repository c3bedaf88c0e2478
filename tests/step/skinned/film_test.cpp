// Laws of thin films: how fast they run, what they leave behind.
#include "coracle/step/skinned/film.h"

#include "validation/film_on_skin.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using namespace validation;

const Vec3 gravity(0, -9.81, 0);

// Down a slope of 30°, 20 rows on 20 cm.
TriMesh slope() { return plate_mesh(Vec3(0.02, 0, 0), 0.2 * Vec3(0, -0.5, std::sqrt(0.75)), 2, 20); }
const Vec3 down_slope(0, -0.5, std::sqrt(0.75));
constexpr double sine = 0.5;

TEST(Film, friction_of_turbulent_films_balances_gravity) {
  FilmOnSkin skin(slope());
  skin.coat(1e-3);
  const FilmLaw law{.viscosity = 0, .friction = 1};
  for (int n = 0; n < 40; ++n) skin.step(law, gravity, 5e-3);
  const double steady = std::sqrt(9.81 * sine * 1e-3 / law.friction);  // c_f w² = g δ
  const std::size_t low = skin.size() - 20;                            // far from the upper border
  EXPECT_NEAR(skin.film.v[low].dot(down_slope), steady, 1e-6 * steady);
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
