#include "coracle/scene/body_size.h"

#include "coracle/shape/region.h"
#include "coracle/shape/stuffing.h"
#include "coracle/shape/tet_io.h"
#include "coracle/shape/tet_mesh.h"

#include <cmath>

namespace coracle {
namespace {

bool is_tets(const BodyOptions& body) {
  return body.mesh == BodyMesh::stuffed && body.shape.kind == ShapeKind::mesh && is_tet_file(body.shape.file);
}

}  // namespace

double expected_tets(const BodyOptions& body) {
  if (body.mesh != BodyMesh::stuffed) return body.cells.cast<double>().prod() * (body.mesh == BodyMesh::grid5 ? 5 : 6);
  if (is_tets(body)) return 0;
  return expected_tets(shape_volume(body.shape), body.edge);
}

BodySize expected_size(const BodyOptions& body) {
  BodySize size;
  // A lattice with twelve tets and two nodes per cube, and the nodes of its last layer: 0.8 is right for balls of 600
  // to 90,000 tets.
  const auto side = [&] { return std::cbrt(size.tets / 12); };
  if (is_tets(body)) {
    const TetMesh mesh = read_tet_mesh(body.shape.file);
    size.tets = double(mesh.tets.size());
    size.nodes = double(mesh.x.size());
    for (const Vec4i& t : mesh.tets)
      size.volume += std::pow(body.shape.scale, 3) * tet_volume(mesh.x[t[0]], mesh.x[t[1]], mesh.x[t[2]], mesh.x[t[3]]);
  } else {
    size.tets = expected_tets(body);
    size.nodes = body.mesh == BodyMesh::stuffed ? 2 * std::pow(side() + 0.8, 3)
                                                : (body.cells.cast<double>() + Vec3::Ones()).prod();
    size.volume = shape_volume(body.shape);
  }
  // A node in the middle of each edge: edges = nodes + tets + half the surface's triangles (Euler).
  if (body.element == ElementOrder::quadratic) size.nodes += size.nodes + size.tets + 10 * side() * side();
  return size;
}

std::vector<BodySize> expected_sizes(const Scene& scene) {
  std::vector<BodySize> sizes;
  for (const BodyOptions& body : scene.bodies) sizes.push_back(expected_size(body));
  return sizes;
}

}  // namespace coracle
