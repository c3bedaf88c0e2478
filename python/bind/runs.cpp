// Whole runs, as `coracle run` makes them, and what they left.
#include "bind/arrays.h"
#include "bind/bind.h"
#include "coracle/base/parallel.h"
#include "coracle/out/frame_check.h"
#include "coracle/out/judge.h"
#include "coracle/out/replay.h"
#include "coracle/out/run.h"
#include "coracle/out/run_directory.h"
#include "coracle/step/body/measure.h"
#include "coracle/world/build.h"

#include <pybind11/functional.h>
#include <pybind11/stl.h>

namespace coracle {
namespace {

// What `on_step` or `say` throws stops the run, with a checkpoint, and is thrown on.
void run_scene(const Scene& scene, RunOptions options, int threads, const py::function& on_step,
               const py::function& say) {
  Callbacks inside;
  options.stop = &inside.stop;
  options.say = [&](const std::string& text) { inside([&] { say(text); }); };
  options.warn = [&](const std::string& text) { inside([&] { say("warning: " + text); }); };
  const std::vector<std::string> columns = probe_columns(scene);
  try {
    const Outside others_go_on;
    const ThreadLimit limit(threads);
    (void)run(scene, options,
              [&](const StepReport& report, const World&) { inside([&] { on_step(as_record(report, columns)); }); });
  } catch (...) {
    inside.rethrow();  // it came first
    throw;
  }
  inside.rethrow();
}

py::object mesh(PlyMesh&& m) {
  py::dict fields;
  for (PlyField& f : m.fields) fields[py::str(f.name)] = array_of(std::move(f.values));
  py::dict parts;
  parts["x"] = array_of(std::move(m.x));
  parts["tris"] = array_of(std::move(m.tris));
  parts["v"] = m.v.empty() ? py::object(py::none()) : array_of(std::move(m.v));
  parts["fields"] = fields;
  return parts;
}

}  // namespace

void bind_runs(py::module_& m) {
  m.def("run", [](const Scene& scene, const std::string& scene_file, const std::string& out, bool resume,
                  bool overwrite, bool force_memory, double checkpoint_minutes, int threads,
                  const py::function& on_step, const py::function& say) {
    RunOptions options;
    options.dir = out;
    options.resume = resume;
    options.overwrite = overwrite;
    options.force_memory = force_memory;
    options.checkpoint_minutes = checkpoint_minutes;
    if (!scene_file.empty()) options.expectations = load_expectations(scene_file, scene);
    run_scene(scene, std::move(options), threads, on_step, say);
  });
  m.def("require_run", &require_run);
  m.def("is_being_written", &is_being_written);
  m.def("judge", [](const std::string& dir) {
    const Outside others_go_on;
    const Scene scene = load_scene(scene_file(dir));
    std::vector<std::tuple<std::string, std::string, double, std::string>> all;
    for (const Judgement& j : judge(load_expectations(scene_file(dir), scene), dir, scene.time.frames / scene.time.fps))
      all.emplace_back(j.expectation.claim, word(j.verdict), j.measured, bound_text(j.expectation));
    return all;
  });

  py::class_<Replay>(m, "Replay")
      .def(py::init([](const std::string& dir) { return open_replay(dir); }))
      .def_readonly("scene", &Replay::scene)
      .def_property_readonly("frames", [](const Replay& r) { return finished_frames(r); })
      .def_property_readonly("grid", [](const Replay& r) { return tuple_of(scene_grid(r.scene.domain)); })
      .def_property_readonly("bodies", [](const Replay& r) { return names(r.scene.bodies); })
      .def_property_readonly("solids", [](const Replay& r) { return names(r.scene.solids); })
      .def("liquid", [](const Replay& r, int frame) { return mesh(read_liquid(r, frame)); })
      .def("drops", [](const Replay& r, int frame) { return mesh(read_drops(r, frame)); })
      .def("body",
           [](const Replay& r, std::size_t i, int frame) { return mesh(read_body(r, r.scene.bodies.at(i), frame)); })
      .def("solid",
           [](const Replay& r, std::size_t i, int frame) { return mesh(read_solid(r, r.scene.solids.at(i), frame)); })
      .def("smoke", [](const Replay& r, int frame) { return array_of(read_smoke(r, frame).values); })
      .def("particles", [](const Replay& r, int frame) { return mesh(read_particles(r, frame)); });
}

}  // namespace coracle
