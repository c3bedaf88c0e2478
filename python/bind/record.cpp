#include "bind/arrays.h"
#include "bind/bind.h"
#include "coracle/step/report_fields.h"

#include <pybind11/stl.h>

namespace coracle {
namespace {

py::object record() { return py::module_::import("coracle.record").attr("Record")(); }

template <class R>
py::object of_report(const R& report);

template <class T>
py::object of_value(const T& value) {
  return py::cast(value);
}
py::object of_value(const Vec3& v) { return array_of(v); }
py::object of_value(const std::vector<std::pair<std::string, double>>& seconds) {
  py::object times = record();
  for (const auto& [name, value] : seconds) times[py::str(name)] = value;
  return times;
}
template <class R>
py::object of_value(const std::vector<R>& reports) {
  if constexpr (requires(const R& r) { r.name; }) {
    py::object by_name = record();
    for (const R& report : reports) by_name[py::str(report.name)] = of_report(report);
    return by_name;
  } else {
    py::list list;
    for (const R& report : reports) list.append(of_report(report));
    return list;
  }
}

template <class R>
py::object of_report(const R& report) {
  py::object fields = record();
  for_fields(report, [&](const char* name, const auto& value) { fields[name] = of_value(value); });
  return fields;
}

}  // namespace

py::object as_record(const StepReport& r, const std::vector<std::string>& probe_columns) {
  py::object step = record();
  step["step"] = r.step;
  step["frame"] = r.frame;
  step["time"] = r.time;
  step["dt"] = r.dt;
  step["retries"] = r.retries;
  step["stages"] = of_value(r.stages.seconds());
  step["solver"] = of_report(r.solver);
  for_fluid(r.fluid, [&](const char* name, const auto& fluid) { step[name] = of_report(fluid); });
  step["bodies"] = of_value(r.bodies);
  if (r.contact) step["contact"] = of_report(*r.contact);
  step["memory_mb"] = r.memory_mb;
  step["notes"] = r.notes;
  py::object probes = record();
  for (std::size_t i = 0; i < r.probes.size(); ++i) probes[py::str(probe_columns[i])] = r.probes[i];
  step["probes"] = probes;
  return step;
}

}  // namespace coracle
