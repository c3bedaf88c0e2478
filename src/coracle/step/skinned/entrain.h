// What leaves the bulk takes liquid along.
//
// A triangle of the skin takes a film, of the thickness that Landau and Levich's law gives, at most that of free
// drainage [LandauLevich42]:
//   δ = min(0.944 Ca^{1/6}, 1) √(νU/g),   Ca = ρνU/σ,   U its speed upward
// or of a given one. In the bulk the pores of fur are full: a tet of fur takes what it can hold; from then on the drag
// of its fibres acts on it (fur.h). The volume comes from whole particles nearby.
#pragma once

#include "coracle/step/skinned/exchange.h"

namespace coracle {

// m: the film that a skin takes along at this speed.
double entrained_thickness(const FilmLaw& law, double speed, double gravity);

// `submerged`: per triangle, whether it was in the bulk; brought up to date. `given`: m, a thickness instead of the
// law's; < 0: none.
void entrain(const Surroundings& around, const SkinNow& skin, const FilmLaw& law, const Vec3& gravity, double given,
             std::vector<std::uint8_t>& submerged, Film& film, Particles& bulk, ExchangeWork& work);

// `soaked`: per tet, whether it was in the bulk; brought up to date. What is too much of a particle becomes drops.
void soak(const Surroundings& around, const SkinNow& skin, std::vector<std::uint8_t>& soaked, TetLiquid& tets,
          Drops& drops, Particles& bulk, ExchangeWork& work);

}  // namespace coracle
