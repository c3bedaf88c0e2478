// One line on stderr that is rewritten on a terminal; otherwise a line now and then.
#pragma once

#include "coracle/timer.h"

#include <chrono>
#include <string>

namespace coracle {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine() { end(); }

  // Whether to show a line now. `milestone`: something was finished; `last`: it was the last thing.
  bool due(bool milestone, bool last) const;
  void show(const std::string& text);  // cut to columns()
  void end();
  double elapsed() const { return seconds_since(start_); }
  // Whether a person may see the line change.
  bool moves() const { return !quiet_ && terminal_; }
  int columns() const;  // of the terminal; many if there is none

 private:
  using Time = std::chrono::steady_clock;
  bool quiet_, terminal_, open_ = false;
  Time::time_point start_ = Time::now(), shown_{};
};

}  // namespace coracle
