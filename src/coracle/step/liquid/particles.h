// Marker particles: where the liquid is.
#pragma once

#include "coracle/step/grid/solid_field.h"
#include "coracle/step/particles/cells.h"
#include "coracle/step/particles/push_out.h"
#include "coracle/world.h"

#include <cstdint>
#include <vector>

namespace coracle {

// Put the particles into the order of their cells.
void sort_by_cell(const Grid& grid, Particles& particles, CellStart& start);

// What particles move through.
struct FlowAround {
  const FaceField<double>& u;
  const Array3<double>& liquid_phi;
  const Array3<double>& solid_phi;
  const Array3<double>& share;  // of liquid, at cell centres
};

// x = x_before + ∫ u dt along the grid's velocity by Runge–Kutta of order 2 or 3, plus the drift of spreading; kept
// inside the domain. The particles are in the order of `start`.
//
// Spray flies with its own velocity until it meets the liquid, then moves with the liquid: otherwise a long step would
// carry it through a film to the wall behind, where particles would gather and the film would lose volume. Spray stops
// where it meets a solid. So its speed does not limit the step.
void advect_particles(const Grid& grid, const FlowAround& flow, const CellStart& start,
                      const std::vector<std::uint8_t>& spray, double dt, const LiquidOptions& options,
                      const std::vector<Vec3>& x_before, Particles& particles);

double max_speed(const Particles& particles);
// Without spray.
double max_speed(const Particles& particles, const std::vector<std::uint8_t>& spray);

}  // namespace coracle
