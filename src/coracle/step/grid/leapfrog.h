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

// Of one face: from ũ + τ f to w before the pressure.
CORACLE_BOTH inline double aimed(double drift, double u, double u_last) { return u + drift * (u - u_last); }
// Of one face: u from w = u + s (u − u_last).
struct FromDrift {
  double of_w, of_last;
  explicit FromDrift(const Kick& kick) : of_w(1 / (1 + kick.drift)), of_last(kick.drift * of_w) {}
  CORACLE_BOTH double u(double w, double u_last) const { return of_w * w + of_last * u_last; }
};
// Of one face: w becomes u, u_last w, and u_before, which was ũ, by how much ũ will be ahead of u.
CORACLE_BOTH inline void kick_face(const FromDrift& from, double more, double& u, double& u_last, double& u_before) {
  const double w = u;
  u = from.u(w, u_last);
  u_last = w;
  u_before = more * (u - u_before);
}

// The accelerations of the fluid, summed over regions.
struct Pushes {
  static constexpr int regions = 8;           // along each side of the domain
  static constexpr int size = 3 * 8 * 8 * 8;  // x fastest, then y, z, the axis of the faces
  std::vector<double> sums;                   // m/s²: of the faces of each region
  double unit = 0;                            // the norm of the sums if the fluid accelerates by 1 m/s²

  // The regions of the faces [begin(r), begin(r + 1)) of n in a row along x; of rows along y and z.
  CORACLE_BOTH static int begin(int region, int n) { return region * n / regions; }
  CORACLE_BOTH static int begin_rows(int region, int n) { return (region * n + regions - 1) / regions; }
};
// The norm that belongs to the number of faces of each region.
double push_unit(const std::vector<double>& counts);
// Sets length and steady, and what the flow keeps for the next step. Returns by which share of u − ũ, as kick_face
// takes it, ũ will be ahead of u.
double settle_kick(Pushes pushes, double gravity, double dt, Kick& kick, GridFlow& flow);

// From ũ + τ f in u: w before the pressure.
void aim_drift(const Kick& kick, const FaceField<double>& u_last, FaceField<double>& u);

// After the solve, which has left w in flow.u. On the faces whose velocity it has set flow.u becomes u, u_last w, and
// u_before, which was ũ, by how much ũ will be ahead of u; walls of the domain stop what meets them. Sets length and
// steady, and what the flow keeps for the next step.
void apply_kick(const ProjectionInput& in, double gravity, const FaceField<std::uint8_t>& valid, Kick& kick,
                GridFlow& flow, FaceField<double>& u_last, FaceField<double>& u_before);

}  // namespace coracle
