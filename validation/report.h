// docs/validation-report.md: a table of all results, and plots of the curves beside it.
#pragma once

#include "validation/case.h"

#include <string>

namespace coracle::validation {

struct Finished {
  const Case* what;
  Outcome outcome;
  double seconds;
};

// "≤ 25", "1.18 ± 0.02"
std::string bound_text(const Result& result);

// Writes `file` and plots/<case>-<n>.svg beside it.
void write_report(const std::string& file, const std::vector<Finished>& finished);

}  // namespace coracle::validation
