#include "coracle/step/grid/voxel_boundary.h"

#include "coracle/base/for_cells.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double sample_distance = 0.5;  // cells, at most, between the pressure samples of a triangle
constexpr double in_front = 1e-6;        // cells: nearer to the triangle's plane counts as behind it

// A centre that lies on a surface counts as inside the solid.
bool in_fluid(const Grid& grid, const SolidField& field, const Vec3i& c) { return field.phi[c] > in_front * grid.dx; }

// Where the line between the centres of two cells crosses a triangle.
struct Crossing {
  int axis;
  int face;      // linear index
  double along;  // cells from the lower centre, within [0, 1)
  int surface, tri;
  Vec3 bary;
};

// All lines of cell centres along `axis` that pass through a triangle. x in cells.
void cross_triangle(const Grid& grid, int axis, const std::array<Vec3, 3>& x, int surface, int tri,
                    std::vector<Crossing>& out) {
  const int b = (axis + 1) % 3, d = (axis + 2) % 3;
  const auto range = [&](int a) {
    const auto [lo, hi] = std::minmax({x[0][a], x[1][a], x[2][a]});
    return std::pair(std::max(0, int(std::ceil(lo - 0.5))), std::min(grid.n[a] - 1, int(std::floor(hi - 0.5))));
  };
  const auto [b0, b1] = range(b);
  const auto [d0, d1] = range(d);
  const Vec3i faces = grid.faces(axis);
  const auto area = [&](const Vec3& p, const Vec3& q, double u, double v) {
    return (p[b] - u) * (q[d] - v) - (q[b] - u) * (p[d] - v);
  };
  const double whole = area(x[1], x[2], x[0][b], x[0][d]);
  if (whole == 0) return;  // seen edge-on
  for (int j = b0; j <= b1; ++j)
    for (int k = d0; k <= d1; ++k) {
      const double u = j + 0.5, v = k + 0.5;
      Vec3 bary(area(x[1], x[2], u, v), area(x[2], x[0], u, v), area(x[0], x[1], u, v));
      bary /= whole;
      if (bary.minCoeff() < 0) continue;
      bary /= bary.sum();
      const double at = bary[0] * x[0][axis] + bary[1] * x[1][axis] + bary[2] * x[2][axis] - 0.5;
      const int lower = int(std::floor(at));
      // A crossing between the last centre and the domain's side closes the side.
      if (at < -0.5 || at > grid.n[axis] - 0.5) continue;
      Vec3i face;
      face[axis] = lower + 1, face[b] = j, face[d] = k;
      const int index = face.x() + faces.x() * (face.y() + faces.y() * face.z());
      out.push_back({axis, index, at - lower, surface, tri, bary});
    }
}

std::vector<Crossing> find_crossings(const Grid& grid, const Surfaces& surfaces, const SolidField& field) {
  std::vector<Crossing> all;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (!field.present[s]) continue;
    for (std::size_t t = 0; t < surfaces[s].tris.size(); ++t) {
      std::array<Vec3, 3> x;
      for (int c = 0; c < 3; ++c) x[c] = grid.to_cells(surfaces[s].x[surfaces[s].tris[t][c]]);
      for (int a = 0; a < 3; ++a) cross_triangle(grid, a, x, int(s), int(t), all);
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Crossing& p, const Crossing& q) {
    return std::tuple(p.axis, p.face, p.along) < std::tuple(q.axis, q.face, q.along);
  });
  return all;
}

// The surface point for a face between inside and outside where no crossing was found (a line that just misses an
// edge): the point nearest to the face.
Crossing nearest_place(const Grid& grid, const Surfaces& surfaces, const SolidField& field, int axis, const Vec3i& f) {
  const Vec3 x = grid.face_center(axis, f);
  Crossing found{axis, 0, 0.5, -1, -1, Vec3::Zero()};
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (!field.present[s]) continue;
    const ClosestPoint near = field.each[s].tree.closest(x, 3 * grid.dx);
    if (near.tri < 0 || std::abs(near.distance) >= least) continue;
    least = std::abs(near.distance);
    found.surface = int(s), found.tri = near.tri, found.bary = near.bary;
  }
  return found;
}

class Faces {
 public:
  Faces(const Grid& grid, const Surfaces& surfaces, const SolidField& field, Boundary& cut)
      : grid_(grid), surfaces_(surfaces), field_(field), cut_(cut) {
    for (int a = 0; a < 3; ++a) {
      cut_.open[a].assign(grid.faces(a), 1);
      for_cells(grid.faces(a), [&](const Vec3i& f, std::size_t i) {
        const auto [lo, hi] = cells_beside(a, f, grid_.n);
        if (!fluid(lo) || !fluid(hi)) cut_.open[a].data[i] = 0;
      });
    }
    close_crossed(find_crossings(grid, surfaces, field));
    close_missed();
    std::stable_sort(cut_.patches.begin(), cut_.patches.end(),
                     [](const Patch& p, const Patch& q) { return p.cell < q.cell; });
  }

