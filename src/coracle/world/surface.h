// A closed surface that cuts the grid: a rigid solid's, an inflow's or a deformable body's.
#pragma once

#include "coracle/world.h"

#include <span>
#include <vector>

namespace coracle {

// A view; what it looks at must stay in place.
struct Surface {
  std::span<const Vec3i> tris;
  std::span<const Vec3> x;  // m
  std::span<const Vec3> v;  // m/s
  bool container = false;   // the solid is what lies outside
  bool moving = false;
  bool inflow = false;
  bool present = true;
  Vec3 flow = Vec3::Zero();  // m/s, of an inflow
  int body = -1;             // which deformable body it belongs to; -1: none

  // A quantity of the vertices at a point of a triangle.
  Vec3 at(std::span<const Vec3> values, int tri, const Vec3& bary) const {
    const Vec3i& t = tris[tri];
    return bary[0] * values[t[0]] + bary[1] * values[t[1]] + bary[2] * values[t[2]];
  }
};

// All of them: the solids in their order, then the bodies in theirs.
struct Surfaces : std::vector<Surface> {
  Surfaces() = default;
  Surfaces(
      const std::vector<Solid>& solids);  // NOLINT(google-explicit-constructor): a set of solids is one of surfaces
  explicit Surfaces(const World& world);
};

// A word on every body too thin for the grid to hold liquid on its two sides apart.
std::vector<std::string> thin_bodies(const Grid& grid, const std::vector<Body>& bodies);

}  // namespace coracle
