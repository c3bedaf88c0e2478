#include "coracle/base/check.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {

std::string Place::text() const { return line > 0 ? fmt::format("{}:{}:{}", file, line, std::max(column, 1)) : file; }

namespace {
std::string joined(const std::vector<Problem>& problems) {
  std::string all;
  for (const Problem& p : problems) all += (all.empty() ? "" : "\n") + p.text();
  return all;
}
}  // namespace

SceneError::SceneError(std::vector<Problem> found) : std::runtime_error(joined(found)), problems(std::move(found)) {}

void check_failed(const char* condition, const char* file, int line) {
  throw InternalError(
      fmt::format("internal error: CHECK({}) failed at {}:{}. Please report it.", condition, file, line));
}

}  // namespace coracle
