// Signed distance to the shapes of a scene: negative inside, with a slope of at most 1 everywhere.
// Exact for box, sphere, cylinder, half_space, mesh, torus and hollow_sphere. Unions, differences and intersections
// take the minimum or maximum of the distances of their parts: the sign is exact, the size is a lower bound.
#pragma once

#include "coracle/shapes.h"

#include <memory>
#include <vector>

namespace coracle {

class TriTree;

class ShapeDistance {
 public:
  // Reads the file of a mesh; throws std::runtime_error if that fails.
  explicit ShapeDistance(const ShapeOptions& shape);
  double operator()(const Vec3& x) const;

 private:
  ShapeOptions shape_;
  Mat3 to_local_;  // of box, cylinder and torus
  Vec3 axis_;      // unit, before the rotation
  std::shared_ptr<const TriTree> tree_;
  std::vector<ShapeDistance> parts_;
};

// How far the fillets of a smooth_union may reach beyond its parts, m.
double blend_reach(const ShapeOptions& shape);

}  // namespace coracle
