// The progress line of a run. On a terminal it moves each second, also within a long step: a thread of its own writes
// it.
#pragma once

#include "app/progress.h"
#include "coracle/out/progress_text.h"
#include "coracle/out/run.h"
#include "coracle/out/time_left.h"
#include "coracle/report.h"
#include "coracle/scene.h"
#include "coracle/world.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace coracle {

class RunProgressLine {
 public:
  RunProgressLine(const Scene& scene, bool quiet);
  ~RunProgressLine() { end(); }

  void enter(RunPhase phase, const Clock& clock);
  void step(const StepReport& report);
  void print_above(const std::string& text);  // a line to stderr, also if quiet
  void end();                                 // the line stays as it is

  long steps() const { return steps_; }
  double elapsed() const { return line_.elapsed(); }

 private:
  using Time = std::chrono::steady_clock;
  std::string text() const;
  void move();  // the thread

  const double end_time_;  // s, simulated
  ProgressLine line_;
  long steps_ = 0;
  RunProgress now_;
  double time_ = 0;  // s, simulated
  TimeLeft time_left_;
  bool phase_known_ = false, ended_ = false;
  RunPhase phase_ = RunPhase::stepping;
  Time::time_point since_ = Time::now();  // when the last step ended, or the pause began
  double before_pause_ = 0;               // s since the last step, when the pause began

  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread mover_;
};

}  // namespace coracle
