#include "coracle/scene/formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace coracle {
namespace {

FormulaValue of(const std::string& text) {
  return evaluate_formula(text, [](const std::string& name) -> FormulaValue {
    return name == "a" ? FormulaValue{3} : FormulaValue{0, "who is " + name + "?"};
  });
}

TEST(Formula, binds_as_in_mathematics) {
  const std::pair<const char*, double> cases[] = {{"1 + 2*3", 7},
                                                  {"(1 + 2)*3", 9},
                                                  {"2 - 3 - 4", -5},
                                                  {"12/3/2", 2},
                                                  {"-2^2", -4},
                                                  {"2^-1", 0.5},
                                                  {"2^3^2", 512},
                                                  {"-a*-2", 6},
                                                  {" 1.5e-1 ", 0.15},
                                                  {".5*a", 1.5},
                                                  {"2*pi", 2 * std::numbers::pi},
                                                  {"sqrt(a*a + 16)", 5},
                                                  {"max(1, a, 2) - min(a, 2)", 1},
                                                  {"round(2.5*a)", 8},
                                                  {"cos(0) + abs(-1)", 2}};
  for (const auto& [text, value] : cases) {
    EXPECT_EQ(of(text).wrong, "") << text;
    EXPECT_DOUBLE_EQ(of(text).value, value) << text;
  }
}

TEST(Formula, says_what_is_wrong_and_where) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "it ends where a number, a name or '(' must stand"},
      {"2*", "it ends where a number, a name or '(' must stand"},
      {"2*)", "a number, a name or '(' must stand here, at character 3"},
      {"(1 + 2", "a ')' is missing"},
      {"1 2", "'2' does not fit, at character 3"},
      {"b", "who is b?"},
      {"sqr(2)", "there is no function 'sqr'; did you mean 'sqrt'?"},
      {"sqrt", "sqrt is a function: write sqrt(...)"},
      {"sqrt(1, 2)", "sqrt takes one value"},
      {"max(1)", "max takes two values or more"},
      {"1/(a - 3)", "it divides by zero"},
      {"sqrt(-1)", "the result is not a finite number"},
      {"10^400", "the result is not a finite number"}};
  for (const auto& [text, wrong] : cases) EXPECT_EQ(of(text).wrong, wrong) << text;
}

TEST(Formula, refuses_deep_nesting_instead_of_overflowing) {
  EXPECT_NE(of(std::string(100000, '(')).wrong.find("nested too deeply"), std::string::npos);
  EXPECT_NE(of(std::string(100000, '-') + "1").wrong.find("nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace coracle
