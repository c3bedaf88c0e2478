#include "coracle/show/picture.h"

#include "coracle/base/parallel.h"
#include "coracle/show/smooth.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr int tile = 16;           // pixels
constexpr float brightest = 8;     // limit per sample: rare brighter ones would show as dots
constexpr float shoulder = 0.75f;  // linear up to here, then compressed so that highlights never reach white

float toned(float x) { return x < shoulder ? x : 1 - (1 - shoulder) * std::exp(-(x - shoulder) / (1 - shoulder)); }

// Offset of a sample from the pixel's centre: a tent filter two pixels wide.
float tent(float u) { return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

}  // namespace

float linear_of(float s) { return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f); }
float srgb_of(float l) { return l <= 0.0031308f ? 12.92f * l : 1.055f * std::pow(l, 1 / 2.4f) - 0.055f; }

namespace {

// The paths of one pixel.
void expose(const Stage& stage, const Studio& studio, const Camera& camera, const Depth& depth, int samples, int x,
            int y, Exposure& film) {
  const std::size_t p = std::size_t(y) * film.width + x;
  Vec3f sum = Vec3f::Zero();
  float lum = 0, lum2 = 0;
  Seen all;
  for (int s = 0; s < samples; ++s) {
    Samples path(std::uint64_t(y) << 32 | std::uint64_t(x), std::uint32_t(s));
    const Sample2 at = path.next();
    const Ray ray = camera.ray(float(x) + 0.5f + tent(at.x), float(y) + 0.5f + tent(at.y));
    Seen seen;
    const Vec3f light = radiance(stage, studio, ray, depth, path, &seen).cwiseMin(brightest);
    sum += light;
    lum += light.sum() / 3, lum2 += light.sum() * light.sum() / 9;
    if (s == 0) all = {seen.matte, Vec3f::Zero(), Vec3f::Zero(), Vec3f::Zero()};
    if (all.matte != seen.matte) all.matte = nullptr;
    all.x += seen.x, all.n += seen.n, all.color += seen.color;
  }
  const auto n = float(samples);
  film.light[p] = sum / n;
  film.variance[p] = std::max(0.0f, lum2 / n - lum * lum / (n * n)) / std::max(1.0f, n - 1);
  film.seen[p] = {all.matte, all.x / n, all.n / n, all.color / n};
}

}  // namespace

Picture take_picture(const Stage& stage, const Studio& studio, const Camera& camera, const Depth& depth, int samples,
                     const std::atomic<int>* stop) {
  const std::size_t pixels = std::size_t(camera.width) * camera.height;
  Exposure film{camera.width, camera.height, std::vector<Vec3f>(pixels), std::vector<float>(pixels),
                std::vector<Seen>(pixels)};
  const int across = (camera.width + tile - 1) / tile, down = (camera.height + tile - 1) / tile;
  for_each_index(
      std::size_t(across) * down,
      [&](std::size_t index) {
        const int x0 = int(index) % across * tile, y0 = int(index) / across * tile;
        for (int y = y0; y < std::min(y0 + tile, camera.height); ++y)
          for (int x = x0; x < std::min(x0 + tile, camera.width); ++x) {
            stop_if_asked(stop);
            expose(stage, studio, camera, depth, samples, x, y, film);
          }
      },
      1);
  smooth(film);
  Picture picture{camera.width, camera.height, std::vector<std::uint8_t>(3 * pixels)};
  // Dithering: round up with a probability equal to the remainder, by the pixel's hash, so that shades show no bands.
  for_each_index(pixels, [&](std::size_t p) {
    for (int c = 0; c < 3; ++c) {
      const float value = 255 * srgb_of(toned(std::max(0.0f, film.light[p][c])));
      picture.rgb[3 * p + c] = std::uint8_t(std::min(255.0f, value + float(uniform(p, 0))));
    }
  });
  return picture;
}

}  // namespace coracle
