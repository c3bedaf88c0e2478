// SIGINT and SIGTERM while a run goes on: the first asks it to stop after the step, the second ends the program.
#pragma once

#include <atomic>

namespace coracle {

class StopOnSignals {
 public:
  StopOnSignals();
  ~StopOnSignals();  // signals have their usual effect again
  StopOnSignals(const StopOnSignals&) = delete;
  StopOnSignals& operator=(const StopOnSignals&) = delete;

  // Number of signals received.
  static const std::atomic<int>& requests();
};

}  // namespace coracle
