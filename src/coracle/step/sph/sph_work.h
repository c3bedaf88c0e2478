// What liquid of smoothed particles keeps between steps besides its state.
#pragma once

#include "coracle/shape/region.h"
#include "coracle/solve/matrix_free_cg.h"
#include "coracle/step/body/body_problem.h"
#include "coracle/step/sph/sph_pairs.h"
#include "coracle/world.h"

#include <vector>

namespace coracle {

struct SphWork {
  std::vector<Region> inflows, outflows;
  CellStart cell_start;       // of the sorted particles
  SphPairs pairs;             // at the particles' places
  std::vector<double> ratio;  // J, as well
  MatrixFreeCg cg;
  ContactMesh mesh;    // what particles can touch
  BodySystem coupled;  // of the bodies with the particles near them
  BodySystem elastic;  // of those with the particles that touch them at the start, where there are three phases
  SphLiquid previous;  // the liquid at the start of the step; valid if `changed`
  bool changed = false;
};

// f(list) for the lists of numbers per particle.
template <class F>
void for_lists(SphLiquid& liquid, F&& f) {
  f(liquid.x);
  f(liquid.v);
  f(liquid.v_last);
  f(liquid.kind);
}

}  // namespace coracle
