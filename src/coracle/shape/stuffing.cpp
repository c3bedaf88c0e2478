// Differs from the paper: the lattice is uniform, not an octree; cut points are roots of the distance, not of its
// linear interpolant; tets where the surface would touch itself are removed.
#include "coracle/shape/stuffing.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/bcc_lattice.h"
#include "coracle/shape/distance.h"
#include "coracle/shape/fit_volume.h"
#include "coracle/shape/region.h"
#include "coracle/shape/stuffing_stencils.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace coracle {
namespace {

using Distance = std::function<double(const Vec3&)>;

// A point is moved to the surface along an edge if the surface is nearer than this share of the edge. These two values
// maximise the least angle of any stencil: the paper's 10.78° (the largest angle is then 164.74°). With smaller values,
// tets truncated near a corner become flat; with larger ones, tets with moved corners do.
constexpr double warp_long = 0.2851, warp_short = 0.3988;
constexpr double most_points = 2e7;  // of the lattice; 660 MB
constexpr int block_cubes = 8;       // a block farther from the surface than its radius takes one distance
constexpr int root_steps = 12;       // of the secant method; usually 4 to 6 suffice
constexpr double root_tolerance = 1e-10;

struct Cut {
  std::int64_t edge;  // bcc_directions · (start point) + direction
  double t;           // position along the edge
};

struct Stuffing {
  BccLattice lattice;
  std::vector<Vec3> x;        // of the lattice's points; those with sign 0 may have been moved
  std::vector<double> value;  // distance
  std::vector<int> sign;      // +1 inside
  std::vector<Cut> cuts;      // sorted by edge
  std::vector<Vec3> cut_x;

