// A region of space as a scene describes it.
#pragma once

#include "coracle/base/error.h"
#include "coracle/base/types.h"

#include <string>
#include <vector>

namespace coracle {

enum class ShapeKind { box, sphere, cylinder, half_space, mesh, union_of, difference };

// Which fields matter depends on the kind (scene/tables.h says which; others are an error).
struct ShapeOptions {
  Place place;
  ShapeKind kind = ShapeKind::box;
  Vec3 center = Vec3::Zero();     // box, sphere, cylinder
  Vec3 size = Vec3::Ones();       // box: full edge lengths
  double radius = 0.5;            // sphere, cylinder
  double height = 1;              // cylinder, along its axis
  Vec3 axis = Vec3::UnitY();      // cylinder; any length but zero
  Vec3 point = Vec3::Zero();      // half_space: a point of its boundary
  Vec3 normal = Vec3::UnitY();    // half_space: points out of it; any length but zero
  std::string file;               // mesh: absolute once loaded
  double scale = 1;               // mesh
  Vec3 translate = Vec3::Zero();  // mesh
  Vec3 rotate = Vec3::Zero();  // box, cylinder, mesh: degrees about x, then y, then z; about center, or a mesh's origin
  std::vector<ShapeOptions> parts;  // union, difference (the first less the others)
};

}  // namespace coracle
