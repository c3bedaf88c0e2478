#pragma once

#include "coracle/scene.h"

#include <algorithm>

namespace coracle {

// m. Cells are cubes, `resolution` of them along the longest side; z of a slab does not count.
inline double cell_size(const DomainOptions& domain) {
  const Vec3 size = domain.max - domain.min;
  return (domain.slab > 0 ? std::max(size.x(), size.y()) : size.maxCoeff()) / domain.resolution;
}

}  // namespace coracle
