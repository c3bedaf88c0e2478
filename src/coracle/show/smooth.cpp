#include "coracle/show/smooth.h"

#include "coracle/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr int strides[] = {1, 2, 4};                         // pixels
constexpr float kernel[] = {3 / 8.0f, 1 / 4.0f, 1 / 16.0f};  // by distance in taps
constexpr float variance_factor = 8;                         // k in smooth.h
constexpr float same_normal = 0.95f, same_plane = 0.1f;      // cosine; height above the plane over the distance
constexpr float darkest = 0.02f;                             // smallest colour that light is divided by

float luminance(const Vec3f& c) { return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]; }

bool one_surface(const Seen& a, const Seen& b) {
  if (!a.matte || a.matte != b.matte || a.n.dot(b.n) < same_normal) return false;
  const Vec3f between = b.x - a.x;
  return std::abs(between.dot(a.n)) <= same_plane * between.norm();
}

// Mean over the pixel and its eight neighbours on the surface: a pixel's few paths may agree by chance.
float local_variance(const Exposure& film, int x, int y) {
  const Seen& own = film.seen[std::size_t(y) * film.width + x];
  float sum = 0, count = 0;
  for (int v = std::max(0, y - 1); v <= std::min(film.height - 1, y + 1); ++v)
    for (int u = std::max(0, x - 1); u <= std::min(film.width - 1, x + 1); ++u) {
      const std::size_t i = std::size_t(v) * film.width + u;
      if (!one_surface(own, film.seen[i]) && (u != x || v != y)) continue;
      sum += film.variance[i], ++count;
    }
  return sum / count;
}

void pass(Exposure& film, int stride) {
  const Exposure from = film;
  for_each_index(
      std::size_t(film.height),
      [&](std::size_t row) {
        const int y = int(row);
        for (int x = 0; x < film.width; ++x) {
          const std::size_t p = row * film.width + x;
          const Seen& own = from.seen[p];
          if (!own.matte) continue;
          const float allowed = variance_factor * local_variance(from, x, y) + 1e-10f, mine = luminance(from.light[p]);
          Vec3f sum = Vec3f::Zero();
          float weights = 0, variance = 0;
          for (int j = -2; j <= 2; ++j)
            for (int i = -2; i <= 2; ++i) {
              const int u = x + i * stride, v = y + j * stride;
              if (u < 0 || v < 0 || u >= film.width || v >= film.height) continue;
              const std::size_t q = std::size_t(v) * film.width + u;
              if (p != q && !one_surface(own, from.seen[q])) continue;
              const float off = luminance(from.light[q]) - mine;
              const float w = kernel[std::abs(i)] * kernel[std::abs(j)] * std::exp(-off * off / allowed);
              sum += w * from.light[q];
              variance += w * w * from.variance[q];
              weights += w;
            }
          film.light[p] = sum / weights;
          film.variance[p] = variance / (weights * weights);
        }
      },
      8);
}

}  // namespace

void smooth(Exposure& film) {
  const auto color = [&](std::size_t i) { return film.seen[i].color.cwiseMax(darkest); };
  for (std::size_t i = 0; i < film.light.size(); ++i)
    if (film.seen[i].matte) {
      film.light[i] = film.light[i].cwiseQuotient(color(i));
      film.variance[i] /= luminance(color(i)) * luminance(color(i));
    }
  for (const int stride : strides) pass(film, stride);
  for (std::size_t i = 0; i < film.light.size(); ++i)
    if (film.seen[i].matte) film.light[i] = film.light[i].cwiseProduct(color(i));
}

}  // namespace coracle
