// One step's pressure and bodies in three forms: conjugate gradients on the pressures alone, and the paper's two.
#include "coracle/base/random.h"
#include "coracle/solve/matrix_market.h"
#include "coracle/step/couple/grid_bodies.h"
#include "coracle/step/couple/reference_forms.h"
#include "coracle/world/bodies.h"
#include "tests/out/temporary_directory.h"
#include "validation/setup.h"
#include "validation/snapshot.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

using validation::plane_phi;
using validation::random_unit;
using validation::unit_grid;

constexpr double dt = 1.0 / 120, water = 1000;

// A unit tank with one body, water to `level`, both in some motion.
struct Tank {
  World world;
  GridFlow flow;
  SolidField field;
  Array3<double> phi;
  ElasticOptions elastic;
  SolverOptions solver;

  Tank(int n, const BodyOptions& body, double level, const Mat3& turn = Mat3::Identity(),
       const Vec3& shift = Vec3::Zero()) {
    const Grid grid = unit_grid(n);
    world.domain = {grid.origin, grid.upper()};
    flow.grid = grid;
    flow.u = make_face_field<double>(grid);
    flow.pressure = Array3<double>(grid.n);
    world.bodies.push_back(build_body(body));
    for (Vec3& x : world.bodies[0].x) x = turn * x + shift;
    phi = plane_phi(grid, Vec3(0, level, 0), Vec3::UnitY());
    update_solid_field(grid, Surfaces(world), boundary_maker(Method::cutcell), field);
    solver.tolerance = 1e-10;
  }
  Vec3 gravity_dv() const { return {0, -9.81 * dt, 0}; }
  void stir(std::uint64_t key) {
    const Vec3 k = 5 * random_unit(key + 1);
    for (int a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < flow.u[a].size(); ++i)
        flow.u[a].data[i] =
            0.3 * std::sin(k.dot(flow.grid.face_center(a, flow.u[a].cell(i))) + 6 * uniform(key, a)) + gravity_dv()[a];
    const Vec3 spin = random_unit(key + 2), move = 0.2 * random_unit(key + 3);
    const Vec3 center = center_of_mass(world.bodies[0]);
    for (std::size_t i = 0; i < world.bodies[0].x.size(); ++i)
      world.bodies[0].v[i] = move + spin.cross(world.bodies[0].x[i] - center);
  }
  ProjectionInput input() const {
    return {.grid = flow.grid,
            .cut = field.cut,
            .fluid_phi = phi,
            .surfaces = Surfaces(world),
            .density = water,
            .dt = dt,
            .solver = solver};
  }
  BodyStep step() const {
    return {.options = elastic, .world = world, .trees = trees_of(field), .dt = dt, .gravity_dv = gravity_dv()};
  }
};

struct Result {
  CoupledReport report;
  std::vector<double> p;
  std::vector<Vec3> v;
};

// The whole coupled projection.
Result project(Tank tank, CoupledForm form) {
  tank.solver.form = form;
  PressureSystem pressure;
  BodySystem system;
  FaceField<std::uint8_t> valid;
  std::vector<NodeField> motion;
  GridFlow flow = tank.flow;
  std::vector<Body> bodies = tank.world.bodies;
  Result r;
  HomeFluid fluid(flow.u, flow.pressure, valid, pressure);
  r.report = project_with_bodies(tank.input(), tank.step(), fluid, system, {flow.pockets, bodies, motion});
  r.p = flow.pressure.data;
  r.v = bodies[0].v;
  return r;
}

template <class Look>
void look_at_equations(const Tank& tank, Look&& look) {
  PressureSystem pressure;
  BodySystem system;
  validation::look_at_equations(tank.input(), tank.step(), tank.flow, pressure, system, look);
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, std::abs(a[i] - b[i])), size = std::max(size, std::abs(b[i]));
  return size > 0 ? most / size : most;
}

double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, (a[i] - b[i]).norm()), size = std::max(size, b[i].norm());
  return size > 0 ? most / size : most;
}

BodyOptions ball(const Vec3& center, double radius) {
  BodyOptions o;
  o.name = "ball";
  o.shape.kind = ShapeKind::sphere;
  o.shape.center = center;
  o.shape.radius = radius;
  o.edge = 0.1;
  o.density = 700;
  return o;
}

BodyOptions block(const Vec3& center, const Vec3& size, const Vec3i& cells, const Vec3& rotate) {
  BodyOptions o;
  o.name = "block";
  o.mesh = BodyMesh::grid6;
  o.shape.center = center;
  o.shape.size = size;
  o.shape.rotate = rotate;
  o.cells = cells;
  o.density = 700;
  o.young = 1e6;
  o.damping_mass = 0.1;
  o.damping_stiffness = 1e-3;
  return o;
}

