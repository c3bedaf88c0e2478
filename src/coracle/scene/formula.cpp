// A parser by recursive descent that computes as it reads:
//   sum     = product {(+|-) product}
//   product = signed {(*|/) signed}
//   signed  = (+|-) signed | power
//   power   = atom [^ signed]
//   atom    = number | name | name ( sum {, sum} ) | ( sum )
#include "coracle/scene/formula.h"

#include "coracle/scene/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace coracle {
namespace {

constexpr int deepest = 100;  // parentheses and signs inside each other

struct Function {
  const char* name;
  double (*of)(double);
};
constexpr Function functions[] = {{"sqrt", std::sqrt}, {"exp", std::exp},    {"log", std::log}, {"sin", std::sin},
                                  {"cos", std::cos},   {"tan", std::tan},    {"abs", std::abs}, {"floor", std::floor},
                                  {"ceil", std::ceil}, {"round", std::round}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct Wrong {
  std::string message;
};

class Parser {
 public:
  Parser(std::string_view text, const NameValue& value_of) : text_(text), value_of_(value_of) {}

  double whole() {
    const double value = sum(0);
    if (at_ < text_.size()) fail(fmt::format("{} does not fit", in_quotes(text_.substr(at_, 1))));
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Wrong{at_ < text_.size() ? fmt::format("{}, at character {}", what, at_ + 1) : what};
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_blanks();
    return true;
  }

  double sum(int depth) {
    double value = product(depth);
    for (;;) {
      if (take('+'))
        value += product(depth);
      else if (take('-'))
        value -= product(depth);
      else
        return value;
    }
  }

  double product(int depth) {
    double value = with_sign(depth);
    for (;;) {
      if (take('*')) {
        value *= with_sign(depth);
      } else if (take('/')) {
        const double by = with_sign(depth);
        if (by == 0) throw Wrong{"it divides by zero"};
        value /= by;
      } else {
        return value;
      }
    }
  }

  double with_sign(int depth) {
    if (depth > deepest) fail("it is nested too deeply");
    if (take('-')) return -with_sign(depth + 1);
    if (take('+')) return with_sign(depth + 1);
    const double base = atom(depth);
    return take('^') ? std::pow(base, with_sign(depth + 1)) : base;
  }

  double atom(int depth) {
    if (take('(')) {
      const double value = sum(depth + 1);
      if (!take(')')) fail("a ')' is missing");
      return value;
    }
    if (at_ < text_.size() && is_letter(text_[at_])) return named(depth);
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
      double value = 0;
      const char* begin = text_.data() + at_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
      if (error == std::errc()) {
        at_ += std::size_t(end - begin);
        skip_blanks();
        return value;
      }
    }
    fail(at_ < text_.size() ? "a number, a name or '(' must stand here"
                            : "it ends where a number, a name or '(' must stand");
  }

  double named(int depth) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string name(text_.substr(begin, at_ - begin));
    if (take('(')) return called(name, depth);
    skip_blanks();
    if (name == "pi") return std::numbers::pi;
    if (std::find(formula_words().begin(), formula_words().end(), name) != formula_words().end())
      throw Wrong{fmt::format("{0} is a function: write {0}(...)", name)};
    const FormulaValue found = value_of_(name);
    if (!found.wrong.empty()) throw Wrong{found.wrong};
    return found.value;
  }

  double called(const std::string& name, int depth) {
    const auto known =
        std::find_if(std::begin(functions), std::end(functions), [&](const Function& f) { return name == f.name; });
    const bool lists = name == "min" || name == "max";
    if (known == std::end(functions) && !lists)
      throw Wrong{fmt::format("there is no function {}{}", in_quotes(name), did_you_mean(name, formula_words()))};
    std::vector<double> given{sum(depth + 1)};
    while (take(',')) given.push_back(sum(depth + 1));
    if (!take(')')) fail("a ')' is missing");
    if (lists) {
      if (given.size() < 2) throw Wrong{name + " takes two values or more"};
      return name == "min" ? *std::min_element(given.begin(), given.end())
                           : *std::max_element(given.begin(), given.end());
    }
    if (given.size() != 1) throw Wrong{name + " takes one value"};
    return known->of(given[0]);
  }

  std::string_view text_;
  const NameValue& value_of_;
  std::size_t at_ = 0;
};

}  // namespace

FormulaValue evaluate_formula(std::string_view text, const NameValue& value_of) {
  try {
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    const double value = Parser(text.substr(begin), value_of).whole();
    if (!std::isfinite(value)) return {0, "the result is not a finite number"};
    return {value};
  } catch (const Wrong& wrong) {
    return {0, wrong.message};
  }
}

FormulaValue evaluate_at(std::string_view text, const Vec3& x) {
  return evaluate_formula(text, [&](const std::string& name) -> FormulaValue {
    for (int a = 0; a < 3; ++a)
      if (name.size() == 1 && name[0] == "xyz"[a]) return {x[a]};
    return {0, fmt::format("there is no {} here; a field is a formula of x, y, z and variables", in_quotes(name))};
  });
}

std::string wrong_field_formula(std::string_view text) {
  // At an arbitrary place: a formula may well fail at special ones.
  const FormulaValue value = evaluate_at(text, {0.1234567, 0.2345671, 0.3456712});
  return value.wrong.empty() ? "" : fmt::format("cannot be computed from {}: {}", in_quotes(text), value.wrong);
}

bool is_formula_name(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

const std::vector<std::string>& formula_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> all{"pi", "min", "max"};
    for (const Function& f : functions) all.emplace_back(f.name);
    return all;
  }();
  return words;
}

}  // namespace coracle
