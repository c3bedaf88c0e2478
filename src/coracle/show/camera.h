// The camera of a picture, and the rays through its pixels.
#pragma once

#include "coracle/scene.h"
#include "coracle/show/stage.h"

namespace coracle {

struct Camera {
  Vec3 eye;                        // m
  Vec3 right, up, forward;         // orthonormal
  double half_width, half_height;  // of the picture, at a distance of one metre
  int width, height;               // pixels

  // The point of the picture that shows x: (0, 0) is the upper left corner, (width, height) the lower right one.
  Vec3 project(const Vec3& x) const;  // z: m along `forward`
  Ray ray(float px, float py) const;
};

// Follows the scene's [camera]. Defaults depend only on the domain, so that the camera does not move: a three-quarter
// view of the whole domain; a slab is seen from the front.
Camera scene_camera(const Scene& scene, int width, int height);

}  // namespace coracle
