#include "coracle/step/grid/cut_cells.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/clip.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>

namespace coracle {
namespace {

// Sums of areas this close to 0 or 1 are round-off, for coordinates of up to a few thousand cells.
constexpr double area_round_off = 2e-13;
// A filled fraction outside [0, 1] by more than this is an overlap.
constexpr double filled_round_off = 1e-11;

struct OwnedPiece {
  Piece piece;
  int tri;
};

double snapped(double w) { return std::abs(w) < area_round_off ? 0 : std::abs(w - 1) < area_round_off ? 1 : w; }

Vec3 barycentrics(const std::array<Vec3, 3>& x, const Vec3& q) {
  const Vec3 e1 = x[1] - x[0], e2 = x[2] - x[0], d = q - x[0];
  const double a = e1.dot(e1), b = e1.dot(e2), c = e2.dot(e2), det = a * c - b * b;
  if (!(det > 0)) return Vec3::Constant(1.0 / 3);
  const double s = (c * e1.dot(d) - b * e2.dot(d)) / det, t = (a * e2.dot(d) - b * e1.dot(d)) / det;
  return {1 - s - t, s, t};
}

std::vector<OwnedPiece> clip_all(const std::vector<std::array<Vec3, 3>>& triangles, const Vec3i& n, double side) {
  constexpr std::size_t block = 256;
  std::vector<std::vector<OwnedPiece>> parts((triangles.size() + block - 1) / block);
  for_blocks(triangles.size(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t)
      clip_to_cells(triangles[t], n, side, [&](const Piece& p) { parts[begin / block].push_back({p, int(t)}); });
  });
  std::vector<OwnedPiece> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// W along every row of one axis that meets the mesh, by prefix sums of the pieces in that row; within the box.
void fill_faces(const std::vector<OwnedPiece>& pieces, int axis, const Vec3i& n, const CellBox& box, Boxed<double>& w) {
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  struct Key {
    int c, b, a;
    double area;
    auto order() const { return std::tie(c, b, a); }
  };
  std::vector<Key> keys;
  keys.reserve(pieces.size());
  for (const OwnedPiece& o : pieces) {
    const Vec3i& q = o.piece.cell;
    if (q[b] >= 0 && q[b] < n[b] && q[c] >= 0 && q[c] < n[c]) keys.push_back({q[c], q[b], q[axis], o.piece.area[axis]});
  }
  std::stable_sort(keys.begin(), keys.end(), [](const Key& l, const Key& r) { return l.order() < r.order(); });
  for (std::size_t first = 0; first < keys.size();) {
    std::size_t last = first;
    double inside = 0;
    Vec3i face;
    face[b] = keys[first].b, face[c] = keys[first].c;
    while (last < keys.size() && keys[last].b == keys[first].b && keys[last].c == keys[first].c) {
      const int a = keys[last].a;
      for (; last < keys.size() && keys[last].b == face[b] && keys[last].c == face[c] && keys[last].a == a; ++last)
        inside -= keys[last].area;
      inside = snapped(inside);
      const bool more = last < keys.size() && keys[last].b == face[b] && keys[last].c == face[c];
      const int until = more ? keys[last].a : box.hi[axis];
      for (face[axis] = a + 1; face[axis] <= std::min(until, box.hi[axis]); ++face[axis]) w[face] = inside;
    }
    first = last;
  }
}

// The cells that the triangles can touch, in cells.
CellBox box_of(const std::vector<std::array<Vec3, 3>>& triangles, const Vec3i& n) {
  Vec3 lo = triangles[0][0], hi = lo;
  for (const auto& t : triangles)
    for (const Vec3& p : t) lo = lo.cwiseMin(p), hi = hi.cwiseMax(p);
  CellBox box;
  for (int a = 0; a < 3; ++a) {
    box.lo[a] = int(std::clamp(std::floor(lo[a]) - 1, 0.0, double(n[a])));
    box.hi[a] = int(std::clamp(std::ceil(hi[a]) + 1, 0.0, double(n[a])));
  }
  return box;
}

}  // namespace

void cut_solid(const Grid& grid, const Surface& surface, int id, SolidCut& cut) {
  const auto& tris = surface.tris;
  std::vector<std::array<Vec3, 3>> triangles(tris.size());
  for (std::size_t t = 0; t < tris.size(); ++t)
    for (int c = 0; c < 3; ++c) triangles[t][c] = grid.to_cells(surface.x[tris[t][c]]);
  const double out_of_solid = surface.container ? -1 : 1;
  const std::vector<OwnedPiece> pieces = clip_all(triangles, grid.n, out_of_solid);

  // Fractions inside the mesh.
  const CellBox box = surface.container ? CellBox{Vec3i::Zero(), grid.n} : box_of(triangles, grid.n);
  cut.volume.assign(box);
  for_blocks(3, 1, [&](std::size_t a, std::size_t) {
    cut.filled[a].assign(box.faces(int(a)));
    fill_faces(pieces, int(a), grid.n, box, cut.filled[a]);
  });
  for_box(grid.n, box, [&](std::size_t, const Vec3i& c) { cut.volume[c] = cut.filled[0][c + Vec3i::Unit(0)]; });
  const Shape3 all{grid.n};
  cut.patches.clear();
  for (const OwnedPiece& o : pieces) {
    const Piece& p = o.piece;
    if (!all.inside(p.cell)) continue;
    cut.volume[p.cell] += p.area.x() * (p.center.x() - p.cell.x());  // V = ∮ (x − x_lo) n_x dA
    cut.patches.push_back(
        {int(all.index(p.cell)), id, o.tri, -out_of_solid * p.area, barycentrics(triangles[o.tri], p.center)});
  }
  std::stable_sort(cut.patches.begin(), cut.patches.end(),
                   [](const Patch& a, const Patch& b) { return a.cell < b.cell; });

  std::atomic<bool> overlaps = false;
  const auto finish = [&](double& w) {
    if (surface.container) w = 1 - w;  // it fills everything outside its mesh
    if (w < -filled_round_off || w > 1 + filled_round_off) overlaps = true;
  };
  for (Boxed<double>* w : {&cut.filled[0], &cut.filled[1], &cut.filled[2], &cut.volume})
    for_each_index(w->values.size(), [&](std::size_t i) { finish(w->values.data[i]); });
  cut.overlaps = overlaps;
}

void combine(const std::vector<const SolidCut*>& cuts, std::span<const CellBox> boxes, Boundary& all,
             std::vector<FaceId>* shared) {
  const auto leave_open = [&](int axis, const CellBox& box, Array3<double>& open) {
    for_box(open.n, box, [&](std::size_t i, const Vec3i&) { open.data[i] = 1; });
    bool some = false;
    for (const SolidCut* one : cuts) {
      const Boxed<double>& filled = axis < 0 ? one->volume : one->filled[axis];
      const CellBox both{box.lo.cwiseMax(filled.box.lo), box.hi.cwiseMin(filled.box.hi)};
      if (both.empty()) continue;
      // Only with several solids can a face be shared.
      if (shared && axis >= 0 && some)
        for (Vec3i c(0, 0, both.lo.z()); c.z() < both.hi.z(); ++c.z())
          for (c.y() = both.lo.y(); c.y() < both.hi.y(); ++c.y())
            for (c.x() = both.lo.x(); c.x() < both.hi.x(); ++c.x()) {
              const std::size_t i = open.index(c);
              if (filled[c] > 0 && filled[c] < 1 && open.data[i] > 0 && open.data[i] < 1) shared->push_back({axis, i});
            }
      for_box(open.n, both,
              [&](std::size_t i, const Vec3i& c) { open.data[i] *= 1 - std::clamp(filled[c], 0.0, 1.0); });
      some = true;
    }
  };
  for (const CellBox& box : boxes) {
    for (int a = 0; a < 3; ++a) leave_open(a, box.faces(a), all.open[a]);
    leave_open(-1, box, all.volume);
  }
}

Vec3 open_defect(const Boundary& cut, std::size_t cell) {
  const Vec3i c = cut.volume.cell(cell);
  Vec3 sum;
  for (int a = 0; a < 3; ++a) sum[a] = cut.open[a][c + Vec3i::Unit(a)] - cut.open[a][c];
  return sum;
}

std::vector<Vec3> closure_defect(const Boundary& cut) {
  std::vector<Vec3> sum(cut.volume.size(), Vec3::Zero());
  for (const Patch& p : cut.patches) sum[p.cell] += p.area;
  for_each_index(sum.size(), [&](std::size_t i) { sum[i] += open_defect(cut, i); });
  return sum;
}

double closure_error(const Boundary& cut) {
  double worst = 0;
  const std::vector<Vec3> sum = closure_defect(cut);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const Vec3i c = cut.volume.cell(i);
    bool any = false;
    for (int a = 0; a < 3; ++a)
      any = any || (c[a] > 0 && cut.open[a][c] > 0) ||
            (c[a] + 1 < cut.volume.n[a] && cut.open[a][c + Vec3i::Unit(a)] > 0);
    if (any) worst = std::max(worst, sum[i].cwiseAbs().maxCoeff());
  }
  return worst;
}

}  // namespace coracle
