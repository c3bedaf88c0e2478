#include "coracle/step/grid/slivers.h"

#include "coracle/base/check.h"
#include "coracle/base/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <utility>

namespace coracle {
namespace {

struct Side {
  int axis, end;  // end 0: low face, 1: high face
};
constexpr std::array<Side, 6> sides{{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}};

struct Sliver {
  int cell;
  double largest;
};

class Remover {
 public:
  Remover(const Grid& grid, const Surfaces& surfaces, Boundary& cut, std::vector<BoundaryWork::Change>& changes)
      : grid_(grid), surfaces_(surfaces), cut_(cut), changes_(changes) {
    for (const Patch& p : cut.patches)
      if (cells_.empty() || cells_.back() != p.cell) cells_.push_back(p.cell);
  }

  // cut_through: the cells that surfaces pass through, also where they lie inside other solids.
  void run(const std::vector<int>& cut_through) {
    const std::vector<int> suspects = those(cells_, [&](int cell) { return has_small_face(cell); });
    merge_slivers(suspects);
    // Merging closes faces, and makes none small.
    for (const int cell : with_edited(suspects))
      for (const Side& s : sides)
        if (inner(cell, s) && small(face(cell, s))) clamp(cell, s);
    // Faces still below the clamp lie deep inside overlapping solids.
    for (const int cell : those(cut_through, [&](int c) { return has_small_face(c); }))
      for (const Side& s : sides)
        if (inner(cell, s) && small(face(cell, s))) change_face(cell, s) = 0;
    drop_closed();
  }

 private:
  // The cells for which f holds, in their order.
  template <class F>
  static std::vector<int> those(const std::vector<int>& cells, F&& f) {
    std::vector<std::uint8_t> found(cells.size());
    for_each_index(
        cells.size(), [&](std::size_t i) { found[i] = f(cells[i]); }, 512);
    std::vector<int> chosen;
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (found[i]) chosen.push_back(cells[i]);
    return chosen;
  }

  // Together with the cells whose patches have changed; increasing, as `cells` is.
  std::vector<int> with_edited(const std::vector<int>& cells) const {
    std::vector<int> edited, all;
    for (const auto& entry : edited_) edited.push_back(entry.first);
    std::set_union(cells.begin(), cells.end(), edited.begin(), edited.end(), std::back_inserter(all));
    return all;
  }

  // The patches of cells without an open face go.
  void drop_closed() {
    const std::vector<int> all = with_edited(cells_);
    const std::vector<int> closed = those(all, [&](int cell) { return largest_side(cell) < 0; });
    if (closed.empty() && edited_.empty()) return;
    std::vector<Patch> patches;
    patches.reserve(cut_.patches.size() + 2 * std::size_t(cut_.clamped));
    auto next_closed = closed.begin();
    auto from = cut_.patches.begin();  // the first patch that has not been looked at
    for (const int cell : all) {
      auto to = from;
      while (to != cut_.patches.end() && to->cell == cell) ++to;
      const auto edited = edited_.find(cell);
      const std::span<const Patch> own =
          edited != edited_.end() ? std::span<const Patch>(edited->second) : std::span<const Patch>(from, to);
      from = to;
      if (next_closed == closed.end() || *next_closed != cell) {
        patches.insert(patches.end(), own.begin(), own.end());
        continue;
      }
      ++next_closed;
      change_volume(cell) = 0;
      if (!own.empty()) ++cut_.dropped;
    }
    cut_.patches.swap(patches);
  }

  std::span<const Patch> patches_of(int cell) const {
    if (const auto found = edited_.find(cell); found != edited_.end()) return found->second;
    const auto [first, last] = std::equal_range(cut_.patches.begin(), cut_.patches.end(), Patch{cell, 0, 0, {}, {}},
                                                [](const Patch& a, const Patch& b) { return a.cell < b.cell; });
    return {first, last};
  }
  std::vector<Patch>& edit(int cell) {
    const std::span<const Patch> own = patches_of(cell);
    return edited_.try_emplace(cell, own.begin(), own.end()).first->second;
  }

  static bool small(double area) { return area != 0 && area < smallest_open_face; }
  bool has_small_face(int cell) const {
    for (const Side& s : sides)
      if (inner(cell, s) && small(face(cell, s))) return true;
    return false;
  }

