// Fill a shape with well-shaped tetrahedra: isosurface stuffing on a uniform body-centered lattice [LabelleShewchuk07].
// Lattice points close to the surface are moved onto it, then every lattice tet keeps its part inside the surface by
// one of a few stencils. Dihedral angles lie between 10.7° and 164.8° for any shape. Edges and corners that are too
// sharp for the lattice are cut off, and so are parts thinner than a lattice edge.
#pragma once

#include "coracle/shape/tet_mesh.h"
#include "coracle/shapes.h"

#include <functional>

namespace coracle {

// `distance`: negative inside, with a slope of at most 1; called from several threads. Parts outside lo..hi are cut
// off. `edge`: length of the longer lattice edges, m; the others are √3/2 of it. Throws std::runtime_error if the mesh
// would be empty or the lattice far too large.
TetMesh stuff(const std::function<double(const Vec3&)>& distance, const Vec3& lo, const Vec3& hi, double edge);

// The same for a shape of a scene, with the volume of the shape (fit_volume.h). Also throws std::runtime_error if the
// shape is infinite or its file cannot be read.
TetMesh shape_tets(const ShapeOptions& shape, double edge);

// About how many tets a shape of this volume gets: 12 per cube of the lattice, and somewhat more at the surface.
inline double expected_tets(double volume, double edge) { return 12 * volume / (edge * edge * edge); }

// Remove tets where the surface touches itself at an edge or a vertex: all but the largest connected group there.
void remove_pinches(TetMesh& mesh);

}  // namespace coracle
