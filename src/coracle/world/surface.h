// A closed surface that cuts the grid: of a rigid solid, an inflow or a deformable body.
#pragma once

#include "coracle/shape/closest.h"
#include "coracle/world.h"

#include <span>
#include <vector>

namespace coracle {

// A view: the data must outlive it and must not be reallocated.
struct Surface {
  std::span<const Vec3i> tris;
  std::span<const Vec3> x;  // m
  std::span<const Vec3> v;  // m/s
  bool container = false;   // the solid is everything outside the surface
  bool moving = false;
  bool inflow = false;
  bool present = true;
  Vec3 flow = Vec3::Zero();  // m/s, of an inflow
  int body = -1;             // which deformable body it belongs to; -1: none

  // Interpolate a quantity of the vertices to a point of a triangle.
  Vec3 at(std::span<const Vec3> values, int tri, const Vec3& bary) const {
    const Vec3i& t = tris[tri];
    return bary[0] * values[t[0]] + bary[1] * values[t[1]] + bary[2] * values[t[2]];
  }
};

// All surfaces of a world: first the solids, then the bodies, each in their order. Shells and rods have no inside; they
// are not among them, and neither feel nor disturb a fluid on a grid.
struct Surfaces : std::vector<Surface> {
  Surfaces() = default;
  Surfaces(
      const std::vector<Solid>& solids);  // NOLINT(google-explicit-constructor): a set of solids is one of surfaces
  explicit Surfaces(const World& world);
};

// The closest-point trees of surfaces, in the order of the surfaces. Their owner must keep them up to date.
using TreeList = std::vector<const TriTree*>;

// Owns the trees of surfaces, for use without a grid.
struct SurfaceTrees {
  std::vector<TriTree> each;
  void update(const Surfaces& surfaces);
  TreeList list() const;
};

// A warning per body that is too thin for the grid: the fluid ("liquid", "gas") could leak through it, or does not feel
// it at all.
std::vector<std::string> thin_bodies(const Grid& grid, const std::vector<Body>& bodies, const char* fluid);

}  // namespace coracle
