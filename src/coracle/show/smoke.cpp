#include "coracle/show/smoke.h"

#include "coracle/base/interpolate.h"
#include "coracle/base/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace coracle {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr int block = 8;           // cells along a side
constexpr float faintest = 1e-3f;  // optical depth of the whole domain: less is invisible
constexpr float darkest = 1e-3f;   // transmittance at which rays end
constexpr int light_points = 4;    // samples of the light's disc
constexpr int coarse_cells = 48;   // limit along the longest side of the grid for J
constexpr int scatterings = 12;    // in J; light that is scattered more often is ignored

// f(from, to) for each stretch of the ray before `most` that crosses a block with smoke, until f returns false.
template <class F>
void for_stretches(const Smoke& smoke, const Ray& ray, float most, F&& f) {
  const float side = float(block * smoke.grid.dx);
  const Vec3f origin = smoke.grid.origin.cast<float>(), upper = smoke.grid.upper().cast<float>();
  float from = 0, to = most;
  for (int a = 0; a < 3; ++a) {
    const float inverse = 1 / ray.direction[a];
    const float t0 = (origin[a] - ray.origin[a]) * inverse, t1 = (upper[a] - ray.origin[a]) * inverse;
    from = std::max(from, std::min(t0, t1)), to = std::min(to, std::max(t0, t1));  // NaN of 0/0 changes nothing
  }
  if (!(from < to)) return;

  // From block to block [AmanatidesWoo87].
  Vec3i b, step;
  Vec3f next, across;
  for (int a = 0; a < 3; ++a) {
    const float x = (ray.origin[a] + from * ray.direction[a] - origin[a]) / side, d = ray.direction[a];
    b[a] = std::clamp(int(std::floor(x)), 0, smoke.dense.n[a] - 1);
    step[a] = d > 0 ? 1 : -1;
    across[a] = d != 0 ? side / std::abs(d) : infinity;
    next[a] = d != 0 ? (origin[a] + side * float(b[a] + (d > 0)) - ray.origin[a]) / d : infinity;
  }
  while (from < to) {
    int a;
    const float end = std::min(next.minCoeff(&a), to);
    if (end > from && smoke.dense[b] && !f(from, end)) return;
    from = std::max(from, end);
    b[a] += step[a];
    if (b[a] < 0 || b[a] >= smoke.dense.n[a]) return;
    next[a] += across[a];
  }
}

// Trilinear interpolation at a point q, in cells from the grid's origin.
struct Trilinear {
  Between x, y, z;
  Trilinear(const Vec3& q, const Array3<float>& f)
      : x(q.x() - 0.5, f.n.x(), 1), y(q.y() - 0.5, f.n.y(), f.stride(1)), z(q.z() - 0.5, f.n.z(), f.stride(2)) {}
  template <class T>
  T of(const Array3<T>& f) const {
    const T* p = f.data.data() + x.at + y.at + z.at;
    const auto mix = [](const T& a, const T& b, double share) { return T(a + float(share) * (b - a)); };
    const auto along = [&](const T* r) { return mix(r[0], r[x.step], x.share); };
    const auto plane = [&](const T* r) { return mix(along(r), along(r + y.step), y.share); };
    return mix(plane(p), plane(p + z.step), z.share);
  }
};

// f(extinction, around, length) at one point per step of about one cell, until f returns false.
template <class F>
void march(const Smoke& smoke, const Ray& ray, float most, float jitter, F&& f) {
  const auto dx = float(smoke.grid.dx);
  for_stretches(smoke, ray, most, [&](float from, float to) {
    const int steps = int((to - from) / dx) + 1;
    const float h = (to - from) / float(steps);
    for (int i = 0; i < steps; ++i) {
      const Vec3f x = ray.origin + (from + (float(i) + jitter) * h) * ray.direction;
      const Trilinear around(smoke.grid.to_cells(x.cast<double>()), smoke.extinction);
      const float sigma = around.of(smoke.extinction);
      if (sigma > 0 && !f(sigma, around, h)) return false;
    }
    return true;
  });
}

// A direction to a cell's neighbour; Lebedev's weight depends on how many axes it has a component along.
struct Ordinate {
  Vec3i to;
  float weight;
};

