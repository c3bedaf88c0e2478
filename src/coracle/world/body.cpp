#include "coracle/body.h"

#include "coracle/shape/region.h"
#include "coracle/shape/stuffing.h"
#include "coracle/shape/tet_io.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

namespace coracle {
namespace {

bool is_tet_file(const std::string& file) {
  const std::string kind = std::filesystem::path(file).extension().string();
  return std::set<std::string>{".msh", ".mesh", ".node", ".ele", ".vtu"}.contains(kind);
}

// Whether a point at rest is held.
class Held {
 public:
  Held(const HoldOptions& options, const Vec3& lo, const Vec3& hi) : options_(options), lo_(lo), hi_(hi) {
    for (const ShapeOptions& shape : options.regions) regions_.emplace_back(shape);
  }
  bool contains(const Vec3& x) const {
    if (options_.side != BodySide::none) {
      const int side = int(options_.side) - 1, axis = side / 2;
      const double end = side % 2 ? hi_[axis] : lo_[axis], close = 1e-6 * (hi_ - lo_).norm();
      return std::abs(x[axis] - end) <= close;
    }
    return std::any_of(regions_.begin(), regions_.end(), [&](const Region& r) { return r.contains(x); });
  }

 private:
  const HoldOptions& options_;
  Vec3 lo_, hi_;
  std::vector<Region> regions_;
};

void find_holds(const BodyOptions& options, BodyRest& rest) {
  Vec3 lo = rest.mesh.x[0], hi = lo;
  for (const Vec3& x : rest.mesh.x) lo = lo.cwiseMin(x), hi = hi.cwiseMax(x);
  std::map<int, Hold> found;
  for (const HoldOptions& hold : options.holds) {
    const Held held(hold, lo, hi);
    int motion = -1;
    if (!hold.motions.empty()) {
      motion = int(rest.motions.size());
      rest.motions.push_back(hold.motions);
    }
    std::vector<Vec3> normals{hold.normal.normalized()};
    if (hold.kind == HoldKind::pin) normals = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    bool any = false;
    for (std::size_t i = 0; i < rest.mesh.x.size(); ++i) {
      if (!held.contains(rest.mesh.x[i])) continue;
      any = true;
      Hold& node = found.try_emplace(int(i), Hold{int(i), Mat3::Identity(), {}}).first->second;
      for (const Vec3& n : normals) {
        const Vec3 new_part = node.free * n;  // what earlier holds leave of it
        if (new_part.norm() < 1e-6) continue;
        const Vec3 along = new_part.normalized();
        node.free -= along * along.transpose();
        node.directions.push_back({along, motion});
      }
    }
    if (!any) throw std::runtime_error("a hold catches none of its nodes; check its side or regions");
  }
  for (const auto& entry : found) rest.holds.push_back(entry.second);
}

// Of the connected pieces of the surface, the one around the largest volume.
std::vector<Vec3i> outer_surface(const BodyRest& rest) {
  std::vector<int> piece(rest.mesh.x.size());
  std::iota(piece.begin(), piece.end(), 0);
  const auto root = [&](int i) {
    while (piece[i] != i) i = piece[i] = piece[piece[i]];
    return i;
  };
  for (const Vec3i& t : rest.surface)
    for (int c = 1; c < 3; ++c) piece[root(t[0])] = root(t[c]);
  std::map<int, double> volume;
  for (const Vec3i& t : rest.surface)
    volume[root(t[0])] += rest.mesh.x[t[0]].dot(rest.mesh.x[t[1]].cross(rest.mesh.x[t[2]])) / 6;
  const auto largest =
      std::max_element(volume.begin(), volume.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Vec3i> hull;
  for (const Vec3i& t : rest.surface)
    if (root(t[0]) == largest->first) hull.push_back(t);
  return hull;
}

double mean_edge(const BodyRest& rest) {
  double sum = 0;
  for (const Vec3i& t : rest.surface)
    for (int c = 0; c < 3; ++c) sum += (rest.mesh.x[t[c]] - rest.mesh.x[t[(c + 1) % 3]]).norm();
  return sum / double(3 * rest.surface.size());
}

}  // namespace

TetMesh body_mesh(const BodyOptions& o) {
  if (o.mesh == BodyMesh::stuffed) {
    if (o.shape.kind == ShapeKind::mesh && is_tet_file(o.shape.file)) {
      TetMesh mesh = read_tet_mesh(o.shape.file);
      const Mat3 turn = rotation_xyz(o.shape.rotate);
      for (Vec3& x : mesh.x) x = o.shape.translate + turn * (o.shape.scale * x);
      return mesh;
    }
    return shape_tets(o.shape, o.edge);
  }
  TetMesh mesh = box_tets(-0.5 * o.shape.size, 0.5 * o.shape.size, o.cells, o.mesh == BodyMesh::grid5 ? 5 : 6);
  const Mat3 turn = rotation_xyz(o.shape.rotate);
  for (Vec3& x : mesh.x) x = o.shape.center + turn * x;
  return mesh;
}

Body build_body(const BodyOptions& options) {
  auto rest = std::make_shared<BodyRest>();
  rest->options = options;
  rest->mesh = body_mesh(options);
  rest->surface = boundary_triangles(rest->mesh);
  for (const Vec3i& t : rest->surface) rest->surface_nodes.insert(rest->surface_nodes.end(), t.begin(), t.end());
  std::sort(rest->surface_nodes.begin(), rest->surface_nodes.end());
  rest->surface_nodes.erase(std::unique(rest->surface_nodes.begin(), rest->surface_nodes.end()),
                            rest->surface_nodes.end());
  rest->hull = outer_surface(*rest);
  rest->mass.assign(rest->mesh.x.size(), 0);
  for (const Vec4i& t : rest->mesh.tets) {
    const auto& x = rest->mesh.x;
    Mat3 edges;
    for (int c = 0; c < 3; ++c) edges.col(c) = x[t[c + 1]] - x[t[0]];
    rest->inverse_edges.push_back(edges.inverse());
    rest->volume.push_back(edges.determinant() / 6);
    for (int c = 0; c < 4; ++c) rest->mass[t[c]] += options.density * rest->volume.back() / 4;
  }
  rest->edge = mean_edge(*rest);
  find_holds(options, *rest);
  if (!options.render.empty()) {
    rest->render = read_tri_mesh(options.render);
    rest->embedding = embed(rest->mesh, rest->render.x);
  }

  Body body;
  body.name = options.name;
  body.rest = rest;
  body.x = rest->mesh.x;
  const Vec3 center = center_of_mass(body);
  for (Vec3& x : body.x) x = center + options.stretch.cwiseProduct(x - center);
  for (const Vec3& x : body.x) body.v.push_back(options.velocity + options.spin.cross(x - center));
  return body;
}

Vec3 center_of_mass(const Body& body) {
  Vec3 moment = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = 0; i < body.x.size(); ++i) moment += body.rest->mass[i] * body.x[i], mass += body.rest->mass[i];
  return moment / mass;
}

double max_speed(const Body& body) {
  double speed = 0;
  for (const Vec3& v : body.v) speed = std::max(speed, v.norm());
  return speed;
}

double body_volume(const Body& body) {
  double volume = 0;
  for (const Vec4i& t : body.rest->mesh.tets)
    volume += tet_volume(body.x[t[0]], body.x[t[1]], body.x[t[2]], body.x[t[3]]);
  return volume;
}

}  // namespace coracle
