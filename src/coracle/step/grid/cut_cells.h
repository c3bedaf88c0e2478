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

#include "coracle/step/grid/boundary.h"

#include <vector>

namespace coracle {

// The pieces of one solid and the fractions of faces and cells that it fills.
struct SolidCut {
  std::vector<Patch> patches;
  FaceField<double> filled;  // same layout as Boundary::open; only where `box` reaches
  Array3<double> volume;
  Vec3i lo = Vec3i::Zero(), hi = Vec3i::Zero();  // cells [lo, hi) that the mesh can touch; all for a container
};

SolidCut cut_solid(const Grid& grid, const Surface& surface, int id);

// All solids together, before slivers are dealt with.
Boundary combine(const Grid& grid, const std::vector<const SolidCut*>& cuts);

// Σ open + Σ patches of every cell, in face areas.
std::vector<Vec3> closure_defect(const Boundary& cut);

// Largest |Σ open + Σ patches| over the cells that have an open face, in face areas.
double closure_error(const Boundary& cut);

}  // namespace coracle
