// Where surface nodes of bodies come near domain walls, rigid solids, other bodies or their own body, and corners of
// rigid solids near bodies.
//
// A contact pushes with k max(0, −gap) along its normal, linearised in the same solve as the elasticity:
// gap(v) = gap + dt n·(v_point − v_other). Distances are measured to the rest distance, so that surfaces stay apart by
// about that much. Friction is Coulomb's: a tangential drag μ N / |v_t|, with N and v_t of the last pass.
#pragma once

#include "coracle/body.h"
#include "coracle/grid.h"
#include "coracle/step/grid/solid_field.h"

#include <array>
#include <vector>

namespace coracle {

struct Contact {
  std::array<int, 4> node{-1, -1, -1, -1};  // the point, then the other side's triangle, over all bodies; -1: no body's
  Vec3 bary = Vec3::Zero();                 // of the closest point on that triangle
  Vec3 normal = Vec3::UnitY();              // from the other side towards the point
  double gap = 0;                           // m, distance less the rest distance
  double distance = 0;                      // m
  Vec3 velocity = Vec3::Zero();             // m/s, of the other side less the point's, where they are no bodies
  double friction = 0;
  int body = 0;  // of the point; where that is a rigid solid's, of the triangle
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

// Contacts that may become active within dt, for nodes no faster than now plus `fall`.
std::vector<Contact> find_contacts(const Grid& grid, const std::vector<Solid>& solids, const SolidField& field,
                                   const std::vector<Body>& bodies, const ElasticOptions& options, double dt,
                                   const Vec3& fall);

}  // namespace coracle
