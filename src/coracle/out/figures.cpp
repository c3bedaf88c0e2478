#include "coracle/out/figures.h"

#include "coracle/scene/nearest.h"
#include "coracle/scene/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>

namespace coracle {
namespace {

std::optional<double> number(const std::string& word) {
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

bool is_operator(const std::string& word) { return word == "/" || word == "-"; }

}  // namespace

Expectation parse_figure(const std::string& text) {
  const auto fail = [&](const std::string& message) {
    throw SceneError({{{"--figure " + in_quotes(text), 0, 0}, message}});
  };
  std::vector<std::string> left;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) left.push_back(word);
  Expectation figure;
  figure.take = Take::last;

  // 1. What to take.
  const auto known = words(Take());
  const std::vector<std::string> takes(known.begin(), known.end());
  const auto take = left.empty() ? takes.end() : std::find(takes.begin(), takes.end(), left[0]);
  if (take != takes.end()) {
    figure.take = Take(take - takes.begin());
    left.erase(left.begin());
  } else if (left.size() > 1 && !is_operator(left[1]) && left[1] != "from" && left[1] != "to") {
    fail(fmt::format("{} is no way to take a number{}; there are {}", in_quotes(left[0]), did_you_mean(left[0], takes),
                     fmt::join(takes, ", ")));
  }
  if (figure.take == Take::count_above) {
    const std::optional<double> above = left.empty() ? std::nullopt : number(left[0]);
    if (!above) fail("count_above needs a number behind it, as in: count_above 100 solver.iterations");
    figure.above = *above;
    left.erase(left.begin());
  }

  // 2. Of which times.
  while (left.size() > 1 && (left[left.size() - 2] == "from" || left[left.size() - 2] == "to")) {
    const std::string word = left[left.size() - 2];
    const std::optional<double> seconds = number(left.back());
    if (!seconds || *seconds < 0) fail(fmt::format("behind '{}' a time in seconds is needed", word));
    (word == "to" ? figure.to : figure.from) = *seconds;
    left.resize(left.size() - 2);
  }
  if (!(figure.from < figure.to)) fail("'to' must come after 'from'");

  // 3. Of what.
  if (left.empty()) fail("name a number of stats.jsonl or probes.csv, as in: max liquid.max_speed");
  figure.of = fmt::format("{}", fmt::join(left, " "));
  return figure;
}

std::string figure_name(const Expectation& figure) {
  std::string name = words(figure.take)[int(figure.take)];
  if (figure.take == Take::count_above) name += fmt::format(" {}", figure.above);
  name += " " + figure.of;
  if (figure.from > 0) name += fmt::format(" from {}", figure.from);
  if (figure.to < no_end) name += fmt::format(" to {}", figure.to);
  return name;
}

void add_figures(std::vector<Expectation>& figures, const std::vector<Expectation>& more) {
  for (const Expectation& m : more)
    if (std::none_of(figures.begin(), figures.end(),
                     [&](const Expectation& f) { return figure_name(f) == figure_name(m); }))
      figures.push_back(m);
}

}  // namespace coracle
