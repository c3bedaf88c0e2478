#include "coracle/step/gas/smoke.h"

#include "coracle/base/for_cells.h"
#include "coracle/base/interpolate.h"
#include "coracle/base/random.h"
#include "coracle/step/grid/extrapolate.h"
#include "coracle/step/grid/inflows.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double rim_share = 0.25;   // of a cell that a mouth must fill
constexpr int layers_in_solids = 2;  // that interpolation and newly open cells can reach

// f(cell, axis, face, outward, area) for the faces on open sides; outward: 1 or -1 along the axis.
template <class F>
void for_open_sides(const ProjectionInput& in, F&& f) {
  for_side_faces(in.grid, [&](int a, int end, const Vec3i& face) {
    if (!in.open[2 * a + end]) return;
    Vec3i c = face;
    c[a] -= end;
    const double area = in.cut.open[a][face];
    if (area > 0) f(c, a, face, end ? 1.0 : -1.0, area);
  });
}

// Value noise, trilinear between integer points, within [-1, 1].
double noise_at(std::uint64_t seed, const Vec3& x) {
  const Vec3 whole = x.array().floor();
  const Vec3 s = x - whole;
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double weight = 1;
    std::uint64_t key = seed;
    for (int a = 0; a < 3; ++a) {
      const int up = corner >> a & 1;
      weight *= up ? s[a] : 1 - s[a];
      key = mix(key ^ std::uint64_t(std::int64_t(whole[a]) + up));
    }
    sum += weight * (2 * uniform(key, 0) - 1);
  }
  return sum;
}

}  // namespace

void find_walls(const Surfaces& surfaces, const SolidField& field, Array3<double>& wall_phi) {
  if (!has_inflows(surfaces)) {
    wall_phi = field.phi;
    return;
  }
  wall_phi.assign(field.phi.n, 1e30);
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (surfaces[s].present && !surfaces[s].inflow)
      for_each_index(wall_phi.size(),
                     [&](std::size_t i) { wall_phi.data[i] = std::min(wall_phi.data[i], field.each[s].phi.data[i]); });
}

double total_smoke(const Array3<double>& volume, const Gas& gas) {
  return gas.grid.cell_volume() * sum_blocks(volume.size(), [&](std::size_t begin, std::size_t end) {
           double sum = 0;
           for (std::size_t i = begin; i < end; ++i) sum += volume.data[i] * gas.smoke.data[i];
           return sum;
         });
}

double smoke_inflow(const ProjectionInput& in, const std::vector<Jet>& jets, const FaceField<double>& u,
                    const Gas& gas) {
  const double dt = in.motion_dt();
  double sum = 0;
  for (const Jet& jet : jets)
    if (jet.solid >= 0)
      for (const Patch& p : in.cut.patches)
        if (p.surface == jet.solid) sum -= jet.options.smoke * patch_flux(p, in.surfaces);
  for_open_sides(in, [&](const Vec3i& c, int a, const Vec3i& face, double outward, double area) {
    // Gas that leaves during the step is, on average, half of its path away from the side.
    const double speed = std::max(0.0, outward * u[a][face]);
    Vec3 q = c.cast<double>().array() + 0.5;
    q[a] += outward * (0.5 - 0.5 * speed * dt / in.grid.dx);
    sum -= area * speed * sample_cells(gas.smoke, q);
  });
  return sum * in.grid.dx * in.grid.dx * dt;
}

double gas_outflow(const ProjectionInput& in, const FaceField<double>& u) {
  double sum = 0;
  for_open_sides(in, [&](const Vec3i&, int a, const Vec3i& face, double outward, double area) {
    sum += area * outward * u[a][face];
  });
  return sum * in.grid.dx * in.grid.dx;
}

void mark_sources(const Grid& grid, const std::vector<Jet>& jets, Array3<std::uint8_t>& near) {
  near.assign(grid.n, 0);
  const Vec3 around = Vec3::Constant(2 * grid.dx);
  for (const Jet& jet : jets) {
    const Vec3i lo = grid.cell_of(jet.region.bounds().lo - around), hi = grid.cell_of(jet.region.bounds().hi + around);
    for (int k = lo.z(); k <= hi.z(); ++k)
      for (int j = lo.y(); j <= hi.y(); ++j)
        for (int i = lo.x(); i <= hi.x(); ++i) near(i, j, k) = 1;
  }
}

