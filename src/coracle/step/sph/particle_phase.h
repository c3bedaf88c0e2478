// Particles that can meet sides of the domain and solids only, one by one: the velocity v at the end of a step
// minimises
//     m/(2h) |v − u|² + C(x + h v)/h − f·v
// with u the velocity after the liquid's phase, C barrier and friction as in touches.h and f the force that was in that
// phase.
// Newton's method with a line search; no change passes a triangle or a side (ccd.h). Solids advance with the same share
// of their way as the particle, as in contact/barrier_contacts.h.
#pragma once

#include "coracle/shape/simplex_distance.h"
#include "coracle/step/sph/touches.h"

#include <vector>

namespace coracle {

struct MovingTriangle {
  std::array<Vec3, 3> x, way;  // m: at the start, and to the end of the step
  double radius = 0;           // m: half the thickness
};

struct LoneParticle {
  Vec3 x = Vec3::Zero();                  // m
  Vec3 target = Vec3::Zero();             // m/s, u
  Vec3 force = Vec3::Zero();              // N, f
  double mass = 0, kappa = 0;             // kg; N, κ s_q
  std::vector<MovingTriangle> triangles;  // that it may meet
};

struct LoneResult {
  // What it does to one of its triangles.
  struct Push {
    int triangle;
    Vec3 place, force;  // m, N
  };
  bool ok = true;
  Vec3 v = Vec3::Zero();
  int iterations = 0;
  double nearest = 0;  // m, the smallest gap at the end; at most the reach
  std::vector<Push> pushes;
};

// `stick`: m, a shorter slip in the step is sticking.
LoneResult settle(const LoneParticle& particle, const Bounds& domain, const TouchLaw& law, double dt, double stick,
                  double near_enough);

}  // namespace coracle
