// Exact cut cells of a grid by closed triangle meshes.
//
// Every triangle is clipped to the cells. The part of a face that lies inside a mesh follows from closure: along a row
// of cells, W(k+1) = W(k) − Σ a·n over the pieces between faces k and k+1 (n out of the mesh, its component along the
// row), with W = 0 before the row meets the mesh. Every cell then satisfies
//     Σ open faces (outward) + Σ patches (out of the liquid) = 0
// to round-off, so a constant pressure exerts no net force and a uniform stream passes undisturbed.
// Volumes follow the same way, from ∮ x n_x dA.
//
// Overlapping solids: face_union.h finds what their union leaves of a face; the open fractions of a cell are
// multiplied. exact_boundary.cpp then removes the pieces of one solid that lie inside another and adds one patch per
// cell for the area that is missing to closure. It does the same where a body's surface passes through itself and would
// fill a face twice. Faces on the domain's sides hold the wall's wet area; nothing flows through them unless the side
// is open.
//
// Differs from the paper: [ZarifiBatty17 sec. 7] takes face areas from a distance field sampled at nodes; they then
// disagree slightly with the clipped patches.
#pragma once

#include "coracle/step/grid/boundary.h"
#include "coracle/step/grid/cell_box.h"

#include <array>
#include <span>
#include <vector>

namespace coracle {

// The pieces of one solid and the fractions of faces and cells that it fills.
struct SolidCut {
  std::vector<Patch> patches;           // sorted by cell
  std::array<Boxed<double>, 3> filled;  // fraction of each face that the solid fills, per axis; of the faces of the box
  Boxed<double> volume;                 // of each cell, likewise
  const CellBox& box() const { return volume.box; }  // that the mesh can touch; all cells for a container
  bool overlaps = false;  // fills a face or a cell more than once, or less than not at all: it passes through itself
};

void cut_solid(const Grid& grid, const Surface& surface, int id, SolidCut& cut);

struct FaceId {
  int axis;
  std::size_t index;  // in the field of that axis
  bool operator==(const FaceId&) const = default;
  bool operator<(const FaceId& o) const { return axis != o.axis ? axis < o.axis : index < o.index; }
};

// All solids together in some boxes, elsewhere nothing changes; overlaps and slivers are still there. `shared` gets the
// faces in the boxes that several solids fill in part, of which the open fractions are multiplied.
void combine(const std::vector<const SolidCut*>& cuts, std::span<const CellBox> boxes, Boundary& all,
             std::vector<FaceId>* shared = nullptr);

// Σ open + Σ patches of one cell without its patches, in face areas.
Vec3 open_defect(const Boundary& cut, std::size_t cell);
// Σ open + Σ patches of every cell, in face areas.
std::vector<Vec3> closure_defect(const Boundary& cut);

// Largest |Σ open + Σ patches| over the cells that have an open face, in face areas.
double closure_error(const Boundary& cut);

}  // namespace coracle
