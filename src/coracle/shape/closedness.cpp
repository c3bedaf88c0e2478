#include "coracle/shape/tri_mesh.h"

#include "coracle/base/disjoint_sets.h"
#include "coracle/shape/closest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace coracle {
namespace {

constexpr double near = 1e-4;              // of the mesh's size: two vertices that were meant to be one
constexpr std::size_t most_pieces = 1000;  // more pieces are not compared with each other
constexpr std::size_t samples = 32;        // vertices of a piece that are looked up in the others

std::string at(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z()); }

// A directed edge as one number.
std::uint64_t edge(int from, int to) { return std::uint64_t(from) << 32 | std::uint64_t(to); }
std::uint64_t reversed(std::uint64_t e) { return e << 32 | e >> 32; }

std::string named(const TriMesh& mesh, std::uint64_t e) {
  return fmt::format("the edge from {} to {}", at(mesh.x[e >> 32]), at(mesh.x[e & 0xffffffffu]));
}

std::string doubled_triangle(const TriMesh& mesh) {
  std::vector<std::array<int, 3>> all;
  all.reserve(mesh.tris.size());
  for (const Vec3i& t : mesh.tris) {
    std::array<int, 3> corners = {t[0], t[1], t[2]};
    std::sort(corners.begin(), corners.end());
    all.push_back(corners);
  }
  std::sort(all.begin(), all.end());
  const auto twice = std::adjacent_find(all.begin(), all.end());
  if (twice == all.end()) return "";
  std::size_t count = 0;
  for (std::size_t i = 1; i < all.size(); ++i) count += all[i] == all[i - 1];
  return fmt::format("has the triangle at {} twice ({} such triangles); delete doubled faces", at(mesh.x[(*twice)[0]]),
                     count);
}

// Two vertices of open edges that lie almost together. They are looked for in two grids of cells, so that a pair that
// a side of a cell separates in one is together in the other.
std::optional<std::pair<int, int>> near_pair(const TriMesh& mesh, std::vector<int> vertices) {
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  Bounds bounds;
  for (const Vec3& x : mesh.x) bounds.extend(x);
  const double cell = near * (bounds.hi - bounds.lo).maxCoeff();
  if (!(cell > 0)) return {};
  for (const double shift : {0.0, 0.5}) {
    std::map<std::array<std::int64_t, 3>, int> known;
    for (const int v : vertices) {
      const Vec3 place = ((mesh.x[v] - bounds.lo) / cell).array() + shift;
      const std::array<std::int64_t, 3> key = {std::int64_t(place.x()), std::int64_t(place.y()),
                                               std::int64_t(place.z())};
      const auto [it, added] = known.try_emplace(key, v);
      if (!added) return std::pair(it->second, v);
    }
  }
  return {};
}

std::string edge_problem(const TriMesh& mesh) {
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * mesh.tris.size());
  for (const Vec3i& t : mesh.tris)
    for (int a = 0; a < 3; ++a) edges.push_back(edge(t[a], t[(a + 1) % 3]));
  std::sort(edges.begin(), edges.end());
  std::size_t open = 0;
  std::uint64_t first_open = 0;
  std::vector<int> ends;  // of open edges
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::uint64_t e = edges[i];
    const bool has_opposite = std::binary_search(edges.begin(), edges.end(), reversed(e));
    if (i > 0 && edges[i - 1] == e)
      return has_opposite ? fmt::format(
                                "is not a surface: {} belongs to several triangles on the same side; delete inner and "
                                "doubled faces",
                                named(mesh, e))
                          : fmt::format(
                                "has triangles turned opposite ways: {} belongs to several triangles on the same side; "
                                "make the normals point outward (in Blender: Mesh > Normals > Recalculate Outside)",
                                named(mesh, e));
    if (has_opposite) continue;
    if (open++ == 0) first_open = e;
    ends.push_back(int(e >> 32)), ends.push_back(int(e & 0xffffffffu));
  }
  if (open == 0) return "";
  if (const auto pair = near_pair(mesh, std::move(ends))) {
    const auto& [a, b] = *pair;
    return fmt::format(
        "is not closed: its vertices at {} and {} are {:.2g} m apart and not joined ({} open edges); "
        "merge vertices by distance (in Blender: Mesh > Merge > By Distance)",
        at(mesh.x[a]), at(mesh.x[b]), (mesh.x[a] - mesh.x[b]).norm(), open);
  }
  return fmt::format("is not closed: {} has no triangle on its other side ({} such edges); fill the holes",
                     named(mesh, first_open), open);
}

