// A scene whose size is known.
#pragma once

#include "coracle/scene/run_size.h"
#include "coracle/world/build.h"

namespace coracle {

// A metre of water, half full, with `resolution` cells along each side.
inline Scene half_full(int resolution) {
  Scene scene;
  scene.domain.resolution = resolution;
  ShapeOptions& water = scene.liquid.regions.emplace_back().shape;
  water.center = Vec3(0.5, 0.25, 0.5), water.size = Vec3(1, 0.5, 1);
  return scene;
}

inline RunSize size_of(const Scene& scene) { return run_size(scene, scene_grid(scene.domain), expected_sizes(scene)); }

}  // namespace coracle