  int cut_between(int a, int b) const;
};

// The results of f(begin, end) for all blocks of indices, concatenated in order.
template <class T, class F>
std::vector<T> gathered(std::size_t count, F&& f) {
  constexpr std::size_t block = 4096;
  std::vector<std::vector<T>> parts((count + block - 1) / block);
  for_blocks(count, block, [&](std::size_t begin, std::size_t end) { parts[begin / block] = f(begin, end); });
  std::size_t total = 0;
  for (const std::vector<T>& part : parts) total += part.size();
  std::vector<T> all;
  all.reserve(total);
  for (std::vector<T>& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
    part = {};
  }
  return all;
}

BccLattice lattice_around(const Vec3& lo, const Vec3& hi, double edge) {
  if (!(edge > 0) || !std::isfinite(edge)) throw std::runtime_error(fmt::format("an edge of {} m is no length", edge));
  const Vec3 size = hi - lo;
  if (!lo.allFinite() || !hi.allFinite()) throw std::runtime_error("the shape has no end; cut it off by a box");
  if (!(size.minCoeff() > 0)) throw std::runtime_error("the shape is empty");
  // One extra cube on each side; centred, so that a symmetric shape gives a symmetric mesh.
  const auto cubes_of = [&](double length) -> Eigen::Array3d { return (size.array() / length - 1e-9).ceil() + 2; };
  const auto points_of = [&](double length) { return (cubes_of(length) + 1).prod() + cubes_of(length).prod(); };
  const Eigen::Array3d cubes = cubes_of(edge);
  if (!(points_of(edge) <= most_points)) {
    double fit = std::max(edge, std::cbrt(2 * size.prod() / most_points));
    while (!(points_of(fit) <= most_points)) fit *= 1.02;
    throw std::runtime_error(fmt::format(
        "an edge of {:.3g} m would need a lattice of {:.3g} points, and {:.3g} are the most; use an edge of {:.2g} m",
        edge, points_of(edge), most_points, 1.02 * fit));
  }
  return {0.5 * (lo + hi) - 0.5 * edge * cubes.matrix(), edge, cubes.cast<int>().matrix()};
}

// f at every lattice point. If the surface is farther from the middle of a block than the block's radius, the value at
// the middle serves for the whole block.
void sample(const Distance& f, Stuffing& s) {
  const BccLattice& lattice = s.lattice;
  const Vec3i blocks = lattice.cubes / block_cubes + Vec3i::Ones();
  const auto sample_block = [&](std::size_t b) {
    const Vec3i first = 2 * block_cubes *
                        Vec3i(int(b) % blocks.x(), int(b) / blocks.x() % blocks.y(), int(b) / blocks.x() / blocks.y());
    const Vec3i last = (first.array() + 2 * block_cubes - 1).min(2 * lattice.cubes.array());
    const Vec3 middle = lattice.origin + 0.25 * lattice.edge * (first + last).cast<double>();
    const double radius = 0.25 * lattice.edge * (last - first).cast<double>().norm();
    const double far = f(middle);
    for (int k = first.z(); k <= last.z(); ++k)
      for (int j = first.y() + (first.y() + k) % 2; j <= last.y(); j += 2)
        for (int i = first.x() + (first.x() + k) % 2; i <= last.x(); i += 2) {
          const int id = lattice.id({i, j, k});
          s.x[id] = lattice.x(id);
          s.value[id] = std::abs(far) > 1.001 * radius ? far : f(s.x[id]);
          s.sign[id] = s.value[id] < 0 ? 1 : s.value[id] == 0 ? 0 : -1;
        }
  };
  for_each_index(std::size_t(blocks.prod()), sample_block, 1);
}

// Where f changes sign between a (0) and b (1), by the Illinois method.
double root(const Distance& f, const Vec3& a, const Vec3& b, double f_a, double f_b, double scale) {
  double t_a = 0, t_b = 1, t = 0.5;
  for (int step = 0; step < root_steps; ++step) {
    t = std::clamp((t_a * f_b - t_b * f_a) / (f_b - f_a), std::min(t_a, t_b), std::max(t_a, t_b));
    const double f_t = f(a + t * (b - a));
    if (!(std::abs(f_t) > root_tolerance * scale)) break;
    if ((f_t < 0) != (f_b < 0)) {
      t_a = t_b;
      f_a = f_b;
    } else {
      f_a *= 0.5;
    }
    t_b = t;
    f_b = f_t;
  }
  return t;
}

void find_cuts(const Distance& f, Stuffing& s) {
  const BccLattice& lattice = s.lattice;
  s.cuts = gathered<Cut>(s.sign.size(), [&](std::size_t begin, std::size_t end) {
    std::vector<Cut> found;
    for (int a = int(begin); a < int(end); ++a) {
      const Vec3i place = lattice.place(a);
      for (int d = 0; d < bcc_directions; ++d) {
        const Vec3i other = place + bcc_direction()[d];
        if (lattice.holds(other) && s.sign[a] * s.sign[lattice.id(other)] < 0)
          found.push_back({std::int64_t(a) * bcc_directions + d, 0});
      }
    }
    return found;
  });
  s.cut_x.resize(s.cuts.size());
  const auto find = [&](std::size_t c) {
    const int a = int(s.cuts[c].edge / bcc_directions), d = int(s.cuts[c].edge % bcc_directions);
    const int b = lattice.id(lattice.place(a) + bcc_direction()[d]);
    s.cuts[c].t = root(f, s.x[a], s.x[b], s.value[a], s.value[b], lattice.edge);
    s.cut_x[c] = s.x[a] + s.cuts[c].t * (s.x[b] - s.x[a]);
  };
  for_each_index(s.cuts.size(), find, 64);
}

// The index of the cut, −1 if the edge has none.
int find_cut(const Stuffing& s, int start, int direction) {
  const std::int64_t edge = std::int64_t(start) * bcc_directions + direction;
  const auto it =
      std::lower_bound(s.cuts.begin(), s.cuts.end(), edge, [](const Cut& c, std::int64_t e) { return c.edge < e; });
  return it != s.cuts.end() && it->edge == edge ? int(it - s.cuts.begin()) : -1;
}

int Stuffing::cut_between(int a, int b) const {
  const Vec3i step = lattice.place(b) - lattice.place(a);
  for (int d = 0; d < bcc_directions; ++d) {
    if (bcc_direction()[d] == step) return find_cut(*this, a, d);
    if (bcc_direction()[d] == -step) return find_cut(*this, b, d);
  }
  return -1;
}

// Move points to their nearest cut if it is too close. Sequential: moving a point removes the cuts of its edges.
void warp(Stuffing& s) {
  std::vector<int> ends;
  for (const Cut& c : s.cuts) {
    const int a = int(c.edge / bcc_directions);
    ends.push_back(a);
    ends.push_back(s.lattice.id(s.lattice.place(a) + bcc_direction()[c.edge % bcc_directions]));
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  for (const int a : ends) {
    int nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 2 * bcc_directions; ++k) {
      const int d = k % bcc_directions, side = k < bcc_directions ? 1 : -1;
      const Vec3i place = s.lattice.place(a) + side * bcc_direction()[d];
      if (!s.lattice.holds(place)) continue;
      const int b = s.lattice.id(place);
      if (s.sign[a] * s.sign[b] >= 0) continue;
      const int c = find_cut(s, side > 0 ? a : b, d);
      const bool is_long = d < 3;
      const double share = side > 0 ? s.cuts[c].t : 1 - s.cuts[c].t;
      const double length = share * (is_long ? 1 : 0.5 * std::sqrt(3.0));
      if (share < (is_long ? warp_long : warp_short) && length < least) {
        least = length;
        nearest = c;
      }
    }
    if (nearest < 0) continue;
    s.x[a] = s.cut_x[nearest];
    s.sign[a] = 0;
  }
}

// Two cubes that share a side have four tets between them: both centers and one edge of the side each.
std::vector<Vec4i> cut_tets(const Stuffing& s) {
  const BccLattice& lattice = s.lattice;
  const int points = lattice.points();
  const auto cut = [&](int inside, int outside) { return points + s.cut_between(inside, outside); };
  const auto x = [&](int node) -> const Vec3& { return node < points ? s.x[node] : s.cut_x[node - points]; };
  // If one of the cut edges is long, the diagonal ends at its cut; otherwise parity decides.
  const auto diagonal_at = [&](int a, int b, int outside) {
    if (lattice.is_long(a, b)) return lattice.even(a) ? a : b;
    return lattice.is_long(a, outside) ? b : a;
  };
  const auto least_angle = [&](const std::array<Vec4i, 3>& tets) {
    double least = 180;
    for (const Vec4i& t : tets) least = std::min(least, dihedral_range(x(t[0]), x(t[1]), x(t[2]), x(t[3])).least);
    return least;
  };
  return gathered<Vec4i>(std::size_t(lattice.cubes.prod()), [&](std::size_t begin, std::size_t end) {
    std::vector<Vec4i> tets;
    for (std::size_t c = begin; c < end; ++c) {
      const Vec3i place = lattice.place(lattice.corners() + int(c));
      for (int a = 0; a < 3; ++a) {
        const Vec3i along = 2 * Vec3i::Unit(a), u = Vec3i::Unit((a + 1) % 3), v = Vec3i::Unit((a + 2) % 3);
        if (!lattice.holds(place + along)) continue;
        const Vec3i middle = place + Vec3i::Unit(a);
        const Vec3i around[4] = {middle - u - v, middle + u - v, middle + u + v, middle - u + v};
        for (int i = 0; i < 4; ++i) {
          StencilTet tet = {
              {lattice.id(place), lattice.id(place + along), lattice.id(around[i]), lattice.id(around[(i + 1) % 4])},
              {}};
          for (int k = 0; k < 4; ++k) tet.sign[k] = s.sign[tet.v[k]];
          apply_stencil(tet, cut, diagonal_at, least_angle, tets);
        }
      }
    }
    return tets;
  });
}

}  // namespace