 private:
  bool fluid(const Vec3i& c) const { return in_fluid(grid_, field_, c); }

  void add_patch(const Vec3i& c, int axis, double outward, const Crossing& at) {
    if (fluid(c))
      cut_.patches.push_back({int(field_.phi.index(c)), at.surface, at.tri, outward * Vec3::Unit(axis), at.bary});
  }

  void close_crossed(const std::vector<Crossing>& all) {
    for (int a = 0; a < 3; ++a) done_[a].assign(grid_.faces(a), 0);
    for (std::size_t first = 0, last = 0; first < all.size(); first = last) {
      const Crossing& c = all[first];
      while (last < all.size() && all[last].axis == c.axis && all[last].face == c.face) ++last;
      const Vec3i upper = cut_.open[c.axis].cell(std::size_t(c.face)), lower = upper - Vec3i::Unit(c.axis);
      cut_.open[c.axis].data[c.face] = 0;
      done_[c.axis].data[c.face] = 1;
      if (lower[c.axis] >= 0) add_patch(lower, c.axis, 1, c);  // the nearest to the lower centre
      if (upper[c.axis] < grid_.n[c.axis]) add_patch(upper, c.axis, -1, all[last - 1]);  // and to the upper
    }
  }

  void close_missed() {
    for (int a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < cut_.open[a].size(); ++i) {
        if (cut_.open[a].data[i] > 0 || done_[a].data[i]) continue;
        const Vec3i upper = cut_.open[a].cell(i), lower = upper - Vec3i::Unit(a);
        if (lower[a] < 0 || upper[a] >= grid_.n[a] || fluid(lower) == fluid(upper)) continue;
        const Crossing at = nearest_place(grid_, surfaces_, field_, a, upper);
        if (at.surface < 0) continue;
        add_patch(lower, a, 1, at);
        add_patch(upper, a, -1, at);
      }
  }

  const Grid& grid_;
  const Surfaces& surfaces_;
  const SolidField& field_;
  Boundary& cut_;
  FaceField<std::uint8_t> done_;
};

// Weights of cells around a point that add up to 1.
struct Shares {
  std::array<Vec3i, 8> cell;
  std::array<double, 8> share;
  int cells = 0;
  double height = 0;  // cells: Σ share × distance of the cell's centre from the triangle's plane
};

// Trilinear weights at x (in cells), of the cells that lie in front of the triangle's plane through `on`, hold fluid
// and are not behind another solid: open faces among the eight cells connect them to the nearest such cell. None if
// there are no such cells.
Shares shares_at(const Grid& grid, const SolidField& field, const Boundary& cut, const Vec3& x, const Vec3& on,
                 const Vec3& outward) {
  const Vec3i& n = field.phi.n;
  const Vec3 s = x.array() - 0.5;
  const Vec3i base = s.array().floor().cast<int>();
  std::array<double, 8> weights = {};
  std::array<Vec3i, 8> cells;
  int nearest = -1;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3i c = base;
    double weight = 1;
    for (int a = 0; a < 3; ++a) {
      const int up = corner >> a & 1;
      c[a] += up;
      weight *= up ? s[a] - base[a] : 1 - (s[a] - base[a]);
    }
    const Vec3 to = (c.cast<double>() - on).array() + 0.5;
    cells[corner] = c.cwiseMax(0).cwiseMin(n - Vec3i::Ones());
    if (to.dot(outward) < in_front || !in_fluid(grid, field, cells[corner])) continue;
    weights[corner] = weight;
    if (weight > 0 && (nearest < 0 || weight > weights[nearest])) nearest = corner;
  }
  if (nearest < 0) return {};
  unsigned seen = 1u << nearest;
  for (int pass = 0; pass < 3; ++pass)  // three steps connect any two corners
    for (int from = 0; from < 8; ++from)
      for (int a = 0; a < 3 && (seen >> from & 1); ++a) {
        const int to = from ^ (1 << a);
        const Vec3i& upper = from >> a & 1 ? cells[from] : cells[to];
        if (weights[to] > 0 && (cells[to] == cells[from] || cut.open[a][upper] > 0)) seen |= 1u << to;
      }
  Shares shares;
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    if (!(seen >> corner & 1)) continue;
    shares.cell[shares.cells] = cells[corner];
    shares.share[shares.cells++] = weights[corner];
    sum += weights[corner];
  }
  if (sum < 1e-9) return {};
  for (int i = 0; i < shares.cells; ++i) {
    shares.share[i] /= sum;
    shares.height += shares.share[i] * (shares.cell[i].cast<double>() + Vec3::Constant(0.5) - on).dot(outward);
  }
  return shares;
}

