// Make the fluid's velocity divergence-free, given the solids' velocities.
//
// Per active cell, in units of dx² [ZarifiBatty17 eq. 13]:
//     Σ ± A u + Σ a·v = s V dx,     u = u* − (Δt / ρ dx) (p₊ − p₋) / θ
// with A the open fraction of a face, a the area vectors of the patches (out of the fluid), v the solids' velocity, s
// a prescribed rate of expansion. With q = p Δt / (ρ dx) the matrix holds only A and A/θ.
//
// Free surface: p = 0 at φ = 0, where θ = φᵢ / (φᵢ − φⱼ) of the way to the air cell [Enright03, Gibou02]. A cell is
// active when it has an open face and φ < −ε dx. Differs from the paper: its cells are active at φ < 0 and θ must then
// be clamped away from zero, which sets still water in motion. Here a cell whose centre is within ε dx of the surface
// counts as air, and θ is never below about ε; towards such a "wet air" cell its neighbours have θ slightly above 1,
// which the same formula gives. A flat surface is balanced exactly, wherever it lies.
#pragma once

#include "coracle/solve/pressure_solver.h"
#include "coracle/step/grid/cut_cells.h"
#include "coracle/step/grid/projection_cell.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace coracle {

// The linear system of one projection, and its solver.
struct PressureSystem {
  Array3<std::uint8_t> active;
  Stencil<double> matrix;
  Vector rhs, q;
  Vector next;  // the q that a solve has found
  Vector scratch;
  CellSets closed;  // components without a free surface
  int dropped = 0;  // closed components too small to carry a pressure
  std::unique_ptr<PressureSolver> solver = make_pressure_solver();
};

struct ProjectionReport {
  SolveReport solve;
  std::size_t active = 0;
  double max_divergence = 0;    // 1/s, after the projection
  double closed_imbalance = 0;  // m³/s: the largest net inflow that a closed component cannot take
};

struct ProjectionInput {
  const Grid& grid;
  const Boundary& cut;
  const Array3<double>& fluid_phi;  // m, < 0 in fluid
  Surfaces surfaces;
  double density;
  double dt;             // s, Δt: over which the pressure acts on u*
  double expansion = 0;  // s, 1/s
  SolverOptions solver;
  std::array<bool, 6> open = {};  // sides of the domain (scene.h's Side) beyond which p = 0; the others are walls
  bool bodies_given = true;       // false: the bodies' velocity is unknown, step/couple adds their patches
  double step = 0;                // s: over which solids and bodies move; 0: as dt

  double motion_dt() const { return step > 0 ? step : dt; }
};

// f(axis, end, face) for the faces on the sides of the domain; end: 0 below, 1 above.
template <class F>
void for_side_faces(const Grid& grid, F&& f) {
  for (int a = 0; a < 3; ++a) {
    const Vec3i n = grid.faces(a);
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    for (int end : {0, 1}) {
      Vec3i face;
      face[a] = end ? n[a] - 1 : 0;
      for (face[b] = 0; face[b] < n[b]; ++face[b])
        for (face[d] = 0; face[d] < n[d]; ++face[d]) f(a, end, face);
    }
  }
}

PressureOptions pressure_options(const SolverOptions& options, double floor);

void mark_active(const ProjectionInput& in, Array3<std::uint8_t>& active);

// Closed components of less than a cell: their pressure would only lock what encloses them.
bool too_small(const ProjectionInput& in, const std::vector<int>& closed_cells);

// What the equations of the cells read of the input; `active` and u are the caller's.
ProjectionFields fields_of(const ProjectionInput& in);

// Matrix, right-hand side and closed components; q from p (Pa) as the first guess. Closed components that are too small
// are dropped.
void assemble_pressure(const ProjectionInput& in, const FaceField<double>& u, const Array3<double>& p,
                       PressureSystem& system);
// u ← u − (Δt/ρ) G p, and p. `valid` marks the faces whose velocity the projection has set.
void apply_pressure(const ProjectionInput& in, const PressureSystem& system, FaceField<double>& u, Array3<double>& p,
                    FaceField<std::uint8_t>& valid);

}  // namespace coracle
