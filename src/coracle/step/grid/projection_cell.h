// The pressure equation of one cell, and the gradient at one face (projection.h), for the loops of the processor and
// the kernels of a GPU alike.
#pragma once

#include "coracle/both.h"
#include "coracle/types.h"

#include <cstddef>
#include <cstdint>

namespace coracle {

inline constexpr double surface_epsilon = 1e-3;  // ε: bounds the matrix entries by 1e3

// θ of a face on an open side: p = 0 at the face itself, half a cell from the centre.
inline constexpr double side_fraction = 0.5;

// θ of a face between an active cell and an air cell.
CORACLE_BOTH inline double surface_fraction(double phi_active, double phi_air) {
  return phi_active / (phi_active - phi_air);
}

// What the equations of the cells read.
struct ProjectionFields {
  int n[3];
  std::ptrdiff_t step[3];  // to the next cell; also from a cell's lower face to its upper
  bool open_side[6];       // (scene.h's Side) p = 0 beyond it
  double dx, expansion;
  const double *phi, *volume;
  const double *open[3], *u[3];
  const std::uint8_t* active;
};

// A cell, its index, and those of the faces below it.
struct CellSpot {
  int c[3];
  std::size_t i;
  std::size_t face[3];
};
CORACLE_BOTH inline CellSpot cell_spot(const int* n, int x, int y, int z) {
  const std::size_t nx = std::size_t(n[0]), row = std::size_t(y) + std::size_t(n[1]) * z;
  return {{x, y, z},
          row * nx + x,
          {row * (nx + 1) + x, nx * (std::size_t(y) + std::size_t(n[1] + 1) * z) + x, row * nx + x}};
}

CORACLE_BOTH inline bool is_active(const ProjectionFields& f, const CellSpot& at) {
  if (!(f.phi[at.i] < -surface_epsilon * f.dx)) return false;
  for (int a = 0; a < 3; ++a) {
    const double* const faces = f.open[a] + at.face[a];
    if (((at.c[a] > 0 || f.open_side[2 * a]) && faces[0] > 0) ||
        ((at.c[a] + 1 < f.n[a] || f.open_side[2 * a + 1]) && faces[f.step[a]] > 0))
      return true;
  }
  return false;
}

struct CellEquation {
  double diag = 0, off[3] = {}, rhs = 0;
};
// Without what solids push through patches. All zero where the cell is not active.
CORACLE_BOTH inline CellEquation cell_equation(const ProjectionFields& f, const CellSpot& at) {
  CellEquation e;
  const std::size_t i = at.i;
  if (!f.active[i]) return e;
  double flux = -f.expansion * f.volume[i] * f.dx;
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end) {
      const bool side = end ? at.c[a] + 1 == f.n[a] : at.c[a] == 0;
      if (side && !f.open_side[2 * a + end]) continue;  // the domain's wall
      const std::size_t face = at.face[a] + (end ? f.step[a] : 0);
      const double open = f.open[a][face];
      if (open == 0) continue;
      flux += (end ? open : -open) * f.u[a][face];
      const std::size_t j = end ? i + f.step[a] : i - f.step[a];
      if (side) {
        e.diag += open / side_fraction;
      } else if (f.active[j]) {
        e.diag += open;
        if (end) e.off[a] = open;
      } else {
        e.diag += open / surface_fraction(f.phi[i], f.phi[j]);
      }
    }
  e.rhs = -flux;
  return e;
}

// A change of velocity, and whether the projection sets the face at all.
struct FaceGradient {
  double value = 0;
  bool set = false;
};
// By the pressure q at the face between the cells i and j, the lower one. open: of the face.
CORACLE_BOTH inline FaceGradient inner_gradient(const ProjectionFields& f, const double* q, std::size_t i,
                                                std::size_t j, double open) {
  if ((!f.active[i] && !f.active[j]) || open == 0) return {};
  const double theta = !f.active[i]   ? surface_fraction(f.phi[j], f.phi[i])
                       : !f.active[j] ? surface_fraction(f.phi[i], f.phi[j])
                                      : 1;
  return {(q[i] - q[j]) / theta, true};
}
// At the face on an open side, of the cell i; end: 0 below, 1 above.
CORACLE_BOTH inline FaceGradient side_gradient(const ProjectionFields& f, const double* q, std::size_t i, int end,
                                               double open) {
  if (!f.active[i] || !(open > 0)) return {};
  return {(end ? -q[i] : q[i]) / side_fraction, true};
}

}  // namespace coracle
