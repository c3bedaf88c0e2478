// Marker particles: where the liquid is.
#pragma once

#include "coracle/base/parallel.h"
#include "coracle/step/grid/solid_field.h"
#include "coracle/world.h"

#include <cstdint>
#include <vector>

namespace coracle {

// First particle of every cell once they are sorted by cell; one entry more than cells.
using CellStart = std::vector<std::uint32_t>;

// Put the particles into the order of their cells.
void sort_by_cell(const Grid& grid, Particles& particles, CellStart& start);

// f(cell, first, end) for the cells that hold particles, of rows [from, to) along x.
template <class F>
void for_filled_rows(const Grid& grid, const CellStart& start, std::size_t from, std::size_t to, F&& f) {
  for (std::size_t row = from; row < to; ++row) {
    Vec3i c(0, int(row % grid.n.y()), int(row / grid.n.y()));
    for (std::size_t i = row * grid.n.x(); c.x() < grid.n.x(); ++c.x(), ++i)
      if (start[i] < start[i + 1]) f(c, start[i], start[i + 1]);
  }
}

// f(cell, first, end) for all cells that hold particles, in parallel.
template <class F>
void for_filled_cells(const Grid& grid, const CellStart& start, F&& f) {
  for_blocks(std::size_t(grid.n.y()) * grid.n.z(), 16,
             [&](std::size_t from, std::size_t to) { for_filled_rows(grid, start, from, to, f); });
}

// The same, but concurrent calls never touch neighbouring cells or their faces: f may add to samples up to one cell
// away. The order of the additions to a sample is fixed.
template <class F>
void scatter_cells(const Grid& grid, const CellStart& start, F&& f) {
  constexpr int thickness = 4;  // layers per block; a particle reaches one layer to either side
  const int blocks = (grid.n.z() + thickness - 1) / thickness;
  for (int parity = 0; parity < 2; ++parity)
    for_blocks(std::size_t((blocks - parity + 1) / 2), 1, [&](std::size_t b, std::size_t) {
      const int k = (2 * int(b) + parity) * thickness;
      const std::size_t rows = grid.n.y();
      for_filled_rows(grid, start, rows * k, rows * std::min(k + thickness, grid.n.z()), f);
    });
}

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

// Where particles have gathered, the share f of liquid around them is above 1: they drift towards smaller f, per step
// by −κ dx² ∇f. Spray that lands on a wall lies flat against it, and no velocity field would lift it off again: its
// film would keep only a fraction of its volume.
Vec3 spreading_drift(const Grid& grid, const Array3<double>& share, const Vec3& x);

// Put particles that are inside a solid back onto its surface, on the side where they were at x_before, a time dt ago.
// Returns how many.
std::size_t push_out(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                     const std::vector<Vec3>& x_before, double dt, Particles& particles);

// Remove the particles for which `gone` says so; returns how many.
std::size_t remove_particles(Particles& particles, const std::vector<std::uint8_t>& gone);

double max_speed(const Particles& particles);
// Without spray.
double max_speed(const Particles& particles, const std::vector<std::uint8_t>& spray);

}  // namespace coracle
