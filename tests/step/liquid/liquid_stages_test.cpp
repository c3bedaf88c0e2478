// The liquid's stages, one at a time.
#include "coracle/base/random.h"
#include "coracle/step/grid/extrapolate.h"
#include "coracle/step/liquid/particles.h"
#include "coracle/step/liquid/paths.h"
#include "coracle/step/liquid/spray.h"
#include "coracle/step/liquid/transfer.h"
#include "coracle/step/particles/level_set.h"
#include "validation/setup.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coracle {
namespace {

using validation::make_solid;
using validation::uniform_velocity;
using validation::unit_grid;

// Eight jittered particles a cell where `wet` says so.
template <class F>
Particles fill(const Grid& grid, F&& wet) {
  Particles p;
  std::uint64_t key = 0;
  for (int k = 0; k < 2 * grid.n.z(); ++k)
    for (int j = 0; j < 2 * grid.n.y(); ++j)
      for (int i = 0; i < 2 * grid.n.x(); ++i, ++key) {
        const Vec3 x =
            grid.origin + 0.5 * grid.dx * Vec3(i + uniform(key, 0), j + uniform(key, 1), k + uniform(key, 2));
        if (wet(x)) p.x.push_back(x);
      }
  p.v.assign(p.size(), Vec3f::Zero());
  p.c.assign(p.size(), Mat3f::Zero());
  return p;
}

Array3<double> phi_of(const Grid& grid, Particles& p, const Array3<double>& open_volume) {
  Array3<double> room;
  measure_room(open_volume, room);
  CellStart start;
  sort_by_cell(grid, p, start);
  Array3<double> share, phi;
  liquid_share(grid, p.x, start, room, nullptr, share);
  level_set(grid, share, phi);
  return phi;
}

// Velocity from the grid to particles that stay where they are.
void pick_up(const Grid& grid, const LiquidOptions& options, const FaceField<double>& u,
             const FaceField<double>& u_before, const CellStart& start, const std::vector<std::uint8_t>& spray,
             Particles& p) {
  const Particles before = p;
  grid_to_particles(grid, options, u, u_before, start, spray, before, p);
}

void advect(const Grid& grid, const FlowAround& flow, const CellStart& start, const std::vector<std::uint8_t>& spray,
            double dt, const LiquidOptions& options, Particles& p) {
  const std::vector<Vec3> x_before = p.x;
  advect_particles(grid, flow, start, spray, dt, options, x_before, p);
}

TEST(LevelSet, a_flat_surface_of_any_tilt_is_found_to_a_twentieth_of_a_cell) {
  const Grid grid = unit_grid(24);
  for (std::uint64_t key = 0; key < 6; ++key) {
    const Vec3 n = key == 0 ? Vec3(0, 1, 0) : validation::random_unit(key), at = Vec3(0.5, 0.5, 0.5) + 0.02 * n;
    Particles p = fill(grid, [&](const Vec3& x) { return n.dot(x - at) < 0; });
    const Array3<double> phi = phi_of(grid, p, Array3<double>(grid.n, 1.0));
    double sum = 0, squares = 0;
    int count = 0;
    for (std::size_t i = 0; i < phi.size(); ++i) {
      const Vec3i c = phi.cell(i);
      const double exact = n.dot(grid.center(c) - at);
      if (std::abs(exact) > grid.dx || (c.array() < 3).any() || (c.array() > 20).any()) continue;
      const double error = (phi.data[i] - exact) / grid.dx;
      sum += error, squares += error * error, ++count;
    }
    EXPECT_LT(std::abs(sum / count), 0.05) << "bias, " << n.transpose();
    EXPECT_LT(std::sqrt(squares / count), 0.1) << "scatter, " << n.transpose();
  }
}

TEST(LevelSet, the_inverse_error_function_inverts) {
  for (double x : {-2.3, -0.7, 0.0, 1e-3, 0.4, 1.9}) EXPECT_NEAR(inverse_erf(std::erf(x)), x, 1e-7);
}

// What is done around solids alone is what it would be over the whole grid.
TEST(LevelSet, room_is_the_kernel_over_what_is_open) {
  const Vec3i n(14, 9, 11);
  for (const Vec3i& at : {Vec3i(6, 4, 5), Vec3i(0, 0, 0), Vec3i(12, 8, 3)}) {
    Array3<double> open(n, 1), room;
    open[at] = 0.3, open[at + Vec3i::Unit(0)] = 0;
    measure_room(open, room);
    Array3<double> whole = open;
    for (double side : {0.125, 0.25})
      for (int a = 0; a < 3; ++a) {
        const Array3<double> before = whole;
        const auto value = [&](const Vec3i& c) { return before.inside(c) ? before[c] : 0; };
        for (std::size_t i = 0; i < whole.size(); ++i) {
          const Vec3i c = whole.cell(i);
          whole.data[i] = (1 - 2 * side) * value(c) + side * (value(c - Vec3i::Unit(a)) + value(c + Vec3i::Unit(a)));
        }
      }
    for (std::size_t i = 0; i < room.size(); ++i) EXPECT_NEAR(room.data[i], whole.data[i], 1e-14);
  }
}

TEST(LevelSet, a_full_cell_beside_a_wall_is_full) {
  const Grid grid = unit_grid(12);
  Particles p = fill(grid, [](const Vec3&) { return true; });
  for (double phi : phi_of(grid, p, Array3<double>(grid.n, 1.0)).data) EXPECT_LT(phi, -grid.dx);
}

TEST(Transfer, apic_keeps_a_linear_velocity_field_and_its_angular_momentum) {
  const Grid grid = unit_grid(16);
  Particles p = fill(grid, [](const Vec3& x) { return (x.array() > 0.2).all() && (x.array() < 0.8).all(); });
  Mat3 m;
  m << 0.3, -2, 0.5, 1.5, 0.2, -0.7, 0.4, 0.9, -0.5;
  const auto velocity = [&](const Vec3& x) { return Vec3(Vec3(1, -2, 0.5) + m * (x - Vec3::Constant(0.5))); };
  for (std::size_t i = 0; i < p.size(); ++i) p.v[i] = velocity(p.x[i]).cast<float>(), p.c[i] = m.cast<float>();
  CellStart start;
  sort_by_cell(grid, p, start);
  FaceField<double> u;
  FaceField<std::uint8_t> touched;
  const std::vector<std::uint8_t> spray(p.size(), 0);
  particles_to_grid(grid, p, start, spray, u, touched);
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < u[a].size(); ++i)
      if (touched[a].data[i]) {
        EXPECT_NEAR(u[a].data[i], velocity(grid.face_center(a, u[a].cell(i)))[a], 1e-5);
      }
  LiquidOptions options;
  pick_up(grid, options, u, u, start, spray, p);
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_LT((p.v[i].cast<double>() - velocity(p.x[i])).norm(), 1e-5);
    EXPECT_LT((p.c[i].cast<double>() - m).norm(), 1e-3);
  }
}

