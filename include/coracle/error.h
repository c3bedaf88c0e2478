// Wrong input throws SceneError (exit code 2). A run that cannot continue throws RunError (exit code 1). A bug in
// coracle throws InternalError (CHECK, always on). Numerical failure is a value in a report.
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

// All problems of the input in one error.
class SceneError : public std::runtime_error {
 public:
  explicit SceneError(std::vector<Problem> found);
  std::vector<Problem> problems;
};

// A run that cannot continue: the disk is full, a directory has the file's name, a solve fails at the smallest step.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A bug in coracle: please report it.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace coracle
