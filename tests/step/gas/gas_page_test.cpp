// Gas: what a step must leave as it is, and what it must not make.
#include "coracle/base/for_cells.h"
#include "coracle/base/interpolate.h"
#include "coracle/step/advance.h"
#include "coracle/step/gas/carry.h"
#include "coracle/step/gas/forces.h"
#include "coracle/world/build.h"
#include "validation/setup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

using validation::unit_grid;

struct Last {
  StepReport report;
  World world;
};

Last run(const std::string& text, int frames) {
  const Scene scene = parse_scene(text + "\n", "gas_test.toml");
  Last last{{}, build_world(scene)};
  Workspace work;
  start(scene, last.world, work);
  for (int f = 0; f < frames; ++f)
    advance_frame(scene, last.world, work, [&](const StepReport& r) { last.report = r; });
  return last;
}

float most(const Array3<float>& f) { return *std::max_element(f.data.begin(), f.data.end()); }

TEST(Carry, uniform_flow_shifts_a_field_and_makes_no_new_extremes) {
  const Grid grid = unit_grid(32);
  const FaceField<double> u = validation::uniform_velocity(grid, Vec3(1, 0.5, 0));
  const Array3<double> no_walls(grid.n, 1e30);
  const auto bump = [](const Vec3& x, const Vec3& c) { return float(std::exp(-60 * (x - c).squaredNorm())); };
  double error[2];
  for (const GasAdvection how : {GasAdvection::maccormack, GasAdvection::semi_lagrangian}) {
    Array3<float> f(grid.n);
    for_cells(grid.n, [&](const Vec3i& c, std::size_t i) { f.data[i] = bump(grid.center(c), Vec3(0.3, 0.4, 0.5)); });
    const float before = most(f);
    for (int step = 0; step < 16; ++step) carry_scalar({grid, u, no_walls, 0.02, how}, f);
    EXPECT_LE(most(f), before);
    EXPECT_GE(*std::min_element(f.data.begin(), f.data.end()), 0.0f);
    double worst = 0;
    for_cells(grid.n, [&](const Vec3i& c, std::size_t) {
      const double off = std::abs(f[c] - bump(grid.center(c), Vec3(0.62, 0.56, 0.5)));
      if (off > worst) worst = off;
    });
    error[int(how)] = worst;
  }
  EXPECT_LT(error[0], 0.1);
  EXPECT_LT(error[0], 0.5 * error[1]) << "MacCormack is the better one";
}

TEST(Carry, nothing_comes_through_a_wall) {
  const Grid grid = unit_grid(20);
  const FaceField<double> u = validation::uniform_velocity(grid, Vec3(3, 0, 0));  // into the wall: paths must stop
  Array3<double> wall(grid.n);
  Array3<float> f(grid.n);
  for_cells(grid.n, [&](const Vec3i& c, std::size_t i) {
    wall.data[i] = std::abs(grid.center(c).x() - 0.5) - 0.05;  // two cells thick
    f.data[i] = grid.center(c).x() < 0.45;
  });
  carry_scalar({grid, u, wall, 0.1, GasAdvection::semi_lagrangian}, f);  // six cells
  for_cells(grid.n, [&](const Vec3i& c, std::size_t i) {
    if (grid.center(c).x() > 0.6) {
      EXPECT_EQ(f.data[i], 0.0f);
    }
  });
}

TEST(Forces, confinement_spins_vortices_up_and_leaves_uniform_flow_alone) {
  const Grid grid = unit_grid(24);
  const Array3<double> open(grid.n, 1);
  FaceField<double> u = validation::uniform_velocity(grid, Vec3(1, 2, 3));
  const FaceField<double> before = u;
  confine_vortices(grid, 1, open, 0.1, u);
  for (int a = 0; a < 3; ++a) EXPECT_EQ(u[a].data, before[a].data);
  for (int a = 0; a < 2; ++a)
    for_cells(u[a].n, [&](const Vec3i& f, std::size_t i) {
      const Vec3 x = grid.face_center(a, f) - Vec3::Constant(0.5);
      const double turn = std::exp(-30 * (x.x() * x.x() + x.y() * x.y()));
      u[a].data[i] = a == 0 ? -turn * x.y() : turn * x.x();
    });
  const auto energy = [&] {
    double sum = 0;
    for (int a = 0; a < 2; ++a)
      for (double v : u[a].data) sum += v * v;
    return sum;
  };
  const double slow = energy();
  confine_vortices(grid, 1, open, 0.1, u);
  EXPECT_GT(energy(), slow);
}

const std::string still =
    "[domain]\nresolution=12\n[time]\nfps=24\n[[gas.region]]\nshape='box'\nmin=[0,0,0]\nmax=[1,0.5,1]\n";

TEST(Gas, in_a_closed_rigid_box_rests) {
  const Last last = run(still + "smoke=1", 2);
  EXPECT_EQ(last.report.gas().max_speed, 0);
  EXPECT_NEAR(last.report.gas().smoke, 0.5, 1e-6);
}

