#include "coracle/world/surface.h"

#include "coracle/shape/thickness.h"
#include "coracle/world/bodies.h"

#include <fmt/format.h>

#include <cmath>

namespace coracle {

Surfaces::Surfaces(const std::vector<Solid>& solids) {
  for (const Solid& s : solids)
    push_back({.tris = s.rest->tris,
               .x = s.x,
               .v = s.v,
               .container = s.container,
               .moving = s.moving,
               .inflow = s.inflow,
               .present = s.present,
               .flow = s.flow});
}

Surfaces::Surfaces(const World& world) : Surfaces(world.solids) {
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    if (!has_inside(body)) continue;
    push_back({.tris = body.rest->skin.tris, .x = body.x, .v = body.v, .moving = true, .body = int(b)});
  }
}

void SurfaceTrees::update(const Surfaces& surfaces) {
  const bool first = each.size() != surfaces.size();
  each.resize(surfaces.size());
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (first || surfaces[s].moving) each[s] = TriTree(surfaces[s].x, surfaces[s].tris);
}

TreeList SurfaceTrees::list() const {
  TreeList trees;
  for (const TriTree& tree : each) trees.push_back(&tree);
  return trees;
}

std::vector<std::string> thin_bodies(const Grid& grid, const std::vector<Body>& bodies, const char* fluid) {
  constexpr double enough = 2 * (1 - 1e-6);  // cells; a plate of two that is rounded down has two
  std::vector<std::string> warnings;
  for (const Body& body : bodies) {
    if (!has_inside(body)) {
      warnings.push_back(
          fmt::format("the body '{}' has no volume: it neither feels nor disturbs the {}", body.name, fluid));
      continue;
    }
    const double thickness = median_thickness(body.x, body.rest->skin.tris);
    if (thickness >= enough * grid.dx) continue;
    const double longest = grid.dx * grid.n.maxCoeff();
    warnings.push_back(fmt::format(
        "the body '{}' is {:.3g} m thick, {:.2g} cells of {:.3g} m: {} can leak through bodies thinner than two "
        "cells; domain.resolution = {} gives it two",
        body.name, thickness, thickness / grid.dx, grid.dx, fluid, int(std::ceil(enough * longest / thickness))));
  }
  return warnings;
}

}  // namespace coracle
