// Wall time of named stages, in the order of their first use. Nothing is decided by it.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace coracle {

class StageTimes {
 public:
  // Run f and charge its time to `stage`.
  template <class F>
  decltype(auto) operator()(const char* stage, F&& f) {
    struct Charge {
      StageTimes& times;
      const char* stage;
      std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
      ~Charge() { times.add(stage, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()); }
    } charge{*this, stage};
    return f();
  }

  void add(const char* stage, double seconds) {
    for (auto& [name, total] : seconds_)
      if (name == stage) {
        total += seconds;
        return;
      }
    seconds_.emplace_back(stage, seconds);
  }
  const std::vector<std::pair<std::string, double>>& seconds() const { return seconds_; }

 private:
  std::vector<std::pair<std::string, double>> seconds_;
};

}  // namespace coracle
