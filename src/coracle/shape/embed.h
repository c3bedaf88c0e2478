// Points that move with the elements around them: a fine surface in a coarse body, the place of a probe.
#pragma once

#include "coracle/base/parallel.h"
#include "coracle/mesh.h"

#include <vector>

namespace coracle {

// A point outside every tet belongs to the tet under the nearest point of the surface.
Embedding embed(const TetMesh& mesh, const std::vector<Vec3>& points);
// The nearest point of the triangles or segments stands for a point.
Embedding embed(const TriMesh& mesh, const std::vector<Vec3>& points);
Embedding embed(const LineMesh& mesh, const std::vector<Vec3>& points);

// Interpolate a nodal quantity to the points; `elements` are those of the mesh. With the node positions: the positions
// of the points.
template <class Element, class T>
std::vector<T> embedded(const Embedding& places, const std::vector<Element>& elements, const std::vector<T>& values) {
  std::vector<T> found(places.element.size());
  for_each_index(found.size(), [&](std::size_t i) {
    const Element& nodes = elements[places.element[i]];
    T sum = places.weights[i][0] * values[nodes[0]];
    for (int a = 1; a < int(nodes.size()); ++a) sum += places.weights[i][a] * values[nodes[a]];
    found[i] = sum;
  });
  return found;
}

}  // namespace coracle
