// Closure of the cut cells, and two tests that the cut cells and the free surface must pass exactly.
#include "validation/case.h"
#include "validation/coupled_setup.h"
#include "validation/setup.h"

#include <fmt/format.h>

#include <cmath>

namespace coracle::validation {
namespace {

constexpr int poses = 12;

// Difficult solids: on grid planes, across the domain's walls, overlapping, smaller than a cell, shifted by round-off.
std::vector<std::pair<std::string, std::vector<Solid>>> awkward_sets(const Grid& grid) {
  const double dx = grid.dx;
  std::vector<std::pair<std::string, std::vector<Solid>>> sets;
  const auto box = [&](const Vec3& lo, const Vec3& hi) { return make_solid(box_mesh(lo * dx, hi * dx)); };
  sets.push_back({"on grid planes", {box({4, 5, 6}, {12, 11, 13})}});
  sets.push_back({"a hair off grid planes", {box(Vec3(4, 5, 6).array() + 1e-9, Vec3(12, 11, 13).array() - 1e-5)}});
  sets.push_back({"across the walls", {box({-3, 5.3, 6.2}, {4.7, 40, 13.1})}});
  sets.push_back(
      {"overlapping",
       {box({4.2, 5.1, 6.3}, {12.7, 11.9, 13.4}), make_solid(random_mesh(3, Vec3::Constant(0.5), 0.2, dx))}});
  sets.push_back({"one inside another", {box({4, 4, 4}, {14, 14, 14}), box({6.5, 6.5, 6.5}, {9.2, 9.2, 9.2})}});
  sets.push_back({"touching", {box({4, 4, 4}, {8, 8, 8}), box({8, 4, 4}, {12, 8, 8})}});
  sets.push_back({"thin", {box({4.1, 4.3, 7.2}, {14.3, 14.1, 7.4})}});
  sets.push_back({"smaller than a cell", {box({4.3, 4.3, 4.3}, {4.6, 4.6, 4.6})}});
  sets.push_back({"a hair above the floor", {box({4.2, 5e-5, 6.1}, {11.7, 5, 13.3})}});
  return sets;
}

}  // namespace

Outcome closure() {
  const Grid grid = unit_grid(20);
  double random = 0;
  int touched = 0;
  for (int pose = 0; pose < poses; ++pose) {
    const Vec3 center =
        Vec3::Constant(0.5) + 0.4 * Vec3(uniform(pose, 1) - 0.5, uniform(pose, 2) - 0.5, uniform(pose, 3) - 0.5);
    const double edge = grid.dx * (pose % 3 == 0 ? 3 : pose % 3 == 1 ? 1 : 0.3);
    const Boundary cut = cut_grid(grid, {make_solid(random_mesh(pose, center, 0.25, edge), pose % 4 == 3)});
    random = std::max(random, closure_error(cut));
    touched += cut.clamped + cut.merged;
  }
  Outcome out;
  const std::string source = "closure of a surface, exact";
  out.results.push_back(at_most("random meshes", random, 1e-12, "face areas", source));
  out.results.push_back(
      at_least("faces clamped or cells merged in them", touched, 1, "", "the test would be void without"));
  for (const ElementOrder element : {ElementOrder::linear, ElementOrder::quadratic}) {
    double bent = 0;
    for (int pose = 0; pose < poses; ++pose) {
      BodyOptions o = ball(Vec3::Zero(), 0.25, 0.1);
      o.element = element;
      Snapshot s = make_snapshot(grid, {o});
      const Vec3 center = Vec3::Constant(0.5) + 0.1 * random_unit(pose);
      for (Vec3& x : s.world.bodies[0].x)  // the sides of its tets become curved
        x = center + x + 0.05 * Vec3(std::sin(9 * x.y()), std::cos(8 * x.z() + pose), std::sin(7 * x.x()));
      s.cut();
      bent = std::max(bent, closure_error(s.field.cut));
    }
    out.results.push_back(
        at_most(element == ElementOrder::linear ? "bent bodies of linear tets" : "bent bodies of quadratic tets", bent,
                1e-12, "face areas", source));
  }
  for (const auto& [name, solids] : awkward_sets(grid))
    out.results.push_back(at_most(name, closure_error(cut_grid(grid, solids)), 1e-12, "face areas", source));
  return out;
}

Outcome free_stream() {
  const Grid grid = unit_grid(32);
  const Vec3 v(0.7, -0.4, 0.5);
  double worst_u = 0, worst_q = 0;
  for (int pose = 0; pose < poses; ++pose) {
    const Vec3 shift = 0.02 * Vec3(uniform(pose, 7), uniform(pose, 8), uniform(pose, 9));
    const std::vector<Solid> solids{
        make_solid(random_mesh(100 + pose, Vec3::Constant(0.5) + shift, 0.32, grid.dx), true, v),
        make_solid(random_mesh(200 + pose, Vec3(0.5, 0.42, 0.5) + shift, 0.12, 0.7 * grid.dx), false, v)};
    const Boundary cut = cut_grid(grid, solids);
    const Vec3 normal = random_unit(300 + pose);
    const Array3<double> phi = plane_phi(grid, Vec3::Constant(0.5) + 0.05 * normal, normal);
    ProjectionInput in{
        .grid = grid, .cut = cut, .fluid_phi = phi, .surfaces = solids, .density = water, .dt = 0.01, .solver = {}};
    in.solver.tolerance = 1e-12;
    FaceField<double> u = uniform_velocity(grid, v);
    Array3<double> p(grid.n);
    FaceField<std::uint8_t> valid;
    PressureSystem system;
    (void)project(in, system, u, p, valid);
    worst_u = std::max(worst_u, largest_deviation(grid, u, valid, v) / v.norm());
    for (double q : system.q) worst_q = std::max(worst_q, std::abs(q) / v.norm());
  }
  return {{at_most("|u − V| / |V|", worst_u, 1e-12, "", "uniform motion is a solution"),
           at_most("p Δt / (ρ dx |V|)", worst_q, 1e-12, "", "uniform motion is a solution")},
          {}};
}

Outcome balance() {
  double worst = 0;
  const double dt = 0.01;
  for (int pose = 0; pose < poses; ++pose) {
    const Grid grid = unit_grid(pose % 2 ? 24 : 33);
    const Vec3 center = Vec3(0.5013, 0.4987, 0.5029) + 0.01 * random_unit(pose);
    const std::vector<Solid> solids{make_solid(sphere_mesh(center, 0.41, grid.dx), true)};
    const Boundary cut = cut_grid(grid, solids);
    const Vec3 normal = pose == 0 ? Vec3(0, 1, 0) : random_unit(50 + pose);
    const Array3<double> phi = plane_phi(grid, center + 0.07 * normal, normal);
    ProjectionInput in{
        .grid = grid, .cut = cut, .fluid_phi = phi, .surfaces = solids, .density = water, .dt = dt, .solver = {}};
    in.solver.tolerance = 1e-12;
    FaceField<double> u = uniform_velocity(grid, -g * dt * normal);
    Array3<double> p(grid.n);
    FaceField<std::uint8_t> valid;
    PressureSystem system;
    (void)project(in, system, u, p, valid);
    worst = std::max(worst, largest_deviation(grid, u, valid, Vec3::Zero()) / (g * dt));
  }
  return {{at_most("max |u| / (g Δt)", worst, 1e-8, "", "p = ρ g depth balances gravity exactly")}, {}};
}

}  // namespace coracle::validation
