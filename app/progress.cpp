#include "app/progress.h"

#include "app/print.h"
#include "coracle/out/progress_text.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace coracle {

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO)) {}

int ProgressLine::columns() const {
  constexpr int usual = 80, many = 1000;
  if (!terminal_) return many;
  winsize size = {};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return (known ? size.ws_col : usual) - 1;  // a full line would wrap
}

bool ProgressLine::due(bool milestone, bool last) const {
  if (quiet_) return false;
  const Time::time_point now = Time::now();
  const auto since = now - shown_;
  if (terminal_) return milestone || since > std::chrono::milliseconds(100);
  return now - std::max(shown_, start_) > std::chrono::minutes(1) ||
         (milestone && (since > std::chrono::seconds(10) || last));
}

void ProgressLine::show(const std::string& text) {
  shown_ = Time::now();
  if (terminal_)
    fmt::print(stderr, "\r{}\033[K", cut_to(plain_text(text), columns()));
  else
    print(stderr, "{}\n", text);
  open_ = terminal_;
}

void ProgressLine::end() {
  if (open_) fmt::print(stderr, "\n");
  open_ = false;
}

}  // namespace coracle
