#include "coracle/shape/self_overlap.h"

#include "coracle/shape/box_tree.h"

#include <Eigen/Geometry>

#include <vector>

namespace coracle {
namespace {

// Six times the volume of a tetrahedron: positive if d is on the side of abc to which its normal points.
double side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) { return (b - a).cross(c - a).dot(d - a); }

// The segment pq crosses the triangle abc if p and q are on different sides of its plane, and the line passes all three
// edges on the same side.
bool crosses(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  if (side(a, b, c, p) * side(a, b, c, q) >= 0) return false;
  const double u = side(p, q, a, b), v = side(p, q, b, c), w = side(p, q, c, a);
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

// Whether an edge of the first crosses the second.
bool edge_crosses(std::span<const Vec3> x, const Vec3i& s, const Vec3i& t) {
  for (int e = 0; e < 3; ++e)
    if (crosses(x[s[e]], x[s[(e + 1) % 3]], x[t[0]], x[t[1]], x[t[2]])) return true;
  return false;
}

bool share_vertex(const Vec3i& s, const Vec3i& t) {
  for (const int i : s)
    if ((t.array() == i).any()) return true;
  return false;
}

}  // namespace

SelfOverlap self_overlap(std::span<const Vec3> x, std::span<const Vec3i> tris) {
  std::vector<Bounds> boxes(tris.size());
  for (std::size_t t = 0; t < tris.size(); ++t)
    for (const int i : tris[t]) boxes[t].extend(x[i]);
  const std::vector<ItemPair> pairs = overlapping_pairs(BoxTree(boxes), [&](int first, int second) {
    const Vec3i &s = tris[first], &t = tris[second];
    return !share_vertex(s, t) && (edge_crosses(x, s, t) || edge_crosses(x, t, s));
  });
  SelfOverlap found{.pairs = int(pairs.size())};
  if (found.pairs > 0) {
    const Vec3i& t = tris[pairs[0].first];
    found.at = (x[t[0]] + x[t[1]] + x[t[2]]) / 3;
  }
  return found;
}

}  // namespace coracle
