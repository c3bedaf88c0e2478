#include "coracle/world/build.h"

#include "coracle/scene/animation.h"
#include "coracle/scene/body_size.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/sizes.h"
#include "coracle/shape/region.h"
#include "coracle/shape/split_edges.h"
#include "coracle/world/bodies.h"
#include "coracle/world/join_velocities.h"
#include "coracle/world/make_skins.h"
#include "coracle/world/motion.h"
#include "coracle/world/ties.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>

namespace coracle {
namespace {

// Curved shapes: facets as large as a cell.
std::shared_ptr<const TriMesh> mesh_of(const ShapeOptions& shape, double dx) {
  return std::make_shared<const TriMesh>(shape_mesh(shape, dx));
}

Solid make_solid(const std::string& name, std::shared_ptr<const TriMesh> rest) {
  Solid solid;
  solid.name = name;
  solid.rest = std::move(rest);
  solid.x = solid.rest->x;
  solid.v.assign(solid.x.size(), Vec3::Zero());
  return solid;
}

Solid make_inflow(const std::string& name, const ShapeOptions& shape, const Vec3& velocity, double start, double end,
                  double dx) {
  Solid solid = make_solid(name, mesh_of(shape, dx));
  solid.inflow = true;
  solid.start = solid.flow_since = start, solid.end = end;
  solid.flow = velocity;
  solid.v.assign(solid.x.size(), velocity);
  return solid;
}

GridFlow empty_flow(const Grid& grid) {
  return {.grid = grid,
          .u = make_face_field<double>(grid),
          .pushes = {},
          .pressure = Array3<double>(grid.n),
          .carried = {},
          .pockets = {}};
}

}  // namespace

Fluid empty_fluid(FluidKind kind, const Grid& grid) {
  switch (kind) {
    case FluidKind::gas: {
      Gas gas{empty_flow(grid), Array3<float>(grid.n), Array3<float>(grid.n), 0};
      gas.carried = make_face_field<double>(grid);
      return gas;
    }
    case FluidKind::liquid:
      return Liquid{empty_flow(grid), {}, 0, {}, {}, {}};
    case FluidKind::sph:
      return SphLiquid{.grid = grid, .x = {}, .v = {}, .v_last = {}, .kind = {}};
    case FluidKind::none:
      break;
  }
  return NoFluid{};
}

Grid scene_grid(const DomainOptions& domain) {
  Grid grid;
  grid.origin = domain.min;
  const Vec3 size = domain.max - domain.min;
  grid.dx = cell_size(domain);
  for (int a = 0; a < 3; ++a) grid.n[a] = std::max(1, int(std::lround(size[a] / grid.dx)));
  if (domain.slab > 0) grid.n.z() = domain.slab;
  return grid;
}

void move_solids(std::vector<Solid>& solids, double time) {
  for (Solid& s : solids) {
    if (s.inflow) s.present = time >= s.start && time <= s.end;
    if (s.moving) solid_at(s, time, s.x, s.v);
  }
}

void set_velocity_over(std::vector<Solid>& solids, double time, double dt) {
  std::vector<Vec3> ahead, unused;
  for (Solid& s : solids) {
    if (!s.moving) continue;
    solid_at(s, time + dt, ahead, unused);
    for (std::size_t i = 0; i < s.x.size(); ++i) s.v[i] = (ahead[i] - s.x[i]) / dt;
  }
}

std::vector<std::string> large_bodies(const Scene& scene) {
  constexpr double large = 5e5;  // tetrahedra: some ten seconds
  std::vector<std::string> notes;
  for (const BodyOptions& o : scene.bodies)
    if (const double count = expected_tets(o); count > large)
      notes.push_back(fmt::format("the body '{}' is being meshed: about {:.2g} tetrahedra", o.name, count));
  return notes;
}

std::vector<Body> build_bodies(const Scene& scene) {
  std::vector<Body> bodies;
  for (const BodyOptions& o : scene.bodies) try {
      bodies.push_back(build_body(o, tied_points(scene, o.name)));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const SceneError&) {
      throw;
    } catch (const std::exception& error) {
      throw SceneError({{o.place, fmt::format("the body '{}' cannot be meshed: {}", o.name, error.what())}});
    }
  return bodies;
}

std::vector<Solid> build_solids(const Scene& scene) {
  const Grid grid = scene_grid(scene.domain);
  std::vector<Solid> solids;
  for (const SolidOptions& o : scene.solids) {
    const auto character = is_animated(o) ? std::make_shared<const Character>(read_character(o)) : nullptr;
    auto rest = character ? std::shared_ptr<const TriMesh>(character, &character->rest) : mesh_of(o.shape, grid.dx);
    // A film lives on triangles: those of a box or a rod would be as long as it is. Characters keep theirs.
    if (has_film(scene, o) && !character) rest = std::make_shared<const TriMesh>(split_long_edges(*rest, grid.dx));
    Solid solid = make_solid(o.name, std::move(rest));
    solid.container = o.container;
    solid.character = character;
    solid.playback = playback_of(o);
    solid.motions = o.motions;
    solid.moving = moves(o);
    solids.push_back(std::move(solid));
  }
  for (const InflowOptions& o : scene.inflows)
    solids.push_back(make_inflow(o.name, o.shape, o.velocity, o.start, o.end, grid.dx));
  for (const JetOptions& o : scene.jets)
    if (blows(o)) solids.push_back(make_inflow(o.name, o.shape, o.velocity, o.start, o.end, grid.dx));
  move_solids(solids, 0);
  return solids;
}

World build_world(const Scene& scene) {
  World world;
  const Grid grid = scene_grid(scene.domain);
  world.domain = {grid.origin, grid.upper()};
  world.solids = build_solids(scene);
  world.bodies = build_bodies(scene);
  world.ties = build_ties(scene, world.bodies);
  join_start_velocities(world);
  world.fluid = empty_fluid(fluid_kind(scene), grid);
  if (scene.method == Method::skinned && fluid_kind(scene) == FluidKind::liquid)
    liquid_of(world).skins = make_skins(scene, world.solids, grid);
  return world;
}

}  // namespace coracle
