// The Poisson equation in place of the velocity correction, for comparison [Lee19]: linear finite elements with the
// pressure at the nodes of the shell, over the tets that are at least half full.
//   Σ_τ V ∇λ_i·(v − ∇p) = ∫_skin λ_i v_skin·n dA,   v ← v − ∇p,   p in m²/s: times ρ/Δt it is a pressure
// p = 0 at nodes of other tets and of the outer hull. Through the skin and into shut tets goes no more than they move.
#pragma once

#include "coracle/solve/conjugate_gradients.h"
#include "coracle/step/skinned/moving_shell.h"

#include <vector>

namespace coracle {

struct PressureWork {
  std::vector<int> first, corner;  // corners 4 t + k at node i: [first[i], first[i + 1])
  std::vector<int> start, column;  // rows of the matrix
  std::vector<double> value;
  Vector diagonal, rhs, p;
  CgVectors cg;
};

[[nodiscard]] SolveReport project_by_pressure(const SkinShell& shell, const MovingShell& moving, TetLiquid& liquid,
                                              PressureWork& work);

}  // namespace coracle
