#include "validation/snapshot.h"

#include "coracle/timer.h"
#include "coracle/world/bodies.h"
#include "validation/setup.h"

#include <cmath>
#include <stdexcept>

namespace coracle::validation {

void Snapshot::use(Method chosen) {
  method = chosen;
  field = SolidField();
  cut();
}

void Snapshot::cut() { update_solid_field(flow.grid, Surfaces(world), boundary_maker(method), field); }

void Snapshot::set_surface(const std::function<double(const Vec3&)>& distance) {
  phi.assign(flow.grid.n);
  for (std::size_t i = 0; i < phi.size(); ++i) phi.data[i] = distance(flow.grid.center(phi.cell(i)));
}

void Snapshot::set_velocity(const std::function<Vec3(const Vec3&)>& velocity) {
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < flow.u[a].size(); ++i)
      flow.u[a].data[i] = velocity(flow.grid.face_center(a, flow.u[a].cell(i)))[a];
}

ProjectionInput Snapshot::input() const {
  return {.grid = flow.grid,
          .cut = field.cut,
          .fluid_phi = phi,
          .surfaces = Surfaces(world),
          .density = density,
          .dt = dt,
          .expansion = expansion,
          .solver = solver,
          .open = open};
}

BodyStep Snapshot::step() const {
  return {.options = elastic,
          .contact = contact,
          .world = world,
          .trees = trees_of(field),
          .dt = dt,
          .gravity_dv = gravity_dv};
}

CoupledReport Snapshot::project() {
  HomeFluid fluid(flow.u, flow.pressure, valid, pressure);
  return project_with_bodies(input(), step(), fluid, system, {flow.pockets, world.bodies, motion});
}

Snapshot make_snapshot(const Grid& grid, const std::vector<BodyOptions>& bodies, std::vector<Solid> solids) {
  Snapshot s;
  s.world.domain = {grid.origin, grid.upper()};
  s.flow = {.grid = grid,
            .u = make_face_field<double>(grid),
            .pushes = {},
            .pressure = Array3<double>(grid.n),
            .carried = {},
            .pockets = {}};
  s.world.solids = std::move(solids);
  for (const BodyOptions& o : bodies) s.world.bodies.push_back(build_body(o));
  s.solver.tolerance = 1e-10;
  s.set_surface([&](const Vec3&) { return -grid.dx; });
  s.cut();
  return s;
}

AssemblyTimes look_at_equations(const ProjectionInput& fluid, const BodyStep& step, const GridFlow& flow,
                                PressureSystem& pressure, BodySystem& system, const LookAtEquations& look) {
  ProjectionInput in = fluid;
  in.bodies_given = false;
  AssemblyTimes times;
  auto start = std::chrono::steady_clock::now();
  assemble_pressure(in, flow.u, flow.pressure, pressure);
  times.pressure = seconds_since(start);
  start = std::chrono::steady_clock::now();
  const Coupling u = wet_coupling(in.cut.patches, in.surfaces, first_nodes(step.world.bodies), pressure.active);
  times.coupling = seconds_since(start);

  start = std::chrono::steady_clock::now();
  BodyProblem bodies(step, system);
  NodeField body_rhs, v = bodies.start();
  bodies.contacts().update(v);
  bodies.linearise(body_rhs);
  if (!bodies.factor(BodyProblem::Unknown::velocity)) throw std::runtime_error(bodies.report().trouble);
  times.factor = bodies.report().factor_s;
  times.bodies = seconds_since(start) - times.factor;

  Vector rhs = pressure.rhs;
  add_flux(u, bodies.motion(NodeField(v.size(), Vec3::Zero())), -1, rhs);
  look({.l = pressure.matrix,
        .rhs = rhs,
        .u = u,
        .b = bodies.matrix(),
        .body_rhs = body_rhs,
        .c = bodies.c(),
        .kappa = kappa(in),
        .inertia = bodies.inertia(),
        .dx = in.grid.dx,
        .dt = in.dt,
        .density = in.density,
        .rigid_pockets = {},
        .elastic_pockets = pressure.closed},
       pressure);
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
  s.gravity_dv = Vec3(0, -g * s.dt, 0);
  s.set_velocity([&](const Vec3& x) {
    return Vec3(0.6 * std::sin(M_PI * x.x()) * std::cos(M_PI * x.y()) + 0.2 * std::sin(5 * x.z()),
                -0.5 * std::cos(M_PI * x.x()) * std::sin(M_PI * x.y()) + s.gravity_dv.y(),
                0.3 * std::sin(4 * x.x() + 3 * x.y()));
  });
  return s;
}

}  // namespace coracle::validation
