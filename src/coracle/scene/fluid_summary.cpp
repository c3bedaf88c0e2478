#include "coracle/scene/fluid_summary.h"

#include "coracle/base/parallel.h"
#include "coracle/scene/animation.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/scene/tables.h"
#include "coracle/shape/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double particles_per_cell = 8;
constexpr int most_samples = 128;  // per side: two million points, about 1 % of a side apart
constexpr int quick_samples = 48;

// Where liquid is at the start, and where it could be.
class Wetness {
 public:
  explicit Wetness(const Scene& scene) : scene_(scene) {
    for (const RegionOptions& r : scene.liquid.regions) liquid_.emplace_back(r.shape);
    for (const SolidOptions& s : scene.solids)
      if (is_animated(s))
        solids_.emplace_back(first_pose(s));
      else
        solids_.emplace_back(s.shape);
  }
  bool is_free(const Vec3& x) const {
    for (std::size_t i = 0; i < solids_.size(); ++i)
      if (solids_[i].contains(x) != scene_.solids[i].container) return false;
    return true;
  }
  bool is_wet(const Vec3& x) const {
    return std::any_of(liquid_.begin(), liquid_.end(), [&](const Region& r) { return r.contains(x); });
  }

 private:
  const Scene& scene_;
  std::vector<Region> liquid_, solids_;
};

// Whether liquid is everywhere outside the solids. Stops at the first place that is dry.
bool is_full(const Scene& scene, const Grid& grid) {
  constexpr int most = 64;  // samples per side
  const Wetness wetness(scene);
  const Vec3i n = grid.n.cwiseMin(most);
  const Vec3 step = (grid.upper() - grid.origin).cwiseQuotient(n.cast<double>());
  for (int j = n.y() - 1; j >= 0; --j)  // from the top, where air is
    for (int k = 0; k < n.z(); ++k)
      for (int i = 0; i < n.x(); ++i) {
        const Vec3 x = grid.origin + step.cwiseProduct(Vec3(i + 0.5, j + 0.5, k + 0.5));
        if (wetness.is_free(x) && !wetness.is_wet(x)) return false;
      }
  return true;
}

// m³ that an inflow adds during the run: its speed times the area that it shows.
double added_volume(const InflowOptions& inflow, const TimeOptions& time) {
  const Bounds b = shape_bounds(inflow.shape);
  const Vec3 size = b.hi - b.lo;
  const Vec3 sides(size.y() * size.z(), size.z() * size.x(), size.x() * size.y());
  const double open = std::min(inflow.end, time.frames / time.fps) - inflow.start;
  return std::max(0.0, open) * inflow.velocity.cwiseAbs().dot(sides);
}

// Volume of liquid at the start, m³, by sampling the domain.
double estimate_volume(const Scene& scene, const Grid& grid, int samples) {
  const Wetness wetness(scene);
  Vec3i n;
  for (int a = 0; a < 3; ++a) n[a] = std::min(2 * grid.n[a], samples);
  const Vec3 step = (grid.upper() - grid.origin).cwiseQuotient(n.cast<double>());
  const auto is_wet = [&](const Vec3& x) { return wetness.is_free(x) && wetness.is_wet(x); };
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
  const double volume = estimate_volume(scene, grid, most_samples);
  return {"liquid", fmt::format("about {:.4g} m³, {:.3g} particles", volume,
                                std::round(volume / grid.cell_volume() * particles_per_cell))};
}

// What is particular to smoothed particles.
std::vector<SummaryLine> sph_lines(const Scene& scene, const Grid& grid) {
  std::vector<SummaryLine> lines = {
      {"particles", fmt::format("{:.4g} m apart, splitting {}", particle_spacing(grid),
                                words(scene.proxy.splitting)[int(scene.proxy.splitting)])}};
  for (const LiquidKindOptions& kind : liquid_kinds(scene))
    lines.push_back({kind.name.empty() ? "liquid" : kind.name,
                     fmt::format("{:.4g} kg/m³, {:.3g} Pa s, sound at {:.3g} m/s", kind.density, kind.viscosity,
                                 std::sqrt(kind.stiffness / kind.density))});
  return lines;
}

SummaryLine gas_line(const Scene& scene) {
  std::string open;
  for (const Side side : scene.domain.open)
    open += fmt::format("{}{}", open.empty() ? "" : ", ", words(side)[int(side)]);
  return {"gas", fmt::format("{:.4g} kg/m³, {}", scene.gas.density, open.empty() ? "no side open" : "open at " + open)};
}

std::string name_or_unnamed(const std::string& name) { return name.empty() ? "(unnamed)" : name; }

}  // namespace

double expected_particles(const Scene& scene, const Grid& grid) {
  if (!has_liquid(scene)) return 0;
  double volume = estimate_volume(scene, grid, quick_samples);
  for (const InflowOptions& inflow : scene.inflows) volume += added_volume(inflow, scene.time);
  volume = std::min(volume, (grid.upper() - grid.origin).prod());
  return std::round(volume / grid.cell_volume() * particles_per_cell);
}

const char* fluid_name(const Scene& scene) {
  switch (fluid_kind(scene)) {
    case FluidKind::none:
      return "";
    case FluidKind::liquid:
    case FluidKind::sph:
      return "liquid";
    case FluidKind::gas:
      return "gas";
  }
  return "";
}

std::string not_on_gpu_because(const Scene& scene) {
  const SolverOptions& solver = scene.solver;
  if (fluid_kind(scene) != FluidKind::liquid) return "the fluid is not liquid on a grid";
  if (scene.method != Method::cutcell) return "method is not \"cutcell\"";
  if (scene.liquid.advection == Advection::semi_lagrangian) return "liquid.advection is \"semi_lagrangian\"";
  if (solver.form != CoupledForm::schur) return "solver.form is not \"schur\"";
  if (solver.coupling != CouplingStrength::strong) return "solver.coupling is not \"strong\"";
  if (solver.preconditioner != Preconditioner::multigrid) return "solver.preconditioner is not \"multigrid\"";
  if (solver.dump) return "solver.dump is true";
  return "";
}

std::vector<std::string> fluid_notes(const Scene& scene, const Grid& grid) {
  std::vector<std::string> notes;
  if (!scene.liquid.regions.empty() && is_full(scene, grid))
    notes.push_back(
        "the tank is full of liquid: it has no air and no free surface, so the liquid cannot slosh or spill; leave "
        "some of the domain dry if it should");
  if (const std::string why = not_on_gpu_because(scene); scene.solver.backend == Backend::cuda && !why.empty())
    notes.push_back(fmt::format("the processor does {} of the work: {} runs on the GPU, as {}",
                                is_on_grid(scene) ? "most" : "all",
                                is_on_grid(scene) ? "only the pressure solve" : "nothing", why));
  return notes;
}

std::vector<SummaryLine> fluid_summary(const Scene& scene, const Grid& grid) {
  std::vector<SummaryLine> lines = {{"method", words(scene.method)[int(scene.method)]}};
  switch (fluid_kind(scene)) {
    case FluidKind::none:
      break;
    case FluidKind::liquid:
      lines.push_back(liquid_line(scene, grid));
      break;
    case FluidKind::sph:
      lines.push_back(liquid_line(scene, grid));
      for (const SummaryLine& line : sph_lines(scene, grid)) lines.push_back(line);
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
