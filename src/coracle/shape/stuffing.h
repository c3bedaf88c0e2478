// Fill a shape with well-shaped tetrahedra: isosurface stuffing on a uniform body-centered lattice [LabelleShewchuk07].
// Lattice points close to the surface are moved onto it, then every lattice tet keeps its part inside the surface by
// one of a few stencils. Dihedral angles lie between 10.7° and 164.8° whatever the shape; edges and corners sharper
// than the lattice can see are cut off, and so are parts thinner than an edge.
#pragma once

#include "coracle/shape/tet_mesh.h"
#include "coracle/shapes.h"

#include <functional>

namespace coracle {

// `distance`: negative inside, of slope 1 at most (it is called from several threads); what reaches beyond lo..hi is
// cut off. `edge`: the lattice's longer edges, m; the others are √3/2 of it. Throws std::runtime_error where nothing is
// left, or the lattice would be absurdly large.
TetMesh stuff(const std::function<double(const Vec3&)>& distance, const Vec3& lo, const Vec3& hi, double edge);

// The same for a scene's shape. Throws std::runtime_error also where the shape has no end or its file cannot be read.
TetMesh shape_tets(const ShapeOptions& shape, double edge);

// Remove tets where the surface meets itself at an edge or a vertex: all but the largest group there.
void remove_pinches(TetMesh& mesh);

}  // namespace coracle