TEST(Gas, of_even_warmth_rests) {
  // Heat that depends on height alone, the warmer gas above: buoyancy is a gradient, pressure takes it up.
  const Last last =
      run("[domain]\nresolution=12\n[time]\nfps=24\n[[gas.region]]\nshape='box'\nmin=[0,0.5,0]\nmax=[1,1,1]"
          "\ntemperature=50",
          2);
  EXPECT_LT(last.report.gas().max_speed, 1e-6);
}

TEST(Gas, that_is_hot_rises_and_what_is_heavy_sinks) {
  const std::string head = "[domain]\nresolution=16\nopen=['y_max']\n[time]\nfps=24\n";
  const std::string ball = "[[gas.region]]\nshape='sphere'\ncenter=[0.5,0.5,0.5]\nradius=0.2\nsmoke=1\n";
  const auto middle = [&](const std::string& gas, const std::string& more) {
    return sample_faces(gas_of(run(head + gas + ball + more, 4).world).u, Vec3::Constant(8)).y();
  };
  // From rest, a ball's buoyancy less its added mass: (2/3) g β T t. Its neighbours slow it a little. The velocity is
  // that of the last step's start.
  const double hot = 2.0 / 3 * 9.81 * 0.0034 * 60 * 3 / 24, heavy = -2.0 / 3 * 9.81 * 0.2 * 3 / 24;
  EXPECT_NEAR(middle("", "temperature=60"), hot, 0.25 * hot);
  EXPECT_NEAR(middle("[gas]\nsmoke_weight=0.2\n", ""), heavy, 0.25 * -heavy);
}

TEST(Gas, that_a_jet_blows_in_leaves_by_the_open_side) {
  for (const char* method : {"cutcell", "simultaneous"}) {
    const Last last = run(std::string("method='") + method +
                              "'\n[domain]\nresolution=20\nopen=['x_max']\n[time]\nfps=24\n[[jet]]\nshape='box'\nmin=["
                              "0.1,0.4,0.4]\nmax=[0.2,0.6,0.6]\nvelocity=[2,0,0]",
                          3);
    EXPECT_NEAR(last.report.gas().outflow, 2 * 0.2 * 0.2, 1e-7) << method;  // its mouth lies on faces: both are exact
    EXPECT_GT(last.report.gas().smoke, 0.8 * 0.04 * 2 * 3 / 24) << method;
  }
}

TEST(Gas, around_a_fixed_ball_does_not_gain_energy_from_slivers) {
  // A stream past a ball whose cut cells have faces of any size. The whole could gain only what the jet brings.
  const Last last =
      run("[domain]\nresolution=24\nopen=['x_max','x_min']\n[time]\nfps=24\ncfl=2\n[[jet]]\nshape='box'\nmin=[0.1,0.3,"
          "0.3]\nmax=[0.2,0.7,0.7]\nvelocity=[2,0,0]\n[[solid]]\nname='ball'\nshape='sphere'\ncenter=[0.55,0.51,0.49]"
          "\nradius=0.13",
          36);
  EXPECT_LT(last.report.gas().max_speed, 2 * 2 * 1.5) << "potential flow passes a ball at 1.5 times its speed";
}

TEST(Gas, a_draught_through_an_open_side_does_not_feed_itself) {
  // All of the gas moves in through one open side and out by another; nothing drives it.
  double before = 0, after = 0;
  for (const int frames : {2, 24}) {
    const Last last =
        run("gravity=[0,0,0]\n[domain]\nresolution=16\nopen=['x_min','x_max','y_max']\n[time]\nfps=24\ncfl=2\n[[gas."
            "region]]\nshape='box'\nmin=[0,0.4,0]\nmax=[1,1,1]\nvelocity=[3,-2,0]\n",
            frames);
    (frames == 2 ? before : after) = last.report.gas().kinetic_energy;
  }
  EXPECT_LT(after, 0.5 * before) << "the surroundings are at rest";
}

TEST(Gas, a_jet_has_its_times) {
  const std::string text =
      "[domain]\nresolution=16\nopen=['x_max']\n[time]\nfps=24\n[[jet]]\nshape='box'\nmin=[0.1,0.4,0.4]\nmax=[0.25,0.6,"
      "0.6]\nvelocity=[1,0,0]\nstart=0.1\nend=0.2\n";
  EXPECT_EQ(run(text, 2).report.gas().outflow, 0);
  EXPECT_GT(run(text, 4).report.gas().outflow, 0.01);
  EXPECT_NEAR(run(text, 6).report.gas().outflow, 0, 1e-9);
}

TEST(Gas, smoke_stays_accounted_for_where_a_jet_goes_or_comes) {
  const std::string head = "[domain]\nresolution=16\nopen=['x_max']\n[time]\nfps=24\n";
  const std::string jet = "[[jet]]\nshape='box'\nmin=[0.1,0.4,0.4]\nmax=[0.35,0.65,0.65]\nvelocity=[0.5,0,0]\n";
  const Last gone = run(head + jet + "end=0.1\n", 8);
  EXPECT_NEAR(gone.report.gas().smoke / gone.report.gas().expected_smoke, 1, 1e-3);
  EXPECT_GT(most(gas_of(gone.world).smoke), 0.97) << "nothing is taken from the rest";
  const Last come =
      run(head + "[[gas.region]]\nshape='box'\nmin=[0,0,0]\nmax=[1,1,1]\nsmoke=1\n" + jet + "start=0.1\n", 8);
  EXPECT_LT(most(gas_of(come.world).smoke), 1.01) << "nothing gets denser than its source";
}

