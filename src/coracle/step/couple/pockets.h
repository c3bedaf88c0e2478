// Liquid that bodies enclose without any air.
//
// A solve keeps the volume of every cell, but x ← x + Δt v keeps a closed region's volume only to first order: a
// spinning shell full of water would grow by (ω Δt)² in every step. So each pocket remembers its volume V₀ from when it
// closed, and what it has gained since is fed back as a source (V₀ − V) / Δt, less what the last step's motion added by
// itself, as this one's will. And as nothing can enter or leave, a pocket that was full stays full: cells whose
// particles have drifted apart count as liquid until the pocket opens.
#pragma once

#include "coracle/step/grid/cut_cells.h"

#include <vector>

namespace coracle {

// Volumes of sets of cells, m³.
std::vector<double> volumes_by_cells(const Grid& grid, const Boundary& cut, const std::vector<std::vector<int>>& sets);
// The same where solids bound the fluid by whole faces, so that cells do not say: what the surfaces around a set
// enclose. Zero where a piece of surface touches other fluid as well or leaves the domain, as no one knows then.
std::vector<double> volumes_by_surfaces(const Grid& grid, const Boundary& cut, const Surfaces& surfaces,
                                        const std::vector<std::vector<int>>& sets);

// By whichever of the two the boundary allows.
std::vector<double> pocket_volumes(const Grid& grid, const Boundary& cut, const Surfaces& surfaces,
                                   const std::vector<std::vector<int>>& sets);

// The closed components now, each with the volume that it is to have: that of the one pocket that it was before, or its
// own where it is new, has merged or was split.
std::vector<Pocket> remember_pockets(const std::vector<Pocket>& before, const std::vector<std::vector<int>>& closed,
                                     const std::vector<double>& volumes);

// Find the pockets again after the solids have moved and make all their cells liquid. A pocket from which open faces
// lead further than `reach` cells has opened and is forgotten.
void keep_pockets_full(const Grid& grid, const Boundary& cut, int reach, std::vector<Pocket>& pockets,
                       Array3<double>& liquid_phi);

}  // namespace coracle
