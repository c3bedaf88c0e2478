#include "coracle/step/contact/contact_mesh.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/simplex_distance.h"
#include "coracle/step/contact/contact.h"
#include "coracle/world/bodies.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double least_share = 0.2;  // of the reach that a thin body keeps

std::uint64_t key(int first, int second) { return std::uint64_t(first) << 32 | std::uint32_t(second); }

bool collides(const Solid& solid) { return !solid.inflow && solid.present; }

FourNodes at(const std::vector<Vec3>& x, const std::array<int, 4>& v) { return {x[v[0]], x[v[1]], x[v[2]], x[v[3]]}; }

void add_surface(const std::vector<Vec3i>& tris, int first, int part, const std::vector<Vec3>& rest,
                 ContactMesh& mesh) {
  std::vector<std::array<int, 2>> edges;
  std::vector<double> area(rest.size(), 0);
  std::vector<char> used(rest.size(), 0);
  for (const Vec3i& t : tris) {
    const double third = (rest[t[1]] - rest[t[0]]).cross(rest[t[2]] - rest[t[0]]).norm() / 6;
    for (int c = 0; c < 3; ++c) {
      used[t[c]] = 1;
      area[t[c]] += third;
      edges.push_back({std::min(t[c], t[(c + 1) % 3]), std::max(t[c], t[(c + 1) % 3])});
    }
    mesh.tris.emplace_back(first + t[0], first + t[1], first + t[2]);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (used[i]) mesh.points.push_back(first + int(i)), mesh.point_area.push_back(area[i]);
  double total = 0;
  for (const double a : area) total += a;
  for (const auto& e : edges) {
    mesh.edges.push_back({first + e[0], first + e[1]});
    mesh.edge_length.push_back((rest[e[1]] - rest[e[0]]).norm());
    mesh.edge_area.push_back(total / double(edges.size()));
  }
  for (std::size_t i = 0; i < rest.size(); ++i) mesh.part.push_back(part);
}

double size_of(const std::vector<Vec3>& x) {
  Bounds box;
  for (const Vec3& p : x) box.lo = box.lo.cwiseMin(p), box.hi = box.hi.cwiseMax(p);
  return (box.hi - box.lo).maxCoeff();
}

ContactPart part_of(const Body& body, double distance) {
  const BodyRest& rest = *body.rest;
  double mass = 0, area = 0;
  for (const double m : rest.mass) mass += m;
  for (const Vec3i& t : rest.skin.tris)
    area += 0.5 * (rest.x[t[1]] - rest.x[t[0]]).cross(rest.x[t[2]] - rest.x[t[0]]).norm();
  return {.name = body.name,
          .reach = contact_distance(distance, body),
          .modulus = rest.options.young,
          .layer = mass / area,
          .weight = rest.options.density * size_of(rest.x),
          .friction = rest.options.friction};
}

Bounds swept(const std::vector<Vec3>& from, const std::vector<Vec3>& to, std::span<const int> vertices, double margin) {
  Bounds box;
  for (const int v : vertices) {
    box.lo = box.lo.cwiseMin(from[v]).cwiseMin(to[v]);
    box.hi = box.hi.cwiseMax(from[v]).cwiseMax(to[v]);
  }
  return {box.lo - Vec3::Constant(margin), box.hi + Vec3::Constant(margin)};
}

// Half of the reach on each side: two boxes overlap if the parts come as near as the smaller of their reaches. Solids
// have the largest reach of the bodies.
std::vector<Bounds> boxes_of(const ContactMesh& mesh, std::size_t count, const std::vector<Vec3>& from,
                             const std::vector<Vec3>& to, const std::function<std::span<const int>(std::size_t)>& at) {
  double largest_reach = 0;
  for (const ContactPart& part : mesh.parts)
    if (std::isfinite(part.reach)) largest_reach = std::max(largest_reach, part.reach);
  std::vector<Bounds> boxes(count);
  for_each_index(count, [&](std::size_t i) {
    const std::span<const int> vertices = at(i);
    boxes[i] = swept(from, to, vertices, 0.5 * std::min(mesh.parts[mesh.part[vertices[0]]].reach, largest_reach));
  });
  return boxes;
}

void fit(BoxTree& tree, const std::vector<Bounds>& boxes) {
  constexpr double too_loose = 2;
  if (tree.size() == int(boxes.size())) tree.refit(boxes);
  if (tree.size() != int(boxes.size()) || tree.looseness() > too_loose) tree = BoxTree(boxes);
}

// A pair of a point and a triangle, or of two edges, that can meet.
bool can_meet(const ContactMesh& mesh, const std::array<int, 4>& v, int of_first) {
  for (int i = 0; i < of_first; ++i)
    for (int j = of_first; j < 4; ++j)
      if (v[i] == v[j]) return false;
  return !(mesh.given[v[0]] && mesh.given[v[1]] && mesh.given[v[2]] && mesh.given[v[3]]);
}

// Reduce the reach of bodies that are thin, and note the pairs that belong together.
void join_neighbours(const std::vector<Vec3>& x, ContactMesh& mesh) {
  const ContactCandidates near = find_candidates(mesh, x, x);
  const auto for_pairs = [&](auto&& visit) {
    for (const ItemPair& p : near.points) {
      const auto v = point_and_tri(mesh, p);
      visit(v, std::sqrt(point_triangle_distance(at(x, v)).squared), p, mesh.joined_points);
    }
    for (const ItemPair& p : near.edges) {
      const auto v = two_edges(mesh, p);
      visit(v, std::sqrt(edge_edge_distance(at(x, v)).squared), p, mesh.joined_edges);
    }
  };
  std::vector<double> reach;
  for (const ContactPart& part : mesh.parts) reach.push_back(part.reach);
  for_pairs([&](const std::array<int, 4>& v, double distance, const ItemPair&, auto&) {
    const int part = mesh.part[v[0]];
    if (part == mesh.part[v[3]]) reach[part] = std::min(reach[part], 0.5 * distance);
  });
  for (std::size_t p = 0; p < mesh.parts.size(); ++p)
    if (std::isfinite(reach[p])) mesh.parts[p].reach = std::max(reach[p], least_share * mesh.parts[p].reach);
  for_pairs([&](const std::array<int, 4>& v, double distance, const ItemPair& pair, auto& joined) {
    const bool own = mesh.part[v[0]] == mesh.part[v[3]];
    bool held = false;
    for (const int i : v) held = held || (i < mesh.nodes && !mesh.free[i].isIdentity());
    if ((own || held) && distance < pair_reach(mesh, v[0], v[3])) joined.insert(key(pair.first, pair.second));
  });
}

}  // namespace

