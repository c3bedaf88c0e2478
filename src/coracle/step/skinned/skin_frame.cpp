#include "coracle/step/skinned/skin_frame.h"

#include "coracle/base/parallel.h"

#include <Eigen/Geometry>

#include <tuple>

namespace coracle {
namespace {

// A triangle that has collapsed keeps its liquid: its thickness is taken over one square micrometre.
constexpr double least_area = 1e-12;

}  // namespace

SkinEdges find_skin_edges(std::span<const Vec3i> tris) {
  struct Side {
    int lo, hi, tri, corner;
    bool same(const Side& other) const { return lo == other.lo && hi == other.hi; }
  };
  std::vector<Side> sides;
  sides.reserve(3 * tris.size());
  for (int t = 0; t < int(tris.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      const auto [lo, hi] = std::minmax({tris[t][k], tris[t][(k + 1) % 3]});
      sides.push_back({.lo = lo, .hi = hi, .tri = t, .corner = k});
    }
  std::sort(sides.begin(), sides.end(),
            [](const Side& p, const Side& q) { return std::tie(p.lo, p.hi, p.tri) < std::tie(q.lo, q.hi, q.tri); });

  SkinEdges found;
  found.of_tri.resize(tris.size());
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const Side& first = sides[i];
    const int edge = int(found.edges.size());
    const Vec3i& tri = tris[first.tri];
    found.edges.push_back({.vertex = {tri[first.corner], tri[(first.corner + 1) % 3]}, .tri = {first.tri, -1}});
    found.of_tri[first.tri][first.corner] = 2 * edge;
    if (i + 1 == sides.size() || !first.same(sides[i + 1])) {
      found.borders.push_back(edge);
      continue;
    }
    const Side& second = sides[++i];
    found.edges.back().tri[1] = second.tri;
    found.of_tri[second.tri][second.corner] = 2 * edge + 1;
  }
  return found;
}

void update_skin_frame(const SkinEdges& edges, const SkinMotion& skin, SkinFrame& frame) {
  const std::size_t tris = skin.tris.size();
  frame.area.resize(tris), frame.normal.resize(tris), frame.v.resize(tris), frame.a.resize(tris);
  for_each_index(tris, [&](std::size_t i) {
    const Vec3i& t = skin.tris[i];
    const Vec3 twice = (skin.x[t[1]] - skin.x[t[0]]).cross(skin.x[t[2]] - skin.x[t[0]]);
    const double norm = twice.norm();
    frame.area[i] = std::max(norm / 2, least_area);
    frame.normal[i] = norm > 0 ? Vec3(twice / norm) : Vec3(Vec3::Zero());
    frame.v[i] = mean_of(skin.v, t);
    frame.a[i] = mean_of(skin.a, t);
  });
  frame.bends.resize(edges.edges.size());
  for_each_index(edges.edges.size(), [&](std::size_t e) {
    const SkinEdges::Edge& edge = edges.edges[e];
    SkinFrame::Bend& bend = frame.bends[e];
    const Vec3 d = skin.x[edge.vertex[1]] - skin.x[edge.vertex[0]];
    bend.length = d.norm();
    bend.along = bend.length > 0 ? Vec3(d / bend.length) : Vec3(Vec3::Zero());
    // A centroid is 2A/3 length from the edge.
    const double first = frame.area[edge.tri[0]], second = edge.tri[1] < 0 ? first : frame.area[edge.tri[1]];
    bend.near = {first / (first + second), second / (first + second)};
    // The second triangle runs the other way.
    bend.out[0] = bend.along.cross(frame.normal[edge.tri[0]]);
    bend.out[1] = edge.tri[1] < 0 ? Vec3(-bend.out[0]) : Vec3(frame.normal[edge.tri[1]].cross(bend.along));
  });
}

}  // namespace coracle
