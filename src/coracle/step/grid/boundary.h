// Where fluid and solids meet, as data: all that the solves know of solids. Methods differ in how they make it: exact
// cut cells (step/cutcell), whole faces (step/voxel).
#pragma once

#include "coracle/grid.h"
#include "coracle/world/surface.h"

#include <algorithm>
#include <array>
#include <vector>

namespace coracle {

// A wet planar piece of a solid's surface: where liquid and solid meet. One pressure acts on both sides of it.
struct Patch {
  int cell;  // linear index; the cell whose pressure acts here
  int surface;
  int tri;
  Vec3 area;  // area / dx² times normal, out of the liquid
  Vec3 bary;  // of the centroid, on the triangle
};

// A point of a solid's surface that the pressure of cells around it presses on, in place of the patches
// (step/voxel/voxel_boundary.h).
struct PressureSample {
  int surface;
  int tri;
  Vec3 area;                   // area / dx² times normal, into the solid
  Vec3 bary;                   // on the triangle
  std::array<int, 8> cell;     // linear indices of the cells whose pressure acts here
  std::array<float, 8> share;  // how much of each; they add up to 1
  int cells;                   // how many there are
};

// How solids bound the fluid: what it can pass, and where it meets them.
struct Boundary {
  FaceField<double> open;               // fraction of a face that liquid can pass
  Array3<double> volume;                // fraction of a cell outside solids
  std::vector<Patch> patches;           // by cell
  std::vector<PressureSample> samples;  // where pressure does not act through the patches; else empty
  int merged = 0;                       // sliver cells whose patches act on a neighbour
  int clamped = 0;                      // faces closed by slivers.h
  int dropped = 0;                      // cells with patches and no way out
  bool overlaps = false;                // some surface passes through another or itself: patches do not close the cells
};

inline Vec3 patch_velocity(const Patch& p, const Surfaces& surfaces) {
  return surfaces[p.surface].at(surfaces[p.surface].v, p.tri, p.bary);
}

// What the solid pushes through the patch, per dx². An inflow gives off liquid where its velocity leaves it and is a
// wall elsewhere.
inline double patch_flux(const Patch& p, const Surfaces& surfaces) {
  const double flux = p.area.dot(patch_velocity(p, surfaces));
  return surfaces[p.surface].inflow ? std::min(flux, 0.0) : flux;
}

inline Vec3 patch_center(const Patch& p, const Surfaces& surfaces) {
  return surfaces[p.surface].at(surfaces[p.surface].x, p.tri, p.bary);
}

}  // namespace coracle
