#include "coracle/step/couple/pockets.h"

#include "coracle/base/disjoint_sets.h"
#include "coracle/shape/tri_mesh.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace coracle {

namespace {

// Which connected piece of its surface each triangle belongs to: the smallest vertex of the piece.
std::vector<int> pieces_of(const Surface& surface) {
  DisjointSets pieces(surface.x.size());
  for (const Vec3i& t : surface.tris)
    for (int c = 1; c < 3; ++c) pieces.join(t[0], t[c]);
  std::vector<int> piece;
  for (const Vec3i& t : surface.tris) piece.push_back(pieces.root(t[0]));
  return piece;
}

}  // namespace

std::vector<double> volumes_by_cells(const Grid& grid, const Boundary& cut, const CellSets& sets) {
  std::vector<double> volumes;
  for (const auto& cells : sets) {
    double sum = 0;
    for (int i : cells) sum += cut.volume.data[i];
    volumes.push_back(sum * grid.cell_volume());
  }
  return volumes;
}

std::vector<double> volumes_by_surfaces(const Grid& grid, const Boundary& cut, const Surfaces& surfaces,
                                        const CellSets& sets) {
  std::unordered_map<int, int> set_of;
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (int cell : sets[s]) set_of[cell] = int(s);
  std::vector<double> volumes(sets.size(), 0);
  std::vector<std::uint8_t> known(sets.size(), 1);
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const Surface& surface = surfaces[s];
    if (!surface.present) continue;
    const std::vector<int> piece = pieces_of(surface);
    constexpr int open = -1, several = -2;
    constexpr double slack = 1e-6;       // cells
    std::unordered_map<int, int> meets;  // piece: the one set that it touches
    for (const Patch& p : cut.patches) {
      if (p.surface != int(s)) continue;
      const auto found = set_of.find(p.cell);
      const int set = found == set_of.end() ? open : found->second;
      const auto [it, added] = meets.try_emplace(piece[p.tri], set);
      if (added || it->second == set) continue;
      if (it->second >= 0) known[it->second] = 0;
      if (set >= 0) known[set] = 0;
      it->second = several;
    }
    for (std::size_t t = 0; t < piece.size(); ++t) {
      const auto it = meets.find(piece[t]);
      if (it == meets.end() || it->second < 0) continue;
      const Vec3i& n = surface.tris[t];
      for (const int corner : n)  // a surface beyond the domain gives no volume inside it
        if ((grid.to_cells(surface.x[corner]).array() < -slack).any() ||
            (grid.to_cells(surface.x[corner]).array() > grid.n.cast<double>().array() + slack).any())
          known[it->second] = 0;
      const double v = cone_volume(surface.x[n[0]], surface.x[n[1]], surface.x[n[2]]);
      volumes[it->second] += surface.container ? v : -v;
    }
  }
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const bool at_side = std::any_of(sets[s].begin(), sets[s].end(), [&](int cell) {
      const Vec3i c = cut.volume.cell(cell);
      return (c.array() == 0).any() || (c.array() == grid.n.array() - 1).any();
    });
    if (at_side) volumes[s] += grid.cell_volume() * grid.n.cast<double>().prod();
    if (!known[s] || volumes[s] <= 0) volumes[s] = 0;
  }
  return volumes;
}

std::vector<double> pocket_volumes(const Grid& grid, const Boundary& cut, const Surfaces& surfaces,
                                   const CellSets& sets) {
  return cut.on_surface ? volumes_by_cells(grid, cut, sets) : volumes_by_surfaces(grid, cut, surfaces, sets);
}

