// The liquid as pictures show it, on a grid twice as fine as the simulation's: its level set, smooth between the
// cells' values; the particles of sheets too thin for it, as balls that blend into each other; cut off by the solids. A
// body is opaque, so the liquid reaches a little way into it and no gap shows between them. Drops that fly alone are
// left out: as triangles they would be most of a splash.
#pragma once

#include "coracle/step/grid/solid_field.h"
#include "coracle/world.h"

namespace coracle {

// Liquid besides the level set and the particles, which blends into them.
struct MoreLiquid {
  struct Cell {  // of the shown grid
    std::size_t index;
    float phi;  // m, < 0 in this liquid
    Vec3f v;    // m/s
  };
  struct Ball {
    Vec3 x;    // m
    double r;  // m
  };
  std::vector<Cell> cells;  // those around it, by increasing index
  std::vector<Ball> balls;
};

// What is known of the liquid.
struct LiquidShape {
  const Grid& grid;
  const std::vector<Vec3>& x;   // m, of the particles
  const Array3<double>& phi;    // m, < 0 in the liquid
  const Array3<double>& share;  // of liquid (level_set.h)
  const SolidField& solids;
  const MoreLiquid* more = nullptr;
};

struct ShownLiquid {
  Grid grid;
  Array3<float> phi;            // m, < 0 in the liquid, at cell centres
  std::vector<int> lone_drops;  // particles
};

Grid shown_grid(const Grid& grid);
ShownLiquid shown_liquid(const World& world, const LiquidShape& liquid);

// Twice as many samples along every axis, by Catmull and Rom's cubic, which passes through the old ones; beyond the
// outermost samples the field is constant.
Array3<float> twice_as_fine(const Array3<double>& coarse);

}  // namespace coracle
