// The liquid's distance field from its particles.
//
// Each particle carries an eighth of a cell. Spread with a smooth kernel and divided by the room that solids leave
// under the same kernel, this gives the local share of liquid f: 1 inside, 0 outside, ½ at the surface, also beside
// walls and a little way into them. Hat kernel plus one binomial pass are nearly a Gaussian of σ² = 1/6 + 1/2 cells²,
// under which a flat surface at distance d gives f = ½ erfc(d / √2 σ). Inverting that, φ = −√2 σ erf⁻¹(2f − 1), makes φ
// a distance near the surface, so that θ is right for surfaces of any tilt.
//
// Differs from the paper: [ZarifiBatty17 sec. 7] takes a union of spheres, whose bumps set still water in motion.
// Liquid thinner than about a cell has f < ½ and carries no pressure; it flies freely until it meets more. Beside a
// wall f belongs to the centre of the open room, not of the cell: a surface that meets a wall at a slope of 1 is
// off by 0.3 cells there.
#pragma once

#include "coracle/step/grid/solid_field.h"
#include "coracle/step/particles/cells.h"

#include <functional>

namespace coracle {

// The room that solids and the domain's sides leave under the kernel, as a fraction of a cell's volume.
void measure_room(const Array3<double>& open_volume, Array3<double>& room);

// Share of liquid f at cell centres, of the particles at x; `counts` says which of them count (all when empty).
void liquid_share(const Grid& grid, const std::vector<Vec3>& x, const CellStart& start, const Array3<double>& room,
                  const std::function<bool(const Vec3&)>& counts, Array3<double>& share);

// φ in metres from f.
void level_set(const Grid& grid, const Array3<double>& share, Array3<double>& phi);

// What a level set is made of, kept between steps.
struct LevelSetWork {
  Array3<double> room;   // under the kernel
  int room_of = -1;      // the update of the solid field that `room` belongs to
  Array3<double> share;  // of liquid, at cell centres
};
// φ of the particles at x, in the order of `start`. Those inside inflows do not count: an inflow is a solid here.
void find_level_set(const Grid& grid, const Surfaces& surfaces, const SolidField& solids, const std::vector<Vec3>& x,
                    const CellStart& start, LevelSetWork& work, Array3<double>& phi);

// Where solids leave less of a cell than the volume of a particle, particles do not show whether the cell holds liquid.
// Such a cell counts as liquid if it meets nothing but liquid: otherwise one of them in a corner would be a hole with
// p = 0, and a full shell would not be full.
void fill_corners(const Grid& grid, const Boundary& cut, Array3<double>& phi);

// Inverse of the error function, to about 1e-7.
double inverse_erf(double y);

}  // namespace coracle
