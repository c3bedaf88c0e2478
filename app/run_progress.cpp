#include "app/run_progress.h"

#include "app/print.h"

#include <algorithm>

namespace coracle {
namespace {

constexpr double frames_remembered = 4;  // few enough to follow a run, enough that one odd step does not count much

}  // namespace

RunProgressLine::RunProgressLine(const Scene& scene, bool quiet)
    : end_time_(scene.time.frames / scene.time.fps), line_(quiet), time_left_(frames_remembered / scene.time.fps) {
  now_.frames = scene.time.frames;
  if (line_.moves()) mover_ = std::thread([this] { move(); });
}

void RunProgressLine::enter(RunPhase phase, const Clock& clock) {
  const std::lock_guard lock(mutex_);
  if (phase == RunPhase::paused) before_pause_ = seconds_since(since_);
  // A pause costs the run no time: the clock goes on from where it stood.
  const double already = phase_known_ && phase_ == RunPhase::paused && phase == RunPhase::stepping ? before_pause_ : 0;
  since_ = Time::now() - std::chrono::duration_cast<Time::duration>(std::chrono::duration<double>(already));
  now_.frame = clock.frame;
  now_.step = clock.step;
  now_.share = clock.time / end_time_;
  phase_ = phase;
  phase_known_ = true;
  if (phase == RunPhase::paused && line_.due(true, true)) line_.show(text());
}

void RunProgressLine::step(const StepReport& report) {
  const std::lock_guard lock(mutex_);
  ++steps_;
  time_left_.add(report.dt, seconds_since(since_));
  since_ = Time::now();
  time_ = report.time;
  const int frame = int(report.time * now_.frames / end_time_ + 1e-6);  // last finished one
  const bool frame_done = frame != now_.frame;
  now_.frame = frame;
  now_.step = report.step;
  now_.share = report.time / end_time_;
  now_.headline = report.headline();
  if (line_.due(frame_done, frame == now_.frames)) line_.show(text());
}

std::string RunProgressLine::text() const {
  RunProgress now = now_;
  const double since = seconds_since(since_);
  if (phase_ == RunPhase::paused)
    now.paused = since;
  else
    now.in_step = since;
  if (steps_ > 0) now.left = std::max(time_left_.left(end_time_ - time_) - now.in_step, 0.0);
  return progress_text(now, line_.columns());
}

void RunProgressLine::move() {
  std::unique_lock lock(mutex_);
  while (!ended_) {
    changed_.wait_for(lock, std::chrono::seconds(1));
    if (!ended_ && phase_known_ && line_.due(false, false)) line_.show(text());
  }
}

void RunProgressLine::print_above(const std::string& text) {
  const std::lock_guard lock(mutex_);
  line_.end();
  print(stderr, "{}\n", text);
}

void RunProgressLine::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (mover_.joinable()) mover_.join();
  line_.end();
}

}  // namespace coracle