BodyOptions random_body(std::uint64_t key) {
  const Vec3 center = Vec3::Constant(0.5) + 0.1 * Vec3(uniform(key, 1), uniform(key, 2), uniform(key, 3));
  BodyOptions o;
  if (key % 2 == 0)
    o = ball(center, 0.15 + 0.1 * uniform(key, 4));
  else
    o = block(center, Vec3(0.15, 0.2, 0.25) * (1 + uniform(key, 4)), Vec3i(2, 3, 3),
              360 * Vec3(uniform(key, 5), uniform(key, 6), uniform(key, 7)));
  o.density = 50 * std::pow(40, uniform(key, 8));
  o.young = std::pow(10, 4 + 3 * uniform(key, 9));
  o.poisson = 0.45 * uniform(key, 10);
  o.element = key % 4 < 2 ? ElementOrder::linear : ElementOrder::quadratic;
  return o;
}

const CoupledForm all_forms[] = {CoupledForm::schur, CoupledForm::spd, CoupledForm::indefinite};

// Pressures and velocities agree to a hundred times the tolerance.
void expect_agreement(const Tank& tank) {
  const double within = 100 * tank.solver.tolerance;
  const Result schur = project(tank, CoupledForm::schur);
  ASSERT_TRUE(schur.report.ok) << schur.report.trouble;
  for (const CoupledForm form : {CoupledForm::spd, CoupledForm::indefinite}) {
    const Result other = project(tank, form);
    SCOPED_TRACE(other.report.projection.solve.form);
    ASSERT_TRUE(other.report.ok) << other.report.trouble;
    EXPECT_LT(difference(other.p, schur.p), within);
    EXPECT_LT(difference(other.v, schur.v), within);
  }
}

TEST(CoupledForms, agree_for_a_free_body_under_water) {
  for (const ElementOrder element : {ElementOrder::linear, ElementOrder::quadratic}) {
    BodyOptions o = ball(Vec3(0.52, 0.43, 0.49), 0.2);
    o.element = element;
    Tank tank(16, o, 0.8);
    tank.stir(1);
    expect_agreement(tank);
  }
}

TEST(CoupledForms, agree_for_a_body_held_half_out_of_the_water) {
  BodyOptions o = block(Vec3(0.5, 0.55, 0.5), Vec3(0.15, 0.7, 0.15), Vec3i(2, 7, 2), Vec3(5, 20, 10));
  HoldOptions pin;
  pin.side = BodySide::y_max;
  pin.motions.push_back({});
  pin.motions[0].kind = MotionKind::velocity;
  pin.motions[0].velocity = Vec3(0.1, 0, 0.2);
  HoldOptions roller;
  roller.kind = HoldKind::roller;
  roller.normal = Vec3(1, 0, 1).normalized();
  roller.side = BodySide::y_min;
  o.holds = {pin, roller};
  Tank tank(16, o, 0.5);
  tank.stir(2);
  expect_agreement(tank);
  tank.elastic.integrator = Integrator::midpoint;  // c = ½
  expect_agreement(tank);
}

TEST(CoupledForms, agree_for_a_body_on_the_floor) {
  BodyOptions o = block(Vec3(0.5, 0.11, 0.5), Vec3(0.3, 0.2, 0.3), Vec3i(4, 3, 4), Vec3(0, 30, 0));
  o.density = 2000;
  Tank tank(16, o, 0.6);
  tank.stir(3);
  for (Vec3& v : tank.world.bodies[0].v) v = Vec3(0.3, -1.5, 0);
  const Result r = project(tank, CoupledForm::spd);
  EXPECT_GT(r.report.bodies.contacts, 0u);
  expect_agreement(tank);
}

TEST(CoupledForms, agree_for_a_hollow_ball_full_of_water) {
  BodyOptions o = ball(Vec3(0.5, 0.48, 0.51), 0.36);
  o.shape.kind = ShapeKind::hollow_sphere;
  o.shape.thickness = 0.15;
  Tank tank(16, o, 0.9);
  tank.stir(4);
  expect_agreement(tank);
}

TEST(CoupledForms, agree_for_a_pinned_body_in_a_tank_without_air) {
  BodyOptions o = ball(Vec3(0.45, 0.5, 0.52), 0.2);
  HoldOptions pin;
  pin.regions.push_back({});
  pin.regions[0].size = Vec3::Constant(4);
  o.holds = {pin};
  Tank tank(14, o, 2);
  tank.stir(5);
  expect_agreement(tank);
  // Half of the nodes free: the walls can give.
  tank.world.bodies[0] = [&] {
    o.holds[0].regions[0].center = Vec3(0.45, 0.5, 2.52);
    return build_body(o);
  }();
  tank.stir(6);
  expect_agreement(tank);
}