// The exchange is in single precision: what that rounds is far below what interpolation leaves out.
TEST(Transfer, single_precision_is_a_thousand_times_better_than_the_scheme) {
  const Grid grid = unit_grid(100);
  const auto velocity = [](const Vec3& x) {
    return Vec3(std::sin(2 * M_PI * x.y()), std::cos(2 * M_PI * x.z()), std::sin(2 * M_PI * x.x()));
  };
  FaceField<double> u;
  for (int a = 0; a < 3; ++a) {
    u[a].assign(grid.faces(a));
    for (std::size_t i = 0; i < u[a].size(); ++i) u[a].data[i] = velocity(grid.face_center(a, u[a].cell(i)))[a];
  }
  Particles p;
  for (int i = 0; i < 2000; ++i) p.x.push_back(0.5 * (Vec3::Ones() + 0.9 * Vec3::Random()));
  p.v.assign(p.size(), Vec3f::Zero());
  p.c.assign(p.size(), Mat3f::Zero());
  CellStart start;
  sort_by_cell(grid, p, start);
  pick_up(grid, {}, u, u, start, std::vector<std::uint8_t>(p.size(), 0), p);
  double rounded = 0, scheme = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec3 exact = sample_faces(u, grid.to_cells(p.x[i]));  // of the interpolant, in double
    rounded = std::max(rounded, (p.v[i].cast<double>() - exact).norm());
    scheme = std::max(scheme, (exact - velocity(p.x[i])).norm());
  }
  EXPECT_LT(rounded, 1e-3 * scheme);
}

