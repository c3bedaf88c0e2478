// One line on stderr that is rewritten on a terminal; otherwise a line now and then.
#pragma once

#include "coracle/timer.h"

#include <chrono>
#include <string>

namespace coracle {

std::string duration(double seconds);
// "[####....]"
std::string progress_bar(double share);

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine() { end(); }

  // Whether to show a line now. `milestone`: something was finished; `last`: it was the last thing.
  bool due(bool milestone, bool last) const;
  void show(const std::string& text);
  void end();
  double elapsed() const { return seconds_since(start_); }

 private:
  using Time = std::chrono::steady_clock;
  bool quiet_, terminal_, open_ = false;
  Time::time_point start_ = Time::now(), shown_{};
};

}  // namespace coracle
