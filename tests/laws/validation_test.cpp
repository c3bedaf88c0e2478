// The short cases of `coracle validate`, each a law or a convergence order.
#include "validation/case.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle::validation {

class ShortCase : public testing::TestWithParam<std::string> {};

TEST_P(ShortCase, holds) {
  for (const Case& c : cases()) {
    if (c.name != GetParam()) continue;
    const Outcome outcome = c.run();
    EXPECT_FALSE(outcome.results.empty());
    for (const Result& r : outcome.results)
      EXPECT_TRUE(r.pass()) << r.name << ": measured " << r.measured << ", expected " << r.expected << " ± "
                            << r.tolerance;
  }
}

std::vector<std::string> quick_names() {
  std::vector<std::string> names;
  for (const Case& c : cases())
    if (c.quick) names.push_back(c.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Laws, ShortCase, testing::ValuesIn(quick_names()),
                         [](const auto& info) { return info.param; });

TEST(Result, fails_on_nan_and_outside_its_bound) {
  EXPECT_FALSE(within("", std::nan(""), 1, 1, "", "").pass());
  EXPECT_FALSE(at_most("", std::nan(""), 1, "", "").pass());
  EXPECT_FALSE(at_least("", 0.9, 1, "", "").pass());
  EXPECT_TRUE(within("", 1.05, 1, 0.1, "", "").pass());
}

}  // namespace coracle::validation
