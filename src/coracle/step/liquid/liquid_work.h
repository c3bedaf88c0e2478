// What liquid keeps between steps besides its state.
#pragma once

#include "coracle/shape/region.h"
#include "coracle/step/grid/grid_work.h"
#include "coracle/step/liquid/particles.h"
#include "coracle/step/liquid/placed_page.h"
#include "coracle/step/particles/level_set.h"
#include "coracle/step/skinned/skin_stage.h"

#include <memory>
#include <vector>

namespace coracle {

struct LiquidWork : GridWork {
  bool set_up = false;
  std::vector<Region> outflows;
  std::vector<std::uint8_t> spray;  // per particle: whether it is spray
  CellStart cell_start;             // of the sorted particles
  LevelSetWork level_set;
  std::vector<SkinWork> skins;
  FaceField<double> u_before;  // m/s, from the particles, before the forces
  Particles previous;          // the particles at the start of the step; valid if changed_particles
  bool changed_particles = false;
  bool moved_skins = false;
  std::unique_ptr<PlacedPage> placed;  // holds particles and fields while they are not home; none: they are always
};

}  // namespace coracle
