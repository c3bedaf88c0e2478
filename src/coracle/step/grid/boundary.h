// Where fluid and solids meet, as data: all that the solves know of solids. Methods differ only in how they make it:
// exact cut cells (exact_boundary.cpp) or whole faces (voxel_boundary.h).
#pragma once

#include "coracle/grid.h"
#include "coracle/world/surface.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace coracle {

// A wet planar piece of a solid's surface: where fluid and solid meet. One pressure acts on both sides of it.
struct Patch {
  int cell;  // linear index; the cell whose pressure acts here
  int surface;
  int tri;
  Vec3 area;  // area / dx² times normal, out of the liquid
  Vec3 bary;  // of the centroid, on the triangle
};

// A point of a solid's surface on which the pressure of the cells around it acts (voxel_boundary.h).
struct PressureSample {
  int surface;
  int tri;
  Vec3 area;                    // area / dx² times normal, into the solid
  Vec3 bary;                    // on the triangle
  std::array<int, 16> cell;     // linear indices of the cells whose pressure acts here
  std::array<float, 16> share;  // the weight of each; the weights add up to 1
  int cells;                    // number of cells
  int near;                     // of these, the ones next to the surface stand first; the others serve to extrapolate
  float near_sum;               // of their weights
};

// f(cell, share) for the cells whose pressure acts on a sample. Where one of them is air, the pressure is not
// extrapolated: that of the cells next to the surface counts, zero in air.
template <class F>
void for_pressing(const PressureSample& s, const Array3<std::uint8_t>& active, F&& f) {
  bool wet = true;
  for (int i = 0; i < s.cells; ++i) wet = wet && active.data[s.cell[i]];
  for (int i = 0; i < (wet ? s.cells : s.near); ++i)
    if (active.data[s.cell[i]]) f(s.cell[i], double(s.share[i]) / (wet ? 1.0 : double(s.near_sum)));
}

// What the pressure acts on. Through patches, flux and force are transposes of each other and the coupled system is
// symmetric; through samples it is not.
enum class PressureActsOn { patches, samples };

// How solids bound the fluid: which faces are open, and where fluid and solid meet.
struct Boundary {
  FaceField<double> open;      // fraction of a face that fluid can pass
  Array3<double> volume;       // fraction of a cell outside solids
  std::vector<Patch> patches;  // sorted by cell
  PressureActsOn pressure_acts_on = PressureActsOn::patches;
  bool on_surface = true;               // faces and patches follow the true surface; false: whole faces of cells
  std::vector<PressureSample> samples;  // where pressure acts on samples
  int merged = 0;                       // sliver cells whose patches act on a neighbour
  int clamped = 0;                      // faces closed by slivers.h
  int dropped = 0;                      // cells with patches but no open face
  bool overlaps = false;  // surfaces may pass through each other or themselves; patches then do not close the cells
};

inline Vec3 patch_velocity(const Patch& p, const Surfaces& surfaces) {
  return surfaces[p.surface].at(surfaces[p.surface].v, p.tri, p.bary);
}

// Flux of the solid's motion through the patch, per dx². An inflow gives off fluid where its velocity points out of it
// and is a wall elsewhere.
inline double patch_flux(const Patch& p, const Surfaces& surfaces) {
  const double flux = p.area.dot(patch_velocity(p, surfaces));
  return surfaces[p.surface].inflow ? std::min(flux, 0.0) : flux;
}

inline Vec3 patch_center(const Patch& p, const Surfaces& surfaces) {
  return surfaces[p.surface].at(surfaces[p.surface].x, p.tri, p.bary);
}

}  // namespace coracle
