#include "coracle/shape/thin_meshes.h"

#include "coracle/shape/faceted_meshes.h"
#include "coracle/shape/read_lines.h"
#include "coracle/shape/region.h"
#include "coracle/shape/stuffing.h"
#include "coracle/shape/tet_io.h"

#include <stdexcept>

namespace coracle {
namespace {

// Only the vertices that a triangle uses, in their order.
TriMesh without_loose_vertices(const std::vector<Vec3>& x, std::vector<Vec3i> tris) {
  std::vector<int> number(x.size(), -1);
  for (const Vec3i& t : tris)
    for (const int v : t) number[v] = 0;
  TriMesh mesh;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (number[i] < 0) continue;
    number[i] = int(mesh.x.size());
    mesh.x.push_back(x[i]);
  }
  for (Vec3i& t : tris)
    for (int& v : t) v = number[v];
  mesh.tris = std::move(tris);
  return mesh;
}

TriMesh surface_of(const TetMesh& mesh) { return without_loose_vertices(mesh.x, boundary_triangles(mesh)); }

// The surface of a shape without parts, with facets on its flat sides.
TriMesh faceted(const ShapeOptions& s, double edge) {
  if (s.kind == ShapeKind::box) {
    TriMesh mesh = faceted_box_mesh(-0.5 * s.size, 0.5 * s.size, edge);
    transform(mesh, 1, rotation_xyz(s.rotate), s.center);
    return mesh;
  }
  if (s.kind == ShapeKind::cylinder)
    return faceted_cylinder_mesh(s.center, rotation_xyz(s.rotate) * s.axis, s.radius, s.height, edge);
  const TriMesh mesh = shape_mesh(s, edge);
  return without_loose_vertices(mesh.x, mesh.tris);  // a file may have them
}

}  // namespace

TriMesh sheet_of(const ShapeOptions& s, double edge) {
  switch (s.kind) {
    case ShapeKind::rectangle:
      return rectangle_mesh(s.center, s.along, s.across, edge);
    case ShapeKind::box:
    case ShapeKind::sphere:
    case ShapeKind::cylinder:
    case ShapeKind::torus:
    case ShapeKind::mesh:
      return faceted(s, edge);
    default:
      throw std::runtime_error("a shell is a rectangle, a box, a sphere, a cylinder, a torus or a mesh of triangles");
  }
}

LineMesh lines_of(const ShapeOptions& s, double edge) {
  switch (s.kind) {
    case ShapeKind::line:
      return line_mesh(s.points, edge);
    case ShapeKind::net:
      return net_mesh(s.center, s.along, s.across, s.spacing, edge);
    case ShapeKind::mesh: {
      LineMesh lines = read_lines(s.file);
      const Mat3 turn = rotation_xyz(s.rotate);
      for (Vec3& x : lines.x) x = s.translate + turn * (s.scale * x);
      return divided(lines, edge);
    }
    default:
      throw std::runtime_error("a rod is a line, a net, or a mesh of lines");
  }
}

TriMesh closed_surface_of(const ShapeOptions& s, double edge) {
  if (is_thin(s.kind))
    throw std::runtime_error(
        "this shape has no volume; use a box, a sphere, a cylinder, a torus, a mesh or a shape made of these");
  if (has_parts(s.kind) || s.kind == ShapeKind::half_space) return surface_of(shape_tets(s, edge));
  if (s.kind == ShapeKind::mesh && is_tet_file(s.file)) {
    TriMesh mesh = surface_of(read_tet_mesh(s.file));
    transform(mesh, s.scale, rotation_xyz(s.rotate), s.translate);
    return mesh;
  }
  return faceted(s, edge);
}

}  // namespace coracle
