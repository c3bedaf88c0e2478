#include "coracle/step/sph/sph_fields.h"

#include "coracle/base/for_cells.h"
#include "coracle/base/parallel.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/step/sph/kernels.h"
#include "coracle/step/sph/sph_flows.h"
#include "coracle/step/sph/sph_solve.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// f(particle, W) for the particles nearer to x than the support.
template <class F>
void for_near(const SphLiquid& liquid, const CellStart& start, const Vec3& x, F&& f) {
  const double support = 2 * particle_spacing(liquid.grid);
  visit_rows(liquid.grid, start, x, [&](std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t p = first; p < end; ++p) {
      const double square = (liquid.x[p] - x).squaredNorm();
      if (square < support * support) f(p, cubic_kernel(std::sqrt(square), support));
    }
  });
}

}  // namespace

std::vector<double> volume_ratios(const Scene& scene, const World& world, const SphLiquid& liquid,
                                  const SphPairs& pairs) {
  const double spacing = particle_spacing(liquid.grid);
  const SphForm form = sph_form(scene);
  std::vector<double> ratio(liquid.size());
  for_each_index(ratio.size(), [&](std::size_t i) {
    ratio[i] = volume_ratio(world.domain, liquid.x[i], pairs.number_density[i], spacing, form);
  });
  return ratio;
}

std::vector<double> particle_pressures(const Scene& scene, const SphLiquid& liquid, const std::vector<double>& ratio) {
  const std::vector<LiquidKindOptions> kinds = liquid_kinds(scene);
  std::vector<double> pressure(liquid.size());
  for_each_index(pressure.size(),
                 [&](std::size_t i) { pressure[i] = kinds[liquid.kind[i]].stiffness * (1 - ratio[i]); });
  return pressure;
}

Vec3 velocity_at(const SphLiquid& liquid, const CellStart& start, const Vec3& x) {
  Vec3 sum = Vec3::Zero();
  double weight = 0;
  for_near(liquid, start, x, [&](std::size_t p, double w) { sum += w * liquid.v[p], weight += w; });
  return weight > 0 ? Vec3(sum / weight) : Vec3::Zero();
}

double pressure_at(const Scene& scene, const SphLiquid& liquid, const SphWork& work, const Vec3& x) {
  const std::vector<LiquidKindOptions> kinds = liquid_kinds(scene);
  double sum = 0, weight = 0;
  for_near(liquid, work.cell_start, x, [&](std::size_t p, double w) {
    sum += w * kinds[liquid.kind[p]].stiffness * (1 - work.ratio[p]);
    weight += w;
  });
  return weight > 0 ? sum / weight : 0;
}

Vec3 color_at(const Scene& scene, const SphLiquid& liquid, const CellStart& start, const Vec3& x) {
  const auto color = [&](int kind) {
    return kind == 0 ? scene.look.liquid_color : scene.liquid.kinds[kind - 1].color.value_or(scene.look.liquid_color);
  };
  Vec3 sum = Vec3::Zero();
  double weight = 0;
  for_near(liquid, start, x, [&](std::size_t p, double w) { sum += w * color(liquid.kind[p]), weight += w; });
  return weight > 0 ? Vec3(sum / weight) : scene.look.liquid_color;
}

FaceField<double> face_velocity(const SphLiquid& liquid, const CellStart& start) {
  const Grid& grid = liquid.grid;
  FaceField<double> u = make_face_field<double>(grid);
  for (int a = 0; a < 3; ++a)
    for_cells(grid.faces(a), [&](const Vec3i& f, std::size_t i) {
      u[a].data[i] = velocity_at(liquid, start, grid.face_center(a, f))[a];
    });
  return u;
}

SphSurface find_surface(const Scene& scene, const World& world, const SphLiquid& liquid, const CellStart& start) {
  SphSurface surface;
  const Surfaces surfaces(world);
  update_solid_field(liquid.grid, surfaces, boundary_maker(scene.method), surface.solids);
  find_level_set(liquid.grid, surfaces, surface.solids, liquid.x, start, surface.level_set, surface.phi);
  return surface;
}

LiquidReport measure_sph(const Scene& scene, const World& world, const SphLiquid& liquid, const SphWork& work) {
  const double volume = particle_volume(liquid.grid);
  const std::vector<LiquidKindOptions> kinds = liquid_kinds(scene);
  const std::vector<std::uint8_t> held = inside_inflows(scene, world, work.inflows, liquid.x);
  LiquidReport sums = reduce_blocks(
      liquid.size(), 4096, LiquidReport{},
      [&](std::size_t begin, std::size_t end) {
        LiquidReport s;
        for (std::size_t p = begin; p < end; ++p) {
          const double mass = kinds[liquid.kind[p]].density * volume;
          const Vec3& v = liquid.v[p];
          s.kinetic_energy += 0.5 * mass * v.squaredNorm();
          s.potential_energy -= mass * scene.gravity.dot(liquid.x[p] - liquid.grid.origin);
          s.momentum += mass * v;
          s.max_speed = std::max(s.max_speed, v.norm());
          if (!held[p]) s.volume += volume * std::min(work.ratio[p], 1.0);
        }
        return s;
      },
      [](LiquidReport a, const LiquidReport& b) {
        a.kinetic_energy += b.kinetic_energy;
        a.potential_energy += b.potential_energy;
        a.momentum += b.momentum;
        a.max_speed = std::max(a.max_speed, b.max_speed);
        a.volume += b.volume;
        return a;
      });
  sums.particles = liquid.size();
  sums.expected_volume = liquid.expected_volume;
  return sums;
}

}  // namespace coracle
