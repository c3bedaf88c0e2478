// Exact cut cells of a grid by closed triangle meshes.
//
// Every triangle is clipped to the cells. The part of a face that lies inside a mesh follows from closure: along a row
// of cells, W(k+1) = W(k) − Σ a·n over the pieces between faces k and k+1 (n out of the mesh, its component along the
// row), with W = 0 before the row meets the mesh. Every cell then satisfies
//     Σ open faces (outward) + Σ patches (out of the liquid) = 0
// to round-off, which is what makes a constant pressure exert no net force and a uniform stream pass undisturbed.
// Volumes follow the same way, from ∮ x n_x dA.
//
// Overlapping solids: what one leaves open of a face, the others leave open in proportion; pieces of one that lie
// inside another are left out (solid_geometry.cpp), and what is then missing to closure becomes one more patch. So it
// is where a body's surface passes through itself and would fill a face twice. Faces on the domain's sides hold the
// wall's wet area; nothing flows through them.
//
// Differs from the paper: [ZarifiBatty17 sec. 7] takes face areas from a distance field sampled at nodes; they then
// disagree slightly with the clipped patches.
#pragma once

#include "coracle/base/grid.h"
#include "coracle/world/surface.h"

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
struct CutCells {
  FaceField<double> open;               // fraction of a face that liquid can pass
  Array3<double> volume;                // fraction of a cell outside solids
  std::vector<Patch> patches;           // by cell
  std::vector<PressureSample> samples;  // where pressure does not act through the patches; else empty
  int merged = 0;                       // sliver cells whose patches act on a neighbour
  int clamped = 0;                      // faces closed by slivers.h
  int dropped = 0;                      // cells with patches and no way out
  bool overlaps = false;                // some surface passes through another or itself: patches do not close the cells
};

// The pieces of one solid and the fractions of faces and cells that it fills.
struct SolidCut {
  std::vector<Patch> patches;
  FaceField<double> filled;  // same layout as CutCells::open; only where `box` reaches
  Array3<double> volume;
  Vec3i lo = Vec3i::Zero(), hi = Vec3i::Zero();  // cells [lo, hi) that the mesh can touch; all for a container
};

SolidCut cut_solid(const Grid& grid, const Surface& surface, int id);

// All solids together, before slivers are dealt with.
CutCells combine(const Grid& grid, const std::vector<const SolidCut*>& cuts);

// Σ open + Σ patches of every cell, in face areas.
std::vector<Vec3> closure_defect(const CutCells& cut);

// Largest |Σ open + Σ patches| over the cells that have an open face, in face areas.
double closure_error(const CutCells& cut);

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
