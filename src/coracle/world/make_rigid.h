// Makes a rigid body, an affine one [LanKaufman22], from its surface.
//
// Mass: a body that moves by x = A X + b has the kinetic energy ½ ∫ρ |ẋ|², which depends on its mass m, its centre c
// and its second moments S = ∫ρ (X − c)(X − c)ᵀ only, and so do its momentum and its inertia tr S 1 − S. Four points
// have the same:
//     q_i = c + (S/m)^½ u_i, a mass of m/4 each, with u_i the corners (1 1 1), (1 −1 −1), (−1 1 −1), (−1 −1 1).
// For Σ u_i = 0 and ¼ Σ u_i u_iᵀ = 1, so that Σ m/4 q_i = m c and Σ m/4 (q_i − c)(q_i − c)ᵀ = (S/m)^½ m (S/m)^½ = S.
//
// Nodes: the four mass points, then the vertices of the surface, without mass. The four points lead, and the vertices
// follow them. A node that is held or tied must not follow nodes that are free. So where there are such vertices, as
// many as span space lead, and mass points complete them to four.
#pragma once

#include "coracle/body.h"

#include <vector>

namespace coracle {

struct RigidParts {
  std::vector<Vec3> x;       // m, at rest
  std::vector<double> mass;  // kg, per node
  Rigid rigid;
  std::vector<Follower> followers;  // sorted by node
  std::vector<Vec3i> tris;          // of the surface, over the nodes
};

inline constexpr int mass_points = 4;  // the first nodes; vertex i of the surface is node mass_points + i

// `tied`: vertices of the surface that are held or tied. Throws std::runtime_error with a reason if the surface is not
// closed, is inside out, or encloses no volume.
RigidParts make_rigid(const TriMesh& surface, double density, const std::vector<int>& tied = {});

// Mass, centre and second moments of the inside of a closed surface of uniform density, exact.
struct Moments {
  double mass = 0;             // kg
  Vec3 center = Vec3::Zero();  // m
  Mat3 second = Mat3::Zero();  // kg m², about the centre
};
Moments moments(const TriMesh& surface, double density);

}  // namespace coracle
