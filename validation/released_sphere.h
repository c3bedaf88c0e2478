// A sphere let go in a full spherical container: its first acceleration, over g, in potential flow. The liquid's
// inertia, met at every angle of cut cell and tet, is all there is to it: neither elasticity nor transport can make up
// for a fault of the coupling.
#pragma once

#include "coracle/scene.h"

namespace coracle::validation {

// (1 − s) / (s + C) with s = ρs / ρf, C the added mass.
double released_in_theory(double s);

// In one projection on n³ cells. Sound crosses the sphere `crossings` times in its step: it answers as a whole.
struct ReleaseRun {
  Method method = Method::cutcell;
  double degrees = 0;  // that gravity is turned by against the grid
};
double released_in_projection(double s, int n, const Vec3& center, double edge, double crossings,
                              const ReleaseRun& run = {});

}  // namespace coracle::validation
