#include "coracle/step/contact/contact_mesh.h"

#include "coracle/base/check.h"
#include "coracle/step/contact/contact.h"
#include "coracle/step/contact/contact_pairs.h"
#include "coracle/world/bodies.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <queue>
#include <span>

namespace coracle {
namespace {

constexpr double least_share = 0.2;  // of the reach that a thin body keeps
// The triangles of a rigid body may be large, and say nothing of how exact it is: its reach is at most this share of
// its size.
constexpr double rigid_share = 0.02;

bool collides(const Solid& solid) { return !solid.inflow && solid.present; }

struct ContactSurface {
  const std::vector<Vec3>& x;  // at rest
  const std::vector<Vec3i>& tris;
  std::span<const std::array<int, 2>> segments = {};
  double radius = 0;  // m
};

// Returns the area of the surface, m².
double add_surface(const ContactSurface& surface, ContactMesh& mesh) {
  const std::vector<Vec3>& x = surface.x;
  const int first = int(mesh.part.size()), part = int(mesh.parts.size());
  std::vector<double> area(x.size(), 0);
  std::vector<char> used(x.size(), 0);
  const auto add_edge = [&](const std::array<int, 2>& e, double length, double stands_for) {
    mesh.edges.push_back({first + e[0], first + e[1]});
    mesh.edge_length.push_back(length);
    mesh.edge_area.push_back(stands_for);
  };
  std::vector<std::array<int, 2>> edges;
  double total = 0;
  for (const Vec3i& t : surface.tris) {
    const double third = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).norm() / 6;
    total += 3 * third;
    for (int c = 0; c < 3; ++c) {
      used[t[c]] = 1;
      area[t[c]] += third;
      edges.push_back({std::min(t[c], t[(c + 1) % 3]), std::max(t[c], t[(c + 1) % 3])});
    }
    mesh.tris.emplace_back(first + t[0], first + t[1], first + t[2]);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  for (const auto& e : edges) add_edge(e, (x[e[1]] - x[e[0]]).norm(), total / double(edges.size()));
  for (const auto& s : surface.segments) {
    const double length = (x[s[1]] - x[s[0]]).norm(), shadow = 2 * surface.radius * length;
    add_edge(s, length, shadow);
    total += shadow;
    for (const int v : s) used[v] = 1, area[v] += 0.5 * shadow;
  }
  for (std::size_t i = 0; i < x.size(); ++i)
    if (used[i]) mesh.points.push_back(first + int(i)), mesh.point_area.push_back(area[i]);
  mesh.part.resize(first + x.size(), part);
  return total;
}

double size_of(const BodyRest& rest) {
  Bounds box;
  for (const int n : rest.skin.nodes) box.lo = box.lo.cwiseMin(rest.x[n]), box.hi = box.hi.cwiseMax(rest.x[n]);
  return (box.hi - box.lo).maxCoeff();
}

ContactPart part_of(const Body& body, double distance, double area) {
  const BodyRest& rest = *body.rest;
  double mass = 0;
  for (const double m : rest.mass) mass += m;
  const double size = size_of(rest);
  ContactPart part{.name = body.name,
                   .reach = contact_distance(distance, body),
                   .radius = rest.skin.radius,
                   .layer = mass / area,
                   .weight = rest.options.density * size,
                   .friction = rest.options.friction};
  if (!std::holds_alternative<Rigid>(rest.elements))
    part.modulus = rest.options.young;
  else if (!(distance > 0))
    part.reach = std::min(part.reach, rigid_share * size);
  return part;
}

// A node that follows is as free as its leaders are, if they are all alike.
void follow(const std::vector<Follower>& followers, int first, ContactMesh& mesh) {
  for (const Follower& f : followers) {
    const Mat3 free = mesh.free[first + f.leaders[0]];
    const bool alike = std::all_of(f.leaders.begin(), f.leaders.end(),
                                   [&](int leader) { return mesh.free[first + leader].isApprox(free, 1e-12); });
    if (alike && !free.isIdentity()) mesh.free[first + f.node] = free;
  }
}

void add_body(const Body& body, double distance, ContactMesh& mesh) {
  const BodyRest& rest = *body.rest;
  const int first = int(mesh.part.size());
  const Skin& skin = rest.skin;
  const double area =
      add_surface({.x = rest.x, .tris = skin.tris, .segments = skin.segments, .radius = skin.radius}, mesh);
  mesh.parts.push_back(part_of(body, distance, area));
  mesh.free.resize(mesh.part.size(), Mat3::Identity());
  for (const Hold& hold : rest.holds) mesh.free[first + hold.node] = hold.free;
  follow(rest.followers, first, mesh);
}

void add_points(const Body& body, const LoosePoints& loose, ContactMesh& mesh) {
  CHECK(loose.kappa.size() == body.x.size());
  for (std::size_t i = 0; i < body.x.size(); ++i) {
    mesh.points.push_back(int(mesh.part.size()));
    mesh.point_area.push_back(loose.kappa[i]);
    mesh.part.push_back(int(mesh.parts.size()));
  }
  mesh.parts.push_back({.name = body.name, .reach = loose.reach, .friction = loose.friction, .loose = true});
  mesh.free.resize(mesh.part.size(), Mat3::Identity());
}

// ---- What belongs together

// Along a body of thickness ξ, vertices this near are its own neighbours. Where it is bent as far as its thickness
// allows, to a radius of ξ/2, it touches itself after half a turn: π ξ/2. Ways along edges are longer than straight
// ones, but less than π/2 times.
double neighbourhood(const ContactPart& part) {
  return part.radius > 0 ? M_PI / 2 * (2 * part.radius + part.reach) : 0;
}

void find_neighbours(ContactMesh& mesh) {
  std::vector<std::vector<std::pair<int, double>>> next(mesh.part.size());
  for (std::size_t e = 0; e < mesh.edges.size(); ++e)
    for (int end = 0; end < 2; ++end)
      next[mesh.edges[e][end]].emplace_back(mesh.edges[e][1 - end], mesh.edge_length[e]);
  constexpr double far = std::numeric_limits<double>::infinity();
  mesh.neighbours.assign(mesh.part.size(), {});
  std::vector<double> way(mesh.part.size(), far);
  for (int v = 0; v < mesh.nodes; ++v) {
    // The shortest ways from v along edges, nearest vertex first.
    const double range = neighbourhood(mesh.parts[mesh.part[v]]);
    if (range == 0) continue;
    using Place = std::pair<double, int>;
    std::priority_queue<Place, std::vector<Place>, std::greater<>> open;
    std::vector<int>& reached = mesh.neighbours[v];
    way[v] = 0;
    open.emplace(0, v);
    while (!open.empty()) {
      const auto [so_far, at] = open.top();
      open.pop();
      if (so_far > way[at]) continue;
      for (const auto& [to, length] : next[at]) {
        const double there = so_far + length;
        if (!(there < range && there < way[to])) continue;
        if (way[to] == far) reached.push_back(to);
        way[to] = there;
        open.emplace(there, to);
      }
    }
    way[v] = far;
    for (const int r : reached) way[r] = far;
    std::sort(reached.begin(), reached.end());
  }
}

void find_attached(const std::vector<Follower>& ties, ContactMesh& mesh) {
  const auto around = [&](int v, auto&& visit) {
    visit(v);
    for (const int n : mesh.neighbours[v]) visit(n);
  };
  mesh.held.assign(mesh.part.size(), 0);
  for (int v = 0; v < mesh.nodes; ++v)
    if (!mesh.free[v].isIdentity()) around(v, [&](int n) { mesh.held[n] = 1; });
  for (const Follower& tie : ties)
    for (const int leader : tie.leaders) {
      around(tie.node, [&](int n) { mesh.tied.insert(key(n, mesh.part[leader])); });
      around(leader, [&](int n) { mesh.tied.insert(key(n, mesh.part[tie.node])); });
    }
}

bool attached(const ContactMesh& mesh, const ContactPair& pair) {
  const std::size_t of_first = pair.kind == ContactPair::Kind::edge_edge ? 2 : 1;
  const std::span<const int> all(pair.vertex);
  return attached(mesh, all.first(of_first), all.subspan(of_first));
}

// Whether an edge joins the two sides of a pair. Beside a needle of a triangle, vertices that are far from each other
// along edges lie across a narrow strip.
bool linked(const ContactPair& pair, const std::unordered_set<std::uint64_t>& edges) {
  const int of_first = pair.kind == ContactPair::Kind::edge_edge ? 2 : 1;
  for (int i = 0; i < of_first; ++i)
    for (int j = of_first; j < 4; ++j) {
      const auto [a, b] = std::minmax(pair.vertex[i], pair.vertex[j]);
      if (edges.contains(key(a, b))) return true;
    }
  return false;
}

// Reduce the reach of bodies that are thin, and note the pairs that are too near at rest. A solid body may be thinner
// than its reach: its own pairs below the reach are joined. What has a radius has two sides in one surface: besides
// neighbours only those across a needle are joined, however near others are, so that a coiled rope does not pass
// itself.
void join(const std::vector<Vec3>& x, const std::vector<Follower>& ties, ContactMesh& mesh) {
  using Kind = ContactPair::Kind;
  find_neighbours(mesh);
  find_attached(ties, mesh);
  std::unordered_set<std::uint64_t> edges;
  for (const auto& [a, b] : mesh.edges) edges.insert(key(std::min(a, b), std::max(a, b)));
  const ContactCandidates candidates = find_candidates(mesh, x, x);
  const auto for_pairs = [&](auto&& visit) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const ContactPair pair = pair_at(mesh, candidates, i);
      const bool own = pair.kind != Kind::wall && pair.part[0] == pair.part[1];
      visit(pair, own, std::sqrt(measure(mesh, pair, x).squared) - pair.offset);
    }
  };
  std::vector<double> reach;
  for (const ContactPart& part : mesh.parts) reach.push_back(part.reach);
  for_pairs([&](const ContactPair& pair, bool own, double gap) {
    double& least = reach[pair.part[0]];
    if (own && !(pair.offset > 0 && linked(pair, edges))) least = std::min(least, 0.5 * gap);
  });
  for (std::size_t p = 0; p < mesh.parts.size(); ++p)
    if (std::isfinite(reach[p])) mesh.parts[p].reach = std::max(reach[p], least_share * mesh.parts[p].reach);
  for_pairs([&](const ContactPair& pair, bool own, double gap) {
    if (!(gap < pair.reach)) return;
    const int v = pair.vertex[0], first = pair.items.first, second = pair.items.second;
    if (pair.kind == Kind::wall) {
      // A held node that is free along the wall's normal is not held to the wall, but its neighbours are.
      if (mesh.held[v] && mesh.free[v].isIdentity()) mesh.joined_walls.insert(key(first, second));
      return;
    }
    if (own ? pair.offset == 0 || linked(pair, edges) : attached(mesh, pair))
      (pair.kind == Kind::edge_edge ? mesh.joined_edges : mesh.joined_points).insert(key(first, second));
  });
}

}  // namespace

