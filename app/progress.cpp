#include "app/progress.h"
#include "app/print.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace coracle {

std::string duration(double seconds) {
  const long s = std::lround(seconds);
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02}", s / 60, s % 60);
  return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string progress_bar(double share) {
  constexpr int width = 20;
  const int filled = int(std::clamp(share, 0.0, 1.0) * width);
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO)) {}

bool ProgressLine::due(bool milestone, bool last) const {
  if (quiet_) return false;
  const auto since = Time::now() - shown_;
  return terminal_ ? milestone || since > std::chrono::milliseconds(100)
                   : milestone && (since > std::chrono::seconds(10) || last);
}

void ProgressLine::show(const std::string& text) {
  shown_ = Time::now();
  if (terminal_)
    fmt::print(stderr, "\r{}\033[K", plain_text(text));
  else
    print(stderr, "{}\n", text);
  open_ = terminal_;
}

void ProgressLine::end() {
  if (open_) fmt::print(stderr, "\n");
  open_ = false;
}

}  // namespace coracle
