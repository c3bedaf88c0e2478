// Errors of the library as exceptions of coracle.errors. Memory that runs out is MemoryError.
#include "bind/bind.h"
#include "coracle/out/run.h"

#include <new>
#include <utility>

namespace coracle {
namespace {

void raise_as(const char* name, const py::object& arguments) {
  const py::object type = py::module_::import("coracle.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(*arguments).ptr());
}
void raise_as(const char* name, const std::exception& error) { raise_as(name, py::make_tuple(error.what())); }

void raise_scene_error(const SceneError& error) {
  py::list problems;
  for (const Problem& p : error.problems)
    problems.append(py::make_tuple(p.place.file, p.place.line, p.place.column, p.message));
  raise_as("SceneError", py::make_tuple(problems));
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const SceneError& error) {
      raise_scene_error(error);
    } catch (const MemoryError& error) {
      PyErr_SetString(PyExc_MemoryError, error.what());
    } catch (const std::bad_alloc&) {
      PyErr_SetString(PyExc_MemoryError,
                      "out of memory; a lower domain.resolution or larger edges of bodies need less memory");
    } catch (const StepError& error) {
      raise_as("StepError", error);
    } catch (const RunError& error) {
      raise_as("RunError", error);
    } catch (const InternalError& error) {
      raise_as("InternalError", error);
    }
  });
}

}  // namespace coracle