TetMesh stuff(const Distance& distance, const Vec3& lo, const Vec3& hi, double edge) {
  Stuffing s;
  s.lattice = lattice_around(lo, hi, edge);
  const Vec3 middle = 0.5 * (lo + hi), half = 0.5 * (hi - lo);
  const Distance f = [&](const Vec3& x) { return std::max(distance(x), ((x - middle).cwiseAbs() - half).maxCoeff()); };
  s.x.resize(s.lattice.points());
  s.value.resize(s.x.size());
  s.sign.resize(s.x.size());
  sample(f, s);
  find_cuts(f, s);
  warp(s);
  std::vector<Vec4i> tets = cut_tets(s);
  if (tets.empty())
    throw std::runtime_error(
        fmt::format("an edge of {:.3g} m is too large for the shape, nothing of it is left; use an edge of {:.2g} m",
                    edge, 0.25 * std::min(2 * edge, (hi - lo).minCoeff())));
  std::vector<int> number(s.x.size() + s.cut_x.size(), -1);
  for (const Vec4i& t : tets)
    for (const int v : t) number[v] = 0;
  TetMesh mesh;
  for (std::size_t v = 0; v < number.size(); ++v)
    if (number[v] == 0) {
      number[v] = int(mesh.x.size());
      mesh.x.push_back(v < s.x.size() ? s.x[v] : s.cut_x[v - s.x.size()]);
    }
  for (Vec4i& t : tets)
    for (int& v : t) v = number[v];
  mesh.tets = std::move(tets);
  remove_pinches(mesh);
  return mesh;
}

TetMesh shape_tets(const ShapeOptions& shape, double edge) {
  const Bounds bounds = shape_bounds(shape);
  const ShapeDistance distance(shape);
  const auto at = [&](const Vec3& x) { return distance(x); };
  TetMesh mesh = stuff(at, bounds.lo, bounds.hi, edge);
  const double finest = std::min(edge, (bounds.hi - bounds.lo).minCoeff()) / 16;
  fit_volume(at, volume_inside(at, bounds.lo, bounds.hi, finest), edge, mesh);
  return mesh;
}

}  // namespace coracle
