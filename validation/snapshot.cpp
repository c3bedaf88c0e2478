#include "validation/snapshot.h"

#include "coracle/error.h"
#include "coracle/step/advance.h"
#include "validation/setup.h"

#include <chrono>
#include <cmath>

namespace coracle::validation {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void Snapshot::use(Method method) {
  field = SolidField();
  field.make_boundary = boundary_of(method);
  cut();
}

void Snapshot::cut() { update_solid_field(world.grid, Surfaces(world), field); }

void Snapshot::set_surface(const std::function<double(const Vec3&)>& distance) {
  phi.assign(world.grid.n);
  for (std::size_t i = 0; i < phi.size(); ++i) phi.data[i] = distance(world.grid.center(phi.cell(i)));
}

void Snapshot::set_velocity(const std::function<Vec3(const Vec3&)>& velocity) {
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < world.u[a].size(); ++i)
      world.u[a].data[i] = velocity(world.grid.face_center(a, world.u[a].cell(i)))[a];
}

ProjectionInput Snapshot::input() const {
  return {world.grid, field.cut, phi, Surfaces(world), density, dt, expansion, solver, open};
}

BodyStep Snapshot::step() const { return {elastic, world, field, dt, fall}; }

CoupledReport Snapshot::project() {
  return project_with_bodies(input(), step(), pressure, system,
                             {world.u, world.pressure, valid, world.bodies, moved, world.pockets});
}

Snapshot make_snapshot(const Grid& grid, const std::vector<BodyOptions>& bodies, std::vector<Solid> solids) {
  Snapshot s;
  s.world.grid = grid;
  s.world.u = make_face_field<double>(grid);
  s.world.pressure.assign(grid.n);
  s.world.solids = std::move(solids);
  for (const BodyOptions& o : bodies) s.world.bodies.push_back(build_body(o));
  s.solver.tolerance = 1e-10;
  s.set_surface([&](const Vec3&) { return -grid.dx; });
  s.cut();
  return s;
}

AssemblyTimes look_at_equations(const ProjectionInput& liquid, const BodyStep& step, PressureSystem& pressure,
                                BodySystem& system, const LookAtEquations& look) {
  ProjectionInput in = liquid;
  in.bodies_given = false;
  AssemblyTimes times;
  auto start = std::chrono::steady_clock::now();
  assemble_pressure(in, step.world.u, step.world.pressure, pressure);
  times.pressure = seconds_since(start);
  start = std::chrono::steady_clock::now();
  std::vector<int> first;
  int nodes = 0;
  for (const Body& body : step.world.bodies) first.push_back(nodes), nodes += int(body.x.size());
  const Coupling u = wet_coupling(in.cut.patches, in.surfaces, first, pressure.active);
  times.coupling = seconds_since(start);

  std::vector<Body> bodies = step.world.bodies;
  std::vector<std::vector<Vec3>> moved;
  Surroundings around;
  around.force.assign(nodes, Vec3::Zero());
  around.accept = [](double) {};
  bool seen = false;
  start = std::chrono::steady_clock::now();
  around.solve = [&](const BodyEquation& b, NodeField& change) {
    change.assign(b.rhs.size(), Vec3::Zero());
    if (seen) return true;
    seen = true;
    times.factor = b.matrix.factor_seconds();
    times.bodies = seconds_since(start) - times.factor;
    Vector rhs = pressure.rhs;
    add_flux(u, b.moving, -1, rhs);
    const double kappa = in.density * in.grid.cell_volume() / in.dt;
    look({pressure.matrix,
          rhs,
          u,
          b.matrix,
          b.rhs,
          b.c,
          kappa,
          b.inertia,
          in.grid.dx,
          in.dt,
          in.density,
          {},
          pressure.closed},
         pressure);
    return true;
  };
  (void)solve_bodies(step, system, bodies, moved, &around);
  CHECK(seen);
  return times;
}

Snapshot beam_in_tank(int n, const Vec3i& cubes, double fill) {
  BodyOptions beam;
  beam.name = "beam";
  beam.mesh = BodyMesh::grid6;
  beam.shape.kind = ShapeKind::box;
  beam.shape.center = {0.52, 0.5, 0.49};
  beam.shape.size = {0.1, 0.7, 0.1};
  beam.shape.rotate = {7, 15, 11};
  beam.cells = cubes;
  beam.density = 700;
  beam.young = 1e6;
  beam.poisson = 0.35;
  beam.damping_mass = 0.1;
  beam.damping_stiffness = 1e-3;
  HoldOptions top;
  top.side = BodySide::none;
  ShapeOptions around;
  around.kind = ShapeKind::box;
  around.size = Vec3::Constant(1);
  around.center = {0.5, 1.33, 0.5};
  top.regions.push_back(around);
  beam.holds.push_back(top);

  Snapshot s = make_snapshot(unit_grid(n), {beam});
  Body& body = s.world.bodies[0];
  for (std::size_t i = 0; i < body.x.size(); ++i) {  // bent and swinging
    const double down = 0.85 - body.x[i].y();
    body.x[i].x() += 0.12 * down * down;
    body.v[i] = Vec3(0.8 * down, 0.2 * down * down, -0.3 * down);
  }
  s.cut();
  const double slosh = 0.04;
  s.set_surface([&](const Vec3& x) {
    const double level = fill + slosh * std::cos(M_PI * x.x()) * (1 + 0.5 * std::cos(2 * M_PI * x.z()));
    return (x.y() - level) / std::sqrt(1 + slosh * slosh * M_PI * M_PI);
  });
  s.fall = Vec3(0, -g * s.dt, 0);
  s.set_velocity([&](const Vec3& x) {
    return Vec3(0.6 * std::sin(M_PI * x.x()) * std::cos(M_PI * x.y()) + 0.2 * std::sin(5 * x.z()),
                -0.5 * std::cos(M_PI * x.x()) * std::sin(M_PI * x.y()) + s.fall.y(),
                0.3 * std::sin(4 * x.x() + 3 * x.y()));
  });
  return s;
}

}  // namespace coracle::validation
