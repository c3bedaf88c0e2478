#include "coracle/show/legend.h"

#include "coracle/show/font.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// Three digits; with an exponent only to avoid many zeros.
std::string number(double value) {
  std::string text = fmt::format("{:.3g}", value);
  if (std::abs(value) >= 1e3 && std::abs(value) < 1e6) text = fmt::format("{:.0f}", std::stod(text));
  return text;
}

}  // namespace

void draw_legend(Picture& picture, const ColorRange& range, const std::string& title) {
  const Vec3 ink(0.15, 0.16, 0.18), paper(0.97, 0.97, 0.98);
  const int scale = std::max(1, picture.height / 360), line = (letter_height + 4) * scale, pad = 6 * scale;
  const std::string low = number(range.low), high = number(range.high);
  const int width = std::max({110 * scale, text_width(scale, title), text_width(scale, low + "  " + high)});
  const int x0 = picture.width - width - 2 * pad, x1 = x0 + width;
  const int y0 = picture.height - 3 * line - 2 * pad, bar = y0 + line;
  fill(picture, x0 - pad, y0 - pad, x1 + pad, y0 + 3 * line + pad / 2, paper, 0.8);
  draw_text(picture, x0, y0, scale, title, ink);
  for (int x = x0; x < x1; ++x) fill(picture, x, bar, x + 1, bar + 8 * scale, map_color((x - x0) / double(width - 1)));
  draw_text(picture, x0, bar + line, scale, low, ink);
  draw_text(picture, x1 - text_width(scale, high) + scale, bar + line, scale, high, ink);
}

}  // namespace coracle
