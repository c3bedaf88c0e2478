// Regions of space: the contents, bounds and surfaces of the shapes of a scene.
#pragma once

#include "coracle/shape/tri_mesh.h"
#include "coracle/shapes.h"

#include <limits>
#include <memory>
#include <vector>

namespace coracle {

class ShapeDistance;
struct RegionStep;
class TriTree;

// Encloses the shape; may be larger than necessary for rotated and combined shapes. Reads the file of a mesh.
Bounds shape_bounds(const ShapeOptions& shape);

// Volume of a finite shape, m³: exact for shapes without parts, else by sampling, to some 2 %. Reads the file of a
// mesh.
double shape_volume(const ShapeOptions& shape);

// The closed surface of a box, sphere, cylinder, torus, hollow_sphere or mesh. `edge`: target edge length of curved
// shapes, m. Throws std::runtime_error if the file of a mesh cannot be read.
TriMesh shape_mesh(const ShapeOptions& shape, double edge);

class Region {
 public:
  explicit Region(const ShapeOptions& shape);
  explicit Region(const TriMesh& mesh);
  bool contains(const Vec3& x) const;
  const Bounds& bounds() const { return bounds_; }
  // The region as steps (region_view.h), whose trees are those of this region. False where there are none: for a
  // smooth_union, and for parts of parts that are nested deeper than 64 times.
  bool steps(std::vector<RegionStep>& out, int waiting = 0) const;

 private:
  ShapeOptions shape_;
  Bounds bounds_;
  Mat3 to_local_;  // of box and cylinder
  Vec3 axis_;      // unit, of cylinder and torus
  std::shared_ptr<const TriTree> tree_;
  std::shared_ptr<const ShapeDistance> distance_;  // of smooth_union
  std::vector<Region> parts_;
};

}  // namespace coracle
