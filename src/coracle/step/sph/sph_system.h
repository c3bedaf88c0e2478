// The energy of a liquid of smoothed particles in one step [Xie23 ch. 4], quadratic in the velocity u at its end.
//
// Neighbours, gradients and volumes are those of the start of the step. With the distance d_a to a side of the domain,
// its normal n_a into the domain, the share S_a of the kernel beyond it (kernels.h) and the part γ of that which
// counts:
//     B_i = 1 − Π_a (1 − γ S_a)                                                           share beyond all sides
//     J_i = 1 / (V0 Σ_j W_ij + B_i),   w_i = J_i V0                                       volume over that at rest
//     J_i(u) = J_i [1 + h (D u)_i],   (D u)_i = Σ_j w_j (u_j − u_i)·g_ij − Σ_a (∂B_i/∂d_a) n_a·u_i
//     P_I = Σ_i ½ k_i V0 (J_i(u) − 1)²                                                    incompressibility
//     P_V = ¼ h Σ_i Σ_j (u_i − u_j)ᵀ V_ij (u_i − u_j),   V_ij = 20 ν_ij m_i m_j/(ρ_i + ρ_j) (−g_ij) x_ijᵀ/(|x_ij|² +
//     ℏ²/100)
// The gradient by u of ½‖u − v̂‖²_M + P_I + P_V is A u − b:
//     A = M + h² Dᵀ K D + h V,   b = M v̂ − h Dᵀ k V0 J (J − 1),   K_i = k_i V0 J_i²
// A is symmetric positive definite. Its product with a vector takes two passes over the pairs. With g_ij = s_ij (x_i −
// x_j), each is a product of the scalars s_ij with four numbers a particle:
//     Σ_j f_j·g_ij = (x_i, 1)·Σ_j s_ij (f_j, −f_j·x_j),     Σ_j c_j g_ij = x_i (Σ_j s_ij c_j) − Σ_j s_ij c_j x_j
// This takes away two thirds of what is kept and read per pair, and loses log10(size of the domain/ℏ) digits of double.
//
// Several liquids: J counts particles, not masses, so that it is right across a jump of density. ν_ij is that of the
// harmonic mean of the two dynamic viscosities.
//
// Differs from the paper, each by an option: J is at most 1 (`clamp`), since where there is a free surface its kernel
// is not full, and the liquid would be under tension; particles that would only expand do not resist it (`release`);
// the domain's sides fill the kernel (`ghost`); g_ij is multiplied by 1.0457 in D, since on a lattice D of a linear
// field would be 0.9563 of the right one (`gradient`).
#pragma once

#include "coracle/solve/matrix_free_cg.h"
#include "coracle/step/sph/sph_pairs.h"

#include <array>

namespace coracle {

struct SphMaterial {
  double density = 1000;   // kg/m³
  double stiffness = 1e5;  // Pa, k_I
  double viscosity = 0;    // Pa s
};

struct SphForm {
  bool clamp = true;
  bool release = true;
  double gradient = 1;   // by which gradients are multiplied
  double ghost = 0.8;    // γ; 0: none
  bool uniform = false;  // of the preconditioner
};

struct SphSystem {
  double dt = 0;                  // s
  bool uniform = false;           // as in SphForm
  double volume = 0;              // m³, V0
  std::vector<double> mass;       // kg
  std::vector<double> ratio;      // J
  std::vector<double> stiffness;  // Pa, k_i
  WideField closing;              // m⁻¹: (D u)_i = Σ_j w_j u_j·g_ij − closing_i·u_i
  WideField place;                // (x_i, 1), from the middle of the domain
  SphPairs pairs;
  std::vector<float> viscous;                // per pair: V_ij = viscous × (x_i − x_j)(x_i − x_j)ᵀ, in units of
  double viscous_unit = 0;                   // kg/(s m²); empty without viscosity
  mutable std::array<WideField, 2> scratch;  // of products, which do not run at the same time
  std::size_t size() const { return mass.size(); }
  double share(std::size_t i) const { return ratio[i] * volume; }  // m³, w_i
};

// J of a particle at x whose neighbours and itself give Σ W, in m⁻³.
double volume_ratio(const Bounds& domain, const Vec3& x, double number_density, double spacing, const SphForm& form);

// N: the force on a particle along the normal of a side, as far as the side fills its kernel: k V0 (1 − J) J (−∂B/∂d).
// Side 2 a + 1 is the upper end of axis a.
double ghost_force(const SphSystem& system, const Bounds& domain, const Vec3& x, std::size_t particle,
                   const SphForm& form, int side);

// `pairs` of the particles at `x`; `kind`: the number of the material; `v`: the velocity that tells what would expand.
SphSystem make_sph_system(SphPairs pairs, const Bounds& domain, const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                          const std::vector<std::uint8_t>& kind, const std::vector<SphMaterial>& materials,
                          double spacing, const SphForm& form, double dt);

// D u, 1/s
std::vector<double> divergence(const SphSystem& system, const WideField& u);
// y ← A p
void multiply(const SphSystem& system, const WideField& p, WideField& y);
// b, for the velocity v̂ that the particles would have without the energy.
WideField right_side(const SphSystem& system, const WideField& free);
// The 3×3 blocks of A on its diagonal.
std::vector<Mat3> diagonal(const SphSystem& system);
// Those blocks [Xie23 eq. 5.8]; or, uniform, with the mean c over all particles of ⅓ tr h² (Dᵀ K D)_ii / m_i:
//     (1 + c) m_i + h V_ii
// Fields without divergence are two thirds of all, and there A is M without viscosity. Blocks that differ from particle
// to particle make different eigenvalues of this one, and conjugate gradients need to find them all.
std::vector<Mat3> preconditioner(const SphSystem& system);
// P_I + P_V at u, in J.
double energy(const SphSystem& system, const WideField& u);

}  // namespace coracle
