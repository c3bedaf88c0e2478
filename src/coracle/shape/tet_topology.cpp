#include "coracle/shape/tet_topology.h"

#include "coracle/base/disjoint_sets.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace coracle {
namespace {

struct Face {
  std::array<int, 3> corners;  // increasing
  int tet, side;
};

std::vector<Face> sorted_faces(const std::vector<Vec4i>& tets) {
  std::vector<Face> faces;
  faces.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (int f = 0; f < 4; ++f) {
      const Vec3i tri = tet_face(tets[t], f);
      faces.push_back({{tri[0], tri[1], tri[2]}, int(t), f});
      std::sort(faces.back().corners.begin(), faces.back().corners.end());
    }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) {
    return a.corners != b.corners ? a.corners < b.corners : a.tet < b.tet;
  });
  return faces;
}

}  // namespace

std::vector<Vec4i> tet_neighbors(const std::vector<Vec4i>& tets) {
  std::vector<Vec4i> neighbors(tets.size(), Vec4i::Constant(-1));
  const std::vector<Face> faces = sorted_faces(tets);
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].corners == faces[i].corners) ++end;
    if (end - i == 2) {
      neighbors[faces[i].tet][faces[i].side] = faces[i + 1].tet;
      neighbors[faces[i + 1].tet][faces[i + 1].side] = faces[i].tet;
    } else if (end - i > 2) {
      for (; i < end; ++i) neighbors[faces[i].tet][faces[i].side] = -2;
    }
    i = end;
  }
  return neighbors;
}

std::vector<BoundaryFace> boundary_faces(const std::vector<Vec4i>& tets) {
  const std::vector<Vec4i> neighbors = tet_neighbors(tets);
  std::vector<BoundaryFace> surface;
  for (std::size_t t = 0; t < tets.size(); ++t)
    for (int f = 0; f < 4; ++f)
      if (neighbors[t][f] == -1) surface.push_back({tet_face(tets[t], f), int(t)});
  return surface;
}

std::vector<Pinch> surface_pinches(const std::vector<BoundaryFace>& surface, int vertices) {
  struct Side {
    std::uint64_t edge;
    int tri;
  };
  std::vector<Side> sides;
  sides.reserve(3 * surface.size());
  for (std::size_t t = 0; t < surface.size(); ++t)
    for (int c = 0; c < 3; ++c) {
      const int a = surface[t].tri[c], b = surface[t].tri[(c + 1) % 3];
      sides.push_back({std::uint64_t(std::min(a, b)) << 32 | std::uint32_t(std::max(a, b)), int(t)});
    }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return a.edge != b.edge ? a.edge < b.edge : a.tri < b.tri; });

  // Edges at a vertex connect the triangle corners there into fans. A manifold surface has one fan per vertex.
  const std::size_t corners = 3 * surface.size();
  DisjointSets fans(corners);
  const auto corner = [&](int tri, int vertex) {
    for (int c = 0; c < 2; ++c)
      if (surface[tri].tri[c] == vertex) return 3 * tri + c;
    return 3 * tri + 2;
  };
  std::vector<Pinch> pinches;
  std::vector<char> pinched(vertices, 0);
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    const int a = int(sides[i].edge >> 32), b = int(sides[i].edge & 0xffffffffu);
    while (end < sides.size() && sides[end].edge == sides[i].edge) {
      for (const int v : {a, b}) fans.join(corner(sides[end].tri, v), corner(sides[i].tri, v));
      ++end;
    }
    if (end - i != 2) {
      pinches.push_back({a, b});
      pinched[a] = pinched[b] = 1;
    }
    i = end;
  }
  std::vector<int> first_fan(vertices, -1);
  std::vector<char> twice(vertices, 0);
  for (std::size_t k = 0; k < corners; ++k) {
    const int v = surface[k / 3].tri[int(k % 3)], root = fans.root(int(k));
    if (first_fan[v] < 0) first_fan[v] = root;
    twice[v] |= char(first_fan[v] != root);
  }
  for (int v = 0; v < vertices; ++v)
    if (twice[v] && !pinched[v]) pinches.push_back({v, -1});
  return pinches;
}

}  // namespace coracle
