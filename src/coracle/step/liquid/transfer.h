// Velocity between particles and grid: APIC [JiangSchroeder15], FLIP/PIC [BrackbillRuppel86], or grid to grid by
// semi-Lagrangian advection [ZarifiBatty17 sec. 7].
#pragma once

#include "coracle/step/liquid/particles.h"

namespace coracle {

inline constexpr double least_open_face = 0.02;  // less open ones take the velocity of the faces around them

// u_f = Σ w (v + c·(x_f − x)) / Σ w over the particles except spray, trilinear w. `touched` marks the faces
// that particles reach; the others get zero.
void particles_to_grid(const Grid& grid, const Particles& particles, const CellStart& start,
                       const std::vector<std::uint8_t>& spray, FaceField<double>& u, FaceField<std::uint8_t>& touched);

// v and c of `after` from the grid. APIC: v = Σ w u, c = Σ ∇w u. FLIP: v = v_before + blend (u − u_before) +
// (1 − blend)(u − v_before). Spray keeps its velocity. Positions are those of `before` and in the order of `start`;
// advect_particles sets those of `after`. Weights and sums are in single precision, as v and c are: their
// round-off, 1e-7 of the velocity, is far below the error of interpolation.
void grid_to_particles(const Grid& grid, const LiquidOptions& options, const FaceField<double>& u,
                       const FaceField<double>& u_before, const CellStart& start,
                       const std::vector<std::uint8_t>& spray, const Particles& before, Particles& after);

// out = u + gravity_dv.
void add_gravity(const Vec3& gravity_dv, const FaceField<double>& u, FaceField<double>& out);

// out(x) = u(x − ∫ w dt), traced backwards by Runge–Kutta.
void advect_velocity(const Grid& grid, double dt, const FaceField<double>& w, const FaceField<double>& u,
                     FaceField<double>& out);

}  // namespace coracle
