// Closed surfaces around things that have no volume of their own, for pictures: a sheet gets its thickness, a rod its
// round section. Which points and triangles there are depends on the elements alone, so that they are the same in all
// frames.
#pragma once

#include "coracle/mesh.h"

#include <array>
#include <vector>

namespace coracle {

struct Cover {
  TriMesh mesh;
  std::vector<int> node;  // that every point of the mesh belongs to
};

// Both sides of a sheet at half of the thickness, joined along its border. The sides are parallel: at a fold, points
// move out further than on a plane, up to twice as far.
Cover sheet_cover(const std::vector<Vec3>& x, const std::vector<Vec3i>& tris, double thickness);

// Segments that continue each other, as lists of nodes; first and last are the same in a loop. `bends`: three nodes of
// two segments that continue each other. Every segment belongs to one path.
using Paths = std::vector<std::vector<int>>;
Paths rod_paths(const std::vector<std::array<int, 2>>& segments, const std::vector<Vec3i>& bends);

// A tube of `sides` sides around each path, with round ends; tubes that cross run into each other. They do not twist:
// the section is carried along the path without rotation about it. At the start of a path, it follows from the section
// at rest, so that it does not jump between frames.
Cover tube_cover(const std::vector<Vec3>& rest, const std::vector<Vec3>& x, const Paths& paths, double radius,
                 int sides = 8);

}  // namespace coracle
