#include "coracle/shape/tet_mesh.h"

#include "coracle/base/check.h"
#include "coracle/base/parallel.h"
#include "coracle/error.h"
#include "coracle/shape/tet_topology.h"
#include "coracle/shape/tri_mesh.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>
#include <utility>

namespace coracle {
namespace {

constexpr double flat = 1e-12;  // least volume / (longest edge)³; a regular tet has 0.12

std::string at(const Vec3& x) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z()); }

double longest_edge(const TetMesh& mesh, const Vec4i& t) {
  double longest = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) longest = std::max(longest, (mesh.x[t[i]] - mesh.x[t[j]]).norm());
  return longest;
}

// Two tets with the same corners, or two nodes at the same place: the mesh would have a crack there.
std::string doubled(const TetMesh& mesh) {
  std::vector<std::pair<std::array<int, 4>, std::size_t>> tets;
  tets.reserve(mesh.tets.size());
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    std::array<int, 4> corners = {mesh.tets[i][0], mesh.tets[i][1], mesh.tets[i][2], mesh.tets[i][3]};
    std::sort(corners.begin(), corners.end());
    tets.emplace_back(corners, i);
  }
  std::sort(tets.begin(), tets.end());
  for (std::size_t i = 1; i < tets.size(); ++i)
    if (tets[i].first == tets[i - 1].first)
      return fmt::format("has a tetrahedron twice, {} and {}, at {}", tets[i - 1].second, tets[i].second,
                         at(mesh.x[tets[i].first[0]]));
  std::vector<int> order(mesh.x.size());
  std::iota(order.begin(), order.end(), 0);
  const auto place = [&](int i) { return std::tuple(mesh.x[i].x(), mesh.x[i].y(), mesh.x[i].z()); };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return place(a) < place(b); });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (place(order[i]) == place(order[i - 1]))
      return fmt::format("has two nodes at the same place, {} and {}, at {}; merge them, or the body has a crack there",
                         order[i - 1], order[i], at(mesh.x[order[i]]));
  return "";
}

// Six tets around the diagonal from the low to the high corner of the cube: one path along the edges per order of the
// axes. The diagonal of every side goes from its low to its high corner, so that neighboring cubes match.
void split_in_six(const auto& corner, std::vector<Vec4i>& tets) {
  constexpr int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int k = 0; k < 6; ++k) {
    const int first = 1 << orders[k][0], second = first | 1 << orders[k][1];
    if (k < 3)
      tets.emplace_back(corner(0), corner(first), corner(second), corner(7));
    else
      tets.emplace_back(corner(0), corner(second), corner(first), corner(7));
  }
}

// One tet of four corners that share no edge, and one per remaining corner. `odd` swaps the two sets of corners.
void split_in_five(const auto& corner, bool odd, std::vector<Vec4i>& tets) {
  constexpr int pieces[5][4] = {{0, 3, 6, 5}, {1, 0, 5, 3}, {2, 3, 6, 0}, {4, 0, 6, 5}, {7, 5, 6, 3}};
  for (const auto& p : pieces) {
    const int mirror = odd ? 1 : 0;  // along x, which turns a tet inside out
    Vec4i tet(corner(p[0] ^ mirror), corner(p[1] ^ mirror), corner(p[2] ^ mirror), corner(p[3] ^ mirror));
    if (odd) std::swap(tet[2], tet[3]);
    tets.push_back(tet);
  }
}

}  // namespace

double tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return cone_volume(b - a, c - a, d - a);
}

double volume_of(const std::vector<Vec3>& x, const std::vector<Vec4i>& tets) {
  double volume = 0;
  for (const Vec4i& t : tets) volume += tet_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
  return volume;
}

std::vector<Vec3i> boundary_triangles(const TetMesh& mesh) {
  std::vector<Vec3i> tris;
  for (const BoundaryFace& face : boundary_faces(mesh.tets)) tris.push_back(face.tri);
  return tris;
}

TetMesh box_tets(const Vec3& lo, const Vec3& hi, const Vec3i& cells, int tets_per_cube) {
  CHECK((cells.array() > 0).all());
  CHECK(tets_per_cube == 5 || tets_per_cube == 6);
  TetMesh mesh;
  const auto node = [&](int i, int j, int k) { return (k * (cells.y() + 1) + j) * (cells.x() + 1) + i; };
  for (int k = 0; k <= cells.z(); ++k)
    for (int j = 0; j <= cells.y(); ++j)
      for (int i = 0; i <= cells.x(); ++i) {
        const Eigen::Array3d share = Eigen::Array3d(i, j, k) / cells.cast<double>().array();
        mesh.x.emplace_back(lo.array() * (1 - share) + hi.array() * share);
      }
  for (int k = 0; k < cells.z(); ++k)
    for (int j = 0; j < cells.y(); ++j)
      for (int i = 0; i < cells.x(); ++i) {
        const auto corner = [&](int c) { return node(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2 & 1)); };
        if (tets_per_cube == 6)
          split_in_six(corner, mesh.tets);
        else
          split_in_five(corner, (i + j + k) % 2 == 1, mesh.tets);
      }
  return mesh;
}

