// Liquid on skins as pictures show it.
//
// - The thickness of the film, a field on the skin.
// - Liquid in the shell lies on the skin as a sheet, with the film below it. δ is its thickness, as volume per area of
//   the skin, smoothed over a cell. The sheet joins the shown surface of the bulk with
//     φ = d − s(δ),   s(δ) = δ − c exp(−δ/e),   d: the distance from the skin
//   so that it is as thick as it should be, comes out of the skin at δ = 0.1 cells with a rounded edge, and lies hidden
//   within the solid where the skin is dry. What is thinner than that shows as a film only.
// - Liquid in the shell that moves away from the skin gathers to one drop per cell. Large ones blend into the surface.
#pragma once

#include "coracle/step/frame_layers.h"
#include "coracle/step/particles/shown_liquid.h"
#include "coracle/step/skinned/skin_stage.h"

namespace coracle {

// "film", m per vertex: with what hangs, and what fur does not let go.
std::vector<SolidLayer> film_layers(const Scene& scene, const World& world, const Liquid& liquid);

struct ShownSkins {
  MoreLiquid joined;  // to the surface of the bulk
  Drops drops;        // the free ones, and those that leave the skin
};
ShownSkins shown_skins(const Scene& scene, const World& world, const Liquid& liquid, const SolidField& solids,
                       const std::vector<SkinWork>& work);

}  // namespace coracle
