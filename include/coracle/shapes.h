// A region of space as a scene describes it.
#pragma once

#include "coracle/error.h"
#include "coracle/types.h"

#include <string>
#include <vector>

namespace coracle {

enum class ShapeKind {
  box,
  sphere,
  cylinder,
  half_space,
  mesh,
  union_of,
  difference,
  torus,
  hollow_sphere,
  smooth_union,
  intersection,
  rectangle,
  net,
  line
};

// Whether the shape is a sheet, a net or a line: without volume, for shells and rods.
inline bool is_thin(ShapeKind kind) {
  return kind == ShapeKind::rectangle || kind == ShapeKind::net || kind == ShapeKind::line;
}

// Whether the shape consists of other shapes.
inline bool has_parts(ShapeKind kind) {
  return kind == ShapeKind::union_of || kind == ShapeKind::difference || kind == ShapeKind::smooth_union ||
         kind == ShapeKind::intersection;
}

// The kind decides which fields apply (scene/tables.h); a scene file that sets another field is an error.
struct ShapeOptions {
  Place place;
  ShapeKind kind = ShapeKind::box;
  Vec3 center = Vec3::Zero();     // box, sphere, cylinder, torus, hollow_sphere, rectangle, net
  Vec3 size = Vec3::Ones();       // box: full edge lengths
  double radius = 0.5;            // sphere, cylinder, hollow_sphere: outer; torus: of the ring that the tube follows
  double height = 1;              // cylinder, along its axis
  double tube = 0.1;              // torus: radius of the tube
  double thickness = 0.1;         // hollow_sphere: the shell lies between radius − thickness and radius
  Vec3 axis = Vec3::UnitY();      // cylinder, torus; any length but zero
  Vec3 point = Vec3::Zero();      // half_space: a point of its boundary
  Vec3 normal = Vec3::UnitY();    // half_space: points out of it; any length but zero
  std::string file;               // mesh: absolute once loaded
  double scale = 1;               // mesh
  Vec3 translate = Vec3::Zero();  // mesh
  Vec3 rotate =
      Vec3::Zero();  // box, cylinder, torus, mesh: degrees about x, then y, then z; about center, or a mesh's origin
  std::vector<ShapeOptions> parts;  // union, difference (the first less the others), smooth_union, intersection
  Vec3 along = Vec3::UnitX();       // rectangle, net: m, one side
  Vec3 across = Vec3::UnitZ();      // rectangle, net: m, the other side, at right angles
  double spacing = 0.1;             // net: m between its ropes, at most
  std::vector<Vec3> points;         // line: m, straight in between
  double blend = 0.1;               // smooth_union: m, parts nearer than this are joined by a fillet
};

}  // namespace coracle
