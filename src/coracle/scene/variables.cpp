#include "coracle/scene/variables.h"

#include "coracle/scene/formula.h"
#include "coracle/scene/nearest.h"
#include "coracle/scene/read_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr std::size_t most_variables = 1000;  // they may all use each other

bool is_formula(const toml::node& node) { return node.is_string() && node.as_string()->get().starts_with('='); }

std::string no_such_variable(const std::string& name, std::vector<std::string> names) {
  const std::vector<std::string>& words = formula_words();
  names.insert(names.end(), words.begin(), words.end());
  return fmt::format("there is no variable {} in [variables]{}", in_quotes(name), did_you_mean(name, names));
}

std::string cannot_compute(const toml::node& formula, const std::string& why) {
  return fmt::format("cannot be computed from {}: {}", in_quotes(formula.as_string()->get()), why);
}

// Computes each variable when it is first needed.
class Solver {
 public:
  Solver(const toml::table& table, std::vector<VariableProblem>& problems) : table_(table), problems_(problems) {
    for (const auto& [key, node] : table) names_.emplace_back(key.str());
  }

  Variables all() {
    for (const std::string& name : names_) (void)value_of(name);
    return std::move(found_);
  }

 private:
  FormulaValue value_of(const std::string& name) {
    const auto entry = table_.find(name);
    if (entry == table_.end()) return {0, no_such_variable(name, names_)};
    if (const auto open = std::find(open_.begin(), open_.end(), name); open != open_.end())
      return {0, fmt::format("the variables use each other in a circle, {}, {}; give one of them a number",
                             fmt::join(open, open_.end(), ", "), name)};
    if (!found_.contains(name)) {
      open_.push_back(name);
      found_[name] = computed(name, entry->first, entry->second);
      open_.pop_back();
    }
    const std::optional<double>& value = found_[name];
    return value ? FormulaValue{*value} : FormulaValue{0, fmt::format("its variable {} is wrong", in_quotes(name))};
  }

  std::optional<double> computed(const std::string& name, const toml::key& key, const toml::node& node) {
    const auto wrong = [&](const std::string& message) -> std::optional<double> {
      problems_.push_back({&key, &node, message});
      return {};
    };
    if (!is_formula_name(name))
      return wrong(fmt::format(
          "a variable's name has letters, digits and _, and starts with no digit: {} cannot be one", in_quotes(name)));
    if (std::find(formula_words().begin(), formula_words().end(), name) != formula_words().end())
      return wrong(fmt::format("'{}' is a word of formulas already; choose another name", name));
    double value = 0;
    if (node.is_number()) {
      if (const std::string bad = read_value(node, value, {.min = -1e300, .max = 1e300}); !bad.empty())
        return wrong(fmt::format("'{}' {}", name, bad));
      return value;
    }
    if (!is_formula(node))
      return wrong(fmt::format("'{}' {}", name, wrong_type(node, "a number or a formula, such as \"=2*radius\"")));
    const FormulaValue result = evaluate_formula(std::string_view(node.as_string()->get()).substr(1),
                                                 [&](const std::string& other) { return value_of(other); });
    if (!result.wrong.empty()) return wrong(fmt::format("'{}' {}", name, cannot_compute(node, result.wrong)));
    return result.value;
  }

  const toml::table& table_;
  std::vector<VariableProblem>& problems_;
  std::vector<std::string> names_;
  std::vector<std::string> open_;  // being computed
  Variables found_;
};

FormulaValue evaluate(std::string_view formula, const Variables& variables) {
  return evaluate_formula(formula, [&](const std::string& name) -> FormulaValue {
    const auto found = variables.find(name);
    if (found != variables.end())
      return found->second ? FormulaValue{*found->second}
                           : FormulaValue{0, fmt::format("its variable {} is wrong", in_quotes(name))};
    std::vector<std::string> names;
    for (const auto& [known, value] : variables) names.push_back(known);
    return {0, no_such_variable(name, names)};
  });
}

// Append a copy of the node with its formulas computed; returns the problem.
std::string append(toml::array& to, const toml::node& node, const Variables& variables) {
  if (const toml::array* array = node.as_array()) {
    toml::array copy;
    for (const toml::node& element : *array)
      if (std::string wrong = append(copy, element, variables); !wrong.empty()) return wrong;
    to.push_back(std::move(copy));
    return "";
  }
  if (!is_formula(node)) {
    node.visit([&](const auto& value) { to.push_back(value); });
    return "";
  }
  const FormulaValue result = evaluate(std::string_view(node.as_string()->get()).substr(1), variables);
  if (!result.wrong.empty()) return cannot_compute(node, result.wrong);
  constexpr double largest_whole = 9007199254740992;  // 2⁵³
  if (result.value == std::floor(result.value) && std::abs(result.value) <= largest_whole)
    to.push_back(std::int64_t(result.value));
  else
    to.push_back(result.value);
  return "";
}

// A formula with the values of its variables. x, y and z stay: they are the place.
std::string with_numbers(std::string_view formula, const Variables& variables) {
  std::string text, word;
  const auto end_word = [&] {
    const auto found = variables.find(word);
    const bool known = found != variables.end() && found->second && word != "x" && word != "y" && word != "z";
    text += known ? fmt::format("({})", *found->second) : word;
    word.clear();
  };
  for (const char c : formula) {
    const bool digit = c >= '0' && c <= '9';
    if (is_formula_name(std::string(1, c)) || (digit && !word.empty())) {
      word += c;
      continue;
    }
    end_word();
    text += c;
  }
  end_word();
  return text;
}

}  // namespace

Variables read_variables(const toml::table& table, std::vector<VariableProblem>& problems) {
  if (table.size() > most_variables) {
    problems.push_back({nullptr, &table, fmt::format("{} variables; {} are the most", table.size(), most_variables)});
    return {};
  }
  return Solver(table, problems).all();
}

bool has_formula(const toml::node& node) {
  if (const toml::array* array = node.as_array()) return std::any_of(array->begin(), array->end(), has_formula);
  return is_formula(node);
}

Computed compute(const toml::node& node, const Variables& variables) {
  Computed result;
  result.wrong = append(result.holder, node, variables);
  return result;
}

std::string read_field(const toml::node& node, const Variables& variables, std::vector<std::string>& formulas) {
  const toml::array* array = node.as_array();
  const std::string expected = "an array of 3 formulas of x, y, z, such as [0, \"=0.1*sin(pi*x)\", 0]";
  if (!array || array->size() != 3) return wrong_type(node, expected);
  formulas.clear();
  for (const toml::node& element : *array) {
    if (element.is_number()) {
      formulas.push_back(fmt::format("{}", element.value_or(0.0)));
    } else if (element.is_string()) {
      const std::string& text = element.as_string()->get();
      formulas.push_back(with_numbers(std::string_view(text).substr(is_formula(element)), variables));
    } else {
      return wrong_type(element, expected);
    }
  }
  return "";
}

std::string formula_hint(const toml::node& node, const Variables& variables) {
  if (!node.is_string()) return "";
  const std::string& text = node.as_string()->get();
  return evaluate(text, variables).wrong.empty() ? fmt::format("; did you mean \"={}\"?", text) : "";
}

}  // namespace coracle
