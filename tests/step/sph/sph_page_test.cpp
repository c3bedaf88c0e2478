// Steps of liquid of smoothed particles.
#include "../../out/temporary_directory.h"
#include "coracle/base/parallel.h"
#include "coracle/error.h"
#include "coracle/out/checkpoint.h"
#include "coracle/scene/liquid_kinds.h"
#include "coracle/step/advance.h"
#include "coracle/step/contact/barrier.h"
#include "coracle/step/sph/sph_fields.h"
#include "coracle/step/sph/sph_solve.h"
#include "coracle/world/archive.h"
#include "coracle/world/build.h"
#include "coracle/world/surface.h"

#include <gtest/gtest.h>

#include <functional>

namespace coracle {
namespace {

struct Tank {
  Scene scene;
  World world;
  Workspace work;
  explicit Tank(const std::string& text)
      : scene(parse_scene("method = 'proxy'\n" + text, "sph.toml")), world(build_world(scene)) {
    start(scene, world, work);
  }
  SphLiquid& liquid() { return sph_of(world); }
  StepReport step() { return advance_step(scene, world, work); }
  void until(double time, const std::function<void(const StepReport&)>& look = {}) {
    while (world.clock.time < time - 1e-9) {
      const StepReport report = step();
      if (look) look(report);
    }
  }
};

std::string box(const char* lo, const char* hi, const char* more = "") {
  return std::string("[[liquid.region]]\nshape = 'box'\nmin = ") + lo + "\nmax = " + hi + "\n" + more;
}
const std::string small = "[domain]\nmax = [0.2, 0.2, 0.2]\nresolution = 10\n[time]\nfps = 50\n";  // D = 10 mm

TEST(SphSeed, is_the_lattice_that_fills_the_region) {
  Tank run(small + box("[0, 0, 0]", "[0.1, 0.06, 0.2]", "velocity = [1, 2, 3]\n"));
  ASSERT_EQ(run.liquid().size(), 10u * 6 * 20);
  const double spacing = particle_spacing(run.liquid().grid);
  for (std::size_t p = 0; p < run.liquid().size(); ++p) {
    const Vec3 cells = run.liquid().x[p] / spacing - Vec3::Constant(0.5);
    EXPECT_LT((cells - Vec3(cells.array().round())).norm(), 1e-9);
    EXPECT_EQ(run.liquid().v[p], Vec3(1, 2, 3));
    EXPECT_EQ(run.liquid().v_last[p], Vec3(1, 2, 3));
  }
  EXPECT_NEAR(run.liquid().expected_volume, 0.1 * 0.06 * 0.2, 1e-12);
}

const std::string sheet_at_a_layer =  // of particles: their lattice has planes at 5, 15, ... mm
    "[[body]]\nname = 'sheet'\nkind = 'shell'\nshape = 'rectangle'\ncenter = [0.1, 0.1, 0.105]\n"
    "along = [0.1, 0, 0]\nacross = [0, 0.1, 0]\nedge = 0.05\nshell_thickness = 0.002\n";

TEST(SphSeed, leaves_out_what_a_sheet_would_push_too_hard) {
  const std::string water = small + box("[0, 0, 0]", "[0.2, 0.2, 0.2]");
  Tank without(water), with(water + sheet_at_a_layer);
  const double reach = 0.5 * sph_reach(with.scene, with.liquid().grid) + 0.001;
  std::size_t near = 0;
  const auto distance = [](const Vec3& x) {
    return (x - x.cwiseMax(Vec3(0.05, 0.05, 0.105)).cwiseMin(Vec3(0.15, 0.15, 0.105))).norm();
  };
  for (const Vec3& x : without.liquid().x) near += distance(x) < reach;
  for (const Vec3& x : with.liquid().x) EXPECT_GE(distance(x), reach);
  EXPECT_GT(near, 0u);
  EXPECT_EQ(with.liquid().size(), without.liquid().size() - near);
}

TEST(SphStep, of_a_particle_inside_a_sheet_fails_with_a_reason) {
  Tank run(small + box("[0, 0, 0]", "[0.2, 0.2, 0.2]") + sheet_at_a_layer);
  run.liquid().x[0] = Vec3(0.1, 0.1, 0.105);
  EXPECT_THROW(run.step(), std::exception);
}

// A ball of particles, nowhere fuller than full and with no wall near: nothing but gravity acts.
TEST(SphStep, falls_freely_as_one) {
  Tank run(small + "max_dt = 1e-3\n[proxy]\ntolerance = 1e-13\n" +
           "[[liquid.region]]\nshape = 'sphere'\ncenter = [0.1, 0.15, 0.1]\nradius = 0.03\nvelocity = [0.1, 0, 0]\n");
  const std::vector<Vec3> before = run.liquid().x;
  const Vec3 &first = before.front(), &last = before.back();
  for (int i = 0; i < 5; ++i) {
    const StepReport r = run.step();
    const double mass = 1000 * particle_volume(run.liquid().grid) * double(run.liquid().size());
    EXPECT_NEAR(r.liquid().momentum.y() / mass, -9.81 * r.time, 1e-9);
    EXPECT_NEAR(r.liquid().momentum.x() / mass, 0.1, 1e-12);
    EXPECT_NEAR(r.liquid().volume, r.liquid().expected_volume, 1e-12);
  }
  EXPECT_NEAR((run.liquid().x[0] - run.liquid().x.back() - first + last).norm(), 0, 1e-9);
}

// Where the barrier's pressure on the particle's cross-section carries its weight: φ(y) = ρ g D / (1.209 κ).
TEST(SphContact, a_particle_comes_to_rest_on_the_floor_where_the_barrier_carries_it) {
  Tank run("[domain]\nmax = [0.2, 0.2, 0.2]\nresolution = 10\n[time]\nfps = 50\n" +
           box("[0.095, 0, 0.095]", "[0.106, 0.01, 0.106]"));
  ASSERT_EQ(run.liquid().size(), 1u);
  run.until(3);
  const double spacing = 0.01, reach = 0.6 * spacing, kappa = 0.1 * 1e5;
  const double height = run.liquid().x[0].y(), area = M_PI * std::pow(3 * std::pow(spacing, 3) / (4 * M_PI), 2.0 / 3);
  EXPECT_NEAR(barrier_pressure({.kappa = kappa, .reach = reach}, height) * area, 1000 * std::pow(spacing, 3) * 9.81,
              1e-3 * 1000 * std::pow(spacing, 3) * 9.81);
  EXPECT_NEAR(height / reach, 0.9815, 1e-3);
}

TEST(SphContact, a_gap_is_told_only_when_something_is_within_reach) {
  Tank run(small + "[proxy]\nreach = 0.6\n" + box("[0.095, 0.1, 0.095]", "[0.106, 0.11, 0.106]"));
  int far = 0, close = 0;
  run.until(0.4, [&](const StepReport& r) {
    const double y = run.liquid().x[0].y();
    const std::optional<double> gap = r.smallest_gap();
    ASSERT_EQ(gap.has_value(), y < 6e-3) << y;
    EXPECT_NEAR(gap.value_or(y), y, 1e-12);
    ++(gap ? close : far);
  });
  EXPECT_GT(far, 5);
  EXPECT_GT(close, 5);
}

// With one particle there is nothing to split: m (w − v̂) + h C'(x + h w) = 0.
TEST(SphContact, what_the_fluid_phase_took_of_the_contact_is_taken_out_of_the_next_phase) {
  Tank run(small + "[proxy]\nghost = 0\nreach = 0.6\n" +
           box("[0.095, 0, 0.095]", "[0.106, 0.01, 0.106]", "velocity = [0, -0.5, 0]\n"));
  const double dt = 2e-3, mass = 1000 * 1e-6, reach = 6e-3;
  const Vec3 x = run.liquid().x[0], free = run.liquid().v[0] + dt * run.scene.gravity;
  SphWork& own = std::get<SphWork>(run.work.fluid);
  run.scene.proxy.tolerance = 1e-13;
  const SphSolve solve = solve_sph(run.scene, run.world, run.liquid(), run.work.step, own, dt);
  ASSERT_TRUE(solve.ok);
  const double w = run.liquid().v[0].y(), area = M_PI * std::pow(3e-6 / (4 * M_PI), 2.0 / 3);
  const double push = area * barrier_pressure({.kappa = 1e4, .reach = reach}, x.y() + dt * w);
  EXPECT_GT(push, 0);
  EXPECT_NEAR(mass * (w - free.y()) / dt, push, 1e-6 * push);
}

TEST(SphContact, nothing_passes_through_a_side_at_any_speed) {
  for (const char* splitting : {"delta", "two_phase", "baseline"}) {
    Tank run(small + "[proxy]\nsplitting = '" + splitting + "'\n" +
             box("[0.05, 0.05, 0.05]", "[0.09, 0.09, 0.09]", "velocity = [50, -50, 20]\n"));
    SphWork& own = std::get<SphWork>(run.work.fluid);
    const double dt = 1e-2;  // half a metre in a domain of 0.2 m
    const SphSolve solve = solve_sph(run.scene, run.world, run.liquid(), run.work.step, own, dt);
    ASSERT_TRUE(solve.ok) << splitting;
    EXPECT_GT(solve.min_distance, 0) << splitting;
    for (std::size_t p = 0; p < run.liquid().size(); ++p) {
      const Vec3 x = run.liquid().x[p] + dt * run.liquid().v[p];
      EXPECT_TRUE((x.array() > 0).all() && (x.array() < 0.2).all()) << splitting << x.transpose();
    }
  }
}

// p = ρ g (H − y) below a surface at H, and J loses p/k.
TEST(SphColumn, comes_to_rest_with_the_pressure_of_its_depth_and_gains_no_energy) {
  Tank run("[domain]\nmax = [0.06, 0.3, 0.06]\nresolution = 15\n[time]\nfps = 50\n[liquid]\nviscosity = 2\n" +
           box("[0, 0, 0]", "[0.06, 0.2, 0.06]"));
  const SphWork& own = std::get<SphWork>(run.work.fluid);
  // Particles beside the sides begin within the barrier's reach: that is energy, too.
  const double spacing = 0.01, area = M_PI * std::pow(3 * std::pow(spacing, 3) / (4 * M_PI), 2.0 / 3);
  double energy = measure_sph(run.scene, run.world, run.liquid(), own).potential_energy;
  for (const Vec3& x : run.liquid().x)
    for (int a = 0; a < 3; ++a)
      for (const double d : {x[a] - run.world.domain.lo[a], run.world.domain.hi[a] - x[a]})
        energy += barrier({.kappa = 0.1 * 1e5 * area, .reach = 0.6 * spacing}, d * d).value;
  StepReport last;
  run.until(0.8, [&](const StepReport& r) {
    EXPECT_LT(r.liquid().kinetic_energy + r.liquid().potential_energy, energy) << r.time;
    last = r;
  });
  const double mass = 1000 * last.liquid().expected_volume;
  EXPECT_LT(std::sqrt(2 * last.liquid().kinetic_energy / mass), 0.01 * std::sqrt(9.81 * 0.2));
  const auto pressure = [&](double y) { return pressure_at(run.scene, run.liquid(), own, Vec3(0.03, y, 0.03)); };
  EXPECT_NEAR((pressure(0.04) - pressure(0.14)) / (1000 * 9.81 * 0.1), 1, 0.1);
  const double lost = 1 - last.liquid().volume / last.liquid().expected_volume;
  EXPECT_NEAR(lost, 1000 * 9.81 * 0.1 / 1e5, 5e-3) << "ρ g H / 2 k";
  EXPECT_EQ(pressure(0.28), 0) << "no liquid";
}

TEST(SphFlows, an_inflow_gives_off_its_section_times_its_speed_and_an_outflow_takes_it) {
  const std::string tap =
      "[[inflow]]\nname = 'tap'\nshape = 'box'\nmin = [0.02, 0.1, 0.06]\nmax = [0.06, 0.14, 0.12]\nvelocity = [1, 0, "
      "0]\n";
  Tank run(small + tap);
  EXPECT_EQ(run.liquid().expected_volume, 0);
  EXPECT_EQ(run.liquid().size(), 4u * 4 * 6);
  run.until(0.1);
  const double given = 0.04 * 0.06 * 1 * 0.1;
  EXPECT_NEAR(run.liquid().expected_volume, given, 0.05 * given);

  Tank drained(small + tap + "[[outflow]]\nname = 'drain'\nshape = 'box'\nmin = [0.08, 0, 0]\nmax = [0.2, 0.2, 0.2]\n");
  double at = 0;
  drained.until(0.1, [&](const StepReport& r) { at = r.liquid().expected_volume; });
  EXPECT_LE(at, 0.04 * 0.06 * 0.03) << "what is on its way";
  EXPECT_GT(at, 0);
}

// Particles inside an inflow are not kept from the sides: with a velocity of their own they would leave the domain.
TEST(SphFlows, liquid_that_is_shot_into_an_inflow_goes_with_it) {
  Tank run(
      "gravity = [0, 0, 0]\n" + small +
      "[[inflow]]\nname = 'tap'\nshape = 'box'\nmin = [0, 0, 0]\nmax = [0.06, 0.2, 0.2]\nvelocity = [0.01, 0, 0]\n" +
      box("[0.06, 0.08, 0.08]", "[0.1, 0.12, 0.12]", "velocity = [-20, 0, 20]\n"));
  std::size_t entered = 0;
  const std::size_t given = 6 * 20 * 20;
  run.until(0.01, [&](const StepReport&) {
    std::size_t inside = 0;
    for (std::size_t p = 0; p < run.liquid().size(); ++p) {
      const Vec3& x = run.liquid().x[p];
      EXPECT_TRUE((x.array() > 0).all() && (x.array() < 0.2).all()) << x.transpose();
      if (x.x() >= 0.06) continue;
      EXPECT_EQ(run.liquid().v[p], Vec3(0.01, 0, 0));
      ++inside;
    }
    entered = std::max(entered, inside);
  });
  EXPECT_GT(entered, given) << "some did enter";
}

TEST(SphFlows, liquid_of_a_kind_has_its_density) {
  Tank run(small + "[[liquid.kind]]\nname = 'oil'\ndensity = 500\n" + box("[0, 0, 0]", "[0.2, 0.04, 0.2]") +
           box("[0, 0.04, 0]", "[0.2, 0.08, 0.2]", "kind = 'oil'\nvelocity = [1, 0, 0]\n"));
  const SphWork& own = std::get<SphWork>(run.work.fluid);
  const LiquidReport r = measure_sph(run.scene, run.world, run.liquid(), own);
  EXPECT_NEAR(r.momentum.x(), 500 * 0.2 * 0.2 * 0.04, 1e-9);
  EXPECT_NEAR(r.kinetic_energy, 0.5 * r.momentum.x(), 1e-9);
}

const std::string dam = small + "[liquid]\nviscosity = 0.1\n" + box("[0, 0, 0]", "[0.1, 0.15, 0.2]") +
                        "[[inflow]]\nshape = 'box'\nmin = [0.14, 0.14, 0.08]\nmax = [0.18, 0.18, 0.12]\nvelocity = "
                        "[0, -1, 0]\nstart = 0.01\n";

// A soft cube and a sheet fall on water that a paddle pushes.
const std::string busy = small + box("[0, 0, 0]", "[0.2, 0.06, 0.2]") +
                         "[[body]]\nname = 'cube'\nshape = 'box'\ncenter = [0.12, 0.095, 0.1]\nsize = [0.05, 0.05, "
                         "0.05]\nmesh = 'grid6'\nelement = 'linear'\ncells = [2, 2, 2]\nyoung = 1e5\ndensity = "
                         "500\nvelocity = [0, -1, 0]\n"
                         "[[body]]\nname = 'sheet'\nkind = 'shell'\nshape = 'rectangle'\ncenter = [0.14, 0.135, "
                         "0.1]\nalong = [0.1, 0, 0]\nacross = [0, 0, 0.1]\nedge = 0.03\nshell_thickness = "
                         "1e-3\nyoung = 1e5\nvelocity = [0, -1, 0]\n"
                         "[[solid]]\nname = 'paddle'\nshape = 'box'\nmin = [0.02, 0.02, 0.05]\nmax = [0.04, 0.15, "
                         "0.15]\n[[solid.motion]]\ntype = 'velocity'\nvelocity = [0.3, 0, 0]\n";

// By every splitting.
std::vector<std::string> scenes_of_all_ways() {
  std::vector<std::string> scenes{dam};
  for (const char* splitting : {"delta", "joint", "baseline", "two_phase", "three_phase", "baseline_three"})
    scenes.push_back(busy + "[proxy]\nfriction = 0.3\nsplitting = '" + splitting + "'\n");
  return scenes;
}

TEST(SphStep, has_the_same_bits_on_one_thread_and_two) {
  for (const std::string& scene : scenes_of_all_ways()) {
    const auto on = [&](int threads) {
      const ThreadLimit limit(threads);
      Tank run(scene);
      run.until(0.03);
      return run.world;
    };
    EXPECT_EQ(first_difference(on(1), on(2)), "");
  }
}

TEST(SphStep, goes_on_from_a_checkpoint_bit_for_bit) {
  for (const std::string& scene : scenes_of_all_ways()) {
    const TemporaryDirectory dir;
    Tank run(scene);
    run.until(0.02);
    World other = build_world(run.scene);
    read_checkpoint(write_checkpoint(dir.path, run.world), other);
    EXPECT_EQ(first_difference(run.world, other), "");
    Workspace work;
    derive(run.scene, other, work);
    EXPECT_EQ(first_difference(run.world, other), "");
    for (int i = 0; i < 3; ++i) {
      run.step();
      advance_step(run.scene, other, work);
      EXPECT_EQ(first_difference(run.world, other), "");
    }
  }
}

// Nothing is ever nearer than zero, and no particle ends inside the cube or the paddle.
TEST(SphStep, keeps_liquid_bodies_and_solids_apart) {
  Tank run(busy);
  double least = INFINITY;
  run.until(0.12, [&](const StepReport& r) { least = std::min(least, std::get<SphReport>(r.fluid).min_distance); });
  EXPECT_GT(least, 0);
  SurfaceTrees trees;
  trees.update(Surfaces(run.world));
  for (const std::size_t closed : {0, 1})  // the paddle, the cube
    for (const Vec3& x : run.liquid().x) EXPECT_GT(trees.each[closed].closest(x).distance, 0);
  for (const Vec3& x : run.liquid().x) EXPECT_TRUE(run.world.domain.contains(x));
}

}  // namespace
}  // namespace coracle
