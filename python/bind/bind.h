// The module coracle._core: what Python needs of the library, in plain functions and two classes. The folder coracle,
// in Python, makes of it what users see.
#pragma once

#include "coracle/scene.h"

#include <pybind11/pybind11.h>

#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle {

struct StepReport;

namespace py = pybind11;

// While the library works: other threads of Python go on. When Python ends, it waits for such calls, since their
// threads would be ended in the middle of them; new ones are refused then.
class Outside {
 public:
  Outside();
  ~Outside();
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;
  static bool python_ends();

 private:
  struct Count {
    Count();
    ~Count();
  } count_;
  py::gil_scoped_release released_;
};

// Changes of a scene as Python gives them: paths, and values in TOML.
using Pairs = std::vector<std::pair<std::string, std::string>>;
std::vector<Override> overrides_of(const Pairs& pairs);

template <class List>
std::vector<std::string> names(const List& list) {
  std::vector<std::string> all;
  all.reserve(list.size());
  for (const auto& entry : list) all.push_back(entry.name);
  return all;
}

// Runs callbacks into Python from code that runs outside. The first exception, also that of Ctrl-C, is kept, `stop` is
// set, and rethrow() throws it inside.
class Callbacks {
 public:
  template <class F>
  void operator()(F&& call) {
    const py::gil_scoped_acquire inside;
    try {
      if (!thrown_) call();
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    } catch (py::error_already_set& error) {
      if (!thrown_) thrown_ = std::move(error);
    }
    if (thrown_ || Outside::python_ends()) stop = 1;
  }
  void rethrow() {
    if (thrown_) throw std::move(*thrown_);
  }
  std::atomic<int> stop = 0;

 private:
  std::optional<py::error_already_set> thrown_;
};

void bind_errors(py::module_& m);
void bind_outside(py::module_& m);
void bind_scenes(py::module_& m);
void bind_simulation(py::module_& m);
void bind_runs(py::module_& m);
void bind_pictures(py::module_& m);

// A step's report under the names of stats.jsonl, with its probes by name and its bodies by name.
py::object as_record(const StepReport& report, const std::vector<std::string>& probe_columns);

}  // namespace coracle
