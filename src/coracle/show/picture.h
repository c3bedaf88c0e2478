// A picture: traced by rays through its pixels, kept as bytes, written as PNG.
#pragma once

#include "coracle/show/camera.h"
#include "coracle/show/trace.h"

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace coracle {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // sRGB, row by row from the top

  std::uint8_t* at(int x, int y) { return &rgb[3 * (std::size_t(y) * width + x)]; }
  const std::uint8_t* at(int x, int y) const { return &rgb[3 * (std::size_t(y) * width + x)]; }
};

// Conversion between sRGB and linear light.
float linear_of(float srgb);
float srgb_of(float linear);
inline Vec3f linear_of(const Vec3& srgb) {
  return {linear_of(float(srgb[0])), linear_of(float(srgb[1])), linear_of(float(srgb[2]))};
}

// What a picture ends with when another thread sets its `stop` above 0.
struct PictureStopped : std::runtime_error {
  PictureStopped() : std::runtime_error("the picture was stopped") {}
};
inline void stop_if_asked(const std::atomic<int>* stop) {
  if (stop && stop->load(std::memory_order_relaxed) > 0) throw PictureStopped();
}

// `samples` paths per pixel. The same bits for any number of threads.
Picture take_picture(const Stage& stage, const Studio& studio, const Camera& camera, const Depth& depth, int samples,
                     const std::atomic<int>* stop = nullptr);

void write_png(const std::string& path, const Picture& picture);
Picture read_png(const std::string& path);

}  // namespace coracle
