// The flesh of a character: round cones about its bones, blended into one smooth body.
#pragma once

#include "coracle/types.h"

#include <vector>

namespace coracle::characters {

// All spheres with centres between a and b, whose radius changes linearly. `flat` < 1 presses the cone to that share of
// its thickness along the unit vector `across`: a palm, an ear, a fin.
struct Flesh {
  int bone = 0;
  Vec3 a, b;              // m
  double ra = 0, rb = 0;  // m
  double blend = 0;       // m: how wide the crease is that is filled where this part meets those before it
  double flat = 1;
  Vec3 across = Vec3::UnitY();
};

// Distance to the cone, m, negative inside; for a pressed one to first order near its surface.
double distance_to(const Flesh& part, const Vec3& x);
// Distance to the cone's axis in units of its radius there: 1 on its surface. Beyond the ends of a cone that is shorter
// than its radius, in units of its length: rings of a trunk leave each other alone.
double relative_distance(const Flesh& part, const Vec3& x);
// Distance to the blended body.
double distance_to(const std::vector<Flesh>& body, const Vec3& x);

Bounds bounds_of(const std::vector<Flesh>& body);

}  // namespace coracle::characters
