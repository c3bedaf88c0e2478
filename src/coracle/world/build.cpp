// From what was asked to what exists.
#include "coracle/base/for_cells.h"
#include "coracle/base/random.h"
#include "coracle/shape/closest.h"
#include "coracle/world/motion.h"
#include "coracle/world/surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

Solid make_solid(const std::string& name, const ShapeOptions& shape, double dx) {
  Solid solid;
  solid.name = name;
  solid.rest = std::make_shared<const TriMesh>(shape_mesh(shape, dx));  // curved ones: facets as large as a cell
  solid.x = solid.rest->x;
  solid.v.assign(solid.x.size(), Vec3::Zero());
  return solid;
}

void make_inflow(const Vec3& velocity, double start, double end, Solid& solid) {
  solid.inflow = true;
  solid.start = start, solid.end = end;
  solid.flow = velocity;
  solid.v.assign(solid.x.size(), velocity);
}

// Eight jittered particles a cell, one an octant, where the regions say so and no solid is.
Particles seed_particles(const Scene& scene, const World& world) {
  std::vector<Region> regions;
  for (const RegionOptions& r : scene.liquid.regions) regions.emplace_back(r.shape);
  const Surfaces surfaces(world);
  std::vector<TriTree> trees;
  for (const Surface& s : surfaces) trees.emplace_back(s.x, s.tris);
  const auto in_solid = [&](const Vec3& x) {
    for (std::size_t s = 0; s < trees.size(); ++s) {
      const Surface& solid = surfaces[s];
      const bool in_box =
          (x.array() >= trees[s].lower().array()).all() && (x.array() <= trees[s].upper().array()).all();
      if (solid.inflow || (!in_box && !solid.container)) continue;
      if ((in_box && trees[s].closest(x).distance < 0) != solid.container) return true;
    }
    return false;
  };

  const Grid& grid = world.grid;
  Particles all;
  std::vector<Particles> layers(grid.n.z());
  for_blocks(layers.size(), 1, [&](std::size_t layer, std::size_t) {
    Particles& out = layers[layer];
    for (int j = 0; j < grid.n.y(); ++j)
      for (int i = 0; i < grid.n.x(); ++i)
        for (int octant = 0; octant < 8; ++octant) {
          const std::uint64_t key = ((std::uint64_t(layer) * grid.n.y() + j) * grid.n.x() + i) * 8 + octant;
          Vec3 q(i, j, double(layer));
          for (int a = 0; a < 3; ++a)
            q[a] += 0.5 * ((octant >> a & 1) + uniform(std::uint64_t(scene.liquid.seed), 3 * key + a));
          const Vec3 x = grid.origin + grid.dx * q;
          const auto owner =
              std::find_if(regions.begin(), regions.end(), [&](const Region& r) { return r.contains(x); });
          if (owner == regions.end() || in_solid(x)) continue;
          out.x.push_back(x);
          out.v.push_back(scene.liquid.regions[owner - regions.begin()].velocity.cast<float>());
        }
  });
  for (const Particles& layer : layers) {
    all.x.insert(all.x.end(), layer.x.begin(), layer.x.end());
    all.v.insert(all.v.end(), layer.v.begin(), layer.v.end());
  }
  if (scene.liquid.advection == Advection::apic) all.c.assign(all.size(), Mat3f::Zero());
  return all;
}

// Smoke, heat and velocity where the regions say so; nothing and at rest elsewhere.
void fill_gas(const Scene& scene, World& world) {
  const Grid& grid = world.grid;
  Gas& gas = world.gas;
  gas.smoke.assign(grid.n, 0);
  gas.temperature.assign(grid.n, 0);
  for (auto it = scene.gas.regions.rbegin(); it != scene.gas.regions.rend();
       ++it) {  // the first to hold a place counts
    const GasRegionOptions& o = *it;
    const Region region(o.shape);
    for_cells(grid.n, [&](const Vec3i& c, std::size_t i) {
      if (!region.contains(grid.center(c))) return;
      gas.smoke.data[i] = float(o.smoke);
      gas.temperature.data[i] = float(o.temperature);
    });
    for (int a = 0; a < 3; ++a)
      for_cells(grid.faces(a), [&](const Vec3i& f, std::size_t i) {
        if (region.contains(grid.face_center(a, f))) world.u[a].data[i] = o.velocity[a];
      });
  }
  gas.carried = world.u;
}

}  // namespace

Grid scene_grid(const DomainOptions& domain) {
  Grid grid;
  grid.origin = domain.min;
  const Vec3 size = domain.max - domain.min;
  const double longest = domain.slab > 0 ? std::max(size.x(), size.y()) : size.maxCoeff();
  grid.dx = longest / domain.resolution;
  for (int a = 0; a < 3; ++a) grid.n[a] = std::max(1, int(std::lround(size[a] / grid.dx)));
  if (domain.slab > 0) grid.n.z() = domain.slab;
  return grid;
}

void move_solids(std::vector<Solid>& solids, double time) {
  for (Solid& s : solids) {
    if (s.inflow) s.present = time >= s.start && time <= s.end;
    if (s.moving) apply_motions(s.motions, time, s.rest->x, s.x, s.v);
  }
}

void set_velocity_over(std::vector<Solid>& solids, double time, double dt) {
  std::vector<Vec3> ahead, unused;
  for (Solid& s : solids) {
    if (!s.moving) continue;
    apply_motions(s.motions, time + dt, s.rest->x, ahead, unused);
    for (std::size_t i = 0; i < s.x.size(); ++i) s.v[i] = (ahead[i] - s.x[i]) / dt;
  }
}

std::vector<Body> build_bodies(const Scene& scene) {
  std::vector<Body> bodies;
  for (const BodyOptions& o : scene.bodies) try {
      bodies.push_back(build_body(o));
    } catch (const std::exception& error) {
      throw SceneError({{o.place, fmt::format("the body '{}' cannot be meshed: {}", o.name, error.what())}});
    }
  return bodies;
}

World build_world(const Scene& scene) {
  World world;
  world.grid = scene_grid(scene.domain);
  world.u = make_face_field<double>(world.grid);
  world.pressure.assign(world.grid.n);
  for (const SolidOptions& o : scene.solids) {
    Solid solid = make_solid(o.name, o.shape, world.grid.dx);
    solid.container = o.container;
    solid.motions = o.motions;
    solid.moving = !o.motions.empty();
    world.solids.push_back(std::move(solid));
  }
  for (const InflowOptions& o : scene.inflows) {
    Solid flow = make_solid(o.name, o.shape, world.grid.dx);
    make_inflow(o.velocity, o.start, o.end, flow);
    world.solids.push_back(std::move(flow));
  }
  for (const JetOptions& o : scene.jets) {
    Jet jet{Region(o.shape), -1, o, mix(std::uint64_t(scene.gas.seed) + world.jets.size())};
    if (o.velocity.norm() > 0) {
      Solid nozzle = make_solid(o.name, o.shape, world.grid.dx);
      make_inflow(o.velocity, o.start, o.end, nozzle);
      jet.solid = int(world.solids.size());
      world.solids.push_back(std::move(nozzle));
    }
    world.jets.push_back(std::move(jet));
  }
  for (const OutflowOptions& o : scene.outflows) world.outflows.emplace_back(o.shape);
  world.bodies = build_bodies(scene);
  move_solids(world.solids, 0);
  world.particles = seed_particles(scene, world);
  if (has_gas(scene)) fill_gas(scene, world);
  return world;
}

}  // namespace coracle
