#include "app/commands.h"
#include "app/print.h"
#include "coracle/base/amounts.h"
#include "coracle/base/memory.h"
#include "coracle/out/forecast.h"
#include "coracle/out/frames.h"
#include "coracle/out/judge.h"
#include "coracle/scene/animation.h"
#include "coracle/scene/fluid_summary.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/nearest.h"
#include "coracle/scene/scenes.h"
#include "coracle/scene/tables.h"
#include "coracle/step/contact/contact_start.h"
#include "coracle/world/animation_warnings.h"
#include "coracle/world/bodies.h"
#include "coracle/world/build.h"
#include "coracle/world/overlap.h"
#include "coracle/world/surface.h"
#include "coracle/world/ties.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

namespace coracle {
namespace {

void print_solid(const SolidOptions& s) {
  print("  solid       {}: {}{}", s.name, words(s.shape.kind)[int(s.shape.kind)], s.container ? ", container" : "");
  if (!s.clip.empty()) print(", clip '{}'", s.clip);
  if (is_animated(s)) print(", animated");
  if (!moves(s)) print(", still");
  for (const MotionOptions& m : s.motions) print(", {}", words(m.kind)[int(m.kind)]);
  print("\n");
}

// ", corotational"; shells, rods and rigid bodies have no choice of material.
std::string material_of(const BodyRest& rest) {
  const BodyOptions& o = rest.options;
  return o.kind == BodyKind::solid ? fmt::format(", {}", words(o.material)[int(o.material)]) : "";
}

void print_memory(const RunSize& size, const std::string& problem) {
  print("  memory      about {}", size_text(size.bytes));
  if (const std::string parts = parts_of(size); !parts.empty()) print(" for {}", parts);
  if (const double free = available_memory(); std::isfinite(free)) print("; {} are free", size_text(free));
  print("\n");
  if (!problem.empty()) print("  warning     {}\n", problem);
}

void print_time(const Scene& scene, const RunSize& size) {
  std::fflush(stdout);  // before the wait
  const FrameTime time = measure_frame_time(scene, size);
  if (!time.trouble.empty())
    print("  time        not known, a trial failed: {}\n", time.trouble.substr(0, time.trouble.find('\n')));
  else
    print("  time        about {} per frame, {} in all: {} step{} a frame, as a trial with resolution {} suggests\n",
          time.seconds < 10 ? fmt::format("{:.2g} s", time.seconds) : duration_text(time.seconds),
          duration_text(scene.time.frames * time.seconds), time.steps, time.steps > 1 ? "s" : "", time.resolution);
}

}  // namespace

int check_command(const std::string& name, const std::vector<Override>& overrides, const std::string& preset) {
  const std::string file = find_scene(name);
  const Scene scene = load_scene(file, overrides, preset);
  const std::vector<Expectation> expectations = load_expectations(file, scene);
  const Grid grid = scene_grid(scene.domain);
  const double cells = double(grid.n.x()) * grid.n.y() * grid.n.z();

  print("{}\n", scene.title.empty() ? name : one_line(scene.title, longest_title));
  print("  file        {}\n", file);
  if (!scene.preset.empty()) print("  preset      {}\n", scene.preset);
  print("  grid        {} x {} x {} = {:.3g} cells of {:.4g} m\n", grid.n.x(), grid.n.y(), grid.n.z(), cells, grid.dx);
  for (const SummaryLine& line : fluid_summary(scene, grid)) print("  {:<12}{}\n", line.label, line.text);
  for (const SolidOptions& s : scene.solids) print_solid(s);
  const RunSize size = run_size(scene, grid, expected_sizes(scene));
  const std::string too_large = memory_problem(scene, size);
  print_memory(size, too_large);
  for (const std::string& note : large_bodies(scene)) print("  meshing     {}\n", note);
  std::fflush(stdout);  // before the wait, and before errors
  const std::vector<Body> bodies = build_bodies(scene);
  if (std::vector<Problem> problems = overlap_problems(build_solids(scene), bodies); !problems.empty())
    throw SceneError(std::move(problems));
  World world;
  world.domain = {grid.origin, grid.upper()};
  world.solids = build_solids(scene);
  world.bodies = bodies;
  world.ties = build_ties(scene, bodies);
  if (std::vector<Problem> problems = barrier_problems(scene, world); !problems.empty())
    throw SceneError(std::move(problems));
  for (const Body& b : bodies)
    print("  body        {}: {} nodes, {}{}\n", b.name, b.x.size(), count_elements(*b.rest), material_of(*b.rest));
  for (const ProbeOptions& p : scene.probes) print("  probe       {}: {}\n", p.name, words(p.kind)[int(p.kind)]);
  print("  frames      {} at {:.4g} per second: {:.4g} s\n", scene.time.frames, scene.time.fps,
        scene.time.frames / scene.time.fps);
  if (too_large.empty()) print_time(scene, size);
  for (const Expectation& e : expectations) print("  expected    {}: {}\n", e.claim, bound_text(e));
  for (const std::string& word : animation_warnings(scene, world.solids)) print("  warning     {}\n", word);
  if (has_fluid(scene))
    for (const std::string& word : thin_bodies(grid, bodies, fluid_name(scene))) print("  warning     {}\n", word);
  for (const std::string& note : fluid_notes(scene, grid)) print("  note        {}\n", note);
  print("ok\n");
  return 0;
}

}  // namespace coracle
