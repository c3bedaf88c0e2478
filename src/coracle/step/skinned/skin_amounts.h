// How much liquid skins hold: at the start, in a box, and beside all other liquid.
#pragma once

#include "coracle/report.h"
#include "coracle/step/skinned/skin_stage.h"
#include "coracle/world/pose.h"

namespace coracle {

// The liquid that the scene puts on skins at the start: a film on what is above the bulk, and liquid in the tets there.
void wet_skins(const Scene& scene, const World& world, const Surroundings& around, std::vector<SkinWork>& work,
               Liquid& liquid);

// m³ in a box: what skins hold, and drops.
double skinned_volume_in(const PosedBox& box, const World& world, const Liquid& liquid,
                         const std::vector<SkinWork>& work);

// Where all liquid is. `particles`: of the bulk.
SkinnedReport measure_skins(const Liquid& liquid, double particle_volume, std::size_t particles);

}  // namespace coracle
