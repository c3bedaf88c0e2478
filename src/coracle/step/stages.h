// The stages of a step: each is run, timed and named, and a step ends at the first that fails.
#pragma once

#include "coracle/report.h"

#include <string>
#include <type_traits>

namespace coracle {

// The step failed, for the reason given.
inline void fail(StepReport& report, const std::string& trouble) {
  report.ok = false;
  report.trouble = trouble;
}

class Stages {
 public:
  // `fail_after` names a stage after which the step is to fail, for tests; empty: none.
  Stages(StepReport& report, const std::string& fail_after) : report_(report), fail_after_(fail_after) {}

  // Run f and add its time to the stage. f returns nothing, or an error message (empty: no error). Returns whether the
  // step can go on.
  template <class F>
  [[nodiscard]] bool operator()(const char* name, F&& f) {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
      report_.stages(name, f);
    } else if (const std::string trouble = report_.stages(name, f); !trouble.empty()) {
      fail(report_, trouble);
    }
    if (report_.ok && fail_after_ == name) fail(report_, "a test asked for this");
    return report_.ok;
  }

 private:
  StepReport& report_;
  const std::string& fail_after_;
};

}  // namespace coracle
