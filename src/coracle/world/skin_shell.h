// The shell of tets around the skin of an animated solid, and how it follows the skin (coracle/skinned.h).
#pragma once

#include "coracle/mesh.h"
#include "coracle/skinned.h"

#include <span>
#include <vector>

namespace coracle {

// Tets between a closed skin and its offset at `thickness`; φ, the distance to the skin, is at most 1e-10 edges on the
// inner surface. Throws std::runtime_error if the lattice would be too large, or the shell empty.
SkinShell make_skin_shell(const TriMesh& skin, double edge, double thickness);

// The nodes of the shell when the vertices of the skin are at x and have turned and stretched by F:
//   x(t) = Σ bₖ xₖ(t) + (Σ bₖ Fₖ(t)) (x₀ − c₀)
void deform_shell(const SkinShell& shell, const std::vector<Vec3i>& tris, std::span<const Vec3> x,
                  std::span<const Mat3> F, std::vector<Vec3>& nodes);

}  // namespace coracle