double pair_reach(const ContactMesh& mesh, int a, int b) {
  return std::min(mesh.parts[mesh.part[a]].reach, mesh.parts[mesh.part[b]].reach);
}

double pair_friction(const ContactMesh& mesh, int a, int b) {
  const double first = mesh.parts[mesh.part[a]].friction, second = mesh.parts[mesh.part[b]].friction;
  return first < 0 ? second : second < 0 ? first : 0.5 * (first + second);
}

ContactMesh make_contact_mesh(const World& world, double distance) {
  ContactMesh mesh;
  std::vector<Vec3> rest;
  for (const Body& body : world.bodies) {
    add_surface(body.rest->skin.tris, int(rest.size()), int(mesh.parts.size()), body.rest->x, mesh);
    mesh.parts.push_back(part_of(body, distance));
    mesh.given.resize(rest.size() + body.x.size(), 0);
    mesh.free.resize(rest.size() + body.x.size(), Mat3::Identity());
    for (const Hold& hold : body.rest->holds) {
      mesh.free[rest.size() + hold.node] = hold.free;
      mesh.given[rest.size() + hold.node] = hold.free.isZero();
    }
    rest.insert(rest.end(), body.rest->x.begin(), body.rest->x.end());
  }
  mesh.nodes = int(rest.size());
  for (std::size_t s = 0; s < world.solids.size(); ++s) {
    const Solid& solid = world.solids[s];
    if (!collides(solid)) continue;
    add_surface(solid.rest->tris, int(rest.size()), int(mesh.parts.size()), solid.rest->x, mesh);
    mesh.parts.push_back({.name = solid.name});
    mesh.solids.push_back(int(s));
    rest.insert(rest.end(), solid.rest->x.begin(), solid.rest->x.end());
  }
  mesh.given.resize(rest.size(), 1);
  mesh.free.resize(rest.size(), Mat3::Zero());
  join_neighbours(rest, mesh);
  return mesh;
}

