#include "coracle/step/grid/projection.h"

#include "coracle/base/for_cells.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// f(its first cell) for all rows along x, in parallel.
template <class F>
void for_cell_rows(const Vec3i& n, F&& f) {
  for_rows(n, [&](std::size_t, int j, int k) { f(cell_spot(n.data(), 0, j, k)); });
}
void next_in_row(CellSpot& at) {
  ++at.c[0], ++at.i;
  for (std::size_t& face : at.face) ++face;
}

void assemble_matrix(const ProjectionInput& in, const FaceField<double>& u, PressureSystem& system) {
  const Vec3i& n = in.grid.n;
  Stencil<double>& matrix = system.matrix;
  if (matrix.n != n) matrix.assign(n);
  system.rhs.resize(system.active.size());
  ProjectionFields fields = fields_of(in);
  fields.active = system.active.data.data();
  for (int a = 0; a < 3; ++a) fields.u[a] = u[a].data.data();
  for_cell_rows(n, [&](const CellSpot& first) {
    CellSpot at = first;
    for (; at.c[0] < n.x(); next_in_row(at)) {
      const CellEquation e = cell_equation(fields, at);
      matrix.diag.data[at.i] = e.diag;
      for (int a = 0; a < 3; ++a) matrix.off[a].data[at.i] = e.off[a];
      system.rhs[at.i] = e.rhs;
    }
  });
  for (const Patch& p : in.cut.patches)
    if (fields.active[p.cell] && (in.bodies_given || in.surfaces[p.surface].body < 0))
      system.rhs[p.cell] -= patch_flux(p, in.surfaces);
}

// Components of active cells, connected through open faces, that meet no air. Connected cells in a row make a run, and
// runs are joined across the rows: there are a hundred times fewer runs than cells.
CellSets closed_components(const PressureSystem& system) {
  const auto& m = system.matrix;
  const int nx = m.n.x(), ny = m.n.y();
  struct Run {
    int first, end;  // cells
    int parent;      // an earlier run of the same component, or itself
    bool air;        // meets the free surface: a diagonal exceeds the sum of its couplings
  };
  std::vector<std::vector<Run>> parts((m.rows() + 31) / 32);
  for_blocks(m.rows(), 32, [&](std::size_t begin, std::size_t end) {
    std::vector<Run>& found = parts[begin / 32];
    for (std::size_t r = begin; r < end; ++r) {
      const int first = int(r) * nx, j = int(r) % ny, k = int(r) / ny;
      bool open = false;  // whether the last cell's run continues
      for (int i = first; i < first + nx; ++i) {
        const double diag = m.diag.data[i];
        if (diag == 0) {
          open = false;
          continue;
        }
        if (!open) found.push_back({i, i, 0, false});
        double sum = m.off[0].data[i] + m.off[1].data[i] + m.off[2].data[i];
        if (i > first) sum += m.off[0].data[i - 1];
        if (j > 0) sum += m.off[1].data[i - nx];
        if (k > 0) sum += m.off[2].data[i - nx * ny];
        if (diag > sum * (1 + 1e-12)) found.back().air = true;
        found.back().end = i + 1;
        open = m.off[0].data[i] != 0;
      }
    }
  });
  std::vector<Run> runs;
  for (const auto& part : parts) runs.insert(runs.end(), part.begin(), part.end());
  for (std::size_t r = 0; r < runs.size(); ++r) runs[r].parent = int(r);
  const auto root = [&](int r) {
    while (runs[r].parent != r) r = runs[r].parent = runs[runs[r].parent].parent;
    return r;
  };
  const auto join = [&](int r, int s) {
    r = root(r), s = root(s);
    if (r == s) return;
    runs[std::max(r, s)].parent = std::min(r, s);
    runs[std::min(r, s)].air |= runs[std::max(r, s)].air;
  };
  for (int a : {1, 2}) {
    const int step = int(m.diag.stride(a));
    std::size_t other = 0;  // the run that holds cell i + step, or the first run after it
    for (std::size_t r = 0; r < runs.size(); ++r)
      for (int i = runs[r].first; i < runs[r].end; ++i) {
        if (m.off[a].data[i] == 0) continue;
        while (runs[other].end <= i + step) ++other;
        join(int(r), int(other));
        i = std::min(runs[r].end, runs[other].end - step) - 1;  // the rest of both runs joins the same two
      }
  }
  CellSets closed;
  std::vector<int> number(runs.size(), -1);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const int top = root(int(r));
    if (runs[top].air) continue;
    if (number[top] < 0) number[top] = int(closed.size()), closed.emplace_back();
    for (int i = runs[r].first; i < runs[r].end; ++i) closed[number[top]].push_back(i);
  }
  return closed;
}

