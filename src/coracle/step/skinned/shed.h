// What the skin cannot hold falls.
//
// Liquid on the skin feels g − a_s. Its part out of the skin, a_n = max(0, (g − a_s)·n), pulls it off. A film of
// δ_h = hold √(9.81/a_n) is held: as thick, compared to the capillary length √(σ/ρa_n), under any pull. What is more
// hangs, and moves with the skin. It falls when it weighs more than its neck can carry, at V_d = 2.5 (σ/ρa_n)^{3/2}, or
// at the volume of a particle of the bulk. Where the film has room again, or the skin turns up, it takes back what
// hangs.
//
// Drops hang as far apart as the fastest waves of a film below a ceiling are long, 2π √(2σ/ρg), 24 mm for water
// [Fermigier92]. So what hangs gathers over patches of that width; otherwise each triangle of a fine skin would hold
// nearly a drop.
#pragma once

#include "coracle/step/skinned/film.h"

namespace coracle {

// m/s²: how strongly the liquid on a triangle is pulled off.
double pull_off(const SkinFrame& frame, std::size_t tri, const Vec3& gravity);
// m: the thickest film that is held.
double held_thickness(const FilmLaw& law, double pull);
// m³: when a pendant drop falls.
double falling_volume(const FilmLaw& law, double pull, double particle_volume);

// Triangles of the skin that feed one drop, patch after patch. Found once.
struct DripPatches {
  std::vector<int> tris;
  std::vector<int> start = {0};  // first triangle of every patch; one entry more than patches
};
DripPatches find_drip_patches(const SkinEdges& edges, const SkinFrame& frame, const FilmLaw& law);

// Film above δ_h hangs; what hangs falls, just outside the skin, with the film's velocity. Returns the number of drops.
int shed(const DripPatches& patches, const SkinMotion& skin, const SkinFrame& frame, const FilmLaw& law,
         const Vec3& gravity, double particle_volume, Film& film, Drops& drops);

}  // namespace coracle