// Whether fluid can pass from a cell of one to a cell of the other: they share a cell, or an open face.
bool connected(const Boundary& cut, const Shares& near, const Shares& far) {
  for (int i = 0; i < near.cells; ++i)
    for (int j = 0; j < far.cells; ++j) {
      const Vec3i step = far.cell[j] - near.cell[i];
      if (step.isZero()) return true;
      for (int a = 0; a < 3; ++a)
        if (step == Vec3i::Unit(a) || step == -Vec3i::Unit(a))
          if (cut.open[a][step[a] > 0 ? far.cell[j] : near.cell[i]] > 0) return true;
    }
  return false;
}

void add_shares(const SolidField& field, const Shares& shares, double scale, PressureSample& sample) {
  for (int i = 0; i < shares.cells; ++i) {
    sample.cell[sample.cells] = int(field.phi.index(shares.cell[i]));
    sample.share[sample.cells++] = float(scale * shares.share[i]);
  }
}

constexpr double least_baseline = 0.5;  // cells, of the two heights

// The weights of the pressure on the surface at x: that of the cells in front of it, up to a cell away, and with that
// of cells one cell further out extrapolated along the normal to the surface. False if there are none.
//     p = (h₂ p₁ − h₁ p₂) / (h₂ − h₁)
bool press_at(const Grid& grid, const SolidField& field, const Boundary& cut, const Vec3& x, const Vec3& outward,
              PressureSample& sample) {
  sample.cells = 0;
  // Where all cells around lie behind the triangle, as in a corner, look half a cell further out.
  Shares near = shares_at(grid, field, cut, x, x, outward);
  if (near.cells == 0) near = shares_at(grid, field, cut, x + 0.5 * outward, x, outward);
  if (near.cells == 0) return false;
  const Shares far = shares_at(grid, field, cut, x + (near.height + 1) * outward, x, outward);
  const double baseline = far.height - near.height;
  if (near.height <= 0 || far.cells == 0 || baseline < std::max(least_baseline, near.height) ||
      !connected(cut, near, far)) {
    add_shares(field, near, 1, sample);
    sample.near = sample.cells;
    sample.near_sum = 1;
    return true;
  }
  add_shares(field, near, far.height / baseline, sample);
  sample.near = sample.cells;
  sample.near_sum = float(far.height / baseline);
  add_shares(field, far, -near.height / baseline, sample);
  return true;
}

// Sample points of every triangle: the centroids of the k² equal triangles that it is divided into.
void sample_surface(const Grid& grid, const Surface& surface, int id, const SolidField& field, Boundary& cut) {
  const double turn = surface.container ? -1 : 1;
  for (std::size_t t = 0; t < surface.tris.size(); ++t) {
    std::array<Vec3, 3> x;
    for (int c = 0; c < 3; ++c) x[c] = grid.to_cells(surface.x[surface.tris[t][c]]);
    const Vec3 area = 0.5 * turn * (x[1] - x[0]).cross(x[2] - x[0]);
    if (area.norm() == 0) continue;
    const Vec3 outward = area.normalized();
    const double longest = std::max({(x[1] - x[0]).norm(), (x[2] - x[1]).norm(), (x[0] - x[2]).norm()});
    const int k = std::max(1, int(std::ceil(longest / sample_distance)));
    PressureSample sample{.surface = id,
                          .tri = int(t),
                          .area = -area / (k * k),
                          .bary = Vec3::Zero(),
                          .cell = {},
                          .share = {},
                          .cells = 0,
                          .near = 0,
                          .near_sum = 1};
    for (int i = 0; i < k; ++i)
      for (int j = 0; i + j < k; ++j)
        for (int flip = 0; flip < (i + j + 1 < k ? 2 : 1); ++flip) {
          const double third = flip ? 2.0 / 3 : 1.0 / 3;
          sample.bary[1] = (i + third) / k, sample.bary[2] = (j + third) / k;
          sample.bary[0] = 1 - sample.bary[1] - sample.bary[2];
          const Vec3 at = sample.bary[0] * x[0] + sample.bary[1] * x[1] + sample.bary[2] * x[2];
          if ((at.array() < 0).any() || (at.array() > grid.n.cast<double>().array()).any()) continue;
          if (press_at(grid, field, cut, at, outward, sample)) cut.samples.push_back(sample);
        }
  }
}

}  // namespace

void voxel_boundary(const Grid& grid, const Surfaces& surfaces, std::span<const CellBox> changed, SolidField& field) {
  std::vector<const SolidCut*> cuts;
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (field.present[s]) cuts.push_back(&field.each[s].cut);
  Boundary& cut = field.cut;
  if (cut.volume.n != grid.n) {
    cut.open = make_face_field(grid, 1.0);
    cut.volume.assign(grid.n, 1);
  }
  combine(cuts, changed, cut);  // for the volumes; faces are made anew
  cut.pressure_acts_on = PressureActsOn::samples;
  cut.on_surface = false;
  cut.patches.clear(), cut.samples.clear();
  const Faces closed(grid, surfaces, field, cut);  // fills in faces and patches of `cut`
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (field.present[s]) sample_surface(grid, surfaces[s], int(s), field, cut);
}

}  // namespace coracle
