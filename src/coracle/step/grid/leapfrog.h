// Second order in time with one solve per step: velocities are half a step behind positions.
//
// What carries the velocity of the fluid (particles, or the field `carried`) stands at the positions of time t, but its
// velocity ũ is that of t − lag. One step of length dt:
//     u = P(ũ + τ f),  τ = max(lag, dt/2)                 the velocity at t + ahead, ahead = τ − lag
//     a = (u − ũ) / τ                                     the acceleration at t: forces f and pressure
//     ũ ← ũ + (lag + r) a,  r ≈ dt/2                      the velocity at t + r
//     x ← x + ∫ w dt,  w = u + s (u − u_last)             the velocity at t + dt/2, by extrapolation from the last two
//     lag ← dt − r
// At constant steps this is leapfrog: lag = τ = dt/2. The drift is w and not ũ, which is not free of divergence and
// would let still water wake up. In still water a is zero, since pressure and gravity act for the same times.
//
// An impact is no acceleration: water that stops at a wall within a step must not bounce, a body must not get more of
// the blow than the water gives, and an error of ũ, which is multiplied by 1 − (lag + r) / τ ≈ −0.8 per step, must not
// ring. In all these cases a differs from that of the step before:
//     a·a_last < ½ max(a·a, a_last·a_last),  a summed over 8×8×8 regions of the domain.
// Such a step is solved again as a plain one, and so are the next until a is steady: τ = lag + dt/2, so that u is that
// of the middle of the step, ũ ← u and w = u. Plain steps lose ½ |a|² dt² of energy per mass each. A run begins with a
// short step, for what is set in motion at once: it is plain with τ = dt, and its lag remains zero.
#pragma once

#include "coracle/step/grid/projection.h"
#include "coracle/world.h"

#include <algorithm>

namespace coracle {

// The first step as a share of the stable one. Shorter is better for the fluid; but the skin of a soft body takes up an
// impulse alone if the step is shorter than a wave needs through the body.
inline double first_step(bool with_bodies) { return with_bodies ? 1.0 / 16 : 1e-3; }

// How the fluid's velocity goes on in a step.
struct Kick {
  double solve_dt = 0;  // s: τ
  double length = 0;    // s: lag + r, over which the acceleration acts on the fluid
  double drift = 0;     // s, the share
};
// Leapfrog where the last steps were smooth, otherwise plain. With bodies, plain from the moment that there is a lag: a
// body's own way over a step is not that of w, and liquid would get through thin walls.
Kick choose_kick(const GridFlow& flow, const Clock& clock, double dt, bool with_bodies);

// The fluid's acceleration after the solve, m/s², summed over the regions. u_before is ũ.
std::vector<double> find_pushes(const ProjectionInput& in, const FaceField<std::uint8_t>& valid, const GridFlow& flow,
                                FaceField<double>& u_before);
// After an impact the kick becomes plain. Returns whether the solve has to be repeated for that.
bool must_repeat(const std::vector<double>& pushes, const GridFlow& flow, double dt, Kick& kick);

// u_before is ũ before the solve. On the faces whose velocity the solve has set, except the walls of the domain, it
// becomes ũ after it; elsewhere u. Sets what the flow keeps for the next step.
void apply_kick(const Kick& kick, std::vector<double> pushes, const ProjectionInput& in,
                const FaceField<std::uint8_t>& valid, GridFlow& flow, FaceField<double>& u_before);

// u_last ← w.
void extrapolate_in_time(const FaceField<double>& u, double share, FaceField<double>& u_last);

}  // namespace coracle
