// Distance to the solids and how they bound the fluid, recomputed only for what moves, and only around it.
#pragma once

#include "coracle/shape/closest.h"
#include "coracle/step/grid/cut_cells.h"
#include "coracle/world/surface.h"

#include <span>
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

// The cells that the geometry of a solid bears on: distances, open faces and volumes. Beyond it the distance is that of
// the band, and positive.
inline CellBox box_around(const Grid& grid, const SolidGeometry& g) {
  return g.cut.box().grown(distance_band + 2, grid.n);
}

// What exact_boundary keeps to make the next boundary from the last.
struct BoundaryWork {
  // A value that it changed after all solids had been combined.
  struct Change {
    int axis;  // of an open fraction; −1: of a volume
    std::size_t index;
    double before;
  };
  std::vector<Change> changes;  // the newest last
  std::vector<FaceId> shared;   // faces that several solids fill in part, increasing
};

struct SolidField {
  std::vector<SolidGeometry> each;
  Boundary cut;
  Array3<double> phi;         // m, < 0 in any solid
  int updates = 0;            // how often it changed
  std::vector<bool> present;  // which solids the field was made of; empty before the first update
  BoundaryWork boundary;
};

// Sets field.cut: how the present solids bound the fluid, given their geometry and φ. Only in the boxes `changed` have
// they changed since the last call; all cells in the first.
using MakeBoundary = void (*)(const Grid& grid, const Surfaces& surfaces, std::span<const CellBox> changed,
                              SolidField& field);
// How a method makes the boundary. The methods on a grid differ in this, and in their default options (scene/load.cpp).
MakeBoundary boundary_maker(Method method);

// Update the field to the solids' present positions.
void update_solid_field(const Grid& grid, const Surfaces& surfaces, MakeBoundary make, SolidField& field);

// The trees of all surfaces, in their order.
TreeList trees_of(const SolidField& field);

// Velocity of the nearest surface point, m/s, within the band; empty when nothing moves.
Array3<Vec3f> surface_velocity(const Grid& grid, const Surfaces& surfaces, const SolidField& field);

}  // namespace coracle
