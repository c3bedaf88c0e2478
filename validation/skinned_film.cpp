// The film on skins, method skinned: how fast it runs, what it leaves behind and what falls.
#include "coracle/shape/tri_mesh.h"
#include "coracle/step/skinned/shed.h"
#include "validation/case.h"
#include "validation/film_on_skin.h"
#include "validation/setup.h"

#include <fmt/format.h>

#include <array>

namespace coracle::validation {
namespace {

const Vec3 gravity(0, -g, 0);

// Held on a vertical plate of 1 m that began with 0.3 mm of water, over ⅔ L √(νL/gt), at 4 s and 8 s.
std::array<double, 2> held_over_jeffreys(double dt, const Mat3& turn, Curve* curve = nullptr) {
  const double width = 0.02, length = 1;
  FilmOnSkin skin(plate_mesh(turn * Vec3(width, 0, 0), turn * Vec3(0, -length, 0), 2, 100));
  skin.coat(3e-4);
  const FilmLaw law;
  std::array<double, 2> held{};
  for (int n = 0; n < std::lround(8 / dt); ++n) {
    skin.step(law, turn * gravity, dt);
    const double time = (n + 1) * dt;
    const double theory = 2. / 3 * length * std::sqrt(law.viscosity * length / (g * time)) * width;
    if (std::abs(time - 4) < dt / 2) held[0] = skin.film_volume() / theory;
    if (std::abs(time - 8) < dt / 2) held[1] = skin.film_volume() / theory;
    if (!curve || time < 0.5 || n % 20 != 0) continue;
    curve->measured.emplace_back(time, 1e6 * skin.film_volume() / width);
    curve->reference.emplace_back(time, 1e6 * theory / width);
  }
  return held;
}

// Down a slope of 30°, 20 rows on 20 cm.
const Vec3 down_slope(0, -0.5, std::sqrt(0.75));
constexpr double sine = 0.5;
FilmOnSkin slope() { return FilmOnSkin(plate_mesh(Vec3(0.02, 0, 0), 0.2 * down_slope, 2, 20)); }

FilmOnSkin splashed_torus() {
  FilmOnSkin skin(torus_mesh(Vec3::Zero(), Vec3(1, 2, 0), 0.1, 0.04, 0.01));
  skin.splash(7);
  return skin;
}

// Largest change of the film on a triangle, relative, while film and skin move alike, without drag and forces.
template <class Velocity>
double unrest(Velocity&& velocity) {
  FilmOnSkin skin = splashed_torus();
  for (std::size_t i = 0; i < skin.v.size(); ++i) skin.v[i] = velocity(skin.mesh.x[i]);
  skin.update();
  skin.film.v = skin.frame.v;
  const Film start = skin.film;
  skin.step({.viscosity = 0}, Vec3::Zero(), 5e-3);
  double most = 0;
  for (std::size_t i = 0; i < skin.size(); ++i)
    if (start.volume[i] > 0) most = std::max(most, std::abs(skin.film.volume[i] / start.volume[i] - 1));
  return most;
}

// Drops from a square of 10 cm with 3 mm of film until nothing falls; the largest error of what is held, relative to
// `expected`, m.
double held_error(bool ceiling, const Vec3& acceleration, double expected, double& lost) {
  const Vec3 a(0.1, 0, 0), b(0, 0, 0.1);
  FilmOnSkin skin(ceiling ? plate_mesh(a, b, 10, 10) : plate_mesh(b, a, 10, 10));
  skin.coat(3e-3);
  skin.a.assign(skin.a.size(), acceleration);
  skin.update();
  const FilmLaw law;
  const double start = skin.total_volume();
  const DripPatches patches = find_drip_patches(skin.edges, skin.frame, law);
  while (shed(patches, skin.motion(), skin.frame, law, gravity, 1e-6, skin.film, skin.drops) > 0)
    if (ceiling) skin.step(law, gravity, 5e-3);
  lost = std::max(lost, std::abs(skin.total_volume() / start - 1));
  double worst = 0;
  for (std::size_t i = 0; i < skin.size(); ++i) worst = std::max(worst, std::abs(skin.thickness(i) / expected - 1));
  return worst;
}

}  // namespace

Outcome skinned_drainage() {
  Outcome outcome;
  Curve curve{"Water that a plate of 1 m holds", "t, s", "mL a metre of width", {}, {}};
  const std::array<double, 2> upright = held_over_jeffreys(5e-3, Mat3::Identity(), &curve);
  const std::array<double, 2> turned = held_over_jeffreys(5e-3, rotation_xyz(Vec3(20, 70, -130)));
  const std::array<double, 2> fine = held_over_jeffreys(2.5e-3, Mat3::Identity());
  const std::array<double, 2> coarse = held_over_jeffreys(1e-2, Mat3::Identity());
  for (const int k : {0, 1}) {
    const int time = 4 * (k + 1);
    outcome.results.push_back(within(fmt::format("held by a plate at {} s, over theory", time), upright[k], 1, 0.01, "",
                                     "Jeffreys30: ⅔ L √(νL/gt) a width"));
    outcome.results.push_back(
        within(fmt::format("the same, plate and gravity turned, {} s", time), turned[k], 1, 0.01, "", "Jeffreys30"));
    outcome.results.push_back(within(fmt::format("steps of 5 ms over those of 2.5 ms, {} s", time),
                                     upright[k] / fine[k], 1, 0.005, "", "the step does not matter"));
    outcome.results.push_back(within(fmt::format("steps of 10 ms over those of 2.5 ms, {} s", time),
                                     coarse[k] / fine[k], 1, 0.005, "", "the step does not matter"));
  }
  outcome.curves = {curve};
  return outcome;
}

Outcome skinned_film() {
  Outcome outcome;
  {
    FilmOnSkin skin = slope();
    skin.coat(3e-4);
    const FilmLaw law{.viscosity = 1e-4};
    for (int n = 0; n < 20; ++n) skin.step(law, gravity, 1e-3);  // 20 ms are 67 δ²/3ν; 2 mm of way
    const double speed = g * sine * 3e-4 * 3e-4 / (3 * law.viscosity);
    outcome.results.push_back(at_most("speed on a slope: error",
                                      (skin.film.v[skin.size() / 2] / speed - down_slope).norm(), 1e-6, "",
                                      "Nusselt: g sin α δ²/3ν"));
  }
  {
    FilmOnSkin skin = slope();
    skin.coat(1e-3);
    for (int n = 0; n < 20; ++n) skin.step({.viscosity = 0}, gravity, 5e-3);
    double worst = 0;
    for (const Vec3& v : skin.film.v) worst = std::max(worst, (v - g * 0.1 * sine * down_slope).norm());
    outcome.results.push_back(at_most("speed without friction: error", worst, 1e-12, "m/s", "g t sin α"));
  }
  // The top of a ball, for any place of the mesh on top.
  for (const Vec3& down : {Vec3(0, -1, 0), Vec3(0.3, -0.8, 0.5), Vec3(1, 1, 1)}) {
    const double radius = 0.1, start = 1e-3, dt = 5e-3;
    const int steps = 200;
    const FilmLaw law{.viscosity = 1e-4};
    FilmOnSkin skin(sphere_mesh(Vec3::Zero(), radius, 0.02));
    skin.coat(start);
    for (int n = 0; n < steps; ++n) skin.step(law, g * down.normalized(), dt);
    std::size_t top = 0;
    for (std::size_t i = 0; i < skin.size(); ++i)
      if (skin.centroid(i).dot(down) < skin.centroid(top).dot(down)) top = i;
    const double theory = 1 / std::sqrt(1 / (start * start) + 4 * g * steps * dt / (3 * law.viscosity * radius));
    outcome.results.push_back(within("film at the top of a ball over theory", skin.thickness(top) / theory, 1, 0.03, "",
                                     "δ⁻² = δ₀⁻² + 4gt/3νR"));
  }
  const Vec3 along(3, -2, 1), omega(4, -7, 5);
  outcome.results.push_back(at_most("film and skin move alike: change of the film",
                                    unrest([&](const Vec3&) { return along; }), 1e-14, "",
                                    "nothing moves relative to the skin"));
  outcome.results.push_back(at_most("they turn alike", unrest([&](const Vec3& x) -> Vec3 { return omega.cross(x); }),
                                    1e-14, "", "nothing moves relative to the skin"));
  FilmOnSkin still = splashed_torus(), moving = splashed_torus();
  for (Vec3& v : moving.v) v = along;
  for (Vec3& v : moving.film.v) v += along;
  const double mean = still.film_volume() / double(still.size()), dt = 5e-3;
  for (int n = 0; n < 20; ++n) {
    for (Vec3& x : moving.mesh.x) x += dt * along;
    still.step({}, gravity, dt), moving.step({}, gravity, dt);
  }
  double volumes = 0, speeds = 0;
  for (std::size_t i = 0; i < still.size(); ++i) {
    volumes = std::max(volumes, std::abs(moving.film.volume[i] - still.film.volume[i]) / mean);
    speeds = std::max(speeds, (moving.film.v[i] - along - still.film.v[i]).norm());
  }
  outcome.results.push_back(at_most("a velocity that all share: change of the film", volumes, 1e-10, "", "Galilei"));
  outcome.results.push_back(at_most("the same, of velocities", speeds, 1e-10, "m/s", "Galilei"));
  return outcome;
}

Outcome skinned_shedding() {
  double lost = 0;
  Outcome outcome;
  outcome.results = {at_most("a ceiling drips until it holds 1 mm: error", held_error(true, Vec3::Zero(), 1e-3, lost),
                             0.01, "", "hold √(g/a_n)"),
                     at_most("a floor that drops away with 5 g holds 0.5 mm: error",
                             held_error(false, 5 * gravity, 5e-4, lost), 0.01, "", "hold √(g/a_n)")};
  outcome.results.push_back(at_most("volume of film and drops, change", lost, 1e-12, "", "nothing is lost"));
  return outcome;
}

}  // namespace coracle::validation