double feed_smoke(const GasOptions& options, const std::vector<Jet>& jets, const SolidField& field, double time,
                  double dt, Gas& gas) {
  const Grid& grid = gas.grid;
  const Array3<double>& volume = field.cut.volume;
  double gained = 0;
  const float smoke_left = float(std::exp(-dt * options.smoke_decay));
  const float heat_left = float(std::exp(-dt * options.cooling));
  if (smoke_left < 1 || heat_left < 1) {
    const double before = total_smoke(volume, gas);
    for_each_index(gas.smoke.size(), [&](std::size_t i) {
      gas.smoke.data[i] *= smoke_left;
      gas.temperature.data[i] *= heat_left;
    });
    gained = total_smoke(volume, gas) - before;
  }
  for (const Jet& jet : jets) {
    const JetOptions& o = jet.options;
    if (time < o.start || time > o.end) continue;
    // The noise is a lattice that travels with the gas.
    const Bounds& box = jet.region.bounds();
    const double size = std::max(2 * grid.dx, 0.25 * std::cbrt((box.hi - box.lo).prod()));
    const Vec3i lo = grid.cell_of(box.lo), hi = grid.cell_of(box.hi);
    double added = 0;
    for (int k = lo.z(); k <= hi.z(); ++k)
      for (int j = lo.y(); j <= hi.y(); ++j)
        for (int i = lo.x(); i <= hi.x(); ++i) {
          const Vec3 x = grid.center({i, j, k});
          const std::size_t cell = gas.smoke.index(i, j, k);
          // Cells that a mouth fills only in part give off smoke as well.
          const bool rim = jet.solid >= 0 && field.each[jet.solid].cut.volume.at({i, j, k}) > rim_share;
          if (!rim && !jet.region.contains(x)) continue;
          const double noise_factor =
              o.noise > 0 ? 1 + o.noise * noise_at(jet.seed, (x - time * o.velocity - grid.origin) / size) : 1;
          const float smoke = float(o.smoke * noise_factor);
          added += volume.data[cell] * (smoke - gas.smoke.data[cell]);
          gas.smoke.data[cell] = smoke;
          gas.temperature.data[cell] = float(o.temperature);
        }
    if (jet.solid < 0) gained += added * grid.cell_volume();
  }
  return gained;
}

void extrapolate_into_solids(const Array3<double>& wall_phi, Gas& gas) {
  Array3<std::uint8_t> known(wall_phi.n);
  for_each_index(known.size(), [&](std::size_t i) { known.data[i] = wall_phi.data[i] >= 0; });
  if (std::find(known.data.begin(), known.data.end(), 0) == known.data.end()) return;
  Array3<std::uint8_t> again = known;
  extrapolate(layers_in_solids, gas.smoke, known);
  extrapolate(layers_in_solids, gas.temperature, again);
}

void rescale_smoke(const Array3<double>& volume, double densest, double most, Gas& gas) {
  const double total = total_smoke(volume, gas);
  if (!(total > 0)) return;
  const double missing = std::clamp(gas.expected_smoke - total, -most * total, most * total);
  if (missing <= 0) {
    const float share = float(1 + missing / total);
    for_each_index(gas.smoke.size(), [&](std::size_t i) { gas.smoke.data[i] *= share; });
    return;
  }
  // s ← s + λ s (densest − s), λ such that the total is right and no cell exceeds `densest`.
  const double room = gas.grid.cell_volume() * sum_blocks(volume.size(), [&](std::size_t begin, std::size_t end) {
                        double sum = 0;
                        for (std::size_t i = begin; i < end; ++i) {
                          const double s = gas.smoke.data[i];
                          sum += volume.data[i] * s * std::max(0.0, densest - s);
                        }
                        return sum;
                      });
  if (!(room > 0)) return;
  const double lambda = std::min(missing / room, 1 / std::max(densest, 1e-30));
  for_each_index(gas.smoke.size(), [&](std::size_t i) {
    const double s = gas.smoke.data[i];
    gas.smoke.data[i] = float(s + lambda * s * std::max(0.0, densest - s));
  });
}

}  // namespace coracle
