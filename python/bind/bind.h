// The module coracle._core: what Python needs of the library, in plain functions and two classes. The folder coracle,
// in Python, makes of it what users see.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <vector>

namespace coracle {

struct StepReport;
struct Scene;

namespace py = pybind11;

void bind_errors(py::module_& m);
void bind_scenes(py::module_& m);
void bind_simulation(py::module_& m);
void bind_runs(py::module_& m);
void bind_pictures(py::module_& m);

// A step's report under the names of stats.jsonl, with its probes by name and its bodies by name.
py::object as_record(const StepReport& report, const std::vector<std::string>& probe_columns);

}  // namespace coracle
