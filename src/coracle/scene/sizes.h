// Sizes that follow from several options.
#pragma once

#include "coracle/scene.h"

#include <algorithm>

namespace coracle {

// m. Cells are cubes, `resolution` of them along the longest side; z of a slab does not count.
inline double cell_size(const DomainOptions& domain) {
  const Vec3 size = domain.max - domain.min;
  return (domain.slab > 0 ? std::max(size.x(), size.y()) : size.maxCoeff()) / domain.resolution;
}

// m, of the shell around a skin in cells of dx: of its tets, and its thickness.
inline double shell_edge(const SkinOptions& skin, double dx) { return skin.edge > 0 ? skin.edge : 0.5 * dx; }
inline double shell_thickness(const SkinOptions& skin, double dx) {
  return skin.thickness > 0 ? skin.thickness : 3 * shell_edge(skin, dx);
}

}  // namespace coracle