std::array<Ordinate, 26> ordinates() {
  constexpr float weights[] = {0, 1 / 21.0f, 4 / 105.0f, 9 / 280.0f};
  std::array<Ordinate, 26> all;
  std::size_t count = 0;
  for (int i = 0; i < 27; ++i) {
    const Vec3i d(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    if (d != Vec3i::Zero()) all[count++] = {d, weights[d.cwiseAbs().sum()]};
  }
  return all;
}

// Radiance that enters the domain from direction d.
Vec3f radiance_from_outside(const Studio& studio, const Vec3f& d) {
  if (!studio.floor || d.y() >= 0) return sky(studio, d);
  const Vec3f up = Vec3f::UnitY();
  const Vec3f from_light = std::max(0.0f, studio.light.y()) / std::numbers::pi_v<float> * studio.irradiance;
  return studio.floor_color.cwiseProduct(from_light + sky_on(studio, up));
}

// Light along d: L(c) = e^{−σℓ} L(c − d) + (1 − e^{−σℓ}) S(c), with the mean σ of the two cells.
void sweep(const Array3<float>& depth, const Array3<Vec3f>& source, const Vec3i& d, const Vec3f& outside,
           Array3<Vec3f>& light) {
  const Vec3i& n = depth.n;
  const float length = std::sqrt(float(d.squaredNorm()));
  const auto at = [&](int a, int i) { return d[a] < 0 ? n[a] - 1 - i : i; };  // upstream cells first
  for (int k = 0; k < n.z(); ++k)
    for (int j = 0; j < n.y(); ++j)
      for (int i = 0; i < n.x(); ++i) {
        const Vec3i c(at(0, i), at(1, j), at(2, k)), before = c - d;
        const bool inside = depth.inside(before);
        const float through = std::exp(-0.5f * length * (depth[c] + (inside ? depth[before] : depth[c])));
        light[c] = through * (inside ? light[before] : outside) + (1 - through) * source[c];
      }
}

// Smoke on a grid whose cells are `times` as wide.
struct Coarse {
  Grid grid;
  Array3<float> depth;  // optical, across one cell
  Array3<Vec3f> lit;    // S from the light only
};

Coarse coarse_of(const Smoke& smoke, int times) {
  const Vec3i n = smoke.grid.n;
  const Vec3i m = (n.array() + times - 1) / times;
  Coarse coarse{{smoke.grid.origin, times * smoke.grid.dx, m}, Array3<float>(m), Array3<Vec3f>(m, Vec3f::Zero())};
  for (std::size_t i = 0; i < smoke.extinction.size(); ++i) {
    const Vec3i c = smoke.extinction.cell(i) / times;
    coarse.depth[c] += smoke.extinction.data[i];
    coarse.lit[c] += smoke.emission.data[i];
  }
  const float share = float(coarse.grid.dx) / float(times * times * times);
  for (std::size_t c = 0; c < coarse.depth.size(); ++c) {
    if (coarse.depth.data[c] > 0) coarse.lit.data[c] /= coarse.depth.data[c];
    coarse.depth.data[c] *= share;
  }
  return coarse;
}

// J on the coarse grid.
Array3<Vec3f> mean_light(const Coarse& coarse, const Studio& studio, const Vec3f& albedo) {
  const auto directions = ordinates();
  std::vector<Array3<Vec3f>> light(directions.size(), Array3<Vec3f>(coarse.grid.n, Vec3f::Zero()));
  Array3<Vec3f> mean(coarse.grid.n, Vec3f::Zero()), source = coarse.lit;
  for (int pass = 0; pass < scatterings; ++pass) {
    for_each_index(
        directions.size(),
        [&](std::size_t d) {
          const Vec3i& to = directions[d].to;
          sweep(coarse.depth, source, to, radiance_from_outside(studio, -to.cast<float>().normalized()), light[d]);
        },
        1);
    for_each_index(mean.size(), [&](std::size_t c) {
      mean.data[c] = Vec3f::Zero();
      for (std::size_t d = 0; d < directions.size(); ++d) mean.data[c] += directions[d].weight * light[d].data[c];
      source.data[c] = coarse.lit.data[c] + albedo.cwiseProduct(mean.data[c]);
    });
  }
  return mean;
}

}  // namespace

