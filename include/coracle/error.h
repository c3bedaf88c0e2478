// Wrong input throws SceneError, a file or folder that cannot be used RunError: the user can mend both (exit code 2). A
// step that cannot be done throws StepError, a bug in coracle InternalError (CHECK, always on; exit code 1). Memory
// that runs out throws std::bad_alloc (exit code 4). Numerical failure within a step is a value in a report.
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

// Something outside the scene is in the way: the disk is full, a frame is damaged, a directory has the file's name.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A step that fails even at the smallest dt.
class StepError : public RunError {
 public:
  using RunError::RunError;
};

// A bug in coracle: please report it.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace coracle