std::vector<Pocket> remember_pockets(const std::vector<Pocket>& before, const CellSets& closed,
                                     const std::vector<double>& volumes) {
  std::unordered_map<int, int> was;
  for (std::size_t p = 0; p < before.size(); ++p)
    for (int cell : before[p].cells) was[cell] = int(p);
  constexpr int none = -1, several = -2;
  const auto meet = [](int& partner, int other) {
    if (partner != other) partner = partner == none ? other : several;
  };
  std::vector<int> old_of(closed.size(), none), new_of(before.size(), none);
  for (std::size_t c = 0; c < closed.size(); ++c)
    for (int cell : closed[c])
      if (const auto found = was.find(cell); found != was.end()) {
        meet(old_of[c], found->second);
        meet(new_of[found->second], int(c));
      }
  std::vector<Pocket> now;
  for (std::size_t c = 0; c < closed.size(); ++c) {
    Pocket pocket;
    if (old_of[c] >= 0 && new_of[old_of[c]] == int(c))
      pocket = before[old_of[c]];
    else
      pocket.volume = volumes[c];
    if (pocket.volume == 0) pocket.volume = volumes[c];  // it was undefined before
    pocket.cells = closed[c];
    now.push_back(std::move(pocket));
  }
  return now;
}

std::vector<int> cells_of_full_pockets(const Grid& grid, const Boundary& cut, int reach, std::vector<Pocket>& pockets) {
  std::vector<int> full;
  const auto open_to = [&](int cell, int axis, int end) {  // whether a face is open to another cell
    const Vec3i c = cut.volume.cell(cell);
    if (end ? c[axis] + 1 == grid.n[axis] : c[axis] == 0) return false;
    Vec3i face = c;
    face[axis] += end;
    return cut.open[axis][face] > 0;
  };
  std::unordered_map<int, int> was;  // the pocket that a cell belonged to
  for (std::size_t p = 0; p < pockets.size(); ++p)
    for (int cell : pockets[p].cells) was[cell] = int(p);
  int number = -1;
  Array3<std::uint8_t> mark(pockets.empty() ? Vec3i(Vec3i::Zero()) : grid.n);  // 1: within reach, 2: reached
  std::erase_if(pockets, [&](Pocket& pocket) {
    ++number;
    std::fill(mark.data.begin(), mark.data.end(), 0);
    for (int cell : pocket.cells) {
      const Vec3i c = cut.volume.cell(cell);
      const Vec3i lo = (c.array() - reach).max(0), hi = (c.array() + reach).min(grid.n.array() - 1);
      for (int k = lo.z(); k <= hi.z(); ++k)
        for (int j = lo.y(); j <= hi.y(); ++j)
          std::fill_n(mark.data.begin() + std::ptrdiff_t(mark.index(lo.x(), j, k)), hi.x() - lo.x() + 1, 1);
    }
    std::vector<int> stack, region;
    const auto enter = [&](int cell) {
      mark.data[cell] = 2;
      stack.push_back(cell);
      region.push_back(cell);
    };
    for (int cell : pocket.cells) {
      bool open = false;
      for (int side = 0; side < 6; ++side) open = open || open_to(cell, side / 2, side % 2);
      if (open && mark.data[cell] != 2) enter(cell);
    }
    while (!stack.empty()) {
      const int cell = stack.back();
      stack.pop_back();
      for (int side = 0; side < 6; ++side) {
        if (!open_to(cell, side / 2, side % 2)) continue;
        const int step = int(cut.volume.stride(side / 2)), next = side % 2 ? cell + step : cell - step;
        if (mark.data[next] == 0) return true;  // it has opened
        if (const auto other = was.find(next); other != was.end() && other->second != number)
          return true;  // into another pocket
        if (mark.data[next] == 1) enter(next);
      }
    }
    full.insert(full.end(), region.begin(), region.end());
    std::sort(region.begin(), region.end());
    pocket.cells = std::move(region);
    return pocket.cells.empty();
  });
  return full;
}

void keep_pockets_full(const Grid& grid, const Boundary& cut, int reach, std::vector<Pocket>& pockets,
                       Array3<double>& liquid_phi) {
  for (const int cell : cells_of_full_pockets(grid, cut, reach, pockets))
    liquid_phi.data[cell] = kept_full(liquid_phi.data[cell], grid.dx);
}

}  // namespace coracle
