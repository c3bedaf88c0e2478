// The skin as a film on it sees it: which triangles meet at an edge, and their areas, planes and velocities now.
#pragma once

#include "coracle/types.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace coracle {

// What does not change: found once.
struct SkinEdges {
  struct Edge {
    std::array<int, 2> vertex;  // the first triangle runs from the first to the second
    std::array<int, 2> tri;     // the second is −1 at a border
  };
  std::vector<Edge> edges;
  std::vector<int> borders;                // edges of one triangle only
  std::vector<std::array<int, 3>> of_tri;  // 2 edge + side: the triangle is edges[edge].tri[side]
};
// Skins may have holes.
SkinEdges find_skin_edges(std::span<const Vec3i> tris);

// The skin at the end of a step; lists per vertex.
struct SkinMotion {
  std::span<const Vec3i> tris;
  std::span<const Vec3> x;  // m
  std::span<const Vec3> v;  // m/s
  std::span<const Vec3> a;  // m/s²
};

// The mean of a triangle's corners, of places or of velocities.
inline Vec3 mean_of(std::span<const Vec3> corners, const Vec3i& tri) {
  return (corners[tri[0]] + corners[tri[1]] + corners[tri[2]]) / 3;
}
inline Vec3 centroid_of(const SkinMotion& skin, std::size_t tri) { return mean_of(skin.x, skin.tris[tri]); }

// What follows from it.
struct SkinFrame {
  struct Bend {
    double length = 0;           // m
    Vec3 along = Vec3::Zero();   // unit vector
    std::array<Vec3, 2> out;     // unit vectors in the planes of the two triangles, out of each
    std::array<double, 2> near;  // of the way between the centroids: from each triangle's to the edge
  };
  std::vector<double> area;           // m², per triangle
  std::vector<Vec3> normal;           // per triangle
  std::vector<Vec3> v, a;             // m/s and m/s², of the centroids
  std::vector<Bend> bends;            // per edge
  std::vector<std::uint8_t> covered;  // per triangle: it lies in another solid (cover.h); none: none is

  bool is_covered(std::size_t tri) const { return !covered.empty() && covered[tri]; }
};
void update_skin_frame(const SkinEdges& edges, const SkinMotion& skin, SkinFrame& frame);

// The part of a vector that lies in a triangle's plane.
inline Vec3 along_skin(const SkinFrame& frame, std::size_t tri, const Vec3& u) {
  const Vec3& n = frame.normal[tri];
  return u - n.dot(u) * n;
}

}  // namespace coracle
