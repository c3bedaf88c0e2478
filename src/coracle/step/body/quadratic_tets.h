// Elastic forces and stiffness of tetrahedra with ten nodes: four corners and six mid-edges, straight sides at rest.
//
// With λ the barycentric coordinates: N = λᵢ (2λᵢ − 1) at corners, 4 λᵢ λⱼ at mid-edges. F is linear in the element,
// and integrals are sums over four points (exact for polynomials of second degree):
//     energy V [ ¼ Σ_q ψ(F_q) + U(θ̄) ],     θ̄ = ¼ Σ_q θ(F_q)
//
// Nearly incompressible materials: with the whole of Lamé's λ at the points, four constraints per element would lock
// it. So at most 4 μ of it (a Poisson's ratio of 0.4) stays in ψ; the rest acts on the mean dilatation of the element,
// U, as in the mean dilatation method [Nagtegaal74]. In linear elements there is but one point, and they do lock.
//
// The functions of the kind QuadraticTets; elements.h says what each does.
#pragma once

#include "coracle/step/body/elements.h"

#include <array>

namespace coracle {

inline constexpr int quadrature_points = 4;

// F of one tet at the points of the quadrature.
std::array<Mat3, quadrature_points> deformations(const QuadraticTets& tets, const std::vector<Vec3>& x,
                                                 std::size_t tet);

// ∂N/∂λ at the points, for N as a function of four independent λ; a column per node.
const std::array<Eigen::Matrix<double, 4, 10>, quadrature_points>& barycentric_slopes();

// A field that is given at the points of the quadrature and linear in between, at barycentric coordinates: weights.
Eigen::Vector4d from_points(const Eigen::Vector4d& barycentric);

double elastic_energy(const BodyRest& rest, const QuadraticTets& tets, const std::vector<Vec3>& x);
void add_elastic_gradient(const BodyRest& rest, const QuadraticTets& tets, const std::vector<Vec3>& x, int first,
                          std::vector<Vec3>& gradient);
void add_pairs(const QuadraticTets& tets, int first, NodePairs& pairs);
ElementSlots element_slots(const QuadraticTets& tets, int first, const BlockSolver& matrix);
void add_stiffness(const BodyRest& rest, const QuadraticTets& tets, const std::vector<Vec3>& x, Linearisation how,
                   double scale, int first, const ElementSlots& slots, BlockSolver& matrix);
void add_stiffness_times(const BodyRest& rest, const QuadraticTets& tets, const std::vector<Vec3>& x, Linearisation how,
                         double scale, int first, const std::vector<Vec3>& w, std::vector<Vec3>& y);

}  // namespace coracle
