#include "coracle/step/couple/coupling.h"

#include <algorithm>

namespace coracle {

Coupling wet_coupling(const std::vector<Patch>& patches, const Surfaces& surfaces, const std::vector<int>& first,
                      const Array3<std::uint8_t>& active) {
  Coupling u;
  u.start.push_back(0);
  std::vector<std::pair<int, Vec3>> row;
  for (std::size_t begin = 0, end = 0; begin < patches.size(); begin = end) {
    const int cell = patches[begin].cell;
    row.clear();
    for (; end < patches.size() && patches[end].cell == cell; ++end) {
      const Patch& p = patches[end];
      const Surface& s = surfaces[p.surface];
      if (s.body < 0 || !active.data[cell]) continue;
      for (int c = 0; c < 3; ++c) row.emplace_back(first[s.body] + s.tris[p.tri][c], p.bary[c] * p.area);
    }
    if (row.empty()) continue;
    std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    u.cell.push_back(cell);
    for (const auto& [node, weight] : row) {
      if (u.node.size() > std::size_t(u.start.back()) && u.node.back() == node)
        u.weight.back() += weight;
      else
        u.node.push_back(node), u.weight.push_back(weight);
    }
    u.start.push_back(int(u.node.size()));
  }
  return u;
}

void add_flux(const Coupling& u, const NodeField& v, double scale, Vector& out) {
  for (std::size_t i = 0; i < u.cell.size(); ++i) {
    double sum = 0;
    for (int e = u.start[i]; e < u.start[i + 1]; ++e) sum += u.weight[e].dot(v[u.node[e]]);
    out[u.cell[i]] += scale * sum;
  }
}

void add_force(const Coupling& u, const Vector& p, double scale, NodeField& out) {
  for (std::size_t i = 0; i < u.cell.size(); ++i) {
    const double pressure = scale * p[u.cell[i]];
    for (int e = u.start[i]; e < u.start[i + 1]; ++e) out[u.node[e]] += pressure * u.weight[e];
  }
}

}  // namespace coracle
