// A small tank of particles with bodies and solids, stepped by hand.
#pragma once

#include "coracle/scene/liquid_kinds.h"
#include "coracle/step/body/motion.h"
#include "coracle/step/sph/sph_solve.h"
#include "coracle/world/build.h"
#include "validation/setup.h"

#include <string>

namespace coracle {

struct Tank {
  Scene scene;
  World world;
  SphLiquid liquid;
  StepWork step;
  SphWork work;

  // A scene without liquid; particles of diameter D fill the box from lo to hi on a lattice.
  Tank(const std::string& text, double spacing, const Vec3& lo, const Vec3& hi)
      : scene(parse_scene(text, "tank.toml")), world(build_world(scene)) {
    Grid& grid = liquid.grid;
    grid.origin = world.domain.lo;
    grid.dx = 2 * spacing;
    for (int a = 0; a < 3; ++a) grid.n[a] = int(std::ceil((world.domain.hi - world.domain.lo)[a] / grid.dx - 1e-9));
    const Vec3i n = ((hi - lo) / spacing).array().round().cast<int>();
    for (int k = 0; k < n.z(); ++k)
      for (int j = 0; j < n.y(); ++j)
        for (int i = 0; i < n.x(); ++i) liquid.x.push_back(lo + spacing * Vec3(i + 0.5, j + 0.5, k + 0.5));
    liquid.v.assign(liquid.x.size(), Vec3::Zero());
    liquid.v_last = liquid.v;
    liquid.kind.assign(liquid.x.size(), 0);
  }

  // The velocities after a step; nothing moves.
  SphSolve solve(double dt) {
    const CellOrder sorted = order_by_cell(liquid.grid, liquid.x);
    for_lists(liquid, [&](auto& values) { reorder(sorted.order, values); });
    work.pairs = find_pairs(liquid.grid, sorted.start, liquid.x, liquid.grid.dx);
    set_velocity_over(world.solids, world.clock.time, dt);
    return solve_sph(scene, world, liquid, step, work, dt);
  }
  SphSolve advance(double dt) {
    SphSolve found = solve(dt);
    if (!found.ok) return found;
    for (std::size_t i = 0; i < liquid.x.size(); ++i) liquid.x[i] += dt * liquid.v[i];
    if (!world.bodies.empty()) move_bodies(world.bodies, step.body_motion, dt);
    advance_clock(world.clock, dt);
    move_solids(world.solids, world.clock.time);
    return found;
  }
  Vec3 momentum() const {
    Vec3 sum = validation::momenta(world.bodies).linear;
    for (const Vec3& v : liquid.v) sum += scene.liquid.density * std::pow(0.5 * liquid.grid.dx, 3) * v;
    return sum;
  }
};

}  // namespace coracle
