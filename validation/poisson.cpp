// Poisson problems with Neumann data on embedded boundaries, solved by the same cut cells and the same multigrid as the
// liquid's pressure: Σ A ∂φ/∂n over open faces + Σ a·∇φ over patches = ∫ Δφ.
#include "coracle/solve/conjugate_gradients.h"
#include "coracle/solve/multigrid.h"
#include "validation/figures.h"
#include "validation/setup.h"

#include <fmt/format.h>

namespace coracle::validation {
namespace {

struct Exact {
  std::function<double(const Vec3&)> value, laplacian;
  std::function<Vec3(const Vec3&)> gradient;
};

struct Errors {
  double full = 0, all = 0;  // largest, over uncut cells and over all
  int iterations = 0;
};

// Axes with `dirichlet` have exact values one cell centre beyond the domain's sides; on the other axes the sides are
// walls.
Errors solve_poisson(const Grid& grid, const std::vector<Solid>& solids, const Exact& exact,
                     const std::array<bool, 3>& dirichlet) {
  const Boundary cut = cut_grid(grid, solids);
  Stencil<double> a;
  a.assign(grid.n);
  Vector rhs(a.diag.size(), 0), x(a.diag.size(), 0);
  bool any_dirichlet = false;
  for (std::size_t i = 0; i < rhs.size(); ++i) {
    const Vec3i c = a.diag.cell(i);
    double flux = 0;
    for (int d = 0; d < 3; ++d)
      for (int end = 0; end < 2; ++end) {
        Vec3i f = c;
        f[d] += end;
        const double open = cut.open[d][f];
        if (open == 0) continue;
        if (end ? c[d] + 1 == grid.n[d] : c[d] == 0) {
          if (!dirichlet[d]) continue;
          any_dirichlet = true;
          a.diag.data[i] += open;
          flux += open * exact.value(grid.center(c) + (end ? grid.dx : -grid.dx) * Vec3::Unit(d));
        } else {
          a.diag.data[i] += open;
          if (end) a.off[d].data[i] = open;
        }
      }
    if (a.diag.data[i] == 0) continue;
    rhs[i] += flux - cut.volume.data[i] * grid.dx * grid.dx * exact.laplacian(grid.center(c));
  }
  for (const Patch& p : cut.patches)
    if (a.diag.data[p.cell] > 0) rhs[p.cell] += grid.dx * p.area.dot(exact.gradient(patch_center(p, solids)));

  std::vector<std::vector<int>> closed;
  if (!any_dirichlet) {
    closed.emplace_back();
    for (std::size_t i = 0; i < rhs.size(); ++i)
      if (a.diag.data[i] > 0) closed[0].push_back(int(i));
  }
  Multigrid multigrid;
  multigrid.set_up(a);
  CgOptions options;
  options.tolerance = 1e-11;
  const SolveReport report = conjugate_gradients(
      a, rhs, x, [&](const Vector& r, Vector& z) { multigrid.apply(r, z); }, closed, options);

  // Pure Neumann: the solution is defined up to a constant.
  double shift = 0, weight = 0;
  for (std::size_t i = 0; i < rhs.size() && !any_dirichlet; ++i)
    if (a.diag.data[i] > 0) {
      shift += cut.volume.data[i] * (x[i] - exact.value(grid.center(a.diag.cell(i))));
      weight += cut.volume.data[i];
    }
  if (weight > 0) shift /= weight;
  Errors errors;
  errors.iterations = report.iterations;
  for (std::size_t i = 0; i < rhs.size(); ++i) {
    if (a.diag.data[i] == 0) continue;
    const double e = std::abs(x[i] - shift - exact.value(grid.center(a.diag.cell(i))));
    errors.all = std::max(errors.all, e);
    if (cut.volume.data[i] == 1) errors.full = std::max(errors.full, e);
  }
  return errors;
}

}  // namespace

Outcome poisson_star() {
  Exact exact;
  exact.value = [](const Vec3& x) {
    const double r = std::hypot(x.x(), x.y()), t = std::atan2(x.y(), x.x());
    return std::pow(r, 4) * std::cos(3 * t);
  };
  exact.laplacian = [](const Vec3& x) {
    const double r2 = x.x() * x.x() + x.y() * x.y(), t = std::atan2(x.y(), x.x());
    return 7 * r2 * std::cos(3 * t);
  };
  exact.gradient = [](const Vec3& x) {
    const double r = std::hypot(x.x(), x.y()), t = std::atan2(x.y(), x.x());
    const double along_r = 4 * std::pow(r, 3) * std::cos(3 * t), along_t = -3 * std::pow(r, 3) * std::sin(3 * t);
    return Vec3(along_r * std::cos(t) - along_t * std::sin(t), along_r * std::sin(t) + along_t * std::cos(t), 0);
  };
  std::vector<Vec3> outline;
  constexpr int corners = 6000;  // their sag is 1e-7 of the radius
  for (int i = 0; i < corners; ++i) {
    const double t = 2 * M_PI * i / corners, r = 0.25 + 0.05 * std::cos(6 * t);
    outline.push_back({r * std::cos(t), r * std::sin(t), 0});
  }
  const std::vector<int> sizes{40, 80, 160, 320};
  const std::vector<double> table{4.78e-5, 1.33e-5, 3.37e-6, 8.72e-7};
  std::vector<Errors> errors;
  Outcome out;
  Curve curve{"Max error around a star", "N", "error", {}, {}, {}, true};
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    const double dx = 1.0 / sizes[s];
    const Grid grid{Vec3(-0.5, -0.5, 0), dx, Vec3i(sizes[s], sizes[s], 2)};
    errors.push_back(
        solve_poisson(grid, {make_solid(prism_mesh(outline, Vec3::Zero(), -dx, 3 * dx))}, exact, {true, true, false}));
    const std::string source = "JohansenColella98, problem 3";
    out.results.push_back(
        at_most(fmt::format("full cells over the table, N = {}", sizes[s]), errors[s].full / table[s], 2, "", source));
    out.results.push_back(
        at_most(fmt::format("all cells over the table, N = {}", sizes[s]), errors[s].all / table[s], 4, "", source));
    curve.measured.push_back({sizes[s], errors[s].all});
    curve.reference.push_back({sizes[s], table[s]});
  }
  out.results.push_back(at_least("slope of the largest error, N = 40 to 320",
                                 -slope({curve.measured.front(), curve.measured.back()}), 1.8, "", "second order"));
  out.curves.push_back(curve);
  return out;
}

