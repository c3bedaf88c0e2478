// The tables of shapes and motions, which solids, bodies, liquid, gas and holds share (scene/tables.h).
#pragma once

#include "coracle/scene.h"
#include "coracle/scene/fields.h"

namespace coracle {

inline Words words(ShapeKind) {
  static constexpr const char* w[] = {"box",          "sphere",     "cylinder", "half_space",    "mesh",
                                      "union",        "difference", "torus",    "hollow_sphere", "smooth_union",
                                      "intersection", "rectangle",  "net",      "line"};
  return w;
}
inline Words words(MotionKind) {
  static constexpr const char* w[] = {"velocity", "rotation", "oscillation", "keyframes"};
  return w;
}

template <class V>
void fields(V& v, ShapeOptions& o) {
  using enum ShapeKind;
  v.here(o.place);
  v.kind("shape", o.kind, {.required = every_kind, .doc = "what the region is"});
  v.field("center", o.center,
          {.unit = "m",
           .kinds = only(box, sphere, cylinder, torus, hollow_sphere, rectangle, net),
           .required = only(box, sphere, cylinder, torus, hollow_sphere, rectangle, net),
           .doc = "its middle"});
  v.field(
      "size", o.size,
      {.unit = "m", .min = 0, .above = true, .kinds = only(box), .required = only(box), .doc = "full edge lengths"});
  v.corners(o.center, o.size, {.unit = "m", .kinds = only(box), .doc = "opposite corners, instead of center and size"});
  v.field("radius", o.radius,
          {.unit = "m",
           .min = 0,
           .above = true,
           .kinds = only(sphere, cylinder, torus, hollow_sphere),
           .required = only(sphere, cylinder, torus, hollow_sphere),
           .doc = "torus: of the ring; hollow_sphere: outer"});
  v.field("tube", o.tube,
          {.unit = "m",
           .min = 0,
           .above = true,
           .kinds = only(torus),
           .required = only(torus),
           .doc = "radius of the tube"});
  v.field("thickness", o.thickness,
          {.unit = "m",
           .min = 0,
           .above = true,
           .kinds = only(hollow_sphere),
           .required = only(hollow_sphere),
           .doc = "of the shell, inward from radius"});
  v.field("height", o.height,
          {.unit = "m",
           .min = 0,
           .above = true,
           .kinds = only(cylinder),
           .required = only(cylinder),
           .doc = "along the axis"});
  v.field("axis", o.axis, {.nonzero = true, .kinds = only(cylinder, torus), .doc = "direction, of any length"});
  v.field("point", o.point,
          {.unit = "m", .kinds = only(half_space), .required = only(half_space), .doc = "a point of the boundary"});
  v.field("normal", o.normal, {.nonzero = true, .kinds = only(half_space), .doc = "points out of the half space"});
  v.field("file", o.file,
          {.file = true,
           .kinds = only(mesh),
           .required = only(mesh),
           .doc = "a closed surface; a body also takes tetrahedra: see Files of meshes"});
  v.field("scale", o.scale, {.min = 0, .above = true, .kinds = only(mesh), .doc = "applied first"});
  v.field("translate", o.translate, {.unit = "m", .kinds = only(mesh), .doc = "applied last"});
  v.field("rotate", o.rotate,
          {.unit = "degrees",
           .kinds = only(box, cylinder, torus, mesh),
           .doc = "about x, then y, then z, through the center (a mesh: through its origin)"});
  v.field("along", o.along,
          {.unit = "m",
           .nonzero = true,
           .kinds = only(rectangle, net),
           .required = only(rectangle, net),
           .doc = "one side, as a vector; for shells and rods"});
  v.field("across", o.across,
          {.unit = "m",
           .nonzero = true,
           .kinds = only(rectangle, net),
           .required = only(rectangle, net),
           .doc = "the other side, at right angles to `along`"});
  v.field("spacing", o.spacing,
          {.unit = "m",
           .min = 0,
           .above = true,
           .kinds = only(net),
           .required = only(net),
           .doc = "between the ropes of the net, at most"});
  v.field("points", o.points,
          {.unit = "m", .kinds = only(line), .required = only(line), .doc = "of a rope, straight in between"});
  v.field("blend", o.blend,
          {.unit = "m",
           .min = 0,
           .above = true,
           .kinds = only(smooth_union),
           .required = only(smooth_union),
           .doc = "parts nearer than this are joined by a fillet"});
  v.parts("parts", o.parts,
          {.kinds = only(union_of, difference, smooth_union, intersection),
           .required = only(union_of, difference, smooth_union, intersection),
           .doc = "shapes; a difference is the first minus the others, an intersection what all share"});
}

template <class V>
void fields(V& v, MotionOptions& o) {
  using enum MotionKind;
  v.here(o.place);
  v.kind("type", o.kind, {.required = every_kind, .doc = "how the solid moves"});
  v.field("velocity", o.velocity,
          {.unit = "m/s", .kinds = only(velocity), .required = only(velocity), .doc = "constant"});
  v.field("axis", o.axis, {.nonzero = true, .kinds = only(rotation, keyframes), .doc = "direction, of any length"});
  v.field("pivot", o.pivot,
          {.unit = "m", .kinds = only(rotation, keyframes), .required = only(rotation), .doc = "a point of the axis"});
  v.field("rate", o.rate,
          {.unit = "rad/s",
           .kinds = only(rotation),
           .required = only(rotation),
           .doc = "counter-clockwise about the axis"});
  v.field(
      "amplitude", o.amplitude,
      {.unit = "m", .kinds = only(oscillation), .required = only(oscillation), .doc = "of the sine, to either side"});
  v.field("frequency", o.frequency,
          {.unit = "Hz", .min = 0, .kinds = only(oscillation), .required = only(oscillation), .doc = "of the sine"});
  v.field("phase", o.phase, {.unit = "rad", .kinds = only(oscillation), .doc = "of the sine at start"});
  v.field(
      "start", o.start,
      {.unit = "s", .min = 0, .max = 1e30, .kinds = only(velocity, rotation, oscillation), .doc = "at rest before"});
  v.field("end", o.end,
          {.unit = "s", .min = 0, .max = 1e30, .kinds = only(velocity, rotation, oscillation), .doc = "at rest after"});
  v.field("times", o.times, {.unit = "s", .kinds = only(keyframes), .required = only(keyframes), .doc = "increasing"});
  v.field("offsets", o.offsets,
          {.unit = "m", .kinds = only(keyframes), .doc = "one per time, linear in between; none: no shift"});
  v.field("angles", o.angles,
          {.unit = "rad",
           .kinds = only(keyframes),
           .doc = "one per time, about the axis through pivot; none: no rotation"});
}

}  // namespace coracle
