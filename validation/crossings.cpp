#include "validation/crossings.h"

#include "coracle/shape/box_tree.h"
#include "coracle/shape/simplex_distance.h"
#include "coracle/world/bodies.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>

namespace coracle::validation {
namespace {

using Edge = std::array<int, 2>;

// A body or a solid. Its vertices are numbered over all parts, bodies first.
struct Part {
  bool rigid = false;       // it does not bend: it cannot touch itself
  double radius = 0;        // m
  double range = 0;         // m: nearer along the body it may touch itself
  std::vector<Edge> edges;  // with rods, their segments
};

struct Parts {
  std::vector<Part> parts;
  std::vector<Vec3> x, rest;  // m, per vertex
  std::vector<int> part;      // per vertex
  std::vector<char> prescribed;
  std::vector<Edge> edges, segments;  // `edges` has the segments too
  std::vector<Vec3i> tris;
  std::vector<std::pair<int, int>> ties;  // a node, and the part that it is tied to
};

void add_surface(std::span<const Vec3i> tris, std::span<const Edge> segments, int first, Part part, Parts& all) {
  std::set<Edge> edges;
  const auto add = [&](int a, int b) { edges.insert({first + std::min(a, b), first + std::max(a, b)}); };
  for (const Vec3i& t : tris) {
    all.tris.push_back(t + Vec3i::Constant(first));
    for (int i = 0; i < 3; ++i) add(t[i], t[(i + 1) % 3]);
  }
  for (const auto& [a, b] : segments) {
    all.segments.push_back({first + a, first + b});
    add(a, b);
  }
  part.edges.assign(edges.begin(), edges.end());
  all.edges.insert(all.edges.end(), edges.begin(), edges.end());
  all.part.resize(all.x.size(), int(all.parts.size()));
  all.parts.push_back(std::move(part));
}

Parts parts_of(const World& world) {
  Parts all;
  for (const Body& body : world.bodies) {
    const BodyRest& rest = *body.rest;
    const int first = int(all.x.size());
    all.x.insert(all.x.end(), body.x.begin(), body.x.end());
    all.rest.insert(all.rest.end(), rest.x.begin(), rest.x.end());
    all.prescribed.resize(all.x.size(), 0);
    for (const Hold& hold : rest.holds) all.prescribed[first + hold.node] = hold.free.isZero();
    for (const Follower& f : rest.followers)
      all.prescribed[first + f.node] =
          std::ranges::all_of(f.leaders, [&](int n) { return all.prescribed[first + n] != 0; });
    const double radius = rest.skin.radius;
    add_surface(rest.skin.tris, rest.skin.segments, first,
                {.rigid = std::holds_alternative<Rigid>(rest.elements),
                 .radius = radius,
                 .range = radius > 0 ? M_PI / 2 * (2 * radius + 0.1 * rest.skin.edge) : 0,
                 .edges = {}},
                all);
  }
  for (const Solid& solid : world.solids) {
    if (solid.inflow) continue;
    const int first = int(all.x.size());
    all.x.insert(all.x.end(), solid.x.begin(), solid.x.end());
    all.rest.insert(all.rest.end(), solid.x.begin(), solid.x.end());
    all.prescribed.resize(all.x.size(), 1);
    add_surface(solid.rest->tris, {}, first, {.rigid = true, .radius = 0, .range = 0, .edges = {}}, all);
  }
  for (const Follower& tie : world.ties)
    for (const int leader : tie.leaders) {
      all.ties.emplace_back(tie.node, all.part[leader]);
      all.ties.emplace_back(leader, all.part[tie.node]);
    }
  return all;
}

// Whether a way along the edges at rest that is shorter than the part's range leads from one vertex to another.
bool near_along(const Parts& all, const Part& part, int from, int to) {
  std::map<int, double> way{{from, 0.0}};
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [p, q] : part.edges)
      for (const auto& [a, b] : {Edge{p, q}, Edge{q, p}}) {
        const auto here = way.find(a);
        if (here == way.end()) continue;
        const double there = here->second + (all.rest[p] - all.rest[q]).norm();
        const auto known = way.find(b);
        if (there >= part.range || (known != way.end() && known->second <= there)) continue;
        way[b] = there;
        changed = true;
      }
  }
  return way.contains(to);
}

