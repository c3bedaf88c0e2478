// The liquids of a scene with method proxy, and the steps that they allow.
#pragma once

#include "coracle/grid.h"
#include "coracle/scene.h"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle {

inline constexpr std::size_t most_liquid_kinds = 255;  // besides [liquid]: particles number them by a byte

// All kinds of liquid, [liquid] first, with the stiffness that each has.
std::vector<LiquidKindOptions> liquid_kinds(const Scene& scene);
// The place of a kind in that list; 0, [liquid], for an empty name.
std::uint8_t kind_number(const Scene& scene, const std::string& name);

// The diameter D of a particle, m: eight lie in a cell.
inline double particle_spacing(const Grid& grid) { return 0.5 * grid.dx; }

// √(k/ρ), the largest of all kinds, m/s.
double fastest_sound(const Scene& scene);

// The longest step in s at a speed in m/s: nothing moves by more than 0.4 D or `time.cfl` cells, so that neighbours
// stay neighbours; sound, √(k/ρ), passes at most 6 D, beyond which conjugate gradients take more than some fifty
// iterations; and 5 ms.
double longest_sph_step(const Scene& scene, const Grid& grid, double speed);

}  // namespace coracle