void drop_small_pockets(const ProjectionInput& in, PressureSystem& system) {
  system.dropped = 0;
  std::erase_if(system.closed, [&](const std::vector<int>& cells) {
    if (!too_small(in, cells)) return false;
    for (int i : cells) {
      system.active.data[i] = 0;
      system.matrix.diag.data[i] = system.rhs[i] = 0;
      for (int a = 0; a < 3; ++a) system.matrix.off[a].data[i] = 0;
    }
    ++system.dropped;
    return true;
  });
}

void subtract_gradient(const ProjectionInput& in, const PressureSystem& system, FaceField<double>& u,
                       FaceField<std::uint8_t>& valid) {
  ProjectionFields fields = fields_of(in);
  fields.active = system.active.data.data();
  const double* q = system.q.data();
  const auto change = [&](int a, std::size_t face, const FaceGradient& by) {
    if (!by.set) return;
    u[a].data[face] -= by.value;
    valid[a].data[face] = 1;
  };
  for (int a = 0; a < 3; ++a) {
    valid[a].assign(in.grid.faces(a), 0);
    for_cell_rows(in.grid.n, [&](const CellSpot& first) {
      if (a > 0 && first.c[a] == 0) return;
      CellSpot at = first;
      if (a == 0) next_in_row(at);
      for (; at.c[0] < in.grid.n.x(); next_in_row(at))
        change(a, at.face[a], inner_gradient(fields, q, at.i, at.i - fields.step[a], in.cut.open[a].data[at.face[a]]));
    });
  }
  for_side_faces(in.grid, [&](int a, int end, const Vec3i& f) {
    Vec3i c = f;
    c[a] -= end;
    if (!in.open[2 * a + end]) {
      u[a][f] = 0;
      valid[a][f] = 1;
    } else {
      change(a, u[a].index(f), side_gradient(fields, q, system.active.index(c), end, in.cut.open[a][f]));
    }
  });
}

}  // namespace

ProjectionFields fields_of(const ProjectionInput& in) {
  ProjectionFields f{};
  for (int a = 0; a < 3; ++a) {
    f.n[a] = in.grid.n[a];
    f.step[a] = std::ptrdiff_t(Shape3{in.grid.n}.stride(a));
    f.open[a] = in.cut.open[a].data.data();
  }
  for (int s = 0; s < 6; ++s) f.open_side[s] = in.open[s];
  f.dx = in.grid.dx, f.expansion = in.expansion;
  f.phi = in.fluid_phi.data.data(), f.volume = in.cut.volume.data.data();
  return f;
}

bool too_small(const ProjectionInput& in, const std::vector<int>& closed_cells) {
  constexpr double smallest = 1;  // cells
  double room = 0;
  for (const int i : closed_cells) room += in.cut.volume.data[i];
  return room < smallest;
}

void mark_active(const ProjectionInput& in, Array3<std::uint8_t>& active) {
  if (active.n != in.grid.n) active.assign(in.grid.n);
  const ProjectionFields fields = fields_of(in);
  for_cell_rows(in.grid.n, [&](const CellSpot& first) {
    for (CellSpot at = first; at.c[0] < in.grid.n.x(); next_in_row(at)) active.data[at.i] = is_active(fields, at);
  });
}

void assemble_pressure(const ProjectionInput& in, const FaceField<double>& u, const Array3<double>& p,
                       PressureSystem& system) {
  mark_active(in, system.active);
  assemble_matrix(in, u, system);
  system.closed = closed_components(system);
  drop_small_pockets(in, system);
  system.matrix.find_spans();
  for (const auto& cells : system.closed)  // they have no room to expand into
    for (int i : cells) system.rhs[i] -= in.expansion * in.cut.volume.data[i] * in.grid.dx;
  const double to_q = in.dt / (in.density * in.grid.dx);
  system.q.resize(p.size());
  for_each_index(p.size(), [&](std::size_t i) { system.q[i] = system.active.data[i] ? to_q * p.data[i] : 0; });
}

void apply_pressure(const ProjectionInput& in, const PressureSystem& system, FaceField<double>& u, Array3<double>& p,
                    FaceField<std::uint8_t>& valid) {
  subtract_gradient(in, system, u, valid);
  const double to_p = in.density * in.grid.dx / in.dt;
  for_each_index(p.size(), [&](std::size_t i) { p.data[i] = to_p * system.q[i]; });
}

PressureOptions pressure_options(const SolverOptions& options, double floor) {
  return {.backend = options.backend,
          .multigrid = options.preconditioner == Preconditioner::multigrid,
          .tolerance = options.tolerance,
          .floor = floor,
          .max_iterations = options.max_iterations};
}

}  // namespace coracle
