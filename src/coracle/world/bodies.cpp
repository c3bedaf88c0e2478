#include "coracle/world/bodies.h"

#include "coracle/base/disjoint_sets.h"
#include "coracle/shape/quadratic_tet.h"
#include "coracle/shape/region.h"
#include "coracle/shape/stuffing.h"
#include "coracle/shape/tet_io.h"
#include "coracle/shape/thin_meshes.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/world/body_start.h"
#include "coracle/world/fibres.h"
#include "coracle/world/make_rigid.h"
#include "coracle/world/make_rods.h"
#include "coracle/world/make_shells.h"

#include <fmt/format.h>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace coracle {
namespace {

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
  Bounds b;
  for (const int n : rest.skin.nodes) b.extend(rest.x[n]);
  const bool skin_only = std::holds_alternative<Rigid>(rest.elements);
  std::map<int, Hold> found;
  for (const HoldOptions& hold : options.holds) {
    const Held held(hold, b.lo, b.hi);
    const int motion = int(rest.motions.size());
    rest.motions.push_back(hold.motions);
    std::vector<Vec3> normals{hold.normal.normalized()};
    if (hold.kind == HoldKind::pin) normals = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    bool any = false;
    for (std::size_t i = 0; i < rest.x.size(); ++i) {
      if (!held.contains(rest.x[i])) continue;
      if (skin_only && !std::binary_search(rest.skin.nodes.begin(), rest.skin.nodes.end(), int(i))) continue;
      any = true;
      Hold& node = found.try_emplace(int(i), Hold{int(i), Mat3::Identity(), {}}).first->second;
      for (const Vec3& n : normals) {
        const Vec3 new_part = node.free * n;  // without the directions of earlier holds
        if (new_part.norm() < 1e-6) continue;
        const Vec3 along = new_part.normalized();
        node.free -= along * along.transpose();
        node.directions.push_back({along, motion});
      }
    }
    if (!any) throw std::runtime_error("a hold contains no node of the body; check its side or regions");
  }
  for (const auto& entry : found) rest.holds.push_back(entry.second);
}

