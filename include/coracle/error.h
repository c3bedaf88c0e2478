// Two kinds of trouble: mistakes of the user (SceneError, exit code 2) and of ours (CHECK, always on).
// Numerical trouble is neither: it is a value in a report.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace coracle {

// Where an option came from, for messages: "scene.toml:12:3" or "--set liquid.density=-1".
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  std::string text() const;
};

struct Problem {
  Place place;
  std::string message;
  std::string text() const { return place.text() + ": " + message; }
};

// Everything that is wrong with the input, at once.
class SceneError : public std::runtime_error {
 public:
  explicit SceneError(std::vector<Problem> found);
  std::vector<Problem> problems;
};

// A run that cannot go on: disk full, a directory in the way, a solve that fails at the smallest step.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace coracle

#define CHECK(condition) \
  if (!(condition)) ::coracle::check_failed(#condition, __FILE__, __LINE__)
