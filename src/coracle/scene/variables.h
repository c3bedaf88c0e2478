// [variables] of a scene: numbers with names, and the formulas that use them. A formula is a string that begins with =
// and stands where a number may stand: radius = "=2*gap + 0.1". No formula survives the loading.
#pragma once

#include "coracle/error.h"

#include <toml++/toml.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

// None: the variable itself is wrong.
using Variables = std::map<std::string, std::optional<double>>;

// The problem of a node, for the place of its key.
struct VariableProblem {
  const toml::key* key;
  const toml::node* node;
  std::string message;
};

// Compute the variables of a table. They may use each other, in any order, but not in a circle.
Variables read_variables(const toml::table& table, std::vector<VariableProblem>& problems);

// Whether a value is a formula, or an array with one in it.
bool has_formula(const toml::node& node);

// A value with its formulas computed. A result without a fraction is an integer.
struct Computed {
  toml::array holder;  // owns the value
  std::string wrong;   // the problem; empty if there is none
  const toml::node& value() const { return *holder.get(0); }
};
Computed compute(const toml::node& node, const Variables& variables);

// A field over space: three numbers or formulas of x, y, z and variables, as formulas of x, y, z alone. Returns the
// problem.
std::string read_field(const toml::node& node, const Variables& variables, std::vector<std::string>& formulas);

// "; did you mean "=2*radius"?" for a string that would be a formula if it began with =, else nothing.
std::string formula_hint(const toml::node& node, const Variables& variables);

}  // namespace coracle
