// Liquid passes between the skin, the bulk and drops. Every volume that one loses another gets.
//
// - A particle or a drop in the shell, clear of the bulk and on its way to the skin, fills the tets around it.
// - Liquid in tets and film inside the bulk leaves as drops, which merge there.
// - A triangle that leaves the bulk takes a film with it, of the thickness that Landau and Levich's law gives, at most
//   that of free drainage [LandauLevich42]:
//     δ = min(0.944 Ca^{1/6}, 1) √(νU/g),   Ca = ρνU/σ,   U its speed upward
//   or of a given one. The volume comes from whole particles nearby.
#pragma once

#include "coracle/base/index_set.h"
#include "coracle/step/skinned/film.h"
#include "coracle/step/skinned/moving_shell.h"
#include "coracle/step/skinned/surroundings.h"
#include "coracle/step/skinned/tet_finder.h"
#include "coracle/world.h"

namespace coracle {

// A skin at the end of the step.
struct SkinNow {
  std::size_t surface;  // its number among the surfaces
  const SkinShell& shell;
  const MovingShell& moving;
  const SkinFrame& frame;
  const SkinMotion& motion;
  const std::vector<int>& tet_of;  // per triangle: the closest tet
  TetFinder& finder;
};

// Kept between steps only to save allocations.
struct ExchangeWork {
  IndexSet set;
  std::vector<std::uint32_t> near, gone;
  std::vector<int> into;  // per entry of near: the tet
  std::vector<Vec3> x;
};

void take_in_particles(const Surroundings& around, const SkinNow& skin, TetLiquid& tets, Drops& drops, Particles& bulk,
                       ExchangeWork& work);
void take_in_drops(const Surroundings& around, const SkinNow& skin, TetLiquid& tets, Drops& drops, ExchangeWork& work);

void release_submerged(const Surroundings& around, const SkinNow& skin, TetLiquid& tets, Film& film, Drops& drops,
                       ExchangeWork& work);

// m: the film that a skin takes along at this speed.
double entrained_thickness(const FilmLaw& law, double speed, double gravity);

// `submerged`: per triangle, whether it was in the bulk; brought up to date. `given`: m, a thickness instead of the
// law's; < 0: none.
void entrain(const Surroundings& around, const SkinNow& skin, const FilmLaw& law, const Vec3& gravity, double given,
             std::vector<std::uint8_t>& submerged, Film& film, Particles& bulk, ExchangeWork& work);

}  // namespace coracle