TEST(Transfer, flip_keeps_what_the_grid_cannot_see) {
  const Grid grid = unit_grid(8);
  Particles p = fill(grid, [](const Vec3&) { return true; });
  p.c.clear();
  CellStart start;
  sort_by_cell(grid, p, start);
  for (std::size_t i = 0; i < p.size(); ++i) p.v[i] = Vec3f(float(uniform(3, i)), 0, 0);
  const auto before = p.v;
  LiquidOptions options;
  options.advection = Advection::flip;
  options.flip_blend = 1;
  const FaceField<double> u0 = uniform_velocity(grid, Vec3(0.5, 0, 0)), u1 = uniform_velocity(grid, Vec3(0.7, -0.1, 0));
  pick_up(grid, options, u1, u0, start, std::vector<std::uint8_t>(p.size(), 0), p);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_LT((p.v[i] - before[i] - Vec3f(0.2f, -0.1f, 0)).norm(), 1e-6);
}

TEST(Advect, particle_paths_converge_at_their_order_in_a_vortex) {
  const Grid grid = unit_grid(64);
  FaceField<double> u;  // rigid rotation about z: linear, so that sampling is exact
  for (int a = 0; a < 3; ++a) {
    u[a].assign(grid.faces(a));
    for (std::size_t i = 0; i < u[a].size(); ++i) {
      const Vec3 x = grid.face_center(a, u[a].cell(i)) - Vec3::Constant(0.5);
      u[a].data[i] = a == 0 ? -x.y() : a == 1 ? x.x() : 0;
    }
  }
  const Array3<double> inside(grid.n, -1), air(grid.n, 1), share(grid.n, 1);
  for (Advection advection : {Advection::flip, Advection::apic})
    for (int order : {2, 3}) {
      LiquidOptions options;
      options.advection = advection, options.runge_kutta = order;
      std::vector<double> errors;
      for (int steps : {8, 16}) {
        Particles p;
        p.x = {Vec3(0.7, 0.5, 0.5)};
        p.v = {Vec3f::Zero()}, p.c = {Mat3f::Zero()};
        CellStart start;
        for (int s = 0; s < steps; ++s) {
          sort_by_cell(grid, p, start);
          if (advection == Advection::apic) pick_up(grid, options, u, u, start, {0}, p);
          advect(grid, {u, inside, air, share}, start, {0}, 2.0 / steps, options, p);
        }
        errors.push_back((p.x[0] - Vec3(0.5 + 0.2 * std::cos(2.0), 0.5 + 0.2 * std::sin(2.0), 0.5)).norm());
      }
      EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.25);
    }
}

