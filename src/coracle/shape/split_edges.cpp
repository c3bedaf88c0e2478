#include "coracle/shape/split_edges.h"

#include <algorithm>
#include <array>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

namespace coracle {
namespace {

using Ends = std::pair<int, int>;  // increasing

struct LongEdge {
  double square;
  Ends ends;
  bool operator<(const LongEdge& other) const { return std::tie(square, ends) < std::tie(other.square, other.ends); }
};

}  // namespace

TriMesh split_long_edges(TriMesh mesh, double most) {
  std::map<Ends, std::array<int, 2>> tris_at;
  std::priority_queue<LongEdge> queue;
  const auto add = [&](int a, int b, int tri) {
    const Ends ends = std::minmax(a, b);
    const auto [found, is_new] = tris_at.try_emplace(ends, std::array<int, 2>{tri, -1});
    if (!is_new) (found->second[0] < 0 ? found->second[0] : found->second[1]) = tri;
    const double square = (mesh.x[a] - mesh.x[b]).squaredNorm();
    if (is_new && square > most * most) queue.push({.square = square, .ends = ends});
  };
  for (int t = 0; t < int(mesh.tris.size()); ++t)
    for (int k = 0; k < 3; ++k) add(mesh.tris[t][k], mesh.tris[t][(k + 1) % 3], t);

  while (!queue.empty()) {
    const auto [a, b] = queue.top().ends;
    queue.pop();
    const std::array<int, 2> tris = tris_at.at({a, b});
    tris_at.erase({a, b});
    const int middle = int(mesh.x.size());
    mesh.x.push_back(0.5 * (mesh.x[a] + mesh.x[b]));
    for (const int t : tris) {
      if (t < 0) continue;
      // With p → q the cut edge and o the third corner: (p, q, o) becomes (p, middle, o) and (middle, q, o).
      Vec3i& tri = mesh.tris[t];
      int k = 0;
      while (Ends(std::minmax(tri[k], tri[(k + 1) % 3])) != Ends(a, b)) ++k;
      const int p = tri[k], q = tri[(k + 1) % 3], o = tri[(k + 2) % 3], half = int(mesh.tris.size());
      tri = {p, middle, o};
      std::array<int, 2>& at = tris_at.at(std::minmax(q, o));
      (at[0] == t ? at[0] : at[1]) = half;
      add(p, middle, t);
      add(middle, o, t);
      mesh.tris.push_back({middle, q, o});
      add(middle, q, half);
      add(middle, o, half);
    }
  }
  return mesh;
}

}  // namespace coracle