DihedralRange dihedral_range(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 x[4] = {a, b, c, d};
  Vec3 normal[4];
  for (int f = 0; f < 4; ++f) {
    const auto& [i, j, k] = tet_faces[f];
    normal[f] = (x[j] - x[i]).cross(x[k] - x[i]);
  }
  DihedralRange range;
  for (int f = 0; f < 4; ++f)
    for (int g = f + 1; g < 4; ++g) {
      const double between = std::atan2(normal[f].cross(normal[g]).norm(), normal[f].dot(normal[g]));
      const double angle = 180 - between * 180 / std::numbers::pi;
      range.least = std::min(range.least, angle);
      range.most = std::max(range.most, angle);
    }
  return range;
}

DihedralRange dihedral_range(const TetMesh& mesh) {
  const auto joined = [](DihedralRange a, DihedralRange b) {
    return DihedralRange{std::min(a.least, b.least), std::max(a.most, b.most)};
  };
  const auto of_block = [&](std::size_t begin, std::size_t end) {
    DihedralRange range;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec4i& t = mesh.tets[i];
      range = joined(range, dihedral_range(mesh.x[t[0]], mesh.x[t[1]], mesh.x[t[2]], mesh.x[t[3]]));
    }
    return range;
  };
  return reduce_blocks(mesh.tets.size(), 4096, DihedralRange(), of_block, joined);
}

std::string tet_mesh_problem(const TetMesh& mesh) {
  if (mesh.tets.empty()) return "has no tetrahedra";
  for (std::size_t i = 0; i < mesh.x.size(); ++i)
    if (!mesh.x[i].allFinite()) return fmt::format("has coordinates that are not finite, at node {}", i);
  const int count = int(mesh.x.size());
  std::vector<char> used(mesh.x.size(), 0);
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const Vec4i& t = mesh.tets[i];
    if ((t.array() < 0).any() || (t.array() >= count).any())
      return fmt::format("has an index out of range in tetrahedron {}", i);
    const double volume = tet_volume(mesh.x[t[0]], mesh.x[t[1]], mesh.x[t[2]], mesh.x[t[3]]);
    if (!(std::abs(volume) > flat * std::pow(longest_edge(mesh, t), 3)))
      return fmt::format("has a flat tetrahedron, {}, at {}", i, at(mesh.x[t[0]]));
    if (volume < 0) return fmt::format("has an inverted tetrahedron, {}, at {}", i, at(mesh.x[t[0]]));
    for (const int v : t) used[v] = 1;
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) return fmt::format("has a node, {}, that belongs to no tetrahedron", i);
  if (std::string problem = doubled(mesh); !problem.empty()) return problem;
  const std::vector<Vec4i> neighbors = tet_neighbors(mesh.tets);
  for (std::size_t t = 0; t < neighbors.size(); ++t)
    for (int f = 0; f < 4; ++f) {
      const Vec3 &a = mesh.x[mesh.tets[t][(f + 1) % 4]], &b = mesh.x[mesh.tets[t][f]];
      const int other = neighbors[t][f];
      if (other == -2) return fmt::format("has a face of tetrahedron {}, at {}, in more than two tetrahedra", t, at(a));
      if (other < int(t)) continue;  // no neighbor, or already checked
      // Neighbors must lie on opposite sides of their face.
      const Vec3i tri = tet_face(mesh.tets[t], f);
      const Vec3 normal = (mesh.x[tri[1]] - mesh.x[tri[0]]).cross(mesh.x[tri[2]] - mesh.x[tri[0]]);
      int apex = 0;
      while ((tri.array() == mesh.tets[other][apex]).any()) ++apex;
      if (!((mesh.x[mesh.tets[other][apex]] - a).dot(normal) * (b - a).dot(normal) < 0))
        return fmt::format("has tetrahedra {} and {} on the same side of a face, at {}", t, other, at(a));
    }
  for (const Pinch& p : surface_pinches(boundary_faces(mesh.tets), count)) {
    if (p.b < 0) return fmt::format("has a surface that touches itself at node {}, {}", p.a, at(mesh.x[p.a]));
    return fmt::format("has a surface that touches itself along the edge from {} to {} (nodes {} and {})",
                       at(mesh.x[p.a]), at(mesh.x[p.b]), p.a, p.b);
  }
  return "";
}

}  // namespace coracle
