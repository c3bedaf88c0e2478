// Liquid moves through the faces of tets with its velocity relative to the shell, w = v − v_shell:
//   dm_a/dt = −Σ_f max(0, w_a · A_f) m_a / V_a + what the neighbours lose to a
// Every tet is a donor with its own velocity, momentum goes with the volume. The receiver's room does not limit the
// flux: pushout does (preserve.h). What leaves through the outer hull becomes drops; nothing passes the skin, nor
// enters a shut tet.
//
// Explicit: a tet may give at most a share of what it holds at once. So liquid carries along for how long it still has
// to move, Δt at first. In every round a tet moves its liquid on for as long as that share allows, what stays and what
// goes alike, and liquids that mix mix these times too, by volume. Slow tets are done after one round; further rounds
// work on fast ones only, and on where their liquid goes. No time is lost: Σ m times the time to go, that is, all the
// way that is still to be made, falls by what was moved.
//
// The centre of volume moves with w: for liquid of constant share in tets of any shape, Σ_f (w·A_f)(X_b − X_a) over all
// faces, from a to b, telescopes to Σ_a Σ_f (w·A_f)(x_f − X_a) = Σ_a V_a w.
#pragma once

#include "coracle/base/index_set.h"
#include "coracle/step/skinned/moving_shell.h"

#include <vector>

namespace coracle {

struct FluxWork {
  using Faces = Eigen::Vector4d;  // a number for each face of a tet
  // What a tet gives in a round; one line of the cache.
  struct alignas(64) Donor {
    Faces out;     // m³
    Vec3 v;        // m/s
    double to_go;  // s: for how long this liquid still has to move
  };
  std::vector<Donor> donors;        // of the tets that give
  std::vector<double> to_go;        // s per tet; 0 between calls
  std::vector<unsigned char> back;  // per tet, two bits a face: which face of the neighbour it is
  std::vector<double> left;         // m³ per tet that leavers has: what left through the hull
  std::vector<Vec3> left_v;         // m/s
  IndexSet active, giving, receiving, leavers;
};

struct FluxReport {
  int rounds = 0;
  std::size_t moves = 0;  // of a tet in a round
};

// `residual`: the share of the capacity that fur holds back.
FluxReport transport_by_flux(const SkinShell& shell, const MovingShell& moving, double residual, double dt,
                             TetLiquid& liquid, Drops& drops, FluxWork& work);

}  // namespace coracle
