#include "coracle/show/picture.h"

#include "coracle/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr int tile = 16;           // pixels
constexpr float brightest = 8;     // of a sample: rare bright ones would stay as dots
constexpr float shoulder = 0.75f;  // linear up to here, then bent so that highlights never quite reach white

float toned(float x) { return x < shoulder ? x : 1 - (1 - shoulder) * std::exp(-(x - shoulder) / (1 - shoulder)); }

// How far from the pixel's middle a sample lies, so that samples are dense there: a tent two pixels wide.
float tent(float u) { return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

}  // namespace

float linear_of(float s) { return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f); }
float srgb_of(float l) { return l <= 0.0031308f ? 12.92f * l : 1.055f * std::pow(l, 1 / 2.4f) - 0.055f; }

Picture take_picture(const Stage& stage, const Studio& studio, const Camera& camera, const Depth& depth, int samples) {
  Picture picture{camera.width, camera.height,
                  std::vector<std::uint8_t>(std::size_t(3) * camera.width * camera.height)};
  const int across = (camera.width + tile - 1) / tile, down = (camera.height + tile - 1) / tile;
  for_each_index(
      std::size_t(across) * down,
      [&](std::size_t index) {
        const int x0 = int(index) % across * tile, y0 = int(index) / across * tile;
        for (int y = y0; y < std::min(y0 + tile, camera.height); ++y)
          for (int x = x0; x < std::min(x0 + tile, camera.width); ++x) {
            Vec3f sum = Vec3f::Zero();
            for (int s = 0; s < samples; ++s) {
              Samples path(std::uint64_t(y) << 32 | std::uint64_t(x), std::uint32_t(s));
              const Sample2 at = path.next();
              const Ray ray = camera.ray(float(x) + 0.5f + tent(at.x), float(y) + 0.5f + tent(at.y));
              sum += radiance(stage, studio, ray, depth, path).cwiseMin(brightest);
            }
            for (int c = 0; c < 3; ++c)
              picture.at(x, y)[c] =
                  std::uint8_t(std::lround(255 * srgb_of(toned(std::max(0.0f, sum[c] / float(samples))))));
          }
      },
      1);
  return picture;
}

}  // namespace coracle
