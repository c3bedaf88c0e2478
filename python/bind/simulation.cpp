// coracle._core.Simulation: a simulation, its state as arrays, and what may be set between steps.
#include "bind/bind.h"
#include "bind/leases.h"
#include "coracle/base/parallel.h"
#include "coracle/out/forecast.h"
#include "coracle/out/simulation_state.h"
#include "coracle/step/body/stress.h"
#include "coracle/step/skinned/shown_skin.h"

#include <fmt/format.h>
#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <stdexcept>

namespace coracle {
namespace {

using Numbers = py::array_t<double, py::array::c_style>;

class PythonSimulation {
 public:
  PythonSimulation(Scene scene, const std::string& checkpoint, int threads, bool force_memory) : threads_(threads) {
    const SimulationOptions options{.log = [this](const std::string& line) { messages_.push_back(line); }};
    const Outside others_go_on;
    const ThreadLimit limit(threads_);
    if (!force_memory) require_memory(scene);
    if (checkpoint.empty())
      simulation_.emplace(std::move(scene), options);
    else
      simulation_.emplace(Simulation::resume(std::move(scene), checkpoint, options));
  }

  // ---- Time

  py::object step() {
    StepReport report;
    {
      const Turn turn(*this, Work::step);
      leases_.detach();
      const Outside others_go_on;
      const ThreadLimit limit(threads_);
      report = simulation_->step();
    }
    return as_record(report, simulation_->probe_columns());
  }
  const Clock& clock() { return state().world.clock; }
  bool done() { return use().done(); }
  const Scene& scene() { return use().scene(); }

  // ---- Controls

  void set_force(const std::string& body, const std::optional<Numbers>& force) {
    std::vector<Vec3> rows;
    if (force) {
      if (force->ndim() != 2 || force->shape(1) != 3) throw py::value_error("a force has three columns");
      rows.resize(force->shape(0));
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = Eigen::Map<const Vec3>(force->data(py::ssize_t(i), 0));
    }
    control().set_force(body, std::move(rows));
  }
  void set_flow(const std::string& inflow, const std::array<double, 3>& v) {
    control().set_flow(inflow, Eigen::Map<const Vec3>(v.data()));
  }
  void move_hold(const std::string& body, int hold, const std::array<double, 3>& way, double seconds) {
    control().move_hold(body, hold, Eigen::Map<const Vec3>(way.data()), seconds);
  }
  void set_activation(const std::string& body, const std::string& muscle, std::optional<double> value) {
    control().set_activation(body, muscle, value);
  }

  // ---- State

  std::vector<std::string> body_names() { return names(state().world.bodies); }
  std::vector<std::string> solid_names() { return names(state().world.solids); }
  std::vector<std::string> muscle_names(std::size_t body) {
    return names(state().world.bodies.at(body).rest->options.muscles);
  }

  py::array body(std::size_t index, const std::string& what) {
    Body& body = state().world.bodies.at(index);
    const auto rest = [&](const auto& values) { return array_over(values, body.rest); };
    if (what == "x") return leases_.view(body.x);
    if (what == "v") return leases_.view(body.v);
    if (what == "force") return leases_.view(body.controls.force);
    if (what == "rest") return rest(body.rest->x);
    if (what == "mass") return rest(body.rest->mass);
    if (what == "tris") return rest(body.rest->skin.tris);
    if (what == "segments") return rest(body.rest->skin.segments);
    if (what == "stress") return array_of(von_mises(body).nodes);
    if (what == "elements") return elements(body.rest);
    throw InternalError("a body has no array " + what);
  }
  py::array solid(std::size_t index, const std::string& what) {
    Solid& solid = state().world.solids.at(index);
    if (what == "x") return leases_.view(solid.x);
    if (what == "v") return leases_.view(solid.v);
    if (what == "tris") return array_over(solid.rest->tris, solid.rest);
    throw InternalError("a solid has no array " + what);
  }
  py::object particles(const std::string& what) {
    return std::visit(
        [&](auto& fluid) -> py::object {
          if constexpr (requires { fluid.particles.x; })
            return what == "x"   ? leases_.view(fluid.particles.x)
                   : what == "v" ? py::object(leases_.view(fluid.particles.v))
                                 : py::none();
          else if constexpr (requires { fluid.kind; })
            return what == "x" ? leases_.view(fluid.x) : what == "v" ? leases_.view(fluid.v) : leases_.view(fluid.kind);
          else
            return py::none();
        },
        world().fluid);
  }
  // A field of the grid; none if the fluid does not have it.
  py::object field(const std::string& what) {
    return std::visit(
        [&](auto& fluid) -> py::object {
          if constexpr (requires { fluid.pressure; }) {
            if (what == "pressure") return leases_.view(fluid.pressure);
            for (int a = 0; a < 3; ++a)
              if (what == fmt::format("u{}", a)) return leases_.view(fluid.u[a]);
          }
          if constexpr (requires { fluid.smoke; }) {
            if (what == "smoke") return leases_.view(fluid.smoke);
            if (what == "temperature") return leases_.view(fluid.temperature);
          }
          return py::none();
        },
        world().fluid);
  }
  // Thickness, m, per vertex of the solids that hold liquid, by name.
  py::dict film() {
    py::dict by_name;
    world();
    const Simulation::State& now = state();
    std::visit(
        [&](const auto& fluid) {
          if constexpr (requires { fluid.skins; })
            for (SolidLayer& layer : film_layers(now.scene, now.world, fluid))
              by_name[py::str(now.world.solids[layer.solid].name)] = array_of(std::move(layer.values));
        },
        now.world.fluid);
    return by_name;
  }
  py::object grid() {
    return std::visit(
        [&](const auto& fluid) -> py::object {
          if constexpr (requires { fluid.grid; })
            return tuple_of(fluid.grid);
          else
            return py::none();
        },
        state().world.fluid);  // no need to fetch arrays for it
  }
  std::vector<std::string> probe_columns() { return use().probe_columns(); }

