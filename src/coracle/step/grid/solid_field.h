// Distance to the solids and how they bound the fluid, recomputed only for what moves.
#pragma once

#include "coracle/shape/closest.h"
#include "coracle/step/grid/cut_cells.h"

#include <vector>

namespace coracle {

// Cells around a surface in which distances are exact; further away only the sign is.
inline constexpr int distance_band = 3;

struct SurfacePoint {
  int tri;
  Vec3f bary;
};

struct SolidGeometry {
  TriTree tree;
  SolidCut cut;
  Array3<double> phi;                 // m, < 0 in this solid
  std::vector<int> band;              // cells with exact distance
  std::vector<SurfacePoint> nearest;  // one a band cell
};

struct SolidField;
// How the present solids bound the fluid, their geometry and φ being known.
using MakeBoundary = Boundary (*)(const Grid& grid, const Surfaces& surfaces, const SolidField& field);
// By exact cut cells (step/cutcell).
Boundary exact_boundary(const Grid& grid, const Surfaces& surfaces, const SolidField& field);

struct SolidField {
  MakeBoundary make_boundary = exact_boundary;
  std::vector<SolidGeometry> each;
  Boundary cut;
  Array3<double> phi;         // m, < 0 in any solid
  int updates = 0;            // how often it changed
  std::vector<bool> present;  // which solids the field was made of; empty before the first time
};

// Bring the field up to the solids' present positions.
void update_solid_field(const Grid& grid, const Surfaces& surfaces, SolidField& field);

// m/s, of the nearest point of a surface, within the band; empty when nothing moves.
Array3<Vec3f> surface_velocity(const Grid& grid, const Surfaces& surfaces, const SolidField& field);

}  // namespace coracle
