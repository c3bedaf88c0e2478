#include "coracle/out/forecast.h"

#include "coracle/base/amounts.h"
#include "coracle/base/memory.h"
#include "coracle/scene/layers.h"
#include "coracle/shape/tet_io.h"
#include "coracle/simulation.h"
#include "coracle/timer.h"
#include "coracle/world/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <vector>

namespace coracle {
namespace {

// Of a trial: a step takes some hundredths of a second.
constexpr double trial_cells = 8000, trial_nodes = 1000;
constexpr double most_nodes = 4000;    // of bodies from files that cannot be made coarser
constexpr int trial_steps = 3;         // after the first, which starts all solvers from zero
constexpr double trial_seconds = 0.1;  // for these steps; one is always done
// Time of bodies over nodes: linear for assembly and an iteration, quadratic for a factor.
constexpr double body_growth = 4.0 / 3;

double nodes_of(const Scene& scene) {
  double nodes = 0;
  for (const BodySize& size : expected_sizes(scene)) nodes += size.nodes;
  return nodes;
}

// Whether the nodes of the body are those of a file, whatever its edge is.
bool has_nodes_of_file(const BodyOptions& body) {
  if (body.shape.kind != ShapeKind::mesh) return false;
  return body.kind == BodyKind::shell || body.kind == BodyKind::rigid || is_tet_file(body.shape.file);
}

// Number of nodes ∝ edge^−dimension.
double dimension(BodyKind kind) { return kind == BodyKind::solid ? 3 : kind == BodyKind::rod ? 1 : 2; }

// The scene with a coarse grid and coarse bodies.
Scene trial_of(const Scene& scene, const RunSize& size) {
  Scene trial = scene;
  DomainOptions& domain = trial.domain;
  const double coarser = std::pow(trial_cells / size.cells, domain.slab > 0 ? 1.0 / 2 : 1.0 / 3);
  domain.resolution = std::min(domain.resolution, std::max(8, int(domain.resolution * coarser)));
  domain.slab = std::min(domain.slab, domain.resolution);
  if (const double fewer = size.nodes / trial_nodes; fewer > 1)
    for (BodyOptions& body : trial.bodies) {
      const double longer = std::pow(fewer, 1 / dimension(body.kind));
      body.edge *= longer;
      for (int& count : body.cells) count = std::max(1, int(count / longer));
      body.start_file.clear();  // it has numbers for each node
    }
  for (BodyOptions& body : trial.bodies) body.render.clear();
  trial.probes.clear();
  trial.attachments.clear();  // their nodes are not there with other edges
  trial.time.frames = 1'000'000;
  return trial;
}

// Mean wall time of a step, s.
double step_time(const Scene& scene) {
  Simulation simulation(scene);
  simulation.step();
  const auto start = std::chrono::steady_clock::now();
  for (int steps = 1;; ++steps) {
    simulation.step();
    const double seconds = seconds_since(start);
    if (steps == trial_steps || seconds > trial_seconds) return seconds / steps;
  }
}

// s, per step of the whole scene.
double scaled_step_time(const Scene& scene, const Scene& trial, const RunSize& size) {
  const double all = step_time(trial);
  double fluid = 0;
  if (has_fluid(trial)) {
    Scene alone = trial;
    alone.bodies.clear();
    alone.attachments.clear();
    fluid = trial.bodies.empty() ? all : std::min(all, step_time(alone));
  }
  const Grid coarse = scene_grid(trial.domain);
  const double more_cells = size.cells / coarse.n.cast<double>().prod() *
                            relative_cost(scene, scene_grid(scene.domain)) / relative_cost(trial, coarse);
  const double more_nodes = trial.bodies.empty() ? 1 : std::max(1.0, size.nodes / nodes_of(trial));
  return fluid * more_cells + (all - fluid) * std::pow(more_nodes, body_growth);
}

}  // namespace

std::string parts_of(const RunSize& size) {
  std::vector<std::string> parts;
  if (size.grid_bytes > 0) parts.push_back(count_text(size.cells) + " cells");
  if (size.particles > 0) parts.push_back(count_text(size.particles) + " particles");
  if (size.tets > 0) parts.push_back(count_text(size.tets) + " tetrahedra");
  if (size.triangles > 0) parts.push_back(count_text(size.triangles) + " triangles");
  if (size.segments > 0) parts.push_back(count_text(size.segments) + " segments");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string memory_problem(const Scene& scene, const RunSize& size) {
  const double free = available_memory();
  if (size.bytes <= free) return "";
  const int fit = fitting_resolution(scene, size, free);
  std::string remedy = "make the edges of the bodies larger";
  if (fit > 0) {
    remedy = fmt::format("domain.resolution = {} would fit", fit);
  } else if (scene.bodies.empty()) {
    remedy = "end other programs, or use a machine with more memory";
  }
  return fmt::format(
      "the run needs about {} of memory ({}), and {} are free; {}, or --force-memory runs it all the same",
      size_text(size.bytes), parts_of(size), size_text(free), remedy);
}

void require_memory(const Scene& scene) {
  const RunSize size = run_size(scene, scene_grid(scene.domain), expected_sizes(scene));
  const std::string problem = memory_problem(scene, size);
  if (problem.empty()) return;
  const Place& place = scene.domain.place;
  throw SceneError({{place.file.empty() ? Place{"domain.resolution"} : place, problem}});
}

FrameTime measure_frame_time(const Scene& scene, const RunSize& size) {
  FrameTime time;
  for (const BodyOptions& body : scene.bodies)
    if (has_nodes_of_file(body) && size.nodes > most_nodes) {
      time.trouble = fmt::format("the elements of '{}' are too many for a trial", body.name);
      return time;
    }
  time.steps = expected_steps(scene, scene_grid(scene.domain));
  const Scene trial = trial_of(scene, size);
  time.resolution = trial.domain.resolution;
  try {
    time.seconds = time.steps * scaled_step_time(scene, trial, size);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    time.trouble = error.what();
  }
  return time;
}

}  // namespace coracle
