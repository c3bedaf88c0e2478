// Contacts: surface nodes of bodies near domain walls, rigid solids, other bodies or their own body, and corners of
// rigid solids near bodies.
//
// A contact pushes with k max(0, −gap) along its normal, linearised in the same solve as the elasticity:
// gap(v) = gap + dt n·(v_point − v_other). The gap is the distance minus the rest distance, so that surfaces stay apart
// by about the rest distance. Friction is that of friction_law.h, with N and v_t of the last pass.
#pragma once

#include "coracle/world/surface.h"

#include <array>
#include <vector>

namespace coracle {

struct Contact {
  std::array<int, 4> node{-1, -1, -1, -1};  // the point, then the other side's triangle, over all bodies; -1: no body
  Vec3 bary = Vec3::Zero();                 // of the closest point on that triangle
  Vec3 normal = Vec3::UnitY();              // from the other side towards the point
  double gap = 0;                           // m, distance minus the rest distance
  double distance = 0;                      // m
  Vec3 velocity = Vec3::Zero();             // m/s, of the other side minus the point's, for those that are no bodies
  double friction = 0;
  int body = 0;  // of the point; of the triangle if the point is a rigid solid's
  int owner() const { return node[0] >= 0 ? node[0] : node[1]; }  // a node of that body

  // The point's velocity relative to the other side.
  Vec3 relative(const std::vector<Vec3>& v) const {
    Vec3 r = -velocity;
    if (node[0] >= 0) r += v[node[0]];
    if (node[1] >= 0)
      for (int c = 0; c < 3; ++c) r -= bary[c] * v[node[1 + c]];
    return r;
  }
};

// The distance at which contact begins: as given in m, or, where that is 0, a tenth of the mean edge of the skin.
double contact_distance(double given, const Body& body);

// Contacts that may become active within dt, for nodes no faster than now plus `gravity_dv`, which gravity adds.
// `trees`: of all surfaces of the world, solids first, then bodies.
std::vector<Contact> find_contacts(const World& world, const TreeList& trees, const ContactOptions& options, double dt,
                                   const Vec3& gravity_dv);

}  // namespace coracle