TEST(Advect, spray_that_meets_liquid_goes_on_with_it) {
  const Grid grid = unit_grid(10);
  const FaceField<double> still = make_face_field<double>(grid);
  Array3<double> phi(grid.n);
  for (std::size_t i = 0; i < phi.size(); ++i) phi.data[i] = grid.center(phi.cell(i)).y() - 0.2;
  Particles p;
  p.x = {Vec3(0.5, 0.45, 0.5)};
  p.v = {Vec3f(0, -1, 0)};
  const Array3<double> air(grid.n, 1), share(grid.n, 0);
  CellStart start;
  sort_by_cell(grid, p, start);
  advect(grid, {still, phi, air, share}, start, {1}, 0.4, {}, p);  // alone it would reach 0.05
  EXPECT_NEAR(p.x[0].y(), 0.25, 0.051);  // half a cell above the surface it is no spray; it looks every half cell

  // And at a wall of two cells it stops, however fast it is.
  for (std::size_t i = 0; i < phi.size(); ++i) phi.data[i] = std::abs(grid.center(phi.cell(i)).y() - 0.2) - 0.1;
  p.x = {Vec3(0.5, 0.9, 0.5)};
  sort_by_cell(grid, p, start);
  advect(grid, {still, air, phi, share}, start, {1}, 0.85, {}, p);
  EXPECT_NEAR(p.x[0].y(), 0.275, 0.0251);

  // As does what the flow carries.
  p.x = {Vec3(0.5, 0.5, 0.5)};
  const FaceField<double> down = uniform_velocity(grid, Vec3(0, -1, 0));
  sort_by_cell(grid, p, start);
  advect(grid, {down, air, phi, share}, start, {0}, 0.45, {}, p);
  EXPECT_NEAR(p.x[0].y(), 0.25, 0.0251);
}

// As spray leaves them: twice as many as fit, half of them flat on the floor.
TEST(Spread, particles_that_lie_on_a_wall_come_off_it_and_calm_ones_stay) {
  const Grid grid = unit_grid(12);
  const Array3<double> open(grid.n, 1);
  Particles p = fill(grid, [](const Vec3& x) { return x.y() < 0.25; });
  const std::vector<Vec3> calm = p.x;
  Array3<double> room, share;
  CellStart start;
  measure_room(open, room);
  const auto spread = [&] {
    sort_by_cell(grid, p, start);
    liquid_share(grid, p.x, start, room, nullptr, share);
    for (Vec3& x : p.x) x += spreading_drift(grid, share, x);
    for (Vec3& x : p.x) x = x.cwiseMax(Vec3::Constant(1e-7));  // the floor
  };
  const auto on_the_floor = [&] {
    return std::count_if(p.x.begin(), p.x.end(), [&](const Vec3& x) { return x.y() < 0.01 * grid.dx; });
  };
  spread();
  double moved = 0;
  std::vector<Vec3> now = p.x, before = calm;
  const auto order = [](const Vec3& a, const Vec3& b) { return a.x() < b.x(); };
  std::sort(now.begin(), now.end(), order), std::sort(before.begin(), before.end(), order);
  for (std::size_t i = 0; i < now.size(); ++i) moved += (now[i] - before[i]).norm();
  EXPECT_LT(moved / double(now.size()), 0.005 * grid.dx);

  p = fill(grid, [](const Vec3& x) { return x.y() < 0.25; });
  for (const Vec3& x : calm) p.x.emplace_back(x.x(), 1e-7, x.z());
  p.v.assign(p.size(), Vec3f::Zero());
  p.c.assign(p.size(), Mat3f::Zero());
  const auto flat = on_the_floor();
  ASSERT_GE(flat, std::ptrdiff_t(calm.size()));
  for (int step = 0; step < 60; ++step) spread();
  EXPECT_LT(on_the_floor(), flat / 20);
}

TEST(Advect, semi_lagrangian_keeps_a_uniform_field) {
  const Grid grid = unit_grid(10);
  FaceField<double> u = uniform_velocity(grid, Vec3(0.3, -0.2, 0.1));
  const FaceField<double> before = u;
  advect_velocity(grid, 0.1, before, before, u);
  for (int a = 0; a < 3; ++a)
    for (double v : u[a].data) EXPECT_NEAR(v, Vec3(0.3, -0.2, 0.1)[a], 1e-14);
}

