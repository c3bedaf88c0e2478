#include "coracle/base/files.h"
#include "coracle/error.h"
#include "coracle/show/picture.h"

#include <fmt/format.h>
#include <png.h>

namespace coracle {
namespace {

png_image described(int width, int height) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(width);
  image.height = png_uint_32(height);
  image.format = PNG_FORMAT_RGB;
  return image;
}

}  // namespace

void write_png(const std::string& path, const Picture& picture) {
  png_image image = described(picture.width, picture.height);
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.rgb.data(), 0, nullptr))
    throw RunError(fmt::format("cannot write {}: {}", path, image.message));
  write_atomically(path, std::string_view(bytes).substr(0, size));
}

Picture read_png(const std::string& path) {
  const std::string bytes = read_file(path);
  png_image image = described(0, 0);
  Picture picture;
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size())) {
    image.format = PNG_FORMAT_RGB;
    picture = {int(image.width), int(image.height), std::vector<std::uint8_t>(PNG_IMAGE_SIZE(image))};
    if (png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr)) return picture;
  }
  const std::string reason = image.message;
  png_image_free(&image);
  throw RunError(fmt::format("cannot read {}: {}", path, reason));
}

}  // namespace coracle