Smoke smoke_of(const Volume& volume, double depth) {
  const Vec3i& n = volume.grid.n;
  Smoke smoke{volume.grid, Array3<float>(n), Array3<Vec3f>(n, Vec3f::Zero()), {}};
  smoke.dense.assign((n.array() + block - 1) / block, 0);
  const float least = faintest / float(volume.grid.dx * n.maxCoeff());
  for (std::size_t i = 0; i < smoke.extinction.size(); ++i) {
    const float sigma = volume.values.data[i] / float(depth);
    if (!(sigma > least)) continue;
    smoke.extinction.data[i] = sigma;
    // Interpolated values reach one cell further.
    const Vec3i c = smoke.extinction.cell(i);
    const Vec3i low = (c - Vec3i::Ones()).cwiseMax(0) / block,
                high = (c + Vec3i::Ones()).cwiseMin(n - Vec3i::Ones()) / block;
    for (int k = low.z(); k <= high.z(); ++k)
      for (int j = low.y(); j <= high.y(); ++j)
        for (int b = low.x(); b <= high.x(); ++b) smoke.dense(b, j, k) = 1;
  }
  return smoke;
}

bool is_clear(const Smoke& smoke) {
  return std::find(smoke.dense.data.begin(), smoke.dense.data.end(), 1) == smoke.dense.data.end();
}

void light_smoke(const Stage& stage, const Studio& studio, const Vec3f& albedo, Smoke& smoke) {
  // 1. Direct light: σ a E τ / 4π.
  const Vec3f scattered = albedo.cwiseProduct(studio.irradiance) / (4 * std::numbers::pi_v<float>);
  for_each_index(
      smoke.extinction.size(),
      [&](std::size_t i) {
        const float sigma = smoke.extinction.data[i];
        if (sigma == 0) return;
        const Vec3f x = smoke.grid.center(smoke.extinction.cell(i)).cast<float>();
        Vec3f through = Vec3f::Zero();
        for (int p = 0; p < light_points; ++p) {
          const Ray ray{x, toward_light(studio, Samples(0, std::uint32_t(p)).next())};
          const Vec3f clear = stage.light_through(ray);
          if (clear.maxCoeff() > 0) through += transmittance(smoke, ray, infinity, 0.5f) * clear;
        }
        smoke.emission.data[i] = sigma / light_points * scattered.cwiseProduct(through);
      },
      256);

  // 2. All other light: σ a J.
  const int times = (smoke.grid.n.maxCoeff() + coarse_cells - 1) / coarse_cells;
  const Coarse coarse = coarse_of(smoke, times);
  const Array3<Vec3f> mean = mean_light(coarse, studio, albedo);
  for_each_index(smoke.extinction.size(), [&](std::size_t i) {
    const float sigma = smoke.extinction.data[i];
    if (sigma == 0) return;
    const Vec3 x = smoke.grid.center(smoke.extinction.cell(i));
    smoke.emission.data[i] += sigma * albedo.cwiseProduct(Trilinear(coarse.grid.to_cells(x), coarse.depth).of(mean));
  });
}

Veil veil(const Smoke& smoke, const Ray& ray, float most, float jitter) {
  Veil veil;
  march(smoke, ray, most, jitter, [&](float sigma, const Trilinear& around, float h) {
    const float passes = std::exp(-sigma * h);
    veil.added += veil.share * (1 - passes) / sigma * around.of(smoke.emission);
    veil.share *= passes;
    return veil.share > darkest;
  });
  if (veil.share <= darkest) veil.share = 0;
  return veil;
}

float transmittance(const Smoke& smoke, const Ray& ray, float most, float jitter) {
  float depth = 0;
  const float deepest = -std::log(darkest);
  march(smoke, ray, most, jitter, [&](float sigma, const Trilinear&, float h) {
    depth += sigma * h;
    return depth < deepest;
  });
  return depth < deepest ? std::exp(-depth) : 0;
}

}  // namespace coracle