bool fits(const ContactMesh& mesh, const World& world) {
  std::vector<int> solids;
  for (std::size_t s = 0; s < world.solids.size(); ++s)
    if (collides(world.solids[s])) solids.push_back(int(s));
  int nodes = 0;
  for (const Body& body : world.bodies) nodes += int(body.x.size());
  return !mesh.parts.empty() && nodes == mesh.nodes && solids == mesh.solids &&
         mesh.parts.size() == world.bodies.size() + solids.size();
}

std::vector<Vec3> contact_positions(const ContactMesh& mesh, const World& world, const std::vector<Vec3>& x) {
  std::vector<Vec3> all = x;
  for (const int s : mesh.solids) all.insert(all.end(), world.solids[s].x.begin(), world.solids[s].x.end());
  return all;
}

ContactCandidates find_candidates(ContactMesh& mesh, const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  fit(mesh.point_tree, boxes_of(mesh, mesh.points.size(), from, to,
                                [&](std::size_t i) { return std::span<const int>(&mesh.points[i], 1); }));
  fit(mesh.edge_tree,
      boxes_of(mesh, mesh.edges.size(), from, to, [&](std::size_t i) { return std::span<const int>(mesh.edges[i]); }));
  fit(mesh.tri_tree, boxes_of(mesh, mesh.tris.size(), from, to,
                              [&](std::size_t i) { return std::span<const int>(mesh.tris[i].data(), 3); }));
  ContactCandidates found;
  found.points = overlapping_pairs(mesh.point_tree, mesh.tri_tree, [&](int point, int tri) {
    return can_meet(mesh, point_and_tri(mesh, {point, tri}), 1) && !mesh.joined_points.contains(key(point, tri));
  });
  found.edges = overlapping_pairs(mesh.edge_tree, [&](int a, int b) {
    return can_meet(mesh, two_edges(mesh, {a, b}), 2) && !mesh.joined_edges.contains(key(a, b));
  });
  return found;
}

namespace {

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

Meeting find_meeting(ContactMesh& mesh, const std::vector<Vec3>& x) {
  const ContactCandidates near = find_candidates(mesh, x, x);
  for (const ItemPair& p : near.points) {
    const auto v = point_and_tri(mesh, p);
    if (point_triangle_distance(at(x, v)).squared == 0) return {mesh.part[v[0]], mesh.part[v[3]], x[v[0]]};
  }
  for (const ItemPair& p : near.edges) {
    const auto v = two_edges(mesh, p);
    const SimplexDistance d = edge_edge_distance(at(x, v));
    if (d.squared == 0) return {mesh.part[v[0]], mesh.part[v[3]], d.weight[0] * x[v[0]] + d.weight[1] * x[v[1]]};
  }
  const std::vector<ItemPair> across = overlapping_pairs(mesh.edge_tree, mesh.tri_tree, [&](int edge, int tri) {
    const auto& e = mesh.edges[edge];
    const Vec3i& t = mesh.tris[tri];
    if (e[0] == t[0] || e[0] == t[1] || e[0] == t[2] || e[1] == t[0] || e[1] == t[1] || e[1] == t[2]) return false;
    bool free = true;  // of holds, all but the vertices of solids
    for (const int v : {e[0], e[1], t[0], t[1], t[2]}) free = free && (v >= mesh.nodes || mesh.free[v].isIdentity());
    return free && (e[0] < mesh.nodes || t[0] < mesh.nodes) &&
           crossing(x[e[0]], x[e[1]], x[t[0]], x[t[1]], x[t[2]]) >= 0;
  });
  for (const ItemPair& p : across) {
    const auto& e = mesh.edges[p.first];
    const Vec3i& t = mesh.tris[p.second];
    const double share = crossing(x[e[0]], x[e[1]], x[t[0]], x[t[1]], x[t[2]]);
    return {mesh.part[e[0]], mesh.part[t[0]], x[e[0]] + share * (x[e[1]] - x[e[0]])};
  }
  return {};
}

}  // namespace coracle
