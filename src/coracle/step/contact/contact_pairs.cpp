#include "coracle/step/contact/contact_pairs.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/ccd.h"
#include "coracle/step/contact/barrier.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <set>

namespace coracle {
namespace {

using Kind = ContactPair::Kind;

// Solids have the largest reach of the bodies.
std::vector<double> reaches(const ContactMesh& mesh) {
  double largest = 0;
  for (const ContactPart& part : mesh.parts)
    if (std::isfinite(part.reach)) largest = std::max(largest, part.reach);
  std::vector<double> reaches;
  for (const ContactPart& part : mesh.parts) reaches.push_back(std::min(part.reach, largest));
  return reaches;
}

Bounds grown(const Bounds& box, double by) { return {box.lo - Vec3::Constant(by), box.hi + Vec3::Constant(by)}; }

// The boxes of items, whose vertices are vertices_of(i), in a tree. Half of the reach on each side, and the radius: two
// boxes overlap if the gap of the parts may become as small as the smaller of their reaches. The reach of loose points
// counts whatever they touch.
template <class Vertices>
void fit(BoxTree& tree, std::size_t count, const ContactMesh& mesh, const std::vector<double>& reach,
         const std::vector<Bounds>& covered, Vertices&& vertices_of) {
  constexpr double too_loose = 2;
  std::vector<Bounds> boxes(count);
  for_each_index(count, [&](std::size_t i) {
    const std::span<const int> vertices = vertices_of(i);
    Bounds box;
    for (const int v : vertices) {
      box.lo = box.lo.cwiseMin(covered[v].lo);
      box.hi = box.hi.cwiseMax(covered[v].hi);
    }
    const int part = mesh.part[vertices[0]];
    boxes[i] = grown(box, (mesh.parts[part].loose ? 1 : 0.5) * reach[part] + mesh.parts[part].radius);
  });
  if (tree.size() == int(count)) tree.refit(boxes);
  if (tree.size() != int(count) || tree.looseness() > too_loose) tree = BoxTree(boxes);
}

// Two sets of vertices can meet if they share none, none are neighbours, not all are given, and they are not of one
// rigid body.
bool can_meet(const ContactMesh& mesh, std::span<const int> a, std::span<const int> b) {
  const int part = mesh.part[a[0]];
  if (part == mesh.part[b[0]] && mesh.parts[part].rigid()) return false;
  bool given = true;
  for (const int i : a) {
    given = given && mesh.given[i];
    for (const int j : b)
      if (i == j || std::binary_search(mesh.neighbours[i].begin(), mesh.neighbours[i].end(), j)) return false;
  }
  for (const int j : b) given = given && mesh.given[j];
  return !given;
}

double wall_distance(const ContactMesh& mesh, const Vec3& x, int side) {
  const int a = side / 2;
  return side % 2 ? mesh.domain.hi[a] - x[a] : x[a] - mesh.domain.lo[a];
}

std::vector<ItemPair> near_walls(const ContactMesh& mesh, const std::vector<Bounds>& covered) {
  std::vector<ItemPair> walls;
  for (std::size_t p = 0; p < mesh.points.size(); ++p) {
    const int v = mesh.points[p];
    if (v >= mesh.nodes || mesh.given[v]) continue;
    const ContactPart& part = mesh.parts[mesh.part[v]];
    for (int side = 0; side < 6; ++side) {
      const double nearest = wall_distance(mesh, side % 2 ? covered[v].hi : covered[v].lo, side);
      const bool free = mesh.free[v].col(side / 2).norm() > 1e-9;
      if (nearest < part.reach + part.radius && free && !mesh.joined_walls.contains(key(int(p), side)))
        walls.push_back({int(p), side});
    }
  }
  return walls;
}

std::span<const int> vertices(const Vec3i& t) { return {t.data(), 3}; }

// Where a segment crosses a triangle, as a share of the segment; below 0: nowhere.
double crossing(const Vec3& a, const Vec3& b, const Vec3& p, const Vec3& q, const Vec3& r) {
  const Vec3 n = (q - p).cross(r - p);
  const double from = n.dot(a - p), to = n.dot(b - p);
  if (from * to > 0 || from == to) return -1;
  const double share = from / (from - to);
  const Vec3 x = a + share * (b - a);
  const bool inside =
      n.dot((q - p).cross(x - p)) >= 0 && n.dot((r - q).cross(x - q)) >= 0 && n.dot((p - r).cross(x - r)) >= 0;
  return inside ? share : -1;
}

}  // namespace

ContactCandidates find_candidates(ContactMesh& mesh, const std::vector<Vec3>& from, const std::vector<Vec3>& to,
                                  double slack) {
  const std::vector<double> reach = reaches(mesh);
  ContactCandidates found;
  found.covered.resize(from.size());
  for (std::size_t v = 0; v < from.size(); ++v)
    found.covered[v] = grown({from[v].cwiseMin(to[v]), from[v].cwiseMax(to[v])}, slack * reach[mesh.part[v]]);
  const auto point = [&](std::size_t i) { return std::span<const int>(&mesh.points[i], 1); };
  const auto edge = [&](std::size_t i) { return std::span<const int>(mesh.edges[i]); };
  const auto tri = [&](std::size_t i) { return vertices(mesh.tris[i]); };
  fit(mesh.point_tree, mesh.points.size(), mesh, reach, found.covered, point);
  fit(mesh.edge_tree, mesh.edges.size(), mesh, reach, found.covered, edge);
  fit(mesh.tri_tree, mesh.tris.size(), mesh, reach, found.covered, tri);
  found.points = overlapping_pairs(mesh.point_tree, mesh.tri_tree, [&](int p, int t) {
    const bool touches = t < mesh.surface_tris || mesh.parts[mesh.part[mesh.points[p]]].loose;
    return touches && can_meet(mesh, point(p), tri(t)) && !mesh.joined_points.contains(key(p, t));
  });
  found.edges = overlapping_pairs(mesh.edge_tree, [&](int a, int b) {
    return can_meet(mesh, edge(a), edge(b)) && !mesh.joined_edges.contains(key(a, b));
  });
  found.walls = near_walls(mesh, found.covered);
  return found;
}

bool covers(const ContactCandidates& candidates, const std::vector<Vec3>& x) {
  for (std::size_t v = 0; v < x.size(); ++v) {
    const Bounds& box = candidates.covered[v];
    if (!((x[v].array() >= box.lo.array()).all() && (x[v].array() <= box.hi.array()).all())) return false;
  }
  return true;
}

ContactPair pair_at(const ContactMesh& mesh, const ContactCandidates& candidates, std::size_t i) {
  ContactPair pair{};
  const std::size_t points = candidates.points.size(), edges = candidates.edges.size();
  if (i < points) {
    pair.kind = Kind::point_triangle;
    pair.items = candidates.points[i];
    const Vec3i& t = mesh.tris[pair.items.second];
    pair.vertex = {mesh.points[pair.items.first], t[0], t[1], t[2]};
    pair.area = mesh.point_area[pair.items.first];
  } else if (i < points + edges) {
    pair.kind = Kind::edge_edge;
    const auto [first, second] = pair.items = candidates.edges[i - points];
    const auto &a = mesh.edges[first], &b = mesh.edges[second];
    pair.vertex = {a[0], a[1], b[0], b[1]};
    pair.area = 0.5 * (mesh.edge_area[first] + mesh.edge_area[second]);
    pair.epsilon = mollifier_threshold(mesh.edge_length[first], mesh.edge_length[second]);
  } else {
    pair.kind = Kind::wall;
    pair.items = candidates.walls[i - points - edges];
    pair.vertex = {mesh.points[pair.items.first], -1, -1, -1};
    pair.area = mesh.point_area[pair.items.first];
  }
  const bool wall = pair.kind == Kind::wall;
  pair.part[0] = mesh.part[pair.vertex[0]];
  pair.part[1] = wall ? pair.part[0] : mesh.part[pair.vertex[3]];
  const ContactPart &a = mesh.parts[pair.part[0]], &b = mesh.parts[pair.part[1]];
  pair.reach = a.loose ? a.reach : std::min(a.reach, b.reach);
  pair.offset = wall ? a.radius : a.radius + b.radius;
  return pair;
}

SimplexDistance measure(const ContactMesh& mesh, const ContactPair& pair, const FourNodes& x) {
  if (pair.kind == Kind::point_triangle) return point_triangle_distance(x);
  if (pair.kind == Kind::edge_edge) return edge_edge_distance(x);
  const int side = pair.items.second;
  const double distance = std::max(wall_distance(mesh, x[0], side), 0.0);
  SimplexDistance closest;
  closest.squared = distance * distance;
  closest.weight = Weights::UnitX();
  closest.difference = (side % 2 ? -distance : distance) * Vec3::Unit(side / 2);
  closest.feature = ClosestFeature::corner_a;  // it does not slide: the wall is flat
  return closest;
}

double free_share(const ContactMesh& mesh, const ContactPair& pair, const FourNodes& x, const FourNodes& u,
                  double until) {
  const CcdOptions options{.gap = pair.offset, .until = until};
  if (pair.kind == Kind::point_triangle) return point_triangle_ccd(x, u, options);
  if (pair.kind == Kind::edge_edge) return edge_edge_ccd(x, u, options);
  const double gap = wall_distance(mesh, x[0], pair.items.second) - pair.offset;
  const double then = wall_distance(mesh, x[0] + u[0], pair.items.second) - pair.offset;
  return then < options.slack * gap ? std::min(until, (1 - options.slack) * std::max(gap, 0.0) / (gap - then)) : until;
}

std::vector<Meeting> find_meetings(ContactMesh& mesh, const std::vector<Vec3>& x) {
  std::vector<Meeting> sides, meetings;
  std::set<std::pair<int, int>> known;
  const auto is_new = [&](int a, int b) { return known.insert(std::minmax(a, b)).second; };
  const ContactCandidates near = find_candidates(mesh, x, x);
  for (std::size_t i = 0; i < near.size(); ++i) {
    const ContactPair pair = pair_at(mesh, near, i);
    const SimplexDistance closest = measure(mesh, pair, x);
    if (closest.squared > pair.offset * pair.offset) continue;
    Vec3 place = x[pair.vertex[0]];
    if (pair.kind == Kind::edge_edge) place = closest.weight[0] * place + closest.weight[1] * x[pair.vertex[1]];
    if (pair.kind == Kind::wall) {
      const int number = -1 - pair.items.second;
      if (is_new(pair.part[0], number)) sides.push_back({pair.part[0], -1, pair.items.second, place});
    } else if (is_new(pair.part[0], pair.part[1])) {
      meetings.push_back({pair.part[0], pair.part[1], -1, place});
    }
  }
  // Far from points and other edges, an edge may pass through a triangle. Where bodies are attached, they may.
  const auto share_of = [&](int edge, int tri) {
    const auto& e = mesh.edges[edge];
    const Vec3i& t = mesh.tris[tri];
    return crossing(x[e[0]], x[e[1]], x[t[0]], x[t[1]], x[t[2]]);
  };
  const std::vector<ItemPair> across = overlapping_pairs(mesh.edge_tree, mesh.tri_tree, [&](int edge, int tri) {
    const auto& e = mesh.edges[edge];
    const Vec3i& t = mesh.tris[tri];
    return tri < mesh.surface_tris && can_meet(mesh, e, vertices(t)) && !attached(mesh, e, vertices(t)) &&
           share_of(edge, tri) >= 0;
  });
  for (const ItemPair& p : across) {
    const auto& e = mesh.edges[p.first];
    const int other = mesh.part[mesh.tris[p.second][0]];
    if (is_new(mesh.part[e[0]], other))
      meetings.push_back({mesh.part[e[0]], other, -1, x[e[0]] + share_of(p.first, p.second) * (x[e[1]] - x[e[0]])});
  }
  sides.insert(sides.end(), meetings.begin(), meetings.end());
  return sides;
}

}  // namespace coracle
