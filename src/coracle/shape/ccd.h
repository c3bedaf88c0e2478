// Continuous collision detection: how far four nodes can move along straight paths before a point meets a triangle, or
// an edge an edge. Conservative advancement: time moves on by steps that are too short for a collision [Li21].
//
// A step from a state with the closest difference d n. All differences r_ij of nodes of the two sides have n · r_ij ≥
// d, and the distance stays at least min n(t) · r_ij(t) / |n(t)| for any n(t). With relative displacements u_ij and the
// direction n(t) = n + t m, m ⊥ n, a distance of at least g is certain while
//
//   n · r_ij − g + t (n · u_ij + m · r_ij) + t² (m · u_ij − g |m|²/2) ≥ 0   for all pairs ij.
//
// The step is the least root, for m = 0 or for the m that turns with the closest feature, whichever goes further.
//
// Differs from the paper: it bounds the rate of approach by the sum of the largest speeds, after it subtracts the mean
// motion. Pairs need no mean motion, and m = 0 is never shorter. On random paths this takes a third of the steps, and a
// hundredth where surfaces slide or turn close to each other. Steps aim at the distance that must be kept, not at zero,
// so that they end near it.
#pragma once

#include "coracle/shape/simplex_distance.h"

namespace coracle {

struct CcdOptions {
  double slack = 0.1;  // share of the initial distance to keep, above 0, below 1
  double gap = 0;      // m; distances are measured to this thickness: d − gap
  double until = 1;    // a caller that has found an earlier impact stops there
};

// The fraction t of the displacements `u` up to which d − gap stays at least slack times its initial value, for all
// times from 0 to t; `until` if there is no impact before. At an impact, at most 2 × slack is left (for slack ≤ ½). If
// the initial distance is gap or less: 0. After many steps the search ends with the safe t that it has, at which more
// may be left.
double point_triangle_ccd(const FourNodes& x, const FourNodes& u, const CcdOptions& options = {});
double edge_edge_ccd(const FourNodes& x, const FourNodes& u, const CcdOptions& options = {});

}  // namespace coracle
