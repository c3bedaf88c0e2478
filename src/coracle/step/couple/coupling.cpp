#include "coracle/step/couple/coupling.h"

#include <algorithm>

namespace coracle {
namespace {

// Entries of one cell, gathered by node.
void add_row(int cell, std::vector<std::pair<int, Vec3>>& row, Coupling& u) {
  if (row.empty()) return;
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

}  // namespace

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
    add_row(cell, row, u);
  }
  return u;
}

Coupling pressing_coupling(const Boundary& cut, const Surfaces& surfaces, const std::vector<int>& first,
                           const Array3<std::uint8_t>& active) {
  if (cut.pressure_acts_on == PressureActsOn::patches) return wet_coupling(cut.patches, surfaces, first, active);
  struct Entry {
    int cell, node;
    Vec3 weight;
  };
  std::vector<Entry> entries;
  for (const PressureSample& s : cut.samples) {
    const Surface& surface = surfaces[s.surface];
    if (surface.body < 0) continue;
    for_pressing(s, active, [&](int cell, double share) {
      for (int c = 0; c < 3; ++c)
        entries.push_back({cell, first[surface.body] + surface.tris[s.tri][c], share * s.bary[c] * s.area});
    });
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.cell < b.cell; });
  Coupling u;
  u.start.push_back(0);
  std::vector<std::pair<int, Vec3>> row;
  for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    row.clear();
    for (; end < entries.size() && entries[end].cell == entries[begin].cell; ++end)
      row.emplace_back(entries[end].node, entries[end].weight);
    add_row(entries[begin].cell, row, u);
  }
  return u;
}

Coupling on_leaders(const Coupling& u, const std::vector<Follower>& followers) {
  if (followers.empty()) return u;
  const auto follower_of = [&](int node) {
    const auto at =
        std::lower_bound(followers.begin(), followers.end(), node, [](const Follower& f, int n) { return f.node < n; });
    return at != followers.end() && at->node == node ? &*at : nullptr;
  };
  Coupling led;
  led.start.push_back(0);
  std::vector<std::pair<int, Vec3>> row;
  for (std::size_t i = 0; i < u.cell.size(); ++i) {
    row.clear();
    for (int e = u.start[i]; e < u.start[i + 1]; ++e) {
      const Follower* f = follower_of(u.node[e]);
      if (!f) row.emplace_back(u.node[e], u.weight[e]);
      for (std::size_t k = 0; f && k < f->leaders.size(); ++k)
        row.emplace_back(f->leaders[k], f->weights[k] * u.weight[e]);
    }
    add_row(u.cell[i], row, led);
  }
  return led;
}

namespace {

double wet_flux(const Coupling& u, const NodeField& v, std::size_t i) {
  double sum = 0;
  for (int e = u.start[i]; e < u.start[i + 1]; ++e) sum += u.weight[e].dot(v[u.node[e]]);
  return sum;
}

}  // namespace

void add_wet_flux(const Coupling& u, const NodeField& v, double scale, std::vector<double>& sums) {
  for (std::size_t i = 0; i < u.cell.size(); ++i) sums[i] += scale * wet_flux(u, v, i);
}

void add_flux(const Coupling& u, const NodeField& v, double scale, Vector& out) {
  for (std::size_t i = 0; i < u.cell.size(); ++i) out[u.cell[i]] += scale * wet_flux(u, v, i);
}

void add_force(const Coupling& u, const Vector& p, double scale, NodeField& out) {
  for (std::size_t i = 0; i < u.cell.size(); ++i) {
    const double pressure = scale * p[u.cell[i]];
    for (int e = u.start[i]; e < u.start[i + 1]; ++e) out[u.node[e]] += pressure * u.weight[e];
  }
}

}  // namespace coracle
