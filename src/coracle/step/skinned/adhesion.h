// Sheets follow a convex skin, as water follows the back of a spoon.
//
// Liquid that runs along a skin with w = v − v_s, on a path of curvature κ, must be pulled to it by w²κ. In a sheet
// that wets the skin the pressure does that: it is lower at the skin than in the air outside, by ρ w² κ δ, far less
// than the air's pressure. The tets have no pressure; so they get its acceleration:
//   dv/dt = −max(0, w · S w) n,   S = ∇n, the curvature of the skin
// applied as a turn of v, so that the sheet keeps its speed. Where the skin is concave, the skin itself turns the
// sheet. What the skin's own acceleration or gravity pulls off still leaves.
#pragma once

#include "coracle/skinned.h"
#include "coracle/step/skinned/skin_frame.h"

namespace coracle {

// Per triangle, of the skin now.
struct SkinCurvature {
  std::vector<Vec3> vertex_normal;
  std::vector<Mat3> gradient;  // 1/m: S, of the normal along the skin
};
void update_curvature(const SkinMotion& skin, const SkinFrame& frame, SkinCurvature& curvature);

// `wet`, m: where the film is as thick as that, what is above it is part of a sheet.
void adhere(const SkinShell& shell, const SkinFrame& frame, const SkinCurvature& curvature, const Film& film,
            double wet, double dt, TetLiquid& tets);

}  // namespace coracle