TEST(CoupledForms, assembled_matrices_are_symmetric_and_count_no_zeros) {
  Tank tank(16, random_body(7), 0.6);
  tank.stir(7);
  look_at_equations(tank, [&](const CoupledEquations& e, const PressureSystem&) {
    for (const AssembledSystem& s : {assemble_spd(e, 1e-3), assemble_indefinite(e)}) {
      const Eigen::SparseMatrix<double> skew = s.matrix - Eigen::SparseMatrix<double>(s.matrix.transpose());
      EXPECT_LE(skew.norm(), 1e-14 * s.matrix.norm());
      EXPECT_EQ(s.matrix.nonZeros(), (s.matrix.coeffs() != 0).count());
    }
  });
}

TEST(CoupledForms, the_solution_of_one_solves_the_rows_of_pressure_and_those_of_velocity_in_the_others) {
  BodyOptions o = random_body(14);
  HoldOptions roller;
  roller.kind = HoldKind::roller;
  roller.normal = Vec3(1, 2, 2) / 3;
  roller.side = BodySide::x_min;
  roller.motions.push_back({});
  roller.motions[0].velocity = Vec3(0.1, 0.2, 0.3);
  o.holds = {roller};
  Tank tank(12, o, 0.6);
  tank.stir(14);
  look_at_equations(tank, [&](const CoupledEquations& e, PressureSystem& pressure) {
    Vector q(e.rhs.size(), 0), q_again;
    NodeField change, change_again;
    const SolveReport r = solve_schur(e, tank.solver, *pressure.solver, q, change);
    ASSERT_EQ(r.status, SolveStatus::converged);
    for (const AssembledSystem& s : {assemble_spd(e, 1e-3), assemble_spd(e, 0), assemble_indefinite(e)}) {
      const Eigen::VectorXd x = gather(e, s, q, change), error = s.matrix * x - s.rhs;
      const Eigen::Index cells = Eigen::Index(s.cell.size()), rest = s.rhs.size() - cells;
      EXPECT_LT(error.head(cells).norm(), 1e-9 * s.rhs.head(cells).norm());
      EXPECT_LT(error.tail(rest).norm(), 1e-9 * s.rhs.tail(rest).norm());
      scatter(e, s, x, q_again, change_again);
      EXPECT_LT(difference(q_again, q), 1e-14);
      EXPECT_LT(difference(change_again, change), 1e-14);
    }
  });
}

TEST(CoupledForms, the_positive_definite_form_is_so_for_any_body) {
  for (std::uint64_t key = 0; key < 9; ++key) {
    Tank tank(key < 8 ? 16 : 24, random_body(key), 0.3 + 0.5 * uniform(key, 0));
    tank.stir(key);
    look_at_equations(tank, [&](const CoupledEquations& e, const PressureSystem&) {
      for (double alpha : {1e-3, 0.0}) {
        const AssembledSystem s = assemble_spd(e, alpha);
        const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> exact(s.matrix);
        EXPECT_EQ(exact.info(), Eigen::Success) << "body " << key << ", alpha " << s.alpha;
      }
    });
  }
}

TEST(CoupledForms, each_keeps_the_volume_of_every_cell_and_the_momentum_of_every_node) {
  for (std::uint64_t key : {10, 11, 12, 13}) {  // balls and blocks, both elements
    Tank tank(12, random_body(key), 0.6);
    tank.stir(key);
    look_at_equations(tank, [&](const CoupledEquations& e, PressureSystem& pressure) {
      const double task = volume_task(e);
      for (const CoupledForm form : all_forms) {
        Vector q(e.rhs.size(), 0);
        NodeField change;
        const SolveReport r = form == CoupledForm::schur ? solve_schur(e, tank.solver, *pressure.solver, q, change)
                              : form == CoupledForm::spd ? solve_spd(e, tank.solver, q, change)
                                                         : solve_indefinite(e, tank.solver, q, change);
        SCOPED_TRACE(r.form);
        EXPECT_EQ(r.status, SolveStatus::converged);
        double most = 0;
        for (double x : volume_error(e, q, change)) most = std::max(most, std::abs(x));
        EXPECT_LE(most, tank.solver.tolerance * task);
        NodeField momentum, pushed = e.body_rhs;
        e.b.multiply(change, momentum);
        add_force(e.u, q, e.kappa, pushed);
        EXPECT_LT(difference(momentum, pushed), 1e-7);
      }
    });
  }
}

TEST(CoupledForms, agree_for_a_body_above_the_water_and_without_water) {
  Tank tank(12, ball(Vec3(0.5, 0.7, 0.5), 0.2), 0.3);
  tank.stir(8);
  expect_agreement(tank);
  tank.phi = plane_phi(tank.flow.grid, Vec3(0, -1, 0), Vec3::UnitY());
  expect_agreement(tank);
}

