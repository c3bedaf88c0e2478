// Liquid passes between the skin, the bulk and drops. Every volume that one loses another gets.
//
// - A particle or a drop in the shell, clear of the bulk and on its way to the skin, fills the tets around it.
// - Liquid in tets and film inside the bulk leaves as drops, which merge there.
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
  const TetFinder& finder;
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

}  // namespace coracle
