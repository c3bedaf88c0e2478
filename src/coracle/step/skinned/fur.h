// Liquid among fibres: it is slowed down by Darcy's law, less along the fibres than across.
//   (1 − s) w = −K kᵣ/ν (∇p/ρ − g),   K = k∥ d dᵀ + k⊥ (1 − d dᵀ),   kᵣ = ((f − Sᵣ)/(1 − Sᵣ))³
// w is the velocity relative to the shell, s the share of the volume that fibres take, d their direction, f the share
// of the room that liquid fills. Below the residual share Sᵣ liquid is held.
#pragma once

#include "coracle/step/skinned/moving_shell.h"

#include <vector>

namespace coracle {

struct Fur {
  double porosity = 1;           // 1 − s
  double along = 0, across = 0;  // m²: k∥, k⊥; 0: there is no fur
  double residual = 0;           // Sᵣ
  bool grows() const { return along > 0 && across > 0; }
};

// Unit vectors from the skin into each tet, at rest: fibres that stand upright.
std::vector<Vec3> upright_fibres(const SkinShell& shell);
// Fibres of tets turn and stretch as the tets do; unit vectors, at the nodes' places x.
void deform_fibres(const SkinShell& shell, const std::vector<Vec3>& rest, const std::vector<Vec3>& x,
                   std::vector<Vec3>& now);

// w ← (I + Δt ν (1 − s) K⁻¹/kᵣ)⁻¹ w: implicit, so that no drag is too strong. Gravity must have been added before.
void drag(const Fur& fur, const std::vector<Vec3>& fibres, const MovingShell& shell, double viscosity, double dt,
          TetLiquid& liquid);

}  // namespace coracle
