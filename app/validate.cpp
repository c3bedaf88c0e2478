#include "app/commands.h"
#include "app/print.h"
#include "coracle/base/parallel.h"
#include "coracle/timer.h"
#include "validation/case.h"
#include "validation/report.h"
#include "validation/setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

using namespace validation;

const char* word(Relation relation) {
  if (relation == Relation::reported) return "reported";
  return relation == Relation::at_most ? "at_most" : relation == Relation::at_least ? "at_least" : "within";
}

void print_json(const Case& c, const Result& r) {
  nlohmann::ordered_json line{{"name", c.name + ": " + r.name},
                              {"measured", r.measured},
                              {"expected", r.expected},
                              {"tolerance", r.tolerance},
                              {"unit", r.unit},
                              {"source", r.source},
                              {"pass", r.pass()},
                              {"relation", word(r.relation)}};
  print("{}\n", line.dump());
}

// The requested cases, in the order of the list.
std::vector<const Case*> chosen(const ValidateArguments& arguments) {
  std::vector<const Case*> some;
  for (const std::string& name : arguments.names)
    if (std::none_of(cases().begin(), cases().end(), [&](const Case& c) { return c.name == name; }))
      throw SceneError({{{"validate " + name, 0, 0}, "no such case; 'coracle validate --list' names them"}});
  for (const Case& c : cases()) {
    const bool named = std::find(arguments.names.begin(), arguments.names.end(), c.name) != arguments.names.end();
    if (named || (arguments.names.empty() && (c.quick || !arguments.quick))) some.push_back(&c);
  }
  return some;
}

}  // namespace

int validate_command(const ValidateArguments& arguments) {
  chosen_backend = arguments.backend == "cuda" ? Backend::cuda : Backend::cpu;
  require_backend(chosen_backend);
  if (!arguments.report_file.empty()) check_report(arguments.report_file);
  std::size_t failures = 0;
  for (const Case* c : chosen(arguments)) {
    if (arguments.list) {
      print("{:<20} {}{}\n", c->name, c->claim, c->quick ? "" : " (long)");
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    if (!arguments.json) print("{}: {}\n", c->name, c->claim);
    std::fflush(stdout);
    Outcome outcome = c->run();
    const double seconds = seconds_since(start);
    for (const Result& r : outcome.results) {
      failures += !r.pass();
      if (arguments.json)
        print_json(*c, r);
      else
        print("  {} {:<52} {:>12.6g} {:<22} {:<11} {}\n", r.pass() ? "pass" : "FAIL", r.name, r.measured, bound_text(r),
              r.unit, r.source);
    }
    if (!arguments.json) print("  {:.1f} s\n", seconds);
    std::fflush(stdout);
    if (!arguments.report_file.empty()) add_to_report(arguments.report_file, {c, std::move(outcome), seconds});
  }
  if (arguments.list) return 0;
  if (!arguments.json) print("{}\n", failures == 0 ? "all pass" : fmt::format("{} fail", failures));
  return failures == 0 ? 0 : 1;
}

}  // namespace coracle
