// Signed distance to a scene's shapes: negative inside, its slope at most 1 everywhere.
// Exact for box, sphere, cylinder, half_space, mesh, torus and hollow_sphere; unions and differences take least and
// greatest of their parts' distances, which is exact up to the sign, and a bound for the size.
#pragma once

#include "coracle/shapes.h"

#include <memory>
#include <vector>

namespace coracle {

class TriTree;

class ShapeDistance {
 public:
  // Reads a mesh's file: throws std::runtime_error where it cannot.
  explicit ShapeDistance(const ShapeOptions& shape);
  double operator()(const Vec3& x) const;

 private:
  ShapeOptions shape_;
  Mat3 to_local_;  // of box, cylinder and torus
  Vec3 axis_;      // unit, before the rotation
  std::shared_ptr<const TriTree> tree_;
  std::vector<ShapeDistance> parts_;
};

// How far a smooth_union's fillets may reach beyond its parts, m.
double blend_reach(const ShapeOptions& shape);

}  // namespace coracle
