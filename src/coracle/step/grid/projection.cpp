#include "coracle/step/grid/projection.h"

#include "coracle/base/for_cells.h"
#include "coracle/timer.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// A row of cells along x.
struct CellRow {
  int j, k;
  std::size_t cell;     // index of the first cell
  std::size_t face[3];  // indices of the faces below the first cell
};

// f(row) for all rows, in parallel.
template <class F>
void for_cell_rows(const Vec3i& n, F&& f) {
  for_rows(n, [&](std::size_t r, int j, int k) {
    const std::size_t nx = n.x(), layer = n.y() + 1;
    f(CellRow{j, k, r * nx, {r * (nx + 1), nx * (j + layer * k), r * nx}});
  });
}

void assemble_matrix(const ProjectionInput& in, const FaceField<double>& u, PressureSystem& system) {
  const Vec3i& n = in.grid.n;
  const std::uint8_t* active = system.active.data.data();
  const double* phi = in.fluid_phi.data.data();
  Stencil<double>& matrix = system.matrix;
  if (matrix.n != n) matrix.assign(n);
  system.rhs.resize(system.active.size());
  const std::ptrdiff_t cell_step[] = {1, n.x(),
                                      std::ptrdiff_t(n.x()) * n.y()};  // also from a cell's lower face to its upper
  for_cell_rows(n, [&](const CellRow& row) {
    for (int x = 0; x < n.x(); ++x) {
      const std::size_t i = row.cell + x;
      matrix.diag.data[i] = system.rhs[i] = 0;
      for (auto& off : matrix.off) off.data[i] = 0;
      if (!active[i]) continue;
      const int c[] = {x, row.j, row.k};
      double diag = 0, flux = -in.expansion * in.cut.volume.data[i] * in.grid.dx;
      for (int a = 0; a < 3; ++a)
        for (int end = 0; end < 2; ++end) {
          const bool side = end ? c[a] + 1 == n[a] : c[a] == 0;
          if (side && !in.open[2 * a + end]) continue;  // the domain's wall
          const std::size_t face = row.face[a] + x + (end ? cell_step[a] : 0);
          const double open = in.cut.open[a].data[face];
          if (open == 0) continue;
          flux += (end ? open : -open) * u[a].data[face];
          const std::size_t j = end ? i + cell_step[a] : i - cell_step[a];
          if (side) {
            diag += open / side_fraction;
          } else if (active[j]) {
            diag += open;
            if (end) matrix.off[a].data[i] = open;
          } else {
            diag += open / surface_fraction(phi[i], phi[j]);
          }
        }
      matrix.diag.data[i] = diag;
      system.rhs[i] = -flux;
    }
  });
  for (const Patch& p : in.cut.patches)
    if (active[p.cell] && (in.bodies_given || in.surfaces[p.surface].body < 0))
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

constexpr double smallest_pocket = 1;  // cells

void drop_small_pockets(const ProjectionInput& in, PressureSystem& system) {
  system.dropped = 0;
  std::erase_if(system.closed, [&](const std::vector<int>& cells) {
    double room = 0;
    for (int i : cells) room += in.cut.volume.data[i];
    if (room >= smallest_pocket) return false;
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
  const std::uint8_t* active = system.active.data.data();
  const double* phi = in.fluid_phi.data.data();
  for (int a = 0; a < 3; ++a) {
    valid[a].assign(in.grid.faces(a), 0);
    const std::size_t step = system.active.stride(a);
    for_cell_rows(in.grid.n, [&](const CellRow& row) {
      if (a > 0 && (a == 1 ? row.j : row.k) == 0) return;
      for (int x = a == 0 ? 1 : 0; x < in.grid.n.x(); ++x) {
        const std::size_t i = row.cell + x, j = i - step, face = row.face[a] + x;
        if ((!active[i] && !active[j]) || in.cut.open[a].data[face] == 0) continue;
        const double theta = !active[i]   ? surface_fraction(phi[j], phi[i])
                             : !active[j] ? surface_fraction(phi[i], phi[j])
                                          : 1;
        u[a].data[face] -= (system.q[i] - system.q[j]) / theta;
        valid[a].data[face] = 1;
      }
    });
  }
  for_side_faces(in.grid, [&](int a, int end, const Vec3i& f) {
    Vec3i c = f;
    c[a] -= end;
    if (!in.open[2 * a + end]) {
      u[a][f] = 0;
      valid[a][f] = 1;
    } else if (system.active[c] && in.cut.open[a][f] > 0) {
      const double q = system.q[system.active.index(c)];
      u[a][f] -= (end ? -q : q) / side_fraction;
      valid[a][f] = 1;
    }
  });
}

double remaining_divergence(const ProjectionInput& in, const PressureSystem& system) {
  Vector r;
  multiply(system.matrix, system.q, r);
  return largest(r.size(), [&](std::size_t i) { return std::abs(system.rhs[i] - r[i]); }) / in.grid.dx;
}

}  // namespace

void mark_active(const ProjectionInput& in, Array3<std::uint8_t>& active) {
  if (active.n != in.grid.n) active.assign(in.grid.n);
  const Vec3i& n = in.grid.n;
  const std::ptrdiff_t up[] = {1, n.x(), std::ptrdiff_t(n.x()) * n.y()};
  for_cell_rows(n, [&](const CellRow& row) {
    for (int x = 0; x < n.x(); ++x) {
      const std::size_t i = row.cell + x;
      const int c[] = {x, row.j, row.k};
      bool open = false;
      if (in.fluid_phi.data[i] < -surface_epsilon * in.grid.dx)
        for (int a = 0; a < 3 && !open; ++a) {
          const double* faces = in.cut.open[a].data.data() + row.face[a] + x;
          open = ((c[a] > 0 || in.open[2 * a]) && faces[0] > 0) ||
                 ((c[a] + 1 < n[a] || in.open[2 * a + 1]) && faces[up[a]] > 0);
        }
      active.data[i] = open;
    }
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

double flux_round_off(const ProjectionInput& in, const FaceField<double>& u, double speed) {
  for (const auto& f : u)
    speed = std::max(speed, largest(f.size(), [&](std::size_t i) { return std::abs(f.data[i]); }));
  return 2e-15 * speed * std::sqrt(double(in.cut.patches.size() + 1));
}

double net_inflow(const ProjectionInput& in, const Vector& inflow, const CellSets& pockets) {
  double worst = 0;
  for (const auto& cells : pockets) {
    double sum = 0;
    for (int i : cells) sum += inflow[i];
    worst = std::max(worst, std::abs(sum) * in.grid.dx * in.grid.dx);
  }
  return worst;
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

ProjectionReport project(const ProjectionInput& in, PressureSystem& system, FaceField<double>& u, Array3<double>& p,
                         FaceField<std::uint8_t>& valid) {
  const auto start = std::chrono::steady_clock::now();
  ProjectionReport report;
  assemble_pressure(in, u, p, system);
  report.closed_imbalance = net_inflow(in, system.rhs, system.closed);
  const double floor = flux_round_off(in, u, 0);
  const double assembly_s = seconds_since(start);
  report.solve =
      system.solver->solve({.matrix = system.matrix, .rhs = system.rhs, .singular = system.closed, .deflated = {}},
                           pressure_options(in.solver, floor), system.q);
  report.solve.form = "poisson";
  report.solve.unknowns = count_unknowns(system.matrix);
  report.solve.nonzeros = count_nonzeros(system.matrix);
  report.solve.setup_s += assembly_s;
  report.active = report.solve.unknowns;
  report.max_divergence = remaining_divergence(in, system);
  apply_pressure(in, system, u, p, valid);
  return report;
}

std::vector<FluidLoad> fluid_loads(const ProjectionInput& in, const PressureSystem& system, const Array3<double>& p) {
  std::vector<FluidLoad> loads(in.surfaces.size());
  const double face = in.grid.dx * in.grid.dx;
  const bool on_patches = in.cut.pressure_acts_on == PressureActsOn::patches;
  for (const PressureSample& sample : in.cut.samples) {
    double pressure = 0, wet = 0;
    for_pressing(sample, system.active, [&](int cell, double share) {
      pressure += share * p.data[cell];
      wet += share;
    });
    FluidLoad& load = loads[sample.surface];
    const Surface& surface = in.surfaces[sample.surface];
    const Vec3 force = pressure * face * sample.area;
    load.force += force;
    load.torque += surface.at(surface.x, sample.tri, sample.bary).cross(force);
    load.wet_area += wet * sample.area.norm() * face;
  }
  for (const Patch& patch : in.cut.patches) {
    if (!on_patches || !system.active.data[patch.cell]) continue;
    FluidLoad& load = loads[patch.surface];
    const Vec3 force = p.data[patch.cell] * face * patch.area;
    load.force += force;
    load.torque += patch_center(patch, in.surfaces).cross(force);
    load.wet_area += patch.area.norm() * face;
  }
  return loads;
}

}  // namespace coracle
