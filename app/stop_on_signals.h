// SIGINT and SIGTERM while a run goes on: the first asks it to stop after the step, the second ends the program.
// The same one again within a tenth of a second counts once.
#pragma once

#include <atomic>

namespace coracle {

class StopOnSignals {
 public:
  StopOnSignals();
  ~StopOnSignals();  // signals have their usual effect again, if none has come
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;

  // 1 once a signal has been received.
  static const std::atomic<int>& requests();
};

}  // namespace coracle