// Whether contact keeps the vertices of two elements apart.
bool kept_apart(const Parts& all, std::span<const int> first, std::span<const int> second) {
  const int a = all.part[first[0]], b = all.part[second[0]];
  const auto given = [&](int v) { return all.prescribed[v] != 0; };
  if (std::ranges::all_of(first, given) && std::ranges::all_of(second, given)) return false;
  if (a == b) {
    if (all.parts[a].rigid) return false;
    for (const int v : first)
      for (const int w : second)
        if (v == w || near_along(all, all.parts[a], v, w)) return false;
    return true;
  }
  const auto tied = [&](std::span<const int> vertices, int other) {
    return std::ranges::any_of(all.ties, [&](const auto& tie) {
      return tie.second == other && std::ranges::any_of(vertices, [&](int v) {
               return all.part[v] == all.part[tie.first] && near_along(all, all.parts[all.part[v]], tie.first, v);
             });
    });
  };
  return !tied(first, b) && !tied(second, a);
}

// Six times the volume of a tet; 0 where rounding may decide its sign, as between triangles of a flat side.
double signed_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  constexpr double rounding = 1e-14;  // of the product of the edges' lengths
  const Vec3 ab = b - a, ac = c - a, ad = d - a;
  const double volume = ab.cross(ac).dot(ad);
  return std::abs(volume) > rounding * ab.norm() * ac.norm() * ad.norm() ? volume : 0;
}

// The ends lie on both sides of the triangle, and the line through them on one side of its three sides.
bool cross(const std::vector<Vec3>& x, const Edge& e, const Vec3i& t) {
  const Vec3 &a = x[e[0]], &b = x[e[1]], &p = x[t[0]], &q = x[t[1]], &r = x[t[2]];
  if (signed_volume(p, q, r, a) * signed_volume(p, q, r, b) >= 0) return false;
  const double pq = signed_volume(a, b, p, q), qr = signed_volume(a, b, q, r), rp = signed_volume(a, b, r, p);
  return (pq > 0 && qr > 0 && rp > 0) || (pq < 0 && qr < 0 && rp < 0);
}

// Boxes around vertices; `margin` says how much to add at a vertex.
template <class Elements, class Margin>
BoxTree tree_of(const std::vector<Vec3>& x, const Elements& elements, Margin&& margin) {
  std::vector<Bounds> boxes(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (const int v : elements[i]) {
      boxes[i].extend(x[v] - Vec3::Constant(margin(v)));
      boxes[i].extend(x[v] + Vec3::Constant(margin(v)));
    }
  return BoxTree(boxes);
}

}  // namespace

int crossings(const World& world) {
  const Parts all = parts_of(world);
  const auto no_margin = [](int) { return 0.0; };
  const auto radius = [&](int v) { return all.parts[all.part[v]].radius; };
  const auto through = overlapping_pairs(tree_of(all.x, all.edges, no_margin), tree_of(all.x, all.tris, no_margin),
                                         [&](int edge, int tri) {
                                           const Edge& e = all.edges[edge];
                                           const Vec3i& t = all.tris[tri];
                                           return cross(all.x, e, t) && kept_apart(all, e, {t.data(), 3});
                                         });
  const auto beside = overlapping_pairs(tree_of(all.x, all.segments, radius), [&](int first, int second) {
    const Edge &a = all.segments[first], &b = all.segments[second];
    const double apart = radius(a[0]) + radius(b[0]);
    return edge_edge_distance({all.x[a[0]], all.x[a[1]], all.x[b[0]], all.x[b[1]]}).squared < apart * apart &&
           kept_apart(all, a, b);
  });
  return int(through.size() + beside.size());
}

}  // namespace coracle::validation
