// Liquid that bodies enclose without any air.
//
// A solve keeps the volume of every cell, but x ← x + Δt v keeps a closed region's volume only to first order: a
// spinning shell full of water would grow by (ω Δt)² in every step. So each pocket keeps the volume V₀ that it had when
// it closed, and a source (V₀ − V) / Δt restores it, minus the integration error of the last step, because this step
// will add the same error again. Nothing can enter or leave, so a pocket that was full stays full: cells whose
// particles have drifted apart count as liquid until the pocket opens.
#pragma once

#include "coracle/solve/pressure_solver.h"
#include "coracle/step/grid/boundary.h"

#include <vector>

namespace coracle {

// Volumes of sets of cells, m³.
std::vector<double> volumes_by_cells(const Grid& grid, const Boundary& cut, const CellSets& sets);
// The same where solids bound the fluid by whole faces and cells do not give the volume: that of the surfaces around a
// set. 0 if undefined: a piece of surface touches other fluid as well, or leaves the domain.
std::vector<double> volumes_by_surfaces(const Grid& grid, const Boundary& cut, const Surfaces& surfaces,
                                        const CellSets& sets);

// By whichever of the two the boundary allows.
std::vector<double> pocket_volumes(const Grid& grid, const Boundary& cut, const Surfaces& surfaces,
                                   const CellSets& sets);

// The present closed components, each with the volume that it must keep: that of the one pocket that it was before, or
// its present volume where it is new, merged or split.
std::vector<Pocket> remember_pockets(const std::vector<Pocket>& before, const CellSets& closed,
                                     const std::vector<double>& volumes);

// Find the pockets again after the solids have moved; returns all their cells. A pocket from which open faces lead
// further than `reach` cells has opened and is removed.
std::vector<int> cells_of_full_pockets(const Grid& grid, const Boundary& cut, int reach, std::vector<Pocket>& pockets);
// φ of such a cell.
CORACLE_BOTH inline double kept_full(double phi, double dx) { return phi < -dx ? phi : -dx; }
// The same, and make the cells liquid.
void keep_pockets_full(const Grid& grid, const Boundary& cut, int reach, std::vector<Pocket>& pockets,
                       Array3<double>& liquid_phi);

}  // namespace coracle
