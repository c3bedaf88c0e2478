// Arithmetic in scene files: "2*radius + 0.1".
//   numbers, names, + - * / ^, parentheses, the constant pi,
//   sqrt exp log sin cos tan abs floor ceil round of one value, min max of two or more
#pragma once

#include "coracle/types.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle {

struct FormulaValue {
  double value = 0;
  std::string wrong = {};  // the problem; empty if there is none
};

// The value of a name that is neither a function nor a constant.
using NameValue = std::function<FormulaValue(const std::string& name)>;

// The value is finite if nothing is wrong.
FormulaValue evaluate_formula(std::string_view text, const NameValue& value_of);

// A formula of a place, "0.1*sin(pi*x)": its names are x, y and z.
FormulaValue evaluate_at(std::string_view text, const Vec3& x);
// The problem of such a formula wherever it is used; empty if there is none.
std::string wrong_field_formula(std::string_view text);

// Whether the text may name a value: letters, digits and _, not starting with a digit.
bool is_formula_name(std::string_view text);
// The functions and constants.
const std::vector<std::string>& formula_words();

}  // namespace coracle