  std::size_t face_index(int cell, const Side& s) const {
    Vec3i f = cut_.volume.cell(cell);
    f[s.axis] += s.end;
    return cut_.open[s.axis].index(f);
  }
  double face(int cell, const Side& s) const { return cut_.open[s.axis].data[face_index(cell, s)]; }
  double& change_face(int cell, const Side& s) {
    const std::size_t i = face_index(cell, s);
    double& open = cut_.open[s.axis].data[i];
    changes_.push_back({s.axis, i, open});
    return open;
  }
  double& change_volume(int cell) {
    double& volume = cut_.volume.data[cell];
    changes_.push_back({-1, std::size_t(cell), volume});
    return volume;
  }
  // Whether there is a cell beyond that side.
  bool inner(int cell, const Side& s) const {
    const int at = cut_.volume.cell(cell)[s.axis];
    return s.end ? at + 1 < grid_.n[s.axis] : at > 0;
  }
  int neighbour(int cell, const Side& s) const {
    const int step = int(cut_.volume.stride(s.axis));
    return s.end ? cell + step : cell - step;
  }

  // The inner face with the largest open area; -1 when all are closed.
  int largest_side(int cell) const {
    int best = -1;
    for (int s = 0; s < 6; ++s)
      if (inner(cell, sides[s]) && face(cell, sides[s]) > (best < 0 ? 0 : face(cell, sides[best]))) best = s;
    return best;
  }

  void merge_slivers(const std::vector<int>& order) {
    std::vector<Sliver> slivers;
    for (int cell : order) {
      const int side = largest_side(cell);
      if (side >= 0 && small(face(cell, sides[side]))) slivers.push_back({cell, face(cell, sides[side])});
    }
    std::stable_sort(slivers.begin(), slivers.end(),
                     [](const Sliver& a, const Sliver& b) { return a.largest < b.largest; });
    for (const Sliver& sliver : slivers) {
      const int into = largest_side(sliver.cell);
      if (into < 0) continue;  // an earlier merge closed its last open face
      for (int s = 0; s < 6; ++s)
        if (s != into && inner(sliver.cell, sides[s]) && face(sliver.cell, sides[s]) != 0) clamp(sliver.cell, sides[s]);
      const int target = neighbour(sliver.cell, sides[into]);
      const std::vector<Patch> moved = std::exchange(edit(sliver.cell), {});
      auto& patches = edit(target);
      for (Patch p : moved) {
        p.cell = target;
        patches.push_back(p);
      }
      for (const Side& s : sides)  // the wet area of a wall that both cells touch moves too
        if (!inner(sliver.cell, s) && s.axis != sides[into].axis)
          change_face(target, s) += std::exchange(change_face(sliver.cell, s), 0.0);
      change_face(sliver.cell, sides[into]) = 0;
      change_volume(target) += std::exchange(change_volume(sliver.cell), 0.0);
      ++cut_.merged;
    }
  }

  // Close a face; the solid takes it over on both sides.
  void clamp(int cell, const Side& s) {
    double& open = change_face(cell, s);
    const int other = neighbour(cell, s);
    const Patch owner = nearest_patch(cell, other, s);
    Patch p = owner;
    p.area = (s.end ? open : -open) * Vec3::Unit(s.axis);
    p.cell = cell;
    edit(cell).push_back(p);
    p.area = -p.area;
    p.cell = other;
    edit(other).push_back(p);
    open = 0;
    ++cut_.clamped;
  }

  // The patch of either cell that lies nearest to the face between them.
  Patch nearest_patch(int cell, int other, const Side& s) {
    Vec3i f = cut_.volume.cell(cell);
    f[s.axis] += s.end;
    const Vec3 at = grid_.face_center(s.axis, f);
    const Patch* best = nullptr;
    double best_distance = 0;
    for (int c : {cell, other})
      for (const Patch& p : patches_of(c)) {
        const double d = (patch_center(p, surfaces_) - at).squaredNorm();
        if (!best || d < best_distance) best = &p, best_distance = d;
      }
    CHECK(best != nullptr);  // a face is open in part only where a mesh passes through one of its cells
    return *best;
  }

  const Grid& grid_;
  const Surfaces& surfaces_;
  Boundary& cut_;
  std::vector<BoundaryWork::Change>& changes_;
  std::vector<int> cells_;                    // that hold patches of cut_, increasing
  std::map<int, std::vector<Patch>> edited_;  // cells whose patches are no longer those of cut_
};

}  // namespace

void remove_slivers(const Grid& grid, const Surfaces& surfaces, const std::vector<int>& cells, Boundary& cut,
                    std::vector<BoundaryWork::Change>& changes) {
  Remover(grid, surfaces, cut, changes).run(cells);
}

}  // namespace coracle
