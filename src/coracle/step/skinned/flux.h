// Liquid moves through the faces of tets with its velocity relative to the shell, w = v − v_shell:
//   dm_a/dt = −Σ_f max(0, w_a · A_f) m_a / V_a + what the neighbours lose to a
// Every tet is a donor with its own velocity, momentum goes with the volume in every substep. The receiver's room does
// not limit the flux: pushout does (preserve.h). What leaves through the outer hull becomes drops; nothing passes the
// skin, nor enters a shut tet.
//
// The centre of volume moves with w: for liquid of constant share in tets of any shape, Σ_f (w·A_f)(X_b − X_a) over all
// faces, from a to b, telescopes to Σ_a Σ_f (w·A_f)(x_f − X_a) = Σ_a V_a w.
#pragma once

#include "coracle/step/skinned/moving_shell.h"

#include <vector>

namespace coracle {

struct FluxWork {
  using Faces = Eigen::Vector4d;  // a number for each face of a tet
  // What a tet gives in a substep; one line of the cache.
  struct alignas(64) Donor {
    Faces out;  // m³
    Vec3 v;     // m/s
  };
  std::vector<Donor> donors;         // meaningful for tets that give
  std::vector<unsigned char> gives;  // per tet
  std::vector<unsigned char> back;   // per tet, two bits a face: which face of the neighbour it is
  std::vector<unsigned char> open;   // per tet, one bit a face: whether liquid can leave there
  std::vector<int> outer;            // tets with a face on the outer hull
  std::vector<double> left;          // m³ per tet of outer: what left through the hull
  std::vector<Vec3> left_v;          // m/s
};

struct FluxReport {
  int substeps = 0;
};

// `residual`: the share of the capacity that fur holds back.
FluxReport transport_by_flux(const SkinShell& shell, const MovingShell& moving, double residual, double dt,
                             TetLiquid& liquid, Drops& drops, FluxWork& work);

}  // namespace coracle
