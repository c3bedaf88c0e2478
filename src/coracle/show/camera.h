// From where a picture is taken, and the rays through its pixels.
#pragma once

#include "coracle/scene.h"
#include "coracle/show/stage.h"

namespace coracle {

struct Camera {
  Vec3 eye;                        // m
  Vec3 right, up, forward;         // at right angles, of unit length
  double half_width, half_height;  // of the picture, one metre away
  int width, height;               // pixels

  // The point of the picture that shows x: (0, 0) is its upper left corner, (width, height) the lower right one.
  Vec3 project(const Vec3& x) const;  // z: m along `forward`
  Ray ray(float px, float py) const;
};

// As the scene's [camera] says. What it leaves out follows from the domain alone, so that the picture stands still:
// three-quarter view, all of the domain in it; a slab is seen from the front.
Camera scene_camera(const Scene& scene, int width, int height);

}  // namespace coracle
