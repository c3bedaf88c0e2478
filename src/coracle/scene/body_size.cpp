#include "coracle/scene/body_size.h"

#include "coracle/shape/read_lines.h"
#include "coracle/shape/region.h"
#include "coracle/shape/stuffing.h"
#include "coracle/shape/tet_io.h"
#include "coracle/shape/tet_mesh.h"
#include "coracle/shape/thin_meshes.h"

#include <cmath>
#include <numbers>

namespace coracle {
namespace {

constexpr double pi = std::numbers::pi;

bool is_tets(const BodyOptions& body) {
  return body.mesh == BodyMesh::stuffed && body.shape.kind == ShapeKind::mesh && is_tet_file(body.shape.file);
}

// Side of the cube of its volume, in cubes of the lattice: each has twelve tets and two nodes.
double lattice_side(double tets) { return std::cbrt(tets / 12); }

// Triangles on the surface of a shape of so many tets.
double surface_of(double tets) { return 20 * lattice_side(tets) * lattice_side(tets); }

BodySize solid_size(const BodyOptions& body) {
  BodySize size;
  double volume = 0;
  if (is_tets(body)) {
    const TetMesh mesh = read_tet_mesh(body.shape.file);
    size.tets = double(mesh.tets.size());
    size.nodes = double(mesh.x.size());
    volume = std::pow(body.shape.scale, 3) * volume_of(mesh.x, mesh.tets);
  } else {
    size.tets = expected_tets(body);
    // With the nodes of the last layer: 0.8 is right for balls of 600 to 90,000 tets.
    size.nodes = body.mesh == BodyMesh::stuffed ? 2 * std::pow(lattice_side(size.tets) + 0.8, 3)
                                                : (body.cells.cast<double>() + Vec3::Ones()).prod();
    volume = shape_volume(body.shape);
  }
  // A node in the middle of each edge: edges = nodes + tets + half the surface's triangles (Euler).
  if (body.element == ElementOrder::quadratic) size.nodes += size.nodes + size.tets + 0.5 * surface_of(size.tets);
  size.spacing = std::cbrt(volume / size.nodes);
  return size;
}

double sphere_triangles(double radius, double edge) {
  const double parts = std::max(1.0, std::ceil(1.34 * radius / edge));  // of an edge of the icosahedron (sphere_mesh)
  return 20 * parts * parts;
}

// Of a surface, by the rules of shape/thin_meshes.h.
BodySize surface_size(const BodyOptions& body) {
  const ShapeOptions& s = body.shape;
  const double edge = body.edge;
  const auto parts = [edge](double length) { return expected_parts(length, edge); };
  BodySize size;
  size.spacing = edge;
  switch (s.kind) {
    case ShapeKind::rectangle: {
      const double n = parts(s.along.norm()), m = parts(s.across.norm());
      size.triangles = 2 * n * m;
      size.nodes = (n + 1) * (m + 1);
      return size;
    }
    case ShapeKind::box: {
      const double a = parts(s.size.x()), b = parts(s.size.y()), c = parts(s.size.z());
      size.triangles = 4 * (a * b + b * c + c * a);
      break;
    }
    case ShapeKind::cylinder: {
      const double rings = parts(s.radius * pi / 3);
      size.triangles = 12 * rings * (rings + parts(s.height));
      break;
    }
    case ShapeKind::torus:
      size.triangles = 2 * std::max(8.0, parts(2 * pi * (s.radius + s.tube))) * std::max(6.0, parts(2 * pi * s.tube));
      break;
    case ShapeKind::sphere:
      size.triangles = sphere_triangles(s.radius, edge);
      break;
    case ShapeKind::hollow_sphere:
      size.triangles = sphere_triangles(s.radius, edge) + sphere_triangles(s.radius - s.thickness, edge);
      break;
    case ShapeKind::mesh:
      if (!is_tets(body)) {
        const TriMesh mesh = shape_mesh(s, edge);
        size.triangles = double(mesh.tris.size());
        size.nodes = double(mesh.x.size());
        double area = 0;
        for (const Vec3i& t : mesh.tris)
          area += 0.5 * (mesh.x[t[1]] - mesh.x[t[0]]).cross(mesh.x[t[2]] - mesh.x[t[0]]).norm();
        size.spacing = std::sqrt(area / size.nodes);
        return size;
      }
      size.triangles = surface_of(solid_size(body).tets);
      break;
    default:
      size.triangles = surface_of(expected_tets(body));
  }
  size.nodes = size.triangles / 2 + 2;  // of a closed surface without handles (Euler)
  return size;
}

BodySize line_size(const BodyOptions& body) {
  const ShapeOptions& s = body.shape;
  const auto parts = [&](double length) { return expected_parts(length, body.edge); };
  BodySize size;
  size.spacing = body.edge;
  if (s.kind == ShapeKind::net) {
    const double n = expected_parts(s.along.norm(), s.spacing), m = expected_parts(s.across.norm(), s.spacing);
    const double meshes = (m + 1) * n + (n + 1) * m;  // sides of all meshes
    size.segments = (m + 1) * n * parts(s.along.norm() / n) + (n + 1) * m * parts(s.across.norm() / m);
    size.nodes = (n + 1) * (m + 1) + size.segments - meshes;
  } else if (s.kind == ShapeKind::mesh) {
    const LineMesh lines = read_lines(s.file);
    for (const auto& [a, b] : lines.segments) size.segments += parts(s.scale * (lines.x[b] - lines.x[a]).norm());
    size.nodes = double(lines.x.size()) + size.segments - double(lines.segments.size());
  } else {
    for (std::size_t i = 1; i < s.points.size(); ++i) size.segments += parts((s.points[i] - s.points[i - 1]).norm());
    size.nodes = size.segments + (s.points.empty() || s.points.front() == s.points.back() ? 0 : 1);
  }
  return size;
}

}  // namespace

double expected_tets(const BodyOptions& body) {
  if (body.kind == BodyKind::solid && body.mesh != BodyMesh::stuffed)
    return body.cells.cast<double>().prod() * (body.mesh == BodyMesh::grid5 ? 5 : 6);
  const bool meshed =
      body.kind == BodyKind::solid ? !is_tets(body) : body.kind == BodyKind::rigid && has_parts(body.shape.kind);
  return meshed ? expected_tets(shape_volume(body.shape), body.edge) : 0;
}

BodySize expected_size(const BodyOptions& body) {
  switch (body.kind) {
    case BodyKind::solid:
      return solid_size(body);
    case BodyKind::shell:
      return surface_size(body);
    case BodyKind::rod:
      return line_size(body);
    case BodyKind::rigid: {
      BodySize size = surface_size(body);
      size.nodes += 4;  // the leading ones
      return size;
    }
  }
  return {};
}

std::vector<BodySize> expected_sizes(const Scene& scene) {
  std::vector<BodySize> sizes;
  for (const BodyOptions& body : scene.bodies) sizes.push_back(expected_size(body));
  return sizes;
}

}  // namespace coracle
