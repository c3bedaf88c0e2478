#include "app/frames_option.h"

#include "coracle/error.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace coracle {
namespace {

[[noreturn]] void refuse(const std::string& value, const std::string& message) {
  throw SceneError({{{"--frame " + value, 0, 0}, message}});
}

bool read_number(std::string_view text, int& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::vector<int> read_frames(const std::string& text, const std::vector<int>& there) {
  if (text.empty()) return there;
  const std::string_view all = text;
  const std::size_t colon = all.find(':');
  int first = there.front(), last = there.back();
  const std::string_view a = all.substr(0, colon), b = colon == all.npos ? a : all.substr(colon + 1);
  if ((!a.empty() && !read_number(a, first)) || (!b.empty() && !read_number(b, last)) ||
      (colon != all.npos && last < first))
    refuse(text, "must be a frame, such as 12, or a range, such as 0:24");
  std::vector<int> frames;
  for (const int f : there)
    if (f >= first && f <= last) frames.push_back(f);
  if (frames.empty()) refuse(text, fmt::format("is not there; there are frames {} to {}", there.front(), there.back()));
  return frames;
}

}  // namespace coracle
