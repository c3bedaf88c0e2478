// One step with liquid of smoothed particles [Xie23 ch. 5]: velocities, then everything moves by them.
#include "coracle/step/sph/sph_page.h"

#include "coracle/base/interpolate.h"
#include "coracle/base/parallel.h"
#include "coracle/error.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/step/body/measure.h"
#include "coracle/step/body/motion.h"
#include "coracle/step/particles/probes.h"
#include "coracle/step/sph/screens.h"
#include "coracle/step/sph/sph_fields.h"
#include "coracle/step/sph/sph_flows.h"
#include "coracle/step/sph/sph_solve.h"
#include "coracle/step/stages.h"
#include "coracle/world/bodies.h"
#include "coracle/world/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace coracle {
namespace {

// Sort the particles by cell, and find who is near whom.
void find_neighbours(const Scene& scene, const World& world, SphLiquid& liquid, SphWork& work) {
  const double support = 2 * particle_spacing(liquid.grid);
  CellOrder sorted = order_by_cell(liquid.grid, liquid.x);
  for_lists(liquid, [&](auto& values) { reorder(sorted.order, values); });
  work.cell_start.swap(sorted.start);
  work.pairs = find_pairs(liquid.grid, work.cell_start, liquid.x, support);
  if (!fits(work.mesh, world)) work.mesh = make_contact_mesh(world, scene.contact.distance);
  part_by_surfaces(work.mesh, contact_positions(work.mesh, world, node_positions(world.bodies)), liquid.x, support,
                   work.pairs);
  work.ratio = volume_ratios(scene, world, liquid, work.pairs);
}

// Liquid counts once it has left its inflow.
double volume_outside_inflows(const Scene& scene, const World& world, const SphLiquid& liquid, const SphWork& work) {
  const std::vector<std::uint8_t> held = inside_inflows(scene, world, work.inflows, liquid.x);
  return particle_volume(liquid.grid) * double(std::count(held.begin(), held.end(), 0));
}

// What the liquid does to bodies and solids. A particle wets D².
void report_loads(const World& world, const SphLiquid& liquid, const ContactMesh& mesh,
                  const std::vector<LooseLoad>& loads, StepReport& report) {
  const double area = particle_spacing(liquid.grid) * particle_spacing(liquid.grid);
  for (std::size_t p = 0; p < loads.size(); ++p) {
    BodyReport body;
    body.is_body = p < world.bodies.size();
    body.name = mesh.parts[p].name;
    body.wet_area = area * double(loads[p].points);
    body.fluid_force = loads[p].force;
    body.fluid_torque = loads[p].torque;
    report.bodies.push_back(body);
  }
}

// What is wrong with the velocities, or nothing.
std::string not_finite(const SphLiquid& liquid) {
  for (std::size_t p = 0; p < liquid.size(); ++p)
    if (!liquid.v[p].allFinite()) return "solve: velocities are not finite";
  return "";
}

}  // namespace

void start(const Scene& scene, World& world, SphLiquid& liquid, StepWork& step, SphWork& work) {
  seed_sph(scene, world, work.mesh, liquid);
  derive(scene, world, liquid, step, work);
  emit_sph(scene, world, work.inflows, 0, work.mesh, liquid);
  derive(scene, world, liquid, step, work);
  liquid.expected_volume = volume_outside_inflows(scene, world, liquid, work);
}

void derive(const Scene& scene, World& world, SphLiquid& liquid, StepWork&, SphWork& work) {
  if (work.inflows.empty())
    for (const InflowOptions& o : scene.inflows) work.inflows.emplace_back(o.shape);
  if (work.outflows.empty())
    for (const OutflowOptions& o : scene.outflows) work.outflows.emplace_back(o.shape);
  find_neighbours(scene, world, liquid, work);
}

StableStep stable_step(const Scene& scene, const World& world, const SphLiquid& liquid, const SphWork&) {
  double speed =
      std::max(largest(liquid.size(), [&](std::size_t p) { return liquid.v[p].norm(); }), fastest_solid(scene, world));
  for (const Solid& s : world.solids)
    if (s.inflow && s.present) speed = std::max(speed, s.flow.norm());
  return {std::min(bodies_dt(scene, world), longest_sph_step(scene, liquid.grid, speed)), speed};
}

