#include "coracle/step/grid/slivers.h"

#include "coracle/base/check.h"
#include "coracle/base/for_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace coracle {
namespace {

struct Side {
  int axis, end;  // end 0: low face, 1: high face
};
constexpr std::array<Side, 6> sides{{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}};

// The cells that hold patches, with their patches.
using Cells = std::unordered_map<int, std::vector<Patch>>;

struct Sliver {
  int cell;
  double largest;
};

class Remover {
 public:
  Remover(const Grid& grid, const Surfaces& surfaces, Boundary& cut) : grid_(grid), surfaces_(surfaces), cut_(cut) {
    for (const Patch& p : cut.patches) cells_[p.cell].push_back(p);
  }

  void run() {
    merge_slivers(cells_in_order());
    for (int cell : cells_in_order())
      for (const Side& s : sides)
        if (inner(cell, s) && small(face(cell, s))) clamp(cell, s);
    // Faces still below the clamp lie deep inside overlapping solids.
    for (int a = 0; a < 3; ++a)
      for_cells(cut_.open[a].n, [&](const Vec3i& f, std::size_t i) {
        double& open = cut_.open[a].data[i];
        if (open < smallest_open_face && f[a] > 0 && f[a] < grid_.n[a]) open = 0;
      });
    cut_.patches.clear();
    for (int cell : cells_in_order()) {
      const auto& patches = cells_[cell];
      if (largest_side(cell) >= 0) {
        cut_.patches.insert(cut_.patches.end(), patches.begin(), patches.end());
        continue;
      }
      cut_.volume.data[cell] = 0;
      if (!patches.empty()) ++cut_.dropped;
    }
  }

 private:
  std::vector<int> cells_in_order() const {
    std::vector<int> order;
    for (const auto& entry : cells_) order.push_back(entry.first);
    std::sort(order.begin(), order.end());
    return order;
  }

  static bool small(double area) { return area != 0 && area < smallest_open_face; }

  double& face(int cell, const Side& s) {
    Vec3i f = cut_.volume.cell(cell);
    f[s.axis] += s.end;
    return cut_.open[s.axis][f];
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
  int largest_side(int cell) {
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
      auto moved = std::move(cells_[sliver.cell]);
      cells_[sliver.cell].clear();
      auto& patches = cells_[target];
      for (Patch& p : moved) {
        p.cell = target;
        patches.push_back(p);
      }
      for (const Side& s : sides)  // the wet area of a wall that both cells touch moves too
        if (!inner(sliver.cell, s) && s.axis != sides[into].axis)
          face(target, s) += std::exchange(face(sliver.cell, s), 0.0);
      face(sliver.cell, sides[into]) = 0;
      cut_.volume.data[target] += cut_.volume.data[sliver.cell];
      cut_.volume.data[sliver.cell] = 0;
      ++cut_.merged;
    }
  }

  // Close a face; the solid takes it over on both sides.
  void clamp(int cell, const Side& s) {
    double& open = face(cell, s);
    const int other = neighbour(cell, s);
    const Patch owner = nearest_patch(cell, other, s);
    Patch p = owner;
    p.area = (s.end ? open : -open) * Vec3::Unit(s.axis);
    p.cell = cell;
    cells_[cell].push_back(p);
    p.area = -p.area;
    p.cell = other;
    cells_[other].push_back(p);
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
    for (int c : {cell, other}) {
      const auto found = cells_.find(c);
      if (found == cells_.end()) continue;
      for (const Patch& p : found->second) {
        const double d = (patch_center(p, surfaces_) - at).squaredNorm();
        if (!best || d < best_distance) best = &p, best_distance = d;
      }
    }
    CHECK(best != nullptr);  // a face is open in part only where a mesh passes through one of its cells
    return *best;
  }

  const Grid& grid_;
  const Surfaces& surfaces_;
  Boundary& cut_;
  Cells cells_;
};

}  // namespace

void remove_slivers(const Grid& grid, const Surfaces& surfaces, Boundary& cut) { Remover(grid, surfaces, cut).run(); }

}  // namespace coracle
