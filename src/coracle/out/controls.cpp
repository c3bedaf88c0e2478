// What a program sets between steps (simulation.h).
#include "coracle/out/simulation_state.h"
#include "coracle/scene/nearest.h"
#include "coracle/step/body/held.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace coracle {
namespace {

template <class List, class Name>
auto& find_named(const std::string& what, const std::string& name, List& list, Name&& name_of) {
  std::vector<std::string> names;
  for (auto& entry : list) {
    if (name_of(entry) == name) return entry;
    if (!name_of(entry).empty()) names.push_back(name_of(entry));
  }
  throw std::invalid_argument(
      names.empty() ? fmt::format("the scene has no {}", what)
                    : fmt::format("there is no {} '{}'; there are {}", what, name, fmt::join(names, ", ")));
}

Body& find_body(World& world, const std::string& name) {
  return find_named("body", name, world.bodies, [](const Body& body) { return body.name; });
}

void require_finite(const std::string& what, const Vec3& value) {
  if (!value.allFinite()) throw std::invalid_argument(what + " must be finite");
}

}  // namespace

void Simulation::set_force(const std::string& name, std::vector<Vec3> force) {
  Body& body = find_body(state_->world, name);
  if (!force.empty() && force.size() != body.x.size())
    throw std::invalid_argument(
        fmt::format("'{}' has {} nodes, and the force {} rows; give one per node", name, body.x.size(), force.size()));
  for (std::size_t i = 0; i < force.size(); ++i) {
    require_finite(fmt::format("the force on node {} of '{}'", i, name), force[i]);
    if (!(body.rest->mass[i] > 0) && force[i] != Vec3::Zero())
      throw std::invalid_argument(
          fmt::format("node {} of '{}' has no mass and cannot bear a force; put it on nodes of the skin", i, name));
  }
  body.controls.force = std::move(force);
}

void Simulation::set_flow(const std::string& name, const Vec3& velocity) {
  require_finite("the velocity of an inflow", velocity);
  World& world = state_->world;
  std::vector<Solid*> flows;
  for (Solid& solid : world.solids)
    if (solid.inflow) flows.push_back(&solid);
  Solid& inflow = *find_named("inflow", name, flows, [](const Solid* s) { return s->name; });
  inflow.flowed = inflow.flowed_at(std::max(world.clock.time, inflow.start));
  inflow.flow_since = std::max(world.clock.time, inflow.start);
  inflow.flow = velocity;
  inflow.flow_is_set = 1;
  inflow.v.assign(inflow.x.size(), velocity);
}

void Simulation::move_hold(const std::string& name, int hold, const Vec3& by, double seconds) {
  Body& body = find_body(state_->world, name);
  const int count = int(body.rest->motions.size());
  if (hold < 0 || hold >= count)
    throw std::invalid_argument(fmt::format("'{}' has {} hold{}, counted from 0; there is no hold {}", name, count,
                                            count == 1 ? "" : "s", hold));
  require_finite("the way of a hold", by);
  if (!(seconds > 0) || !std::isfinite(seconds))
    throw std::invalid_argument("a hold needs some time to move: give seconds above 0");
  std::vector<Shift>& shifts = body.controls.shifts;
  shifts.resize(count);
  const double now = state_->world.clock.time;
  const Vec3 from = way(shifts[hold], now);
  shifts[hold] = {.start = now, .end = now + seconds, .from = from, .to = from + by};
}

void Simulation::set_activation(const std::string& name, const std::string& muscle, std::optional<double> value) {
  Body& body = find_body(state_->world, name);
  const std::vector<MuscleOptions>& muscles = body.rest->options.muscles;
  const MuscleOptions& found =
      find_named(fmt::format("muscle of '{}'", name), muscle, muscles, [](const MuscleOptions& m) { return m.name; });
  if (value && !(*value >= 0 && *value <= 1))
    throw std::invalid_argument(fmt::format("the activation of '{}' must lie between 0 and 1, not {}", muscle, *value));
  std::vector<double>& given = body.controls.activation;
  given.resize(muscles.size(), std::numeric_limits<double>::quiet_NaN());
  given[&found - muscles.data()] = value.value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace coracle
