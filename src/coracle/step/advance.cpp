#include "coracle/step/advance.h"

#include "coracle/error.h"
#include "coracle/scene/layers.h"
#include "coracle/step/body/muscles.h"
#include "coracle/step/body/stress.h"
#include "coracle/step/page.h"
#include "coracle/world/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr int most_retries = 8;

// Call f(fluid, its work) for the kind of fluid that the world holds.
template <class W, class F>
decltype(auto) on_page(W& world, Workspace& work, F&& f) {
  return std::visit(
      [&](auto& fluid) -> decltype(auto) {
        using Work = decltype(work_of(fluid));
        if (!std::holds_alternative<Work>(work.fluid)) work.fluid.template emplace<Work>();
        return f(fluid, std::get<Work>(work.fluid));
      },
      world.fluid);
}

// A likely cause of a failing step: Green strain does not distinguish an inverted element from a valid one.
std::string inversion_hint(const World& world) {
  for (const Body& body : world.bodies)
    if (body.rest->options.material == MaterialModel::st_venant_kirchhoff && least_quality(body) < 0)
      return fmt::format(
          "; {} is inverted, and st_venant_kirchhoff does not push it back: use a stiffer body or material = "
          "'fixed_corotated'",
          name_worst_element(body, body.x));
  return "";
}

// The world as it was before the step. The workspace must be derived again.
void go_back(World& world, Workspace& work) {
  work.stale = true;
  work.before.restore(world);
  on_page(world, work, [](auto& fluid, auto& own) { undo(fluid, own); });
}

}  // namespace

void start(const Scene& scene, World& world, Workspace& work) {
  on_page(world, work, [&](auto& fluid, auto& own) { start(scene, world, fluid, work.step, own); });
}

void derive(const Scene& scene, World& world, Workspace& work) {
  on_page(world, work, [&](auto& fluid, auto& own) { derive(scene, world, fluid, work.step, own); });
  work.stale = false;
}

StepReport advance_step(const Scene& scene, World& world, Workspace& work) {
  if (work.stale) derive(scene, world, work);  // the last step ended by an exception
  const double end = (world.clock.frame + 1) / scene.time.fps;
  for (int retries = 0;; ++retries) {
    // Equal steps to the end of the frame, each at most the stable one; a retry halves it.
    const StableStep stable =
        on_page(world, work, [&](auto& fluid, auto& own) { return stable_step(scene, world, fluid, own); });
    const double rest = end - world.clock.time;
    const double wanted = stable.dt * std::pow(0.5, retries);
    const double count = std::ceil(rest / wanted * (1 - 1e-9));
    const double dt = rest / std::max(count, 1.0);
    if (dt < scene.time.min_dt)
      throw StepError(
          fmt::format("step {} at t = {:.6g} s needs dt = {:.3g} s, below time.min_dt = {:.3g} s: something moves "
                      "at {:.3g} m/s{}",
                      world.clock.step, world.clock.time, dt, scene.time.min_dt, stable.speed, inversion_hint(world)));

    on_page(world, work, [](auto& fluid, auto& own) { set_out(fluid, own); });
    work.before.remember(world);
    tense_muscles(world.bodies, world.clock.time + 0.5 * dt);
    StepReport report;
    try {
      report =
          on_page(world, work, [&](auto& fluid, auto& own) { return step(scene, world, fluid, work.step, own, dt); });
    } catch (...) {  // out of memory, or a bug
      go_back(world, work);
      throw;
    }
    if (report.ok) {
      if (count <= 1) world.clock.time = end;
      report.time = world.clock.time;
      report.retries = retries;
      report.frame = world.clock.frame + 1;
      if (count <= 1) world.clock.frame += 1;
      return report;
    }
    go_back(world, work);
    derive(scene, world, work);
    if (retries + 1 > most_retries || dt / 2 < scene.time.min_dt)
      throw StepError(fmt::format("step {} at t = {:.6g} s fails at dt = {:.3g} s: {}{}", world.clock.step,
                                  world.clock.time, dt, report.trouble, inversion_hint(world)));
  }
}

void advance_frame(const Scene& scene, World& world, Workspace& work,
                   const std::function<void(const StepReport&)>& on_step) {
  const int frame = world.clock.frame;
  while (world.clock.frame == frame) on_step(advance_step(scene, world, work));
}

void bring_home(World& world, Workspace& work) {
  on_page(world, work, [](auto& fluid, auto& own) { bring_home(fluid, own); });
}

FrameLayers frame_layers(const Scene& scene, const World& world, const Workspace& work) {
  return std::visit(
      [&](const auto& fluid) { return layers(scene, world, fluid, std::get<decltype(work_of(fluid))>(work.fluid)); },
      world.fluid);
}

FluidReport blank_fluid_report(const Scene& scene) {
  const Fluid blank = empty_fluid(fluid_kind(scene), Grid{});
  FluidReport report = std::visit([](const auto& fluid) -> FluidReport { return report_of(fluid); }, blank);
  if (auto* liquid = std::get_if<LiquidReport>(&report); liquid && scene.method == Method::skinned)
    liquid->skinned.emplace();
  return report;
}

const AssembledSystem* failed_system(const Workspace& work) {
  return std::visit([](const auto& own) { return failed_system(own); }, work.fluid);
}

}  // namespace coracle
