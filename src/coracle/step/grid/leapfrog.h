// Second order in time with one solve per step: velocities are half a step behind positions.
//
// What carries the velocity of the fluid (particles, or the field `carried`) stands at the positions of time t, but its
// velocity ũ is that of t − lag. One step of length dt, with forces f and pressure p:
//     u = ũ + τ (f − ∇p / ρ),  τ = max(lag, dt/2)         the velocity at t + ahead, ahead = τ − lag
//     w = u + s (u − u_last)                              the velocity at t + dt/2, by extrapolation from the last two
//     ũ ← u + (lag + r − τ) a,  a = (u − ũ) / τ           the velocity at t + r, r ≈ dt/2
//     x ← x + ∫ w dt
//     lag ← dt − r
// The pressure is such that w keeps the volume of every cell while solids and bodies move as they do in this step. In
// terms of w the solve is a projection over the time (1 + s) τ:
//     w = (1 + s) (ũ + τ f) − s u_last − (1 + s) τ ∇p / ρ
// At constant steps this is leapfrog: lag = τ = dt/2. The drift is w and not ũ, which is not free of divergence and
// would let still water wake up. In still water a is zero, since pressure and gravity act for the same times.
//
// An impact is no acceleration: water that stops at a wall within a step must not bounce, a body must not get more of
// the blow than the water gives, and an error of ũ, which is multiplied by −r / τ ≈ −0.9 per step, must not ring. In
// all these cases a differs from that of the step before, in direction or in size, and is not small against gravity.
// Then r goes to `ahead`, ũ ← u, and the step loses ½ |a|² dt² of energy per mass.
//
// A run begins with a lag of zero, and with a short step for what is set in motion at once.
#pragma once

#include "coracle/step/grid/projection.h"
#include "coracle/world.h"

namespace coracle {

// How the fluid's velocity goes on in a step.
struct Kick {
  double tau = 0;     // s: over which forces and pressure act until u
  double drift = 0;   // the share s, a number
  double length = 0;  // s: lag + r, over which they act on the fluid
  double steady = 0;  // 1: the acceleration is much that of the last step; 0: it is quite another
  double solve_dt() const { return (1 + drift) * tau; }
};
Kick choose_kick(const GridFlow& flow, const Clock& clock, double dt);

// The stable step dt, shortened where it is the first of a run. Shorter is better for the fluid; but the skin of a soft
// body takes up an impulse alone if the step is shorter than a wave needs through the body.
double shorten_first(const Scene& scene, const World& world, double dt);

// From ũ + τ f in u: w before the pressure.
void aim_drift(const Kick& kick, const FaceField<double>& u_last, FaceField<double>& u);

// After the solve, which has left w in flow.u. On the faces whose velocity it has set flow.u becomes u, u_last w, and
// u_before, which was ũ, by how much ũ will be ahead of u; walls of the domain stop what meets them. Sets length and
// steady, and what the flow keeps for the next step.
void apply_kick(const ProjectionInput& in, double gravity, const FaceField<std::uint8_t>& valid, Kick& kick,
                GridFlow& flow, FaceField<double>& u_last, FaceField<double>& u_before);

}  // namespace coracle