TEST(PushOut, no_particle_stays_in_a_solid_or_outside_a_container) {
  const Grid grid = unit_grid(20);
  const std::vector<Solid> solids{make_solid(sphere_mesh(Vec3::Constant(0.5), 0.4, 0.05), true),
                                  make_solid(box_mesh(Vec3::Constant(0.4), Vec3::Constant(0.6)))};
  SolidField field;
  update_solid_field(grid, solids, boundary_maker(Method::cutcell), field);
  Particles p = fill(grid, [](const Vec3& x) { return (x - Vec3::Constant(0.5)).norm() < 0.45; });
  EXPECT_GT(push_out(grid, solids, field, p.x, 0, p.x), 0u);
  for (const Vec3& x : p.x) {
    EXPECT_LT(field.each[0].tree.closest(x).distance, 0);
    EXPECT_GT(field.each[1].tree.closest(x).distance, 0);
  }
}

TEST(PushOut, what_has_come_far_into_a_wall_goes_back_to_the_side_it_came_from) {
  const Grid grid = unit_grid(20);
  const std::vector<Solid> solids{make_solid(box_mesh(Vec3(0.2, 0.4, 0.2), Vec3(0.8, 0.5, 0.8)))};  // two cells thick
  SolidField field;
  update_solid_field(grid, solids, boundary_maker(Method::cutcell), field);
  Particles p;
  p.x = {Vec3(0.5, 0.42, 0.5)};  // it fell from above, and the lower side is nearer
  p.v = {Vec3f(0, -9, 0)};
  EXPECT_EQ(push_out(grid, solids, field, {Vec3(0.5, 0.51, 0.5)}, 0.01, p.x), 1u);
  EXPECT_GT(p.x[0].y(), 0.5);
}

TEST(Extrapolate, a_uniform_field_stays_uniform_and_solids_stop_what_flows_in) {
  const Grid grid = unit_grid(16);
  const std::vector<Solid> solids{make_solid(box_mesh(Vec3(-1, -1, -1), Vec3(2, 0.5, 2)))};
  SolidField field;
  update_solid_field(grid, solids, boundary_maker(Method::cutcell), field);
  FaceField<double> u = uniform_velocity(grid, Vec3(1, -2, 0.5));
  FaceField<std::uint8_t> valid;
  for (int a = 0; a < 3; ++a) {
    valid[a].assign(grid.faces(a), 0);
    for (std::size_t i = 0; i < u[a].size(); ++i) {
      valid[a].data[i] = grid.face_center(a, u[a].cell(i)).y() > 0.55;
      if (!valid[a].data[i]) u[a].data[i] = 77;
    }
  }
  const FaceField<std::uint8_t> projected = valid;
  extrapolate(4, u, valid);
  constrain(grid, solids, field, projected, u);
  EXPECT_NEAR(u[0](8, 6, 8), 1, 1e-12);  // along the wall: kept
  EXPECT_NEAR(u[1](8, 7, 8), 0, 1e-12);  // into it: stopped
  EXPECT_NEAR(u[2](8, 6, 8), 0.5, 1e-12);
  EXPECT_EQ(u[0](8, 1, 8), 0);  // beyond the layers
}

TEST(Spray, far_particles_fall_freely_and_stop_at_a_solid) {
  const Grid grid = unit_grid(16);
  const std::vector<Solid> solids{make_solid(box_mesh(Vec3(-1, -1, -1), Vec3(2, 0.5, 2)))};
  SolidField field;
  update_solid_field(grid, solids, boundary_maker(Method::cutcell), field);
  Particles p;
  p.x = {Vec3(0.5, 0.9, 0.5), Vec3(0.5, 0.5005, 0.5)};
  p.v = {Vec3f(1, 0, 0), Vec3f(1, -3, 0)};
  accelerate_spray(grid, solids, field, {1, 1}, Vec3(0, -1, 0), p.x, p);
  EXPECT_NEAR((p.v[0] - Vec3f(1, -1, 0)).norm(), 0, 1e-6);
  EXPECT_NEAR((p.v[1] - Vec3f(1, 0, 0)).norm(), 0, 1e-6);
}

}  // namespace
}  // namespace coracle
