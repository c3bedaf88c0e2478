// Distance to the solids and how they bound the fluid, recomputed only for what moves.
#pragma once

#include "coracle/shape/closest.h"
#include "coracle/step/grid/cut_cells.h"
#include "coracle/world/surface.h"

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
  std::vector<SurfacePoint> nearest;  // one per band cell
};

struct SolidField {
  std::vector<SolidGeometry> each;
  Boundary cut;
  Array3<double> phi;         // m, < 0 in any solid
  int updates = 0;            // how often it changed
  std::vector<bool> present;  // which solids the field was made of; empty before the first update
};

// How the present solids bound the fluid, given their geometry and φ.
using MakeBoundary = Boundary (*)(const Grid& grid, const Surfaces& surfaces, const SolidField& field);
// How a method makes the boundary. The methods on a grid differ in this, and in their default options (scene/load.cpp).
MakeBoundary boundary_maker(Method method);

// Update the field to the solids' present positions.
void update_solid_field(const Grid& grid, const Surfaces& surfaces, MakeBoundary make, SolidField& field);

// The trees of all surfaces, in their order.
TreeList trees_of(const SolidField& field);

// Velocity of the nearest surface point, m/s, within the band; empty when nothing moves.
Array3<Vec3f> surface_velocity(const Grid& grid, const Surfaces& surfaces, const SolidField& field);

}  // namespace coracle
