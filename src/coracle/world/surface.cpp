#include "coracle/world/surface.h"

#include "coracle/shape/thickness.h"

#include <fmt/format.h>

#include <cmath>

namespace coracle {

Surfaces::Surfaces(const std::vector<Solid>& solids) {
  for (const Solid& s : solids)
    push_back({s.rest->tris, s.x, s.v, s.container, s.moving, s.inflow, s.present, s.flow, -1});
}

Surfaces::Surfaces(const World& world) : Surfaces(world.solids) {
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.bodies[b];
    Surface s{body.rest->surface, body.x, body.v, false, true, false, true, Vec3::Zero(), int(b)};
    push_back(s);
  }
}

std::vector<std::string> thin_bodies(const Grid& grid, const std::vector<Body>& bodies) {
  constexpr double enough = 2;  // cells
  std::vector<std::string> words;
  for (const Body& body : bodies) {
    const double thickness = median_thickness(body.x, body.rest->surface);
    if (thickness >= enough * grid.dx) continue;
    const double longest = grid.dx * grid.n.maxCoeff();
    words.push_back(fmt::format(
        "the body '{}' is {:.3g} m thick, {:.2g} cells of {:.3g} m: liquid can leak through what is thinner than two "
        "cells; domain.resolution = {} gives it two",
        body.name, thickness, thickness / grid.dx, grid.dx, int(std::ceil(enough * longest / thickness))));
  }
  return words;
}

}  // namespace coracle
