#include "app/commands.h"
#include "app/print.h"
#include "bench/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

using bench::Figure;
using bench::Row;

std::string text(const Figure& figure) {
  if (const auto* words = std::get_if<std::string>(&figure)) return *words;
  const double x = std::get<double>(figure);
  if (std::isnan(x)) return "-";
  return x == std::round(x) && std::abs(x) < 1e15 ? fmt::format("{:.0f}", x) : fmt::format("{:.4g}", x);
}

bool same_columns(const Row& a, const Row& b) {
  return std::equal(a.figures.begin(), a.figures.end(), b.figures.begin(), b.figures.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

void print_line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                const std::vector<bool>& words) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i)
    line += words[i] ? fmt::format("  {:<{}}", cells[i], widths[i]) : fmt::format("  {:>{}}", cells[i], widths[i]);
  line.erase(line.find_last_not_of(' ') + 1);
  print("{}\n", line);
}

const bench::Parts* parts_of(const Figure& figure) { return std::get_if<bench::Parts>(&figure); }

// The parts of one figure as separate rows.
std::vector<Row> rows_of_parts(const Row* begin, const Row* end, std::size_t figure) {
  std::vector<Row> rows;
  for (const Row* row = begin; row != end; ++row) {
    rows.push_back({row->name, row->resolution, {}});
    for (const auto& f : row->figures)
      if (std::holds_alternative<std::string>(f.second)) rows.back().figures.push_back(f);
    for (const auto& part : *parts_of(row->figures[figure].second)) rows.back().figures.emplace_back(part);
    rows.back().name += "/" + row->figures[figure].first;
  }
  return rows;
}

// Prints rows with the same figures as one table; figures with parts get a separate table.
void print_table(const Row* begin, const Row* end) {
  std::vector<std::vector<std::string>> lines{{"", "grid"}};
  std::vector<bool> words{true, false};
  for (const auto& [key, figure] : begin->figures) {
    if (parts_of(figure)) continue;
    lines[0].push_back(key);
    words.push_back(std::holds_alternative<std::string>(figure));
  }
  for (const Row* row = begin; row != end; ++row) {
    lines.push_back({row->name, fmt::format("{}", row->resolution)});
    for (const auto& [key, figure] : row->figures)
      if (!parts_of(figure)) lines.back().push_back(text(figure));
  }
  std::vector<std::size_t> widths(words.size(), 0);
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  for (const auto& line : lines) print_line(line, widths, words);
  for (std::size_t f = 0; f < begin->figures.size(); ++f)
    if (parts_of(begin->figures[f].second)) {
      print("\n");
      const std::vector<Row> parts = rows_of_parts(begin, end, f);
      print_table(parts.data(), parts.data() + parts.size());
    }
}

std::string limits(const bench::Requirement& r) {
  std::string words;
  if (std::isfinite(r.least)) words += fmt::format("at least {:.4g}", r.least);
  if (std::isfinite(r.most)) words += fmt::format("{}at most {:.4g}", words.empty() ? "" : ", ", r.most);
  return words;
}

void print_tables(const bench::BenchCase& c, const bench::Results& results) {
  print("{}: {}\n", c.name, c.what);
  const Row* end = results.rows.data() + results.rows.size();
  for (const Row* begin = results.rows.data(); begin != end;) {
    const Row* next = std::find_if(begin, end, [&](const Row& row) { return !same_columns(*begin, row); });
    print_table(begin, next);
    print("\n");
    begin = next;
  }
  for (const std::string& note : results.notes) print("  {}\n", note);
  for (const bench::Requirement& r : results.required)
    print("  {}  {}: {:.4g}, required {}\n", r.holds() ? "ok  " : "FAIL", r.what, r.value, limits(r));
  print("\n");
}

nlohmann::ordered_json json_of(const Figure& figure) {
  if (const bench::Parts* parts = parts_of(figure)) {
    nlohmann::ordered_json object;
    for (const auto& [name, value] : *parts) object[name] = value;
    return object;
  }
  if (const auto* words = std::get_if<std::string>(&figure)) return *words;
  const double x = std::get<double>(figure);
  if (x == std::round(x) && std::abs(x) < 1e15) return std::int64_t(x);  // a count
  return x;
}

void print_json(const bench::BenchCase& c, const bench::Results& results) {
  for (const Row& row : results.rows) {
    nlohmann::ordered_json line{{"name", row.name}, {"resolution", row.resolution}};
    for (const auto& [key, figure] : row.figures) line[key] = json_of(figure);
    print("{}\n", line.dump());
  }
  for (const bench::Requirement& r : results.required) {
    nlohmann::ordered_json line{{"name", c.name}, {"requirement", r.what}, {"value", r.value}};
    if (std::isfinite(r.least)) line["least"] = r.least;
    if (std::isfinite(r.most)) line["most"] = r.most;
    line["ok"] = r.holds();
    print("{}\n", line.dump());
  }
  for (const std::string& note : results.notes)
    print("{}\n", nlohmann::ordered_json{{"name", c.name}, {"note", note}}.dump());
}

}  // namespace

int bench_command(const std::vector<std::string>& names, bool json) {
  std::string known;
  for (const bench::BenchCase& c : bench::cases()) known += (known.empty() ? "" : ", ") + c.name;
  for (const std::string& name : names)
    if (std::none_of(bench::cases().begin(), bench::cases().end(), [&](const auto& c) { return c.name == name; }))
      throw SceneError({{{"bench " + name, 0, 0}, "no such case; there are: " + known}});
  bool all_hold = true;
  for (const bench::BenchCase& c : bench::cases()) {
    if (!names.empty() && std::find(names.begin(), names.end(), c.name) == names.end()) continue;
    const bench::Results results = c.run();
    json ? print_json(c, results) : print_tables(c, results);
    for (const bench::Requirement& r : results.required) all_hold = all_hold && r.holds();
  }
  return all_hold ? 0 : 1;
}

}  // namespace coracle