Outcome poisson_sphere() {
  Exact exact;
  exact.value = [](const Vec3& x) { return std::sin(x.x()) * std::sin(2 * x.y()) * std::sin(3 * x.z()); };
  exact.laplacian = [&](const Vec3& x) { return -14 * exact.value(x); };
  exact.gradient = [](const Vec3& x) {
    return Vec3(std::cos(x.x()) * std::sin(2 * x.y()) * std::sin(3 * x.z()),
                2 * std::sin(x.x()) * std::cos(2 * x.y()) * std::sin(3 * x.z()),
                3 * std::sin(x.x()) * std::sin(2 * x.y()) * std::cos(3 * x.z()));
  };
  std::vector<double> errors;
  Outcome out;
  const std::vector<int> sizes{16, 32, 64};
  Curve curve{"Max error inside a sphere", "N", "error", {}, {}, {{"order 2", {}}}, true};
  for (int n : sizes) {
    const Grid grid{Vec3::Constant(-0.5), 1.0 / n, Vec3i::Constant(n)};
    const std::vector<Solid> solids{make_solid(sphere_mesh(Vec3(0.003, -0.007, 0.011), 0.392, 0.3 * grid.dx), true)};
    errors.push_back(solve_poisson(grid, solids, exact, {false, false, false}).all);
    curve.measured.push_back({n, errors.back()});
    curve.others[0].points.push_back({n, errors[0] * std::pow(double(sizes[0]) / n, 2)});
  }
  out.curves.push_back(curve);
  out.results.push_back(at_least("slope of the largest error, 16³ to 64³",
                                 -slope({curve.measured.front(), curve.measured.back()}), 1.8, "", "second order"));
  return out;
}

Outcome solver_iterations() {
  Outcome out;
  for (int n : {32, 64, 128}) {
    const Grid grid = unit_grid(n);
    const std::vector<Solid> solids{make_solid(sphere_mesh(Vec3(0.62, 0.21, 0.52), 0.15, grid.dx))};
    const Boundary cut = cut_grid(grid, solids);
    // A collapsing column with a wavy face, which covers half of the sphere.
    Array3<double> phi(grid.n);
    for (std::size_t i = 0; i < phi.size(); ++i) {
      const Vec3 x = grid.center(phi.cell(i));
      phi.data[i] = 0.7 * (x.y() - (0.55 - 0.5 * x.x() + 0.03 * std::sin(9 * x.x()) * std::cos(7 * x.z())));
    }
    ProjectionInput in{.grid = grid,
                       .cut = cut,
                       .fluid_phi = phi,
                       .surfaces = solids,
                       .density = water,
                       .dt = 1.0 / 120,
                       .solver = {}};
    in.solver.tolerance = 1e-10;
    const auto iterations = [&](Preconditioner kind) {
      in.solver.preconditioner = kind;
      FaceField<double> u = uniform_velocity(grid, Vec3(0, -g * in.dt, 0));
      for (std::size_t i = 0; i < u[0].size(); ++i) {
        const Vec3 x = grid.face_center(0, u[0].cell(i));
        u[0].data[i] = std::sin(3 * x.x()) * std::cos(2 * x.y());
      }
      Array3<double> p(grid.n);
      FaceField<std::uint8_t> valid;
      PressureSystem system;
      return project(in, system, u, p, valid).solve.iterations;
    };
    out.results.push_back(at_most(fmt::format("multigrid iterations to 1e-10 at {}³", n),
                                  iterations(Preconditioner::multigrid), 25, "", "required; the study has 13–15"));
    if (n <= 64)
      out.results.push_back(at_most(fmt::format("incomplete Cholesky, for comparison, at {}³", n),
                                    iterations(Preconditioner::incomplete_cholesky), 5.0 * n, "", "grows as n"));
  }
  return out;
}

}  // namespace coracle::validation
