// The liquid's distance field from its particles.
//
// Each particle carries an eighth of a cell. Spread with a smooth kernel and divided by the room that solids leave
// under the same kernel, this gives the local share of liquid f: 1 inside, 0 outside, ½ at the surface, also beside
// walls and a little way into them. Hat kernel plus one binomial pass are nearly a Gaussian of σ² = 1/6 + 1/2 cells²,
// under which a flat surface at distance d gives f = ½ erfc(d / √2 σ). Inverting that, φ = −√2 σ erf⁻¹(2f − 1), makes φ
// a distance near the surface, so that θ is right for surfaces of any tilt.
//
// Differs from the paper: [ZarifiBatty17 sec. 7] takes a union of spheres, whose bumps set still water in motion.
// Liquid thinner than about a cell has f < ½ and carries no pressure; it flies freely until it meets more. Beside a
// wall f belongs to the centre of the open room, not of the cell: a surface that meets a wall at a slope of 1 is
// off by 0.3 cells there.
#pragma once

#include "coracle/base/simd.h"
#include "coracle/base/view3.h"
#include "coracle/step/grid/projection_cell.h"
#include "coracle/step/grid/solid_field.h"
#include "coracle/step/particles/cells.h"

#include <cmath>
#include <functional>
#include <limits>

namespace coracle {

// The room that solids and the domain's sides leave under the kernel, as a fraction of a cell's volume.
void measure_room(const Array3<double>& open_volume, Array3<double>& room);

// Share of liquid f at cell centres, of the particles at x; `counts` says which of them count (all when empty).
void liquid_share(const Grid& grid, const std::vector<Vec3>& x, const CellStart& start, const Array3<double>& room,
                  const std::function<bool(const Vec3&)>& counts, Array3<double>& share);

// φ in metres from f.
void level_set(const Grid& grid, const Array3<double>& share, Array3<double>& phi);

// What a level set is made of, kept between steps.
struct LevelSetWork {
  Array3<double> room;   // under the kernel
  int room_of = -1;      // the update of the solid field that `room` belongs to
  Array3<double> share;  // of liquid, at cell centres
};
// φ of the particles at x, in the order of `start`. Those inside inflows do not count: an inflow is a solid here.
void find_level_set(const Grid& grid, const Surfaces& surfaces, const SolidField& solids, const std::vector<Vec3>& x,
                    const CellStart& start, LevelSetWork& work, Array3<double>& phi);

// Where solids leave less of a cell than the volume of a particle, particles do not show whether the cell holds liquid.
// Such a cell counts as liquid if it meets nothing but liquid: otherwise one of them in a corner would be a hole with
// p = 0, and a full shell would not be full.
void fill_corners(const Grid& grid, const Boundary& cut, Array3<double>& phi);
// Those cells.
std::vector<int> corner_cells(const Boundary& cut);

// ---- What loops of the processor and kernels of a GPU both call

inline constexpr double particle_share = 0.125;  // of a cell
inline constexpr double least_room = 1e-3;       // of a cell under the kernel: deeper inside a solid there is no liquid

// The smoothing passes that widen a hat kernel: (side, 1 − 2 side, side) along each axis. The first makes the hat of a
// cell's width, the second the kernel.
inline constexpr double hat_side = 0.125, kernel_side = 0.25;
// Value i of f, smoothed; f is zero outside the grid. c of n: its place along the axis.
CORACLE_BOTH inline double smoothed(const double* f, std::size_t i, std::size_t stride, int c, int n, double side) {
  const double below = c > 0 ? f[i - stride] : 0, above = c + 1 < n ? f[i + stride] : 0;
  return (1 - 2 * side) * f[i] + side * (below + above);
}

// The hat kernels of a cell's particles, summed for the samples at −½, ½ and 1½ along x from the cell's lower corner,
// and at places b and d along y and z. V: a number, or one per lane (simd.h) for several places at once.
template <class V>
struct ShareSums {
  V sum[3] = {};

  // at: of a particle, in cells from the corner.
  CORACLE_BOTH void add(const V& b, const V& d, const Vec3f& at) {
    const V w = hat(at.y() - b) * hat(at.z() - d);
    const float below = 0.5f - at.x() > 0 ? 0.5f - at.x() : 0, above = at.x() - 0.5f > 0 ? at.x() - 0.5f : 0;
    sum[0] += below * w, sum[1] += (1 - below - above) * w, sum[2] += above * w;
  }
};

// The share from what the kernel has gathered.
CORACLE_BOTH inline double share_of_room(double gathered, double room) {
  return room > least_room ? gathered / room : 0;
}

// Inverse of the error function, to about 1e-7.
CORACLE_BOTH inline double inverse_erf(double y) {
  // Winitzki's closed form, then two Newton steps on erf(x) = y.
  constexpr double pi = 3.14159265358979323846;
  const double a = 0.147, l = std::log(1 - y * y), t = 2 / (pi * a) + l / 2;
  double x = std::copysign(std::sqrt(std::sqrt(t * t - l / a) - t), y);
  for (int i = 0; i < 2; ++i) x -= (std::erf(x) - y) * 0.5 * std::sqrt(pi) * std::exp(x * x);
  return x;
}

// φ from f.
struct LevelSetOf {
  static constexpr double deepest = 0.9995;  // f is clamped here: φ then reaches 2.7 cells
  double width, far;                         // m

  explicit LevelSetOf(const Grid& grid) {
    constexpr double sigma = 0.816496580927726;  // √(1/6 + 1/2) cells
    width = std::sqrt(2.0) * sigma * grid.dx, far = width * inverse_erf(2 * deepest - 1);
  }
  CORACLE_BOTH double operator()(double f) const {
    return f <= 1 - deepest ? far : f >= deepest ? -far : -width * inverse_erf(2 * f - 1);
  }
};

CORACLE_BOTH inline bool is_corner(double open_volume) { return open_volume < particle_share; }
// For fill_corners: φ that a corner cell c takes; NaN: it keeps its own. Fields are arrays (array3.h) or views
// (view3.h).
template <class Field, class Faces, class Volume>
CORACLE_BOTH double filled_corner(const Field& phi, const Volume& volume, const Faces& open, const Vec3i& c,
                                  double dx) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (phi[c] < -surface_epsilon * dx) return none;
  double highest = 0;
  bool found = false;
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end) {
      if (end ? c[a] + 1 == phi.n[a] : c[a] == 0) continue;
      Vec3i face = c, next = c;
      face[a] += end, next[a] += 2 * end - 1;
      if (!(open[a][face] > 0) || is_corner(volume[next])) continue;
      const double there = phi[next];
      if (!found || there > highest) highest = there;
      found = true;
    }
  return found && highest < 0 ? highest : none;
}

}  // namespace coracle