StepReport step(const Scene& scene, World& world, SphLiquid& liquid, StepWork& step, SphWork& work, double dt) {
  const Grid& grid = liquid.grid;
  StepReport report;
  Stages stage(report, step.fail_after);
  SphReport& measured = report.fluid.emplace<SphReport>();
  report.dt = dt;
  work.changed = false;
  work.previous = liquid;
  work.changed = true;

  // 1. The velocities at the end of the step.
  const bool solved = stage("solve", [&] {
    set_velocity_over(world.solids, world.clock.time, dt);
    const SphSolve solve = solve_sph(scene, world, liquid, step, work, dt);
    liquid.v_last = work.previous.v;
    measured.cg_iterations = solve.cg_iterations;
    measured.newton_iterations = solve.newton_iterations;
    measured.min_distance = solve.min_distance;
    measured.reach = solve.reach;
    measured.j_min = solve.j_min;
    measured.j_max = solve.j_max;
    measured.phases = solve.phases;
    report_loads(world, liquid, work.mesh, solve.loads, report);
    if (!solve.bodies.penetration.empty())
      report_bodies(world, solve.bodies, report);  // a phase before may have failed
    report.solver = {.form = "matrix_free",
                     .unknowns = 3 * liquid.size(),
                     .iterations = solve.cg_iterations,
                     .residual = solve.residual};
    return solve.ok ? not_finite(liquid) : "solve: " + solve.trouble;
  });
  if (!solved) return report;

  // 2. Move all by them; liquid enters and leaves.
  const bool moved = stage("move", [&] {
    for_each_index(liquid.size(), [&](std::size_t p) { liquid.x[p] += dt * liquid.v[p]; });
    move_bodies(world.bodies, step.body_motion, dt);
    advance_clock(world.clock, dt);
    move_solids(world.solids, world.clock.time);
    drain_sph(work.outflows, liquid);
    emit_sph(scene, world, work.inflows, dt, work.mesh, liquid);
    liquid.expected_volume = volume_outside_inflows(scene, world, liquid, work);
  });
  if (!moved) return report;

  // 3. Where the particles are now.
  if (!stage("neighbours", [&] { find_neighbours(scene, world, liquid, work); })) return report;
  (void)stage("measure", [&] {
    measured.liquid = measure_sph(scene, world, liquid, work);
    measured.particles = liquid.size();
    std::optional<SphSurface> surface;  // made by the first probe that asks for it
    const auto phi = [&]() -> const Array3<double>& {
      if (!surface) surface = find_surface(scene, world, liquid, work.cell_start);
      return surface->phi;
    };
    const FluidProbes probes{
        .pressure = [&](const Vec3& x) { return pressure_at(scene, liquid, work, x); },
        .height = [&](const Vec3& from, const Vec3& to) { return wet_length(grid, phi(), from, to); },
        .outside = [&](const Body& body) { return double(count_outside(body, grid, liquid.x, work.cell_start)); },
        .velocity =
            [&](const Vec3& x) {
              return sample_cells(phi(), grid.to_cells(x)) < 0 ? velocity_at(liquid, work.cell_start, x) : Vec3::Zero();
            },
        .volume =
            [&](const PosedBox& box) {
              const auto count =
                  std::count_if(liquid.x.begin(), liquid.x.end(), [&](const Vec3& x) { return box.contains(x); });
              return particle_volume(grid) * double(count);
            }};
    measure_world(scene, world, step, probes, report);
  });
  return report;
}

void undo(SphLiquid& liquid, SphWork& work) {
  if (work.changed) std::swap(liquid, work.previous);
  work.changed = false;
}

FrameLayers layers(const Scene& scene, const World& world, const SphLiquid& liquid, const SphWork& work) {
  const OutputOptions& wanted = scene.output;
  FrameLayers layers;
  if (wanted.surface || wanted.volume) {
    const SphSurface surface = find_surface(scene, world, liquid, work.cell_start);
    if (wanted.surface) {
      ShownLiquid shown = shown_liquid(world, surface.shape(liquid));
      PointLayer drops{.file = "drops", .indexed = false, .x = {}, .v = {}, .fields = {}};
      const std::vector<LiquidKindOptions>& kinds = scene.liquid.kinds;
      const bool colored = std::any_of(kinds.begin(), kinds.end(), [](const auto& k) { return k.color.has_value(); });
      std::function<Vec3(const Vec3&)> color;
      if (colored)
        color = [&scene, &liquid, &work](const Vec3& x) { return color_at(scene, liquid, work.cell_start, x); };
      if (colored) drops.fields = {{"red", {}}, {"green", {}}, {"blue", {}}};
      for (const int p : shown.lone_drops) {
        drops.x.push_back(liquid.x[p].cast<float>());
        drops.v.push_back(liquid.v[p].cast<float>());
        for (int a = 0; a < 3 && colored; ++a) drops.fields[a].second.push_back(float(color(liquid.x[p])[a]));
      }
      layers.points.push_back(std::move(drops));
      layers.surfaces.push_back(
          {.file = "surface",
           .grid = shown.grid,
           .phi = std::move(shown.phi),
           .velocity = [&liquid, &work](const Vec3& x) { return velocity_at(liquid, work.cell_start, x); },
           .color = std::move(color)});
    }
    if (wanted.volume)
      layers.volumes.push_back({.file = "liquid",
                                .grid = liquid.grid,
                                .surface = surface.phi,
                                .fogs = {},
                                .u = face_velocity(liquid, work.cell_start)});
  }
  if (wanted.particles) {
    PointLayer points{.file = "particles", .indexed = true, .x = {}, .v = {}, .fields = {}};
    for (const Vec3& x : liquid.x) points.x.push_back(x.cast<float>());
    for (const Vec3& v : liquid.v) points.v.push_back(v.cast<float>());
    const std::vector<double> pressure = particle_pressures(scene, liquid, work.ratio);
    points.fields.emplace_back("pressure", std::vector<float>(pressure.begin(), pressure.end()));
    if (!scene.liquid.kinds.empty())
      points.fields.emplace_back("kind", std::vector<float>(liquid.kind.begin(), liquid.kind.end()));
    layers.points.push_back(std::move(points));
  }
  return layers;
}

const AssembledSystem* failed_system(const SphWork&) { return nullptr; }

}  // namespace coracle
