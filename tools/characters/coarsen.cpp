#include "tools/characters/coarsen.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <set>

namespace coracle::characters {
namespace {

constexpr int most_rounds = 40, most_neighbours = 9;
constexpr double short_edge = 0.75, long_edge = 1.35;  // in target lengths
constexpr double least_cosine = 0.5;                   // between a triangle's normals before and after
constexpr double least_height = 0.35;                  // of a triangle, over its longest edge

struct Edge {
  double ratio;  // its length in target lengths
  int a, b;
};

struct Coarsener {
  TriMesh& mesh;
  const std::function<double(const Vec3&)>& length;
  const std::function<Vec3(const Vec3&)>& place;
  std::vector<std::vector<int>> around;  // triangles of each vertex

  std::set<int> neighbours(int v) const {
    std::set<int> all;
    for (const int t : around[v])
      for (int k = 0; k < 3; ++k)
        if (mesh.tris[t][k] != v) all.insert(mesh.tris[t][k]);
    return all;
  }

  // The triangles of v that stay, with v at x: none may turn over or become a needle.
  bool fits(int v, int other, const Vec3& x, double target) const {
    for (const int t : around[v]) {
      const Vec3i& tri = mesh.tris[t];
      if ((tri.array() == other).any()) continue;  // disappears
      Vec3 before[3], after[3];
      for (int k = 0; k < 3; ++k) before[k] = mesh.x[tri[k]], after[k] = tri[k] == v ? x : before[k];
      const Vec3 n0 = (before[1] - before[0]).cross(before[2] - before[0]);
      const Vec3 n1 = (after[1] - after[0]).cross(after[2] - after[0]);
      if (n0.dot(n1) < least_cosine * n0.norm() * n1.norm()) return false;
      double longest = 0;
      for (int k = 0; k < 3; ++k) longest = std::max(longest, (after[k] - after[(k + 1) % 3]).norm());
      if (longest > long_edge * target || n1.norm() < least_height * longest * longest) return false;
    }
    return true;
  }

  bool join(int a, int b) {
    const std::set<int> of_a = neighbours(a), of_b = neighbours(b);
    std::vector<int> common;
    std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(common));
    // Only the two triangles of the edge may connect its ends otherwise, or the surface would touch itself.
    if (common.size() != 2 || of_a.size() + of_b.size() > most_neighbours + 4) return false;
    for (const int c : common)
      if (around[c].size() <= 4) return false;
    const Vec3 x = place(0.5 * (mesh.x[a] + mesh.x[b]));
    const double target = length(x);
    if (!fits(a, b, x, target) || !fits(b, a, x, target)) return false;
    mesh.x[a] = x;
    for (const int t : around[b]) {
      Vec3i& tri = mesh.tris[t];
      if ((tri.array() == a).any()) {
        for (int k = 0; k < 3; ++k)
          if (tri[k] != b) std::erase(around[tri[k]], t);
        tri = Vec3i::Constant(-1);
      } else {
        for (int k = 0; k < 3; ++k)
          if (tri[k] == b) tri[k] = a;
        around[a].push_back(t);
      }
    }
    around[b].clear();
    return true;
  }

  // The shortest edges first; what an earlier one changed waits for the next round.
  int round() {
    std::vector<Edge> edges;
    for (const Vec3i& t : mesh.tris)
      for (int k = 0; k < 3; ++k) {
        const int a = t[k], b = t[(k + 1) % 3];
        if (a < 0 || a > b) continue;
        const double ratio = (mesh.x[a] - mesh.x[b]).norm() / length(0.5 * (mesh.x[a] + mesh.x[b]));
        if (ratio < short_edge) edges.push_back({ratio, a, b});
      }
    std::sort(edges.begin(), edges.end(), [](const Edge& e, const Edge& f) {
      return std::tuple(e.ratio, e.a, e.b) < std::tuple(f.ratio, f.a, f.b);
    });
    std::vector<bool> changed(mesh.x.size(), false);
    int joined = 0;
    for (const Edge& e : edges) {
      if (changed[e.a] || changed[e.b] || !join(e.a, e.b)) continue;
      ++joined;
      changed[e.a] = changed[e.b] = true;
      for (const int n : neighbours(e.a)) changed[n] = true;
    }
    return joined;
  }

  void compact() {
    std::erase_if(mesh.tris, [](const Vec3i& t) { return t[0] < 0; });
    std::vector<int> number(mesh.x.size(), -1);
    std::vector<Vec3> kept;
    for (Vec3i& t : mesh.tris)
      for (int k = 0; k < 3; ++k) {
        int& n = number[t[k]];
        if (n < 0) n = int(kept.size()), kept.push_back(mesh.x[t[k]]);
        t[k] = n;
      }
    mesh.x = std::move(kept);
  }
};

}  // namespace

void coarsen(TriMesh& mesh, const std::function<double(const Vec3&)>& length,
             const std::function<Vec3(const Vec3&)>& place) {
  Coarsener c{.mesh = mesh, .length = length, .place = place, .around = std::vector<std::vector<int>>(mesh.x.size())};
  for (std::size_t t = 0; t < mesh.tris.size(); ++t)
    for (int k = 0; k < 3; ++k) c.around[mesh.tris[t][k]].push_back(int(t));
  for (int round = 0; round < most_rounds && c.round() > 0; ++round) {
  }
  c.compact();
}

}  // namespace coracle::characters
