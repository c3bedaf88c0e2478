// What a fluid on a grid keeps between the stages of a step. It follows from the state: a checkpoint does not need it.
#pragma once

#include "coracle/step/grid/projection.h"
#include "coracle/step/grid/solid_field.h"

#include <memory>

namespace coracle {

struct AssembledSystem;

struct GridWork {
  SolidField solids;         // distances and cut cells
  Array3<double> fluid_phi;  // m, < 0 in fluid, at cell centres, extended into solids
  FaceField<std::uint8_t> valid;
  FaceField<double> drift;     // m/s: u of the last step, then the velocity along which the fluid moves (leapfrog.h)
  FaceField<double> u_kicked;  // m/s: ũ before the solve, then after it
  PressureSystem pressure;
  std::shared_ptr<const AssembledSystem> failed;  // of the last solve that did not converge, where solver.dump asks
};

}  // namespace coracle