// The connected piece of a surface that encloses the largest volume.
std::vector<Vec3i> outer_piece(const std::vector<Vec3>& x, const std::vector<Vec3i>& tris) {
  DisjointSets pieces(x.size());
  for (const Vec3i& t : tris)
    for (int c = 1; c < 3; ++c) pieces.join(t[0], t[c]);
  std::map<int, double> volume;
  for (const Vec3i& t : tris) volume[pieces.root(t[0])] += cone_volume(x[t[0]], x[t[1]], x[t[2]]);
  const auto largest =
      std::max_element(volume.begin(), volume.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Vec3i> hull;
  for (const Vec3i& t : tris)
    if (pieces.root(t[0]) == largest->first) hull.push_back(t);
  return hull;
}

double mean_edge(const std::vector<Vec3>& x, const std::vector<Vec3i>& tris) {
  double sum = 0;
  for (const Vec3i& t : tris)
    for (int c = 0; c < 3; ++c) sum += (x[t[c]] - x[t[(c + 1) % 3]]).norm();
  return sum / double(3 * tris.size());
}

template <class Cells>
std::vector<int> nodes_of(const Cells& cells) {
  std::vector<int> nodes;
  for (const auto& cell : cells) nodes.insert(nodes.end(), cell.begin(), cell.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

Skin closed_skin(const std::vector<Vec3>& x, std::vector<Vec3i> tris) {
  Skin skin;
  skin.tris = std::move(tris);
  skin.nodes = nodes_of(skin.tris);
  skin.hull = outer_piece(x, skin.tris);
  skin.edge = mean_edge(x, skin.tris);
  return skin;
}

Mat3 edges_of(const TetMesh& mesh, const Vec4i& t) {
  Mat3 edges;
  for (int c = 0; c < 3; ++c) edges.col(c) = mesh.x[t[c + 1]] - mesh.x[t[0]];
  return edges;
}

// The same with ten nodes per tet. Every face of the surface becomes four triangles. A row-sum lumped mass would be
// negative at the corners; the diagonal of the consistent mass, scaled to the right sum, is positive: 1/36 of a tet's
// mass at each corner, 4/27 at each mid-edge [Hughes00 §7.3.2].
void build_quadratic_tets(TetMesh mesh, BodyRest& rest) {
  const std::vector<Vec3i> faces = boundary_triangles(mesh);
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [it, added] = middles.try_emplace(std::minmax(a, b), int(rest.x.size()));
    if (added) rest.x.push_back(0.5 * (mesh.x[a] + mesh.x[b]));
    return it->second;
  };
  rest.x = mesh.x;
  QuadraticTets tets;
  for (const Vec4i& t : mesh.tets) {
    std::array<int, 10> n{t[0], t[1], t[2], t[3]};
    for (int e = 0; e < 6; ++e) n[4 + e] = middle(t[quadratic_edges[e][0]], t[quadratic_edges[e][1]]);
    const Mat3 edges = edges_of(mesh, t);
    tets.nodes.push_back(n);
    tets.inverse_edges.push_back(edges.inverse());
    tets.volume.push_back(edges.determinant() / 6);
  }
  rest.mass.assign(rest.x.size(), 0);
  for (std::size_t t = 0; t < tets.nodes.size(); ++t)
    for (int a = 0; a < 10; ++a)
      rest.mass[tets.nodes[t][a]] += rest.options.density * tets.volume[t] * (a < 4 ? 1.0 / 36 : 4.0 / 27);
  std::vector<Vec3i> skin;
  for (const Vec3i& f : faces) {
    const int a = middle(f[0], f[1]), b = middle(f[1], f[2]), c = middle(f[2], f[0]);
    for (const Vec3i& part : {Vec3i(f[0], a, c), Vec3i(a, f[1], b), Vec3i(c, b, f[2]), Vec3i(a, b, c)})
      skin.push_back(part);
  }
  rest.skin = closed_skin(rest.x, std::move(skin));
  rest.elements = std::move(tets);
}

// Nodes, elements, masses and skin of a body of tetrahedra.
void build_tets(TetMesh mesh, BodyRest& rest) {
  Tets tets;
  rest.skin = closed_skin(mesh.x, boundary_triangles(mesh));
  rest.mass.assign(mesh.x.size(), 0);
  for (const Vec4i& t : mesh.tets) {
    const Mat3 edges = edges_of(mesh, t);
    tets.inverse_edges.push_back(edges.inverse());
    tets.volume.push_back(edges.determinant() / 6);
    for (int c = 0; c < 4; ++c) rest.mass[t[c]] += rest.options.density * tets.volume.back() / 4;
  }
  rest.x = std::move(mesh.x);
  tets.tets = std::move(mesh.tets);
  rest.elements = std::move(tets);
}

void build_shell(const BodyOptions& o, BodyRest& rest) {
  TriMesh mesh = sheet_of(o.shape, o.edge);
  Shells shells = make_shells(mesh.x, mesh.tris, o.poisson);
  rest.x = std::move(mesh.x);
  rest.mass = lumped_mass(shells, rest.x.size(), o);
  rest.skin.tris = shells.tris;
  rest.skin.nodes = nodes_of(shells.tris);
  rest.skin.edge = mean_edge(rest.x, shells.tris);
  rest.skin.radius = 0.5 * o.shell_thickness;
  rest.elements = std::move(shells);
}

void build_rod(const BodyOptions& o, BodyRest& rest) {
  LineMesh mesh = lines_of(o.shape, o.edge);
  Rods rods = make_rods(mesh.x, mesh.segments);
  rest.x = std::move(mesh.x);
  rest.mass = lumped_mass(rods, rest.x.size(), o);
  rest.skin.segments = rods.segments;
  rest.skin.nodes = nodes_of(rods.segments);
  for (const double l : rods.length) rest.skin.edge += l / double(rods.length.size());
  rest.skin.radius = o.rod_radius;
  rest.elements = std::move(rods);
}

// `tied`: points whose nearest vertices will follow other bodies. The stiffness only keeps the body rigid: under their
// own weight, ten metres of steel are strained by 1e-4. The material conserves angular momentum best (rigid_test).
void build_rigid(const BodyOptions& o, const std::vector<Vec3>& tied, BodyRest& rest) {
  constexpr double stiff = 1e10;  // Pa
  rest.options.material = MaterialModel::st_venant_kirchhoff;
  rest.options.young = stiff;
  rest.options.poisson = 0;
  const TriMesh mesh = closed_surface_of(o.shape, o.edge);
  Bounds b;
  for (const Vec3& x : mesh.x) b.extend(x);
  std::vector<int> special;
  for (const HoldOptions& hold : o.holds) {
    const Held held(hold, b.lo, b.hi);
    for (std::size_t i = 0; i < mesh.x.size(); ++i)
      if (held.contains(mesh.x[i])) special.push_back(int(i));
  }
  for (const Vec3& point : tied)
    special.push_back(int(std::min_element(mesh.x.begin(), mesh.x.end(),
                                           [&](const Vec3& p, const Vec3& q) {
                                             return (p - point).squaredNorm() < (q - point).squaredNorm();
                                           }) -
                          mesh.x.begin()));
  std::sort(special.begin(), special.end());
  special.erase(std::unique(special.begin(), special.end()), special.end());
  RigidParts made = make_rigid(mesh, o.density, special);
  rest.x = std::move(made.x);
  rest.mass = std::move(made.mass);
  rest.skin = closed_skin(rest.x, std::move(made.tris));
  rest.followers = std::move(made.followers);
  rest.elements = std::move(made.rigid);
}

bool same_motion(const MotionOptions& a, const MotionOptions& b) {
  const auto fields = [](const MotionOptions& m) {
    return std::tie(m.kind, m.velocity, m.axis, m.pivot, m.rate, m.amplitude, m.frequency, m.phase, m.start, m.end,
                    m.times, m.offsets, m.angles);
  };
  return fields(a) == fields(b);
}

// Holds that prescribe different motions along one direction would tear a rigid body.
void check_motions_of_holds(const BodyRest& rest) {
  const auto same = [&](int a, int b) {
    return a == b || std::ranges::equal(rest.motions[a], rest.motions[b], same_motion);
  };
  std::vector<Hold::Direction> known;  // few: those of a hold are the same at all its nodes
  for (const Hold& hold : rest.holds)
    for (const Hold::Direction& d : hold.directions) {
      bool is_known = false;
      for (const Hold::Direction& k : known) {
        is_known = is_known || (k.motion == d.motion && k.along == d.along);
        if (std::abs(k.along.dot(d.along)) > 1e-6 && !same(k.motion, d.motion))
          throw std::runtime_error(
              "its holds move it in different ways along one direction, and a rigid body moves as one; give them the "
              "same motion, or put their regions into one hold");
      }
      if (!is_known) known.push_back(d);
    }
}

// A hold of a node that follows must be that of its leaders: the hold of these is enough.
void drop_implied_holds(BodyRest& rest) {
  if (rest.followers.empty()) return;
  check_motions_of_holds(rest);
  const auto hold_of = [&](int node) -> const Hold* {
    const auto at =
        std::lower_bound(rest.holds.begin(), rest.holds.end(), node, [](const Hold& h, int n) { return h.node < n; });
    return at != rest.holds.end() && at->node == node ? &*at : nullptr;
  };
  std::vector<int> implied;
  for (const Follower& f : rest.followers) {
    const Hold* own = hold_of(f.node);
    if (!own) continue;
    for (const int leader : f.leaders) {
      const Hold* hold = hold_of(leader);
      if (!hold || !hold->free.isApprox(own->free))
        throw std::runtime_error("a rigid body is held in ways that do not fit together; hold fewer of its vertices");
    }
    implied.push_back(f.node);
  }
  std::erase_if(rest.holds, [&](const Hold& h) { return std::binary_search(implied.begin(), implied.end(), h.node); });
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

Body build_body(const BodyOptions& options, const std::vector<Vec3>& tied) {
  auto rest = std::make_shared<BodyRest>();
  rest->options = options;
  switch (options.kind) {
    case BodyKind::solid:
      if (options.element == ElementOrder::quadratic)
        build_quadratic_tets(body_mesh(options), *rest);
      else
        build_tets(body_mesh(options), *rest);
      break;
    case BodyKind::shell:
      build_shell(options, *rest);
      break;
    case BodyKind::rod:
      build_rod(options, *rest);
      break;
    case BodyKind::rigid:
      build_rigid(options, tied, *rest);
      break;
  }
  find_holds(options, *rest);
  drop_implied_holds(*rest);
  find_fibres(options, *rest);
  if (!options.render.empty()) {
    rest->render = read_tri_mesh(options.render);
    rest->embedding = embed(*rest, rest->render.x);
  }

  Body body;
  body.name = options.name;
  body.rest = rest;
  body.x = rest->x;
  const Vec3 center = center_of_mass(body);
  for (Vec3& x : body.x) x = center + options.stretch.cwiseProduct(x - center);
  for (const Vec3& x : body.x) body.v.push_back(options.velocity + options.spin.cross(x - center));
  add_start(options, body);
  for (const Follower& f : rest->followers) {
    body.v[f.node].setZero();
    for (std::size_t i = 0; i < f.leaders.size(); ++i) body.v[f.node] += f.weights[i] * body.v[f.leaders[i]];
  }
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

std::vector<Vec3> node_positions(const std::vector<Body>& bodies) {
  std::vector<Vec3> x;
  for (const Body& body : bodies) x.insert(x.end(), body.x.begin(), body.x.end());
  return x;
}

std::vector<Vec3> node_velocities(const std::vector<Body>& bodies) {
  std::vector<Vec3> v;
  for (const Body& body : bodies) v.insert(v.end(), body.v.begin(), body.v.end());
  return v;
}

std::vector<int> first_nodes(const std::vector<Body>& bodies) {
  std::vector<int> first{0};
  for (const Body& body : bodies) first.push_back(first.back() + int(body.x.size()));
  return first;
}

}  // namespace coracle