bool attached(const ContactMesh& mesh, std::span<const int> first, std::span<const int> second) {
  const auto fixed = [&](std::span<const int> side) {
    return std::any_of(side.begin(), side.end(), [&](int v) { return v >= mesh.nodes || mesh.held[v]; });
  };
  const auto tied = [&](std::span<const int> side, std::span<const int> to) {
    return std::any_of(side.begin(), side.end(), [&](int v) { return mesh.tied.contains(key(v, mesh.part[to[0]])); });
  };
  return (fixed(first) && fixed(second)) || tied(first, second) || tied(second, first);
}

ContactMesh make_contact_mesh(const World& world, double distance, const LoosePoints* loose) {
  ContactMesh mesh;
  mesh.domain = world.domain;
  for (const Body& body : world.bodies) {
    if (loose && &body == &world.bodies.back())
      add_points(body, *loose, mesh);
    else
      add_body(body, distance, mesh);
  }
  mesh.nodes = int(mesh.part.size());
  follow(world.ties, 0, mesh);
  for (const Mat3& free : mesh.free) mesh.given.push_back(free.isZero());
  for (std::size_t s = 0; s < world.solids.size(); ++s) {
    const Solid& solid = world.solids[s];
    if (!collides(solid)) continue;
    add_surface({.x = solid.rest->x, .tris = solid.rest->tris}, mesh);
    mesh.parts.push_back({.name = solid.name});
    mesh.solids.push_back(int(s));
  }
  mesh.given.resize(mesh.part.size(), 1);
  mesh.free.resize(mesh.part.size(), Mat3::Zero());
  mesh.surface_tris = int(mesh.tris.size());
  int first = 0;
  for (const Body& body : world.bodies) {
    for (const auto& [a, b] : body.rest->skin.segments) mesh.tris.emplace_back(first + a, first + b, first + b);
    first += int(body.x.size());
  }
  std::vector<Vec3> rest;
  for (const Body& body : world.bodies) rest.insert(rest.end(), body.rest->x.begin(), body.rest->x.end());
  for (const int s : mesh.solids)
    rest.insert(rest.end(), world.solids[s].rest->x.begin(), world.solids[s].rest->x.end());
  join(rest, world.ties, mesh);
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

}  // namespace coracle
