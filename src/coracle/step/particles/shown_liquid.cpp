#include "coracle/step/particles/shown_liquid.h"

#include "coracle/base/for_cells.h"
#include "coracle/base/interpolate.h"
#include "coracle/step/grid/inflows.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// A drop's radius, in cells. A particle's own volume gives 0.31; particles of a thin sheet are half a cell apart
// or more, and must still touch.
constexpr double drop_radius = 0.45;
constexpr double blend = 0.12;  // cells, over which drops blend into each other
// Distances outside the level set, in cells, between which a drop's radius grows from zero to full, so that no drop
// appears suddenly. Particles of calm water lie inside.
constexpr double drop_from = 0.1, drop_whole = 0.5;
constexpr double overlap = 0.5;  // cells, into bodies and solids
// Share of liquid around a particle (step/particles/level_set.h) below which it flies alone. A lone particle gives at
// most 0.03, a sheet of half a cell 0.3.
constexpr double lone_share = 0.1;

template <class T>
Array3<float> finer_along(const Array3<T>& coarse, int axis) {
  Vec3i n = coarse.n;
  n[axis] *= 2;
  Array3<float> fine(n);
  const std::size_t stride = coarse.stride(axis);
  // A fine sample lies a quarter of a cell from a coarse one: Catmull and Rom's weights at t = 1/4.
  constexpr float w[4] = {-9 / 128.f, 111 / 128.f, 29 / 128.f, -3 / 128.f};
  for_cells(n, [&](const Vec3i& f, std::size_t i) {
    Vec3i c = f;
    c[axis] = f[axis] / 2;
    const int side = f[axis] % 2 ? 1 : -1, last = coarse.n[axis] - 1;  // the side of the second nearest sample
    const std::size_t row = coarse.index(c) - c[axis] * stride;
    const auto at = [&](int offset) {
      return float(coarse.data[row + std::clamp(c[axis] + offset * side, 0, last) * stride]);
    };
    fine.data[i] = w[0] * at(-1) + w[1] * at(0) + w[2] * at(1) + w[3] * at(2);
  });
  return fine;
}

// φ ← −k ln(exp(−φ/k) + Σ exp(−φᵢ/k)): a minimum that is smooth where drops and sheets meet each other or liquid. A
// drop's φᵢ is |x − x_p| − r.
class Blend {
 public:
  Blend(double width, ShownLiquid& shown) : k_(width), shown_(shown), sum_(shown.phi.n, 0) {}
  void add_ball(const Vec3& x, double r) {
    const Grid& grid = shown_.grid;
    const double reach = r + 2 * grid.dx;
    const Vec3i lo = grid.cell_of(x - Vec3::Constant(reach)), hi = grid.cell_of(x + Vec3::Constant(reach));
    for (int z = lo.z(); z <= hi.z(); ++z)
      for (int j = lo.y(); j <= hi.y(); ++j)
        for (int i = lo.x(); i <= hi.x(); ++i)
          sum_(i, j, z) += float(std::exp((r - (grid.center({i, j, z}) - x).norm()) / k_));
  }
  void add_cell(std::size_t index, float phi) { sum_.data[index] += float(std::exp(-phi / k_)); }
  void finish() {
    for_each_index(sum_.size(), [&](std::size_t i) {
      float& phi = shown_.phi.data[i];
      if (sum_.data[i] > 0) phi = float(-k_ * std::log(std::exp(-phi / k_) + sum_.data[i]));
    });
  }

 private:
  double k_;
  ShownLiquid& shown_;
  Array3<float> sum_;
};

void add_drops(const World& world, const LiquidShape& liquid, ShownLiquid& shown) {
  const Surfaces surfaces(world);
  const double dx = liquid.grid.dx;
  Blend all(blend * dx, shown);
  for (std::size_t p = 0; p < liquid.x.size(); ++p) {
    const Vec3& x = liquid.x[p];
    const double out = sample_cells(liquid.phi, liquid.grid.to_cells(x)) / dx;
    if (out <= drop_from || inside_inflow(surfaces, liquid.solids, x)) continue;
    if (sample_cells(liquid.share, liquid.grid.to_cells(x)) < lone_share) {
      shown.lone_drops.push_back(int(p));
      continue;
    }
    all.add_ball(x, dx * drop_radius * std::min((out - drop_from) / (drop_whole - drop_from), 1.0));
  }
  if (liquid.more) {
    for (const MoreLiquid::Ball& ball : liquid.more->balls) all.add_ball(ball.x, ball.r);
    for (const MoreLiquid::Cell& cell : liquid.more->cells) all.add_cell(cell.index, cell.phi);
  }
  all.finish();
}

// f(φ, φ_solid) for the values of the finer grid around a solid.
template <class F>
void for_values_around(const SolidGeometry& g, const Grid& grid, ShownLiquid& shown, F&& f) {
  if (g.phi.size() == 0) return;
  const CellBox box = box_around(grid, g);
  Array3<double> part(box.size());
  for_box(grid.n, box, [&](std::size_t i, const Vec3i& c) { part[c - box.lo] = g.phi.data[i]; });
  const Array3<float> solid = twice_as_fine(part);
  for_box(shown.phi.n, {2 * box.lo, 2 * box.hi},
          [&](std::size_t i, const Vec3i& c) { f(shown.phi.data[i], solid[c - 2 * box.lo]); });
}

// φ ← min(φ, φ_inflow): an inflow is full of liquid, which the level set leaves out.
void fill_inflows(const World& world, const LiquidShape& liquid, ShownLiquid& shown) {
  const Surfaces surfaces(world);
  for (std::size_t s = 0; s < surfaces.size() && s < liquid.solids.each.size(); ++s) {
    if (!surfaces[s].inflow || !surfaces[s].present) continue;
    for_values_around(liquid.solids.each[s], liquid.grid, shown,
                      [](float& phi, float inflow) { phi = std::min(phi, inflow); });
  }
}

// φ ← max(φ, −φ_solid), shifted a little into the solid; exact for a container, which is transparent.
void cut_off(const World& world, const LiquidShape& liquid, ShownLiquid& shown) {
  const Surfaces surfaces(world);
  for (std::size_t s = 0; s < surfaces.size() && s < liquid.solids.each.size(); ++s) {
    if (surfaces[s].inflow) continue;
    const float inside = surfaces[s].container ? 0 : float(overlap * liquid.grid.dx);
    for_values_around(liquid.solids.each[s], liquid.grid, shown,
                      [&](float& phi, float solid) { phi = std::max(phi, -solid - inside); });
  }
}

}  // namespace

Array3<float> twice_as_fine(const Array3<double>& coarse) {
  return finer_along(finer_along(finer_along(coarse, 0), 1), 2);
}

Grid shown_grid(const Grid& grid) { return {grid.origin, 0.5 * grid.dx, 2 * grid.n}; }

ShownLiquid shown_liquid(const World& world, const LiquidShape& liquid) {
  ShownLiquid shown{shown_grid(liquid.grid), twice_as_fine(liquid.phi), {}};
  add_drops(world, liquid, shown);
  fill_inflows(world, liquid, shown);
  cut_off(world, liquid, shown);
  return shown;
}

}  // namespace coracle
