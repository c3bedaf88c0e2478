// What follows from the state and is kept between the stages of a step. It holds nothing that a checkpoint would miss.
#pragma once

#include "coracle/grid.h"
#include "coracle/step/body/body_problem.h"
#include "coracle/step/grid/projection.h"
#include "coracle/step/grid/solid_field.h"
#include "coracle/step/liquid/level_set.h"
#include "coracle/step/liquid/particles.h"

#include <memory>

namespace coracle {

struct AssembledSystem;

struct Workspace {
  SolidField solids;                  // distances and cut cells
  std::vector<std::uint8_t> spray;    // which particles fly by themselves
  CellStart cell_start;               // of the sorted particles
  Array3<double> room;                // under the level set's kernel
  int room_of = -1;                   // which update of `solids` it belongs to
  Array3<double> share;               // of liquid, at cell centres
  Array3<double> liquid_phi;          // m, < 0 in liquid, at cell centres, extended into solids
  FaceField<double> u_before;         // m/s, what the particles brought
  Array3<double> wall_phi;            // m, < 0 in solids, those that blow gas left out; of gas alone
  Array3<std::uint8_t> near_sources;  // of smoke
  FaceField<std::uint8_t> valid;
  PressureSystem pressure;
  BodySystem bodies;
  std::vector<std::vector<Vec3>> body_motion;     // m/s, by which the bodies' nodes move over the step
  std::vector<Embedding> probe_places;            // of displacement probes, in their order; empty before the first
  std::shared_ptr<const AssembledSystem> failed;  // of the last solve that did not converge, where it is to be kept
};

}  // namespace coracle
