// One line on stderr that is rewritten on a terminal; elsewhere a line now and then.
#pragma once

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

  // Whether it is time for a line: `milestone` where something was finished, `last` where it was the last thing.
  bool due(bool milestone, bool last) const;
  void show(const std::string& text);
  void end();
  double elapsed() const { return std::chrono::duration<double>(Time::now() - start_).count(); }

 private:
  using Time = std::chrono::steady_clock;
  bool quiet_, terminal_, open_ = false;
  Time::time_point start_ = Time::now(), shown_{};
};

}  // namespace coracle