// A connected piece of a closed mesh.
struct Piece {
  TriMesh mesh;
  Bounds bounds;
  double volume = 0;  // negative: turned inward
  std::optional<TriTree> tree;

  bool contains(const Vec3& x) {
    if (!bounds.contains(x)) return false;
    if (!tree) tree.emplace(mesh.x, mesh.tris);
    return tree->closest(x).distance * volume < 0;
  }
};

// Pieces face outward, those in an odd number of others (cavities) inward.
std::string piece_problem(const TriMesh& mesh) {
  DisjointSets sets(mesh.x.size());
  for (const Vec3i& t : mesh.tris)
    for (int c = 1; c < 3; ++c) sets.join(t[0], t[c]);
  std::map<int, std::vector<Vec3i>> tris;
  for (const Vec3i& t : mesh.tris) tris[sets.root(t[0])].push_back(t);
  if (tris.size() < 2 || tris.size() > most_pieces) return "";
  std::vector<Piece> pieces;
  for (auto& [root, own] : tris) {
    Piece piece;
    std::map<int, int> number;
    for (Vec3i& t : own)
      for (int& v : t) {
        const auto [it, added] = number.try_emplace(v, int(piece.mesh.x.size()));
        if (added) piece.mesh.x.push_back(mesh.x[v]), piece.bounds.extend(mesh.x[v]);
        v = it->second;
      }
    piece.mesh.tris = std::move(own);
    piece.volume = enclosed_volume(piece.mesh);
    pieces.push_back(std::move(piece));
  }
  const auto lies_in = [&](const Piece& inner, Piece& outer) {
    const std::size_t stride = 1 + inner.mesh.x.size() / samples;
    for (std::size_t i = 0; i < inner.mesh.x.size(); i += stride)
      if (!outer.contains(inner.mesh.x[i])) return false;
    return true;
  };
  for (Piece& piece : pieces) {
    int depth = 0;
    for (Piece& other : pieces) depth += &other != &piece && lies_in(piece, other);
    if ((depth % 2 == 0) == (piece.volume > 0)) continue;
    const Vec3 x = 0.5 * (piece.bounds.lo + piece.bounds.hi);
    if (depth % 2 == 0) return fmt::format("has a piece that is turned inside out, around {}; flip its normals", at(x));
    return fmt::format("has a piece inside another, around {}; delete it, or flip its normals to make it a cavity",
                       at(x));
  }
  return "";
}

}  // namespace

std::string closedness_problem(const TriMesh& mesh) {
  if (mesh.tris.empty()) return "has no triangles";
  for (const Vec3& x : mesh.x)
    if (!x.allFinite()) return "has coordinates that are not finite";
  const int count = int(mesh.x.size());
  for (const Vec3i& t : mesh.tris) {
    if ((t.array() < 0).any() || (t.array() >= count).any()) return "has a triangle with an index out of range";
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return "has a triangle that meets a vertex twice";
  }
  if (std::string problem = doubled_triangle(mesh); !problem.empty()) return problem;
  if (std::string problem = edge_problem(mesh); !problem.empty()) return problem;
  const double volume = enclosed_volume(mesh);
  if (!(volume > 0)) return fmt::format("encloses no volume ({:.3g} m³)", volume);
  return piece_problem(mesh);
}

}  // namespace coracle