  // ---- Files

  void write_frame(const std::string& dir) {
    const Turn turn(*this, Work::file);
    const Outside others_go_on;
    const ThreadLimit limit(threads_);
    simulation_->write_frame(dir);
  }
  void save(const std::string& checkpoint) {
    const Turn turn(*this, Work::file);
    const Outside others_go_on;
    simulation_->save(checkpoint);
  }
  // What the library has said since the last call.
  std::vector<std::string> take_messages() { return std::exchange(messages_, {}); }

 private:
  enum class Work { none, step, file };
  // While a step goes on, other threads of Python may run, but must not look at the state. While a file is written,
  // they wait.
  void require_idle() {
    while (work_ == Work::file) {
      const Outside others_go_on;
      const std::lock_guard until_written(turns_);
    }
    if (work_ == Work::step) throw std::runtime_error("another thread steps this simulation now; wait for its end");
  }
  // Such calls wait for each other.
  class Turn {
   public:
    Turn(PythonSimulation& s, Work work) : simulation_(s) {
      const Outside others_go_on;
      s.turns_.lock();
      s.work_ = work;
    }
    ~Turn() {
      simulation_.work_ = Work::none;
      simulation_.turns_.unlock();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    PythonSimulation& simulation_;
  };

  Simulation& use() {
    require_idle();
    return *simulation_;
  }
  Simulation::State& state() { return use().state(); }
  // The world with its fluid, wherever that is.
  World& world() {
    use().world();
    return state().world;
  }
  // What is set changes the state that arrays may show.
  Simulation& control() {
    require_idle();
    leases_.detach();
    return *simulation_;
  }

  static py::array elements(const std::shared_ptr<const BodyRest>& rest) {
    return std::visit(
        [&](const auto& e) {
          if constexpr (requires { e.tris; })
            return array_over(e.tris, rest);
          else if constexpr (requires { e.segments; })
            return array_over(e.segments, rest);
          else if constexpr (requires { e.nodes; })
            return array_over(e.nodes, rest);
          else if constexpr (requires { e.tets; })
            return array_over(e.tets, rest);
          else
            return array_over(std::vector<Vec4i>(), rest);  // a rigid body
        },
        rest->elements);
  }

  std::vector<std::string> messages_;
  std::optional<Simulation> simulation_;  // filled in while other threads go on
  int threads_;
  std::mutex turns_;
  std::atomic<Work> work_ = Work::none;
  Leases leases_;  // ends before the simulation
};

}  // namespace

void bind_simulation(py::module_& m) {
  using S = PythonSimulation;
  py::class_<S>(m, "Simulation")
      .def(py::init<Scene, std::string, int, bool>())
      .def("step", &S::step)
      .def_property_readonly("time", [](S& s) { return s.clock().time; })
      .def_property_readonly("frame", [](S& s) { return s.clock().frame; })
      .def_property_readonly("steps", [](S& s) { return s.clock().step; })
      .def_property_readonly("done", &S::done)
      .def_property_readonly("scene", [](S& s) { return s.scene(); })
      .def_property_readonly("body_names", &S::body_names)
      .def_property_readonly("solid_names", &S::solid_names)
      .def("muscle_names", &S::muscle_names)
      .def("body", &S::body)
      .def("solid", &S::solid)
      .def("particles", &S::particles)
      .def("field", &S::field)
      .def("film", &S::film)
      .def("grid", &S::grid)
      .def("probe_columns", &S::probe_columns)
      .def("set_force", &S::set_force)
      .def("set_flow", &S::set_flow)
      .def("move_hold", &S::move_hold)
      .def("set_activation", &S::set_activation)
      .def("write_frame", &S::write_frame)
      .def("save", &S::save)
      .def("take_messages", &S::take_messages);
}

}  // namespace coracle
