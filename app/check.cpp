#include "app/commands.h"
#include "coracle/base/parallel.h"
#include "coracle/out/frames.h"
#include "coracle/out/judge.h"
#include "coracle/scene/scenes.h"
#include "coracle/scene/tables.h"
#include "coracle/shape/region.h"
#include "coracle/world/surface.h"

#include <fmt/format.h>

#include <cmath>

namespace coracle {
namespace {

constexpr double particles_per_cell = 8;
constexpr int samples_a_side = 128;  // at most, of the estimate: two million points, about 1 % of a side

// Liquid at the start, m³, by sampling the domain.
double estimate_volume(const Scene& scene, const Grid& grid) {
  std::vector<Region> liquid, solids;
  for (const RegionOptions& r : scene.liquid.regions) liquid.emplace_back(r.shape);
  for (const SolidOptions& s : scene.solids) solids.emplace_back(s.shape);

  Vec3i n;
  for (int a = 0; a < 3; ++a) n[a] = std::min(2 * grid.n[a], samples_a_side);
  const Vec3 step = (grid.upper() - grid.origin).cwiseQuotient(n.cast<double>());
  const auto wet = [&](const Vec3& x) {
    for (std::size_t i = 0; i < solids.size(); ++i)
      if (solids[i].contains(x) != scene.solids[i].container) return false;
    return std::any_of(liquid.begin(), liquid.end(), [&](const Region& r) { return r.contains(x); });
  };
  const double hits = sum_blocks(
      std::size_t(n.y()) * n.z(),
      [&](std::size_t begin, std::size_t end) {
        double count = 0;
        for (std::size_t row = begin; row < end; ++row)
          for (int i = 0; i < n.x(); ++i) {
            const std::size_t j = row % n.y(), k = row / n.y();
            const Vec3 at(i + 0.5, double(j) + 0.5, double(k) + 0.5);
            count += wet(grid.origin + at.cwiseProduct(step));
          }
        return count;
      },
      64);
  return hits * step.prod();
}

void print_solid(const SolidOptions& s) {
  fmt::print("  solid       {}: {}{}", s.name, words(s.shape.kind)[int(s.shape.kind)],
             s.container ? ", container" : "");
  if (s.motions.empty()) fmt::print(", still");
  for (const MotionOptions& m : s.motions) fmt::print(", {}", words(m.kind)[int(m.kind)]);
  fmt::print("\n");
}

}  // namespace

int check_command(const std::string& name, const std::vector<Override>& overrides, const std::string& preset) {
  const std::string file = find_scene(name);
  const Scene scene = load_scene(file, overrides, preset);
  const std::vector<Expectation> expectations = load_expectations(file, scene);
  const Grid grid = scene_grid(scene.domain);
  const double cells = double(grid.n.x()) * grid.n.y() * grid.n.z();

  fmt::print("{}\n", scene.title.empty() ? name : scene.title);
  fmt::print("  file        {}\n", file);
  if (!scene.preset.empty()) fmt::print("  preset      {}\n", scene.preset);
  fmt::print("  grid        {} x {} x {} = {:.3g} cells of {:.4g} m\n", grid.n.x(), grid.n.y(), grid.n.z(), cells,
             grid.dx);
  fmt::print("  method      {}\n", words(scene.method)[int(scene.method)]);
  if (has_liquid(scene)) {
    const double volume = estimate_volume(scene, grid);
    fmt::print("  liquid      about {:.4g} m³, {:.3g} particles\n", volume,
               std::round(volume / grid.cell_volume() * particles_per_cell));
  }
  if (has_gas(scene)) {
    std::string open;
    for (const Side side : scene.domain.open)
      open += fmt::format("{}{}", open.empty() ? "" : ", ", words(side)[int(side)]);
    fmt::print("  gas         {:.4g} kg/m³, {}\n", scene.gas.density,
               open.empty() ? "no side open" : "open at " + open);
  }
  for (const JetOptions& j : scene.jets)
    fmt::print("  jet         {} at {:.3g} m/s\n", j.name.empty() ? "(unnamed)" : j.name, j.velocity.norm());
  for (const InflowOptions& i : scene.inflows)
    fmt::print("  inflow      {} at {:.3g} m/s\n", i.name.empty() ? "(unnamed)" : i.name, i.velocity.norm());
  for (const OutflowOptions& o : scene.outflows)
    fmt::print("  outflow     {}\n", o.name.empty() ? "(unnamed)" : o.name);
  for (const SolidOptions& s : scene.solids) print_solid(s);
  const std::vector<Body> bodies = build_bodies(scene);
  for (const Body& b : bodies)
    fmt::print("  body        {}: {} nodes, {} tetrahedra, {}\n", b.name, b.x.size(), b.rest->mesh.tets.size(),
               words(b.rest->options.material)[int(b.rest->options.material)]);
  for (const ProbeOptions& p : scene.probes) fmt::print("  probe       {}: {}\n", p.name, words(p.kind)[int(p.kind)]);
  fmt::print("  frames      {} at {:.4g} a second: {:.4g} s\n", scene.time.frames, scene.time.fps,
             scene.time.frames / scene.time.fps);
  for (const Expectation& e : expectations) fmt::print("  expected    {}: {}\n", e.claim, bound_text(e));
  if (has_liquid(scene) || has_gas(scene))
    for (const std::string& word : thin_bodies(grid, bodies)) fmt::print("  warning     {}\n", word);
  fmt::print("ok\n");
  return 0;
}

}  // namespace coracle