TEST(Gas, of_the_first_region_that_holds_a_place) {
  const Last last =
      run("[domain]\nresolution=8\n[time]\nfps=24\n[[gas.region]]\nshape='box'\nmin=[0,0,0]\nmax=[0.5,1,1]\nsmoke=1\n"
          "[[gas.region]]\nshape='box'\nmin=[0,0,0]\nmax=[1,1,1]\nsmoke=0.2\n",
          0);
  EXPECT_EQ(gas_of(last.world).smoke(1, 1, 1), 1.0f);
  EXPECT_EQ(gas_of(last.world).smoke(6, 1, 1), 0.2f);
}

// A stream towards a plate, with a body just before it. The plate reaches along x from 0.665 to `end`; beyond it the
// gas is at rest.
Scene stream_towards_plate(const std::string& end) {
  return parse_scene(
      "method='simultaneous'\ngravity=[0,0,0]\n[domain]\nresolution=12\nopen=['x_min']\n[time]\nfps=24\n"
      "[[gas.region]]\nshape='sphere'\ncenter=[0.2,0.3,0.5]\nradius=0.2\nvelocity=[1,0,0]\n[[solid]]\nname='plate'\n"
      "shape='box'\nmin=[0.665,-0.2,-0.2]\nmax=[" +
          end +
          ",1.2,1.2]\n[[body]]\nname='b'\nshape='box'\ncenter=[0.54,0.5,0.5]\nsize=[0.2,0.3,0.3]\nmesh='grid5'\n"
          "cells=[2,3,3]\nyoung=1e5\ndensity=300\n",
      "plate.toml");
}

TEST(WholeFaces, pressure_does_not_reach_through_a_thin_plate) {
  // Thinner than a cell: the cells around the body's surface lie on both its sides. The first solve, before gas was
  // carried along what interpolation sees across the plate, must not know whether there is gas behind it.
  const auto after = [](const Scene& scene, int steps) {
    Last last{{}, build_world(scene)};
    Workspace work;
    start(scene, last.world, work);
    for (int s = 0; s < steps; ++s) last.report = advance_step(scene, last.world, work);
    return last;
  };
  const Last thin = after(stream_towards_plate("0.675"), 1), thick = after(stream_towards_plate("1.2"), 1);
  const Gas& gas = gas_of(thin.world);
  for_cells(gas.grid.n, [&](const Vec3i& c, std::size_t i) {
    if (gas.grid.center(c).x() > 0.675) {
      EXPECT_EQ(gas.pressure.data[i], 0);
    }
  });
  for (int a = 0; a < 3; ++a)
    for_cells(gas.u[a].n, [&](const Vec3i& f, std::size_t i) {
      if (gas.grid.face_center(a, f).x() > 0.675) {
        EXPECT_EQ(gas.u[a].data[i], 0);
      }
    });
  ASSERT_EQ(thin.report.bodies.size(), 2u);
  for (std::size_t b = 0; b < 2; ++b) {
    const Vec3 &force = thin.report.bodies[b].fluid_force, &expected = thick.report.bodies[b].fluid_force;
    EXPECT_GT(expected.norm(), 0.05) << b;  // N; the moving gas is stopped from ρ V v / Δt = 1 N
    EXPECT_LT((force - expected).norm(), 1e-7 * expected.norm()) << b;  // ten times the solver's tolerance
  }
  // The gas behind is closed in by what cannot move; the step after has it in its system as well, and needs no retry.
  const Last next = after(stream_towards_plate("0.675"), 3);
  EXPECT_EQ(next.report.retries, 0);
  EXPECT_EQ(next.report.solver.status, SolveStatus::converged);
}

TEST(WholeFaces, a_moving_container_is_tight_also_beside_the_domains_sides) {
  for (const char* radius : {"0.40", "0.45", "0.49"}) {
    const Last last =
        run(std::string(
                "method='simultaneous'\n[domain]\nresolution=12\n[time]\nfps=24\n[[gas.region]]\nshape='sphere'\n"
                "center=[0.5,0.5,0.5]\nradius=0.2\nsmoke=1\n[[solid]]\nname='c'\nshape='sphere'\ncenter=[0.5,0.5,0.5]\n"
                "container=true\nradius=") +
                radius + "\n[[solid.motion]]\ntype='oscillation'\namplitude=[0.005,0,0]\nfrequency=2\n",
            3);
    EXPECT_TRUE(last.report.notes.empty()) << radius << ": " << (last.report.notes.empty() ? "" : last.report.notes[0]);
  }
}

}  // namespace
}  // namespace coracle
