// docs/validation-report.md: a table of the results of each case, and plots of the curves beside it.
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

// Throws if `file` exists and is not a report.
void check_report(const std::string& file);
// Puts a case into the report `file`, in place of its older results, and writes plots/<case>-<n>.svg beside it. The
// other cases stay as they are, in the order of cases(); what is no longer a case goes.
void add_to_report(const std::string& file, const Finished& finished);

}  // namespace coracle::validation
