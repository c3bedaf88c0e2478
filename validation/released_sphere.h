// A sphere, released in a full spherical container: its initial acceleration over g in potential flow. It depends
// only on the liquid's inertia, with cut cells and tets at every angle: neither elasticity nor advection can hide an
// error of the coupling.
#pragma once

#include "coracle/scene.h"

namespace coracle::validation {

// (1 − s) / (s + C) with s = ρs / ρf, C the added mass.
double released_in_theory(double s);

// In one projection on n³ cells. Sound crosses the sphere `crossings` times per step, so it accelerates as a whole.
struct ReleaseRun {
  Method method = Method::cutcell;
  double degrees = 0;  // rotation of gravity relative to the grid
  bool rigid = false;  // else deformable
};
double released_in_projection(double s, int n, const Vec3& center, double edge, double crossings,
                              const ReleaseRun& run = {});

}  // namespace coracle::validation
