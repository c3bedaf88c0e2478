// Distance to the solids and the cut cells that they make, recomputed only for what moves.
#pragma once

#include "coracle/shape/closest.h"
#include "coracle/step/cutcell/cut_cells.h"

#include <vector>

namespace coracle {

// Cells around a surface in which distances are exact; further away only the sign is.
inline constexpr int distance_band = 3;

struct SolidGeometry {
  TriTree tree;
  SolidCut cut;
  Array3<double> phi;                // m, < 0 in this solid
  std::vector<int> band;             // cells with exact distance
  std::vector<Vec3f> band_velocity;  // of the closest surface point, one a band cell; empty when nothing moves
};

struct SolidField {
  std::vector<SolidGeometry> each;
  CutCells cut;
  Array3<double> phi;         // m, < 0 in any solid
  Array3<Vec3f> velocity;     // m/s, of the nearest solid within the band; empty when nothing moves
  int updates = 0;            // how often it changed
  std::vector<bool> present;  // which solids the field was made of; empty before the first time
};

// Bring the field up to the solids' present positions.
void update_solid_field(const Grid& grid, const std::vector<Solid>& solids, SolidField& field);

}  // namespace coracle
