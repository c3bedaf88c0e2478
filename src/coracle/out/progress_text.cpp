#include "coracle/out/progress_text.h"

#include "coracle/base/amounts.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {
namespace {

bool starts_character(char byte) { return (std::uint8_t(byte) & 0xC0) != 0x80; }

}  // namespace

std::string progress_bar(double share, int width) {
  const int filled = int(std::clamp(share, 0.0, 1.0) * width);
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

std::string cut_to(const std::string& text, int columns) {
  std::size_t end = 0;
  for (; end < text.size(); ++end)
    if (starts_character(text[end]) && columns-- <= 0) break;
  return text.substr(0, end);
}

std::string progress_text(const RunProgress& now, int columns) {
  constexpr int shortest_bar = 4, longest_bar = 20, around_bar = 3;  // brackets and a space
  std::string text = fmt::format("frame {}/{}", now.frame, now.frames);
  if (now.paused >= 0)
    text += fmt::format(", step {}, paused for {}", now.step, duration_text(now.paused));
  else if (now.in_step >= long_step)
    text += fmt::format(", step {} for {}", now.step + 1, duration_text(now.in_step));
  else
    text += fmt::format(", step {}", now.step);
  if (now.paused < 0 && now.left >= 0) text += fmt::format(", {} left", duration_text(now.left));
  if (!now.headline.empty()) text += ", " + now.headline;
  const int length = int(std::count_if(text.begin(), text.end(), starts_character));
  const int bar = std::min(columns - length - around_bar, longest_bar);
  if (bar >= shortest_bar) return progress_bar(now.share, bar) + " " + text;
  return cut_to(text, columns);
}

}  // namespace coracle
