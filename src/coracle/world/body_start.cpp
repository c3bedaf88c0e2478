#include "coracle/world/body_start.h"

#include "coracle/base/files.h"
#include "coracle/scene/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace coracle {
namespace {

struct Start {
  std::vector<Vec3> displacement, velocity;  // per node
};

void add_field(const char* option, const std::vector<std::string>& formulas, const std::vector<Vec3>& rest,
               std::vector<Vec3>& to) {
  if (formulas.empty()) return;
  for (std::size_t i = 0; i < rest.size(); ++i)
    for (int a = 0; a < 3; ++a) {
      const FormulaValue value = evaluate_at(formulas.at(std::size_t(a)), rest[i]);
      if (!value.wrong.empty())
        throw std::runtime_error(fmt::format("{} at x = {:.6g}, y = {:.6g}, z = {:.6g}: {}", option, rest[i].x(),
                                             rest[i].y(), rest[i].z(), value.wrong));
      to[i][a] += value.value;
    }
}

void add_file(const std::string& file, Start& start) {
  if (file.empty()) return;
  const std::size_t nodes = start.displacement.size();
  std::istringstream text(read_file(file));
  std::size_t node = 0;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    std::string word;
    std::vector<double> values;
    const auto fail = [&](const std::string& why) {
      throw std::runtime_error(fmt::format("{}:{}: {}", file, number, why));
    };
    while (words >> word && word[0] != '#') {
      char* end = nullptr;
      values.push_back(std::strtod(word.c_str(), &end));
      if (*end != 0 || !std::isfinite(values.back())) fail(fmt::format("'{}' is not a number", word));
    }
    if (values.empty()) continue;
    if (values.size() != 3 && values.size() != 6)
      fail(fmt::format("{} numbers; a node has three of displacement, or six with its velocity", values.size()));
    if (node == nodes) fail(fmt::format("more lines than the body has nodes, {}", nodes));
    start.displacement[node] += Vec3(values[0], values[1], values[2]);
    if (values.size() == 6) start.velocity[node] += Vec3(values[3], values[4], values[5]);
    ++node;
  }
  if (node != nodes)
    throw std::runtime_error(fmt::format("{} has {} lines of numbers, and the body has {} nodes", file, node, nodes));
}

}  // namespace

void add_start(const BodyOptions& options, Body& body) {
  if (options.start_displacement.empty() && options.start_velocity.empty() && options.start_file.empty()) return;
  const std::size_t nodes = body.x.size();
  Start start{std::vector<Vec3>(nodes, Vec3::Zero()), std::vector<Vec3>(nodes, Vec3::Zero())};
  add_field("start_displacement", options.start_displacement, body.rest->x, start.displacement);
  add_field("start_velocity", options.start_velocity, body.rest->x, start.velocity);
  add_file(options.start_file, start);
  for (const Hold& hold : body.rest->holds)
    for (std::vector<Vec3>* field : {&start.displacement, &start.velocity})
      (*field)[std::size_t(hold.node)] = hold.free * (*field)[std::size_t(hold.node)];
  for (std::size_t i = 0; i < nodes; ++i) {
    body.x[i] += start.displacement[i];
    body.v[i] += start.velocity[i];
  }
}

}  // namespace coracle
