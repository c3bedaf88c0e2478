// Wall time of named stages, in the order of their first use. Results never depend on it.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace coracle {

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class StageTimes {
 public:
  // Run f and add its time to `stage`.
  template <class F>
  decltype(auto) operator()(const char* stage, F&& f) {
    struct Timing {
      StageTimes& times;
      const char* stage;
      std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
      ~Timing() { times.add(stage, seconds_since(start)); }
    } timing{*this, stage};
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
