#include "coracle/scene/fluid_summary.h"

#include "coracle/base/parallel.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/tables.h"
#include "coracle/shape/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double particles_per_cell = 8;
constexpr int max_samples_per_side = 128;  // of the estimate: two million points, about 1 % of a side apart

// Volume of liquid at the start, m³, by sampling the domain.
double estimate_volume(const Scene& scene, const Grid& grid) {
  std::vector<Region> liquid, solids;
  for (const RegionOptions& r : scene.liquid.regions) liquid.emplace_back(r.shape);
  for (const SolidOptions& s : scene.solids) solids.emplace_back(s.shape);

  Vec3i n;
  for (int a = 0; a < 3; ++a) n[a] = std::min(2 * grid.n[a], max_samples_per_side);
  const Vec3 step = (grid.upper() - grid.origin).cwiseQuotient(n.cast<double>());
  const auto is_wet = [&](const Vec3& x) {
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
            count += is_wet(grid.origin + at.cwiseProduct(step));
          }
        return count;
      },
      64);
  return hits * step.prod();
}

SummaryLine liquid_line(const Scene& scene, const Grid& grid) {
  const double volume = estimate_volume(scene, grid);
  return {"liquid", fmt::format("about {:.4g} m³, {:.3g} particles", volume,
                                std::round(volume / grid.cell_volume() * particles_per_cell))};
}

SummaryLine gas_line(const Scene& scene) {
  std::string open;
  for (const Side side : scene.domain.open)
    open += fmt::format("{}{}", open.empty() ? "" : ", ", words(side)[int(side)]);
  return {"gas", fmt::format("{:.4g} kg/m³, {}", scene.gas.density, open.empty() ? "no side open" : "open at " + open)};
}

std::string name_or_unnamed(const std::string& name) { return name.empty() ? "(unnamed)" : name; }

}  // namespace

std::vector<SummaryLine> fluid_summary(const Scene& scene, const Grid& grid) {
  std::vector<SummaryLine> lines = {{"method", words(scene.method)[int(scene.method)]}};
  switch (fluid_kind(scene)) {
    case FluidKind::none:
      break;
    case FluidKind::liquid:
      lines.push_back(liquid_line(scene, grid));
      break;
    case FluidKind::gas:
      lines.push_back(gas_line(scene));
      break;
  }
  for (const JetOptions& j : scene.jets)
    lines.push_back({"jet", fmt::format("{} at {:.3g} m/s", name_or_unnamed(j.name), j.velocity.norm())});
  for (const InflowOptions& i : scene.inflows)
    lines.push_back({"inflow", fmt::format("{} at {:.3g} m/s", name_or_unnamed(i.name), i.velocity.norm())});
  for (const OutflowOptions& o : scene.outflows) lines.push_back({"outflow", name_or_unnamed(o.name)});
  return lines;
}

}  // namespace coracle
