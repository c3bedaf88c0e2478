// Where particles touch triangles and sides of the domain at the start of a step, and the quadratic model of their
// contact that the liquid's phase takes [Xie23 eqs. 4.19–21, 5.5].
//
// C = Σ s_q b(d) over all triangles and sides within the reach, with the area s_q = π (3 J V0 / 4π)^⅔ of a particle.
// Friction is quadratic: ½ μ λ (f1(u*)/u*) |Tᵀ δ|², with the normal force λ and the tangents T of the start and a guess
// u* of the slip; it lies above the energy of friction_law.h and touches it at u*.
#pragma once

#include "coracle/step/contact/barrier_contacts.h"
#include "coracle/step/contact/contact_term.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace coracle {

// How particles touch.
struct TouchLaw {
  double reach = 0;     // m, d̂
  double friction = 0;  // μ
  double share = 1;     // of the contact that counts
};

struct Touch {
  std::uint32_t particle = 0;
  std::array<int, 3> vertex{-1, -1, -1};  // of the triangle, in the mesh; −1: a side of the domain
  ContactTerm barrier;                    // of the particle, then the three
  Weights weight = Weights::Zero();       // of the closest points
  double grip = 0;                        // N, μ λ
  double per_slip = 0;                    // 1/m: f1(u*)/u*
  Mat3 drag = Mat3::Zero();  // N/m: friction, between the closest points; grip × per_slip across the normal
  int vertices() const { return vertex[0] < 0 ? 1 : 4; }
};

// Ordered by particle, then by triangle; sides last. `vertices`: of the mesh, whose tree of triangles is refitted.
// `slip`: per particle, the guess of the velocity times dt; `vertex_slip`: of the vertices.
struct TouchInput {
  const std::vector<Vec3>& x;
  const std::vector<double>& kappa;  // N: κ s_q, per particle; 0: it touches nothing
  const std::vector<Vec3>& vertices;
  const std::vector<Vec3>& slip;
  const std::vector<Vec3>& vertex_slip;
  double stick = 0;  // m: a shorter slip is sticking
  // N: what a side does to a particle besides the barrier, which grips as well; empty: nothing
  std::function<double(std::size_t particle, int side)> ghost = {};
};
std::vector<Touch> find_touches(ContactMesh& mesh, const TouchInput& input, const TouchLaw& law);

// Whether friction is larger than its bound μ λ at velocities `u` of the particles and `surface` of the vertices: all
// forces together by 5 % of all bounds, or one of them by as much as its own. If so, the guesses u* become the slips of
// these velocities.
bool look_again(std::vector<Touch>& touches, const std::vector<Vec3>& u, const std::vector<Vec3>& surface, double dt,
                double stick);

// Per vertex of the mesh, the velocity over the step.
using VertexVelocities = std::vector<Vec3>;
// Adds what the touches do to the parts of the mesh, at velocities `u` of the particles: friction, with `slip_u` of the
// vertices, and, if it counts, the barrier, with `vertex_u`.
void add_loads(const std::vector<Touch>& touches, double share, bool barrier, const ContactMesh& mesh,
               const std::vector<Vec3>& vertices, const std::vector<Vec3>& u, const VertexVelocities& vertex_u,
               const VertexVelocities& slip_u, double dt, std::vector<LooseLoad>& loads);

// Of a particle to a side of the domain: side 2 a + 1 is the upper end of axis a. The side does not move.
SimplexDistance to_side(const Bounds& domain, const Vec3& x, int side);

// Fit the tree of triangles to their sweep from `from` to `to`.
void fit_triangles(ContactMesh& mesh, const std::vector<Vec3>& from, const std::vector<Vec3>& to);

}  // namespace coracle
