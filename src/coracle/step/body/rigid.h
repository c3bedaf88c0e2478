// Rigid bodies, as affine ones [LanKaufman22]: x = A X + b, twelve numbers, which are the places of four leading nodes.
// A stiff energy, that of one tet with the volume of the body, keeps A close to a rotation. All other nodes follow the
// four. Positions are linear in the unknowns, so that paths within a step are straight, as collision detection needs,
// and mass and coupling with fluids are those of any other body.
// The functions of the kind Rigid; elements.h says what each does.
#pragma once

#include "coracle/step/body/tets.h"

namespace coracle {

inline double elastic_energy(const BodyRest& rest, const Rigid& rigid, const std::vector<Vec3>& x) {
  return elastic_energy(rest, rigid.frame, x);
}
inline void add_elastic_gradient(const BodyRest& rest, const Rigid& rigid, const std::vector<Vec3>& x, int first,
                                 std::vector<Vec3>& gradient) {
  add_elastic_gradient(rest, rigid.frame, x, first, gradient);
}
inline void add_pairs(const Rigid& rigid, int first, NodePairs& pairs) { add_pairs(rigid.frame, first, pairs); }
inline ElementSlots element_slots(const Rigid& rigid, int first, const BlockSolver& matrix) {
  return element_slots(rigid.frame, first, matrix);
}
inline void add_stiffness(const BodyRest& rest, const Rigid& rigid, const std::vector<Vec3>& x, Linearisation how,
                          double scale, int first, const ElementSlots& slots, BlockSolver& matrix) {
  add_stiffness(rest, rigid.frame, x, how, scale, first, slots, matrix);
}
inline void add_stiffness_times(const BodyRest& rest, const Rigid& rigid, const std::vector<Vec3>& x, Linearisation how,
                                double scale, int first, const std::vector<Vec3>& w, std::vector<Vec3>& y) {
  add_stiffness_times(rest, rigid.frame, x, how, scale, first, w, y);
}

// Midpoint. Its force acts at the middle of a step, F_m = ½ (Fⁿ + Fⁿ⁺¹) with F = ∂x/∂X, and it conserves momenta there.
// But a mean of two rotations is no rotation: a body that turns by φ in a step is smaller by cos ½φ in its middle. Were
// the middle held rigid, the ends would not be: they would ring about 1/cos ½φ, with an energy that grows with the
// stiffness, and the run would fail. So the end is held rigid, by the rest shape that the middle then has:
//     F_mᵀ F_m = ½ (FⁿᵀFⁿ + Fⁿ⁺¹ᵀFⁿ⁺¹) − ¼ ΔFᵀ ΔF,     with Fⁿ⁺¹ᵀFⁿ⁺¹ = 1
// ΔF is that of a body that turns freely: about ω at the middle by Cayley's rotation, tan ½φ = ½ dt ω, which is the one
// of the midpoint rule. Where contact stops it, the body is strained by ¼ φ² at the end of this one step.
// The frame, with that rest shape:
Rigid rigid_at_end(const BodyRest& rest, const Rigid& rigid, const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                   double dt);

// Velocities that would strain the body are taken out at the end of a step, as a rigid body has none: integrators that
// average velocities would turn them round in every step and never damp them. Stiff dampers do that (frame_edges.h).
// Adds the matrix, and subtracts its product with v from r.
void add_edge_damping(const Rigid& rigid, const std::vector<Vec3>& x, double scale, int first,
                      const ElementSlots& slots, BlockSolver& matrix);
void subtract_edge_damping(const Rigid& rigid, const std::vector<Vec3>& x, double scale, int first,
                           const std::vector<Vec3>& v, std::vector<Vec3>& r);

}  // namespace coracle