TEST(CoupledForms, a_solve_cut_short_says_so) {
  Tank tank(12, random_body(9), 0.6);
  tank.stir(9);
  tank.solver.max_iterations = 1;
  for (const CoupledForm form : {CoupledForm::schur, CoupledForm::spd}) {
    const Result r = project(tank, form);
    EXPECT_FALSE(r.report.ok);
    EXPECT_EQ(r.report.projection.solve.status, SolveStatus::not_converged) << r.report.projection.solve.form;
  }
}

TEST(CoupledForms, a_small_residual_of_the_whole_system_can_hide_a_large_volume_error) {
  BodyOptions o = ball(Vec3(0.55, 0.53, 0.52), 0.2);
  o.young = 1e6;
  o.stretch = Vec3(1.1, 0.95, 0.95);  // elastic forces outweigh the water's
  Tank tank(16, o, 0.6);
  tank.stir(10);
  tank.solver.tolerance = 1e-6;
  tank.solver.stop_at = StopAt::own_residual;
  const Result own = project(tank, CoupledForm::spd);
  EXPECT_TRUE(own.report.ok);
  EXPECT_GT(own.report.projection.solve.residual, 10 * tank.solver.tolerance);
  tank.solver.stop_at = StopAt::volume_error;
  const Result volume = project(tank, CoupledForm::spd);
  EXPECT_TRUE(volume.report.ok);
  EXPECT_LE(volume.report.projection.solve.residual, tank.solver.tolerance);
}

// A face of the body cuts the corners off a diagonal layer of cells and leaves slivers of liquid there, of `legs`
// cells.
TEST(CoupledForms, slivers_of_liquid_do_not_lock_the_body) {
  const Vec3 n = Vec3::Ones().normalized(), near(0.45, 0.4, 0.46);
  const Mat3 turn = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), n).toRotationMatrix();
  const BodyOptions o = block(Vec3::Zero(), Vec3::Constant(0.3), Vec3i::Constant(4), Vec3::Zero());
  const double apart = 1.0 / 16 / std::sqrt(3.0);  // of the diagonal planes through the grid's nodes
  Result open;
  for (double legs : {0.02, 0.012, 0.003, 1e-5, 0.0}) {
    const double at = (std::round((n.dot(near) + 0.15) / apart) - legs) * apart;
    Tank tank(16, o, 0.8, turn, near + (at - 0.15 - n.dot(near)) * n);
    for (int a = 0; a < 3; ++a)
      for (double& u : tank.flow.u[a].data) u = tank.gravity_dv()[a];
    for (Vec3& v : tank.world.bodies[0].v) v = 0.2 * n;
    const bool sliver = legs > 0 && 0.5 * legs * legs < 1e-4;  // open faces below the clamp
    EXPECT_EQ(tank.field.cut.merged > 0, sliver) << legs;
    for (const CoupledForm form : {CoupledForm::schur, CoupledForm::spd}) {
      const Result r = project(tank, form);
      ASSERT_TRUE(r.report.ok) << r.report.trouble;
      if (open.v.empty()) open = r;
      // The body has moved by a fiftieth of a cell at most; locked, its face would stand still.
      EXPECT_LT(difference(r.v, open.v), 0.01) << legs;
      EXPECT_NEAR(*std::max_element(r.p.begin(), r.p.end()), *std::max_element(open.p.begin(), open.p.end()),
                  0.01 * *std::max_element(open.p.begin(), open.p.end()))
          << legs;
    }
  }
}

TEST(MatrixMarket, what_is_written_reads_back_to_the_same_bits) {
  const TemporaryDirectory dir;
  Tank tank(12, random_body(13), 0.6);
  tank.stir(13);
  look_at_equations(tank, [&](const CoupledEquations& e, const PressureSystem&) {
    const AssembledSystem s = assemble_spd(e, 1e-3);
    for (const Symmetry symmetry : {Symmetry::symmetric, Symmetry::general}) {
      write_matrix(dir / "a.mtx", s.matrix, symmetry);
      const Eigen::SparseMatrix<double> a = read_matrix(dir / "a.mtx");
      EXPECT_EQ(a.nonZeros(), s.matrix.nonZeros());
      EXPECT_EQ((a - s.matrix).norm(), 0);
    }
    write_vector(dir / "b.mtx", s.rhs);
    EXPECT_EQ(read_vector(dir / "b.mtx"), s.rhs);
  });
  write_atomically(dir / "short.mtx", "%%MatrixMarket matrix coordinate real general\n% nothing yet\n2 2 2\n1 1 0.5\n");
  EXPECT_NE(message_of<RunError>([&] { (void)read_matrix(dir / "short.mtx"); }).find("ends too early"),
            std::string::npos);
}

}  // namespace
}  // namespace coracle
