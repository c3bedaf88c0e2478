#include "coracle/step/grid/cut_cells.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/clip.h"

#include <Eigen/Geometry>

#include <algorithm>
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

// W along every row of one axis that meets the mesh, by prefix sums of the pieces in that row.
void fill_faces(const std::vector<OwnedPiece>& pieces, int axis, const Vec3i& n, Array3<double>& w) {
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
      const int until = more ? keys[last].a : n[axis];
      for (face[axis] = a + 1; face[axis] <= std::min(until, n[axis]); ++face[axis]) w[face] = inside;
    }
    first = last;
  }
}

}  // namespace

SolidCut cut_solid(const Grid& grid, const Surface& surface, int id) {
  const auto& tris = surface.tris;
  std::vector<std::array<Vec3, 3>> triangles(tris.size());
  for (std::size_t t = 0; t < tris.size(); ++t)
    for (int c = 0; c < 3; ++c) triangles[t][c] = grid.to_cells(surface.x[tris[t][c]]);
  const double out_of_solid = surface.container ? -1 : 1;
  const std::vector<OwnedPiece> pieces = clip_all(triangles, grid.n, out_of_solid);

  // Fractions inside the mesh.
  SolidCut cut;
  cut.filled = make_face_field<double>(grid);
  for (int a = 0; a < 3; ++a) fill_faces(pieces, a, grid.n, cut.filled[a]);
  cut.volume.assign(grid.n);
  for_each_index(
      std::size_t(grid.n.y()) * grid.n.z(),
      [&](std::size_t row) {
        const int j = int(row % grid.n.y()), k = int(row / grid.n.y());
        for (int i = 0; i < grid.n.x(); ++i) cut.volume(i, j, k) = cut.filled[0](i + 1, j, k);
      },
      64);
  for (const OwnedPiece& o : pieces) {
    const Piece& p = o.piece;
    if (!cut.volume.inside(p.cell)) continue;
    cut.volume[p.cell] += p.area.x() * (p.center.x() - p.cell.x());  // V = ∮ (x − x_lo) n_x dA
    cut.patches.push_back(
        {int(cut.volume.index(p.cell)), id, o.tri, -out_of_solid * p.area, barycentrics(triangles[o.tri], p.center)});
  }

  // A container fills everything outside its mesh.
  cut.hi = grid.n;
  if (surface.container) {
    for (int a = 0; a < 3; ++a)
      for (double& w : cut.filled[a].data) w = 1 - w;
    for (double& v : cut.volume.data) v = 1 - v;
  } else {
    Vec3 lo = triangles[0][0], hi = lo;
    for (const auto& t : triangles)
      for (const Vec3& p : t) lo = lo.cwiseMin(p), hi = hi.cwiseMax(p);
    for (int a = 0; a < 3; ++a) {
      cut.lo[a] = int(std::clamp(std::floor(lo[a]) - 1, 0.0, double(grid.n[a])));
      cut.hi[a] = int(std::clamp(std::ceil(hi[a]) + 1, 0.0, double(grid.n[a])));
    }
  }
  return cut;
}

Boundary combine(const Grid& grid, const std::vector<const SolidCut*>& cuts, std::vector<FaceId>* shared) {
  Boundary all;
  all.open = make_face_field(grid, 1.0);
  all.volume.assign(grid.n, 1.0);
  all.overlaps = cuts.size() > 1;
  for (const SolidCut* one : cuts) {
    const SolidCut& cut = *one;
    const auto leave_open = [&](int axis, Array3<double>& open, const Array3<double>& filled, const Vec3i& hi) {
      for (int k = cut.lo.z(); k < hi.z(); ++k)
        for (int j = cut.lo.y(); j < hi.y(); ++j)
          for (int i = cut.lo.x(); i < hi.x(); ++i) {
            const double w = filled(i, j, k);
            if (w < -filled_round_off || w > 1 + filled_round_off) all.overlaps = true;
            double& left = open(i, j, k);
            if (shared && axis >= 0 && w > 0 && w < 1 && left > 0 && left < 1)
              shared->push_back({axis, open.index(Vec3i(i, j, k))});
            left *= 1 - std::clamp(w, 0.0, 1.0);
          }
    };
    for (int a = 0; a < 3; ++a) leave_open(a, all.open[a], cut.filled[a], cut.hi + Vec3i::Unit(a));
    leave_open(-1, all.volume, cut.volume, cut.hi);
    all.patches.insert(all.patches.end(), cut.patches.begin(), cut.patches.end());
  }
  std::stable_sort(all.patches.begin(), all.patches.end(),
                   [](const Patch& a, const Patch& b) { return a.cell < b.cell; });
  if (shared) {
    std::sort(shared->begin(), shared->end());
    shared->erase(std::unique(shared->begin(), shared->end()), shared->end());
  }
  return all;
}

std::vector<Vec3> closure_defect(const Boundary& cut) {
  std::vector<Vec3> sum(cut.volume.size(), Vec3::Zero());
  for (const Patch& p : cut.patches) sum[p.cell] += p.area;
  for_each_index(sum.size(), [&](std::size_t i) {
    const Vec3i c = cut.volume.cell(i);
    for (int a = 0; a < 3; ++a) sum[i][a] += cut.open[a][c + Vec3i::Unit(a)] - cut.open[a][c];
  });
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
