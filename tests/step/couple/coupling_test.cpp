// Liquid and deformable bodies through whole steps: what must hold in any situation that a scene can bring about.
#include "coracle/base/interpolate.h"
#include "coracle/out/run.h"
#include "coracle/out/run_directory.h"
#include "coracle/step/body/stress.h"
#include "coracle/step/liquid/liquid_page.h"
#include "coracle/step/liquid/measure.h"
#include "coracle/world/bodies.h"
#include "coracle/world/build.h"
#include "coracle/world/surface.h"
#include "tests/out/temporary_directory.h"
#include "validation/setup.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace coracle {
namespace {

using validation::run_text;

constexpr double g = 9.81, water = 1000;

const LiquidWork& liquid_work(const Workspace& work) { return std::get<LiquidWork>(work.fluid); }

// One step of a given length, which may fail.
StepReport try_step(const Scene& scene, World& world, Workspace& work, double dt) {
  return step(scene, world, liquid_of(world), work.step, std::get<LiquidWork>(work.fluid), dt);
}

// How deep the deepest particle lies inside a body. m
double deepest_particle(const World& world, const Workspace& work) {
  const Liquid& liquid = liquid_of(world);
  double deepest = 0;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const SolidGeometry& geometry = liquid_work(work).solids.each[world.solids.size() + b];
    for (const Vec3& x : liquid.particles.x)
      if (sample_cells(geometry.phi, liquid.grid.to_cells(x)) < liquid.grid.dx)
        deepest = std::max(deepest, -geometry.tree.closest(x).distance);
  }
  return deepest;
}

// What every step of every scene must show, and what some of them ask for more.
struct Watch {
  int steps = 0, retries = 0;
  double closure = 0, deepest = 0, drift = 0;
  double force = 0;     // N, the largest on a body
  double quality = 1;   // of the worst element
  double speed = 0;     // m/s, the fastest node
  double pressure = 0;  // Pa, largest

  void operator()(const StepReport& r, const World& w, const Workspace& work) {
    ++steps;
    retries += r.retries;
    closure = std::max(closure, closure_error(liquid_work(work).solids.cut));
    deepest = std::max(deepest, deepest_particle(w, work));
    const LiquidReport& liquid = r.liquid();
    if (liquid.expected_volume > 0) drift = std::max(drift, std::abs(liquid.volume / liquid.expected_volume - 1));
    for (const BodyReport& b : r.bodies) {
      EXPECT_TRUE(b.fluid_force.allFinite() && b.fluid_torque.allFinite()) << b.name;
      if (!b.is_body) continue;
      force = std::max(force, b.fluid_force.norm());
      quality = std::min(quality, b.min_element_quality);
    }
    for (const Body& b : w.bodies)
      for (const Vec3& v : b.v) speed = std::max(speed, v.norm());
    for (double p : liquid_of(w).pressure.data) pressure = std::max(pressure, std::abs(p));
  }
};

struct Allowed {
  double drift = 0.02;
  double deepest = 1e-6;  // m
  double speed = 3;       // m/s
  int retries = 0;
};

Watch watch(const std::string& text, const Allowed& allowed = {},
            const std::function<void(const StepReport&, const World&, const Workspace&)>& look = {}) {
  Watch all;
  run_text(text, "coupling", [&](const StepReport& r, const World& w, const Workspace& work) {
    all(r, w, work);
    if (look) look(r, w, work);
  });
  EXPECT_GT(all.steps, 0);
  EXPECT_LE(all.retries, allowed.retries);
  EXPECT_LT(all.closure, 1e-10);
  EXPECT_LT(all.deepest, allowed.deepest);
  EXPECT_LT(all.drift, allowed.drift);
  EXPECT_LT(all.speed, allowed.speed);
  EXPECT_TRUE(std::isfinite(all.pressure));
  return all;
}

// A unit tank with water to `level`.
std::string tank(double level, double seconds, int resolution = 16) {
  std::string text =
      fmt::format("[domain]\nresolution = {}\n[time]\nfps = 50\nframes = {}\n", resolution, std::lround(50 * seconds));
  if (level > 0) text += fmt::format("[[liquid.region]]\nshape = \"box\"\nmin = [0, 0, 0]\nmax = [1, {}, 1]\n", level);
  return text;
}

struct Ball {
  const char* name = "ball";
  Vec3 center = Vec3::Constant(0.5);
  double radius = 0.17, density = 1000, young = 1e5, edge = 0.08;
  Vec3 velocity = Vec3::Zero();
  const char* material = "corotational";
};

std::string to_text(const Ball& b) {
  return fmt::format(
      "[[body]]\nname = \"{}\"\nshape = \"sphere\"\ncenter = [{}, {}, {}]\nradius = {}\nedge = {}\nyoung = {}\n"
      "density = {}\nvelocity = [{}, {}, {}]\nmaterial = \"{}\"\n",
      b.name, b.center.x(), b.center.y(), b.center.z(), b.radius, b.edge, b.young, b.density, b.velocity.x(),
      b.velocity.y(), b.velocity.z(), b.material);
}

std::string box(const std::string& name, const Vec3& lo, const Vec3& hi, const Vec3i& cells, double density,
                double young = 1e5) {
  return fmt::format(
      "[[body]]\nname = \"{}\"\nshape = \"box\"\nmin = [{}, {}, {}]\nmax = [{}, {}, {}]\nmesh = \"grid6\"\n"
      "cells = [{}, {}, {}]\ndensity = {}\nyoung = {}\n",
      name, lo.x(), lo.y(), lo.z(), hi.x(), hi.y(), hi.z(), cells.x(), cells.y(), cells.z(), density, young);
}

const std::string held =
    "[[body.hold]]\ntype = \"pin\"\n[[body.hold.region]]\nshape = \"box\"\nmin = [-1, -1, -1]\n"
    "max = [2, 2, 2]\n";

// --- Where bodies can be

TEST(Coupling, a_full_shell_dropped_to_the_floor_loses_no_particle_to_the_outside_or_its_wall) {
  const std::string text =
      "[domain]\nresolution = 20\n[time]\nfps = 50\nframes = 10\n[[liquid.region]]\nshape = \"sphere\"\n"
      "center = [0.5, 0.4, 0.5]\nradius = 0.25\n[[body]]\nname = \"shell\"\nshape = \"hollow_sphere\"\n"
      "center = [0.5, 0.4, 0.5]\nradius = 0.33\nthickness = 0.12\nedge = 0.07\nyoung = 1e6\n";
  int touched = 0;
  watch(text, {.drift = 0.03, .speed = 6}, [&](const StepReport& r, const World& w, const Workspace&) {
    EXPECT_EQ(r.liquid().pockets.size(), 1u) << r.step;
    touched += r.bodies[0].contacts;
    const Vec3 center = center_of_mass(w.bodies[0]);
    double furthest = 0;
    for (const Vec3& x : liquid_of(w).particles.x) furthest = std::max(furthest, (x - center).norm());
    EXPECT_LT(furthest, 0.30) << r.step;  // inner radius 0.21, outer 0.33
  });
  EXPECT_GT(touched, 0);
}

TEST(Coupling, a_light_body_half_out_of_the_water_floats_on) {
  double force = 0, weight = 0;
  watch(tank(0.4, 0.3) + to_text({.center = Vec3(0.5, 0.41, 0.5), .density = 500}), {},
        [&](const StepReport& r, const World& w, const Workspace&) {
          force = r.bodies[0].fluid_force.y();
          weight = w.bodies[0].rest->options.density * r.bodies[0].volume * g;
        });
  EXPECT_NEAR(force, weight, 0.3 * weight);  // it bobs a little
}

TEST(Coupling, a_body_leaves_the_water_upward_and_falls_back) {
  int out = 0, in = 0, back = 0;
  watch(tank(0.35, 0.8) + to_text({.center = Vec3(0.5, 0.2, 0.5), .density = 300, .velocity = Vec3(0, 2.5, 0)}),
        {.drift = 0.05, .speed = 5}, [&](const StepReport& r, const World&, const Workspace&) {
          const BodyReport& b = r.bodies[0];
          if (b.wet_area > 0) (out ? back : in) += 1;
          if (b.wet_area == 0) {
            ++out;
            EXPECT_EQ(b.fluid_force.norm(), 0);
          }
        });
  EXPECT_GT(in, 0);
  EXPECT_GT(out, 0);
  EXPECT_GT(back, 0);
}

TEST(Coupling, bodies_that_touch_each_other_and_the_wall_under_water) {
  int contacts = 0;
  watch(tank(0.7, 0.3) + to_text({.name = "a", .center = Vec3(0.19, 0.3, 0.5), .velocity = Vec3(-1, 0, 0)}) +
            to_text({.name = "b", .center = Vec3(0.55, 0.3, 0.5), .velocity = Vec3(-1.5, 0, 0)}),
        {}, [&](const StepReport& r, const World&, const Workspace&) {
          contacts += r.bodies[0].contacts + r.bodies[1].contacts;
        });
  EXPECT_GT(contacts, 0);
}

TEST(Coupling, a_heavy_body_resting_on_the_floor_under_water_feels_its_buoyancy_or_less) {
  // Water stands in what gap contact leaves below it. At most that water carries all of what Archimedes says, at least
  // it is shut off and the body is pressed down by the water above: −ρ g h A.
  const double side = 0.3, level = 0.7;
  const double buoyancy = water * g * side * side * side, pressed = -water * g * (level - side) * side * side;
  double mean = 0, below = 0;
  int steps = 0;
  watch(tank(level, 0.4) + box("block", Vec3(0.35, 0.012, 0.35), Vec3(0.65, 0.312, 0.65), Vec3i(3, 3, 3), 2500, 1e6),
        {}, [&](const StepReport& r, const World& w, const Workspace& work) {
          if (r.time < 0.2) return;
          ++steps;
          mean += r.bodies[0].fluid_force.y();
          const Vec3i c = liquid_of(w).grid.cell_of(Vec3(0.5, 0.001, 0.5));
          if (liquid_work(work).pressure.active[c]) below = liquid_of(w).pressure[c];
        });
  mean /= steps;
  EXPECT_LT(mean, 1.1 * buoyancy);
  EXPECT_GT(mean, 1.1 * pressed);
  EXPECT_NEAR(below, water * g * level, 0.1 * water * g * level);  // still connected to the water around it
}

TEST(Coupling, a_body_that_sinks_through_the_floor_when_contact_is_off) {
  double lowest = 1;
  watch(tank(0.5, 0.5) + to_text({.center = Vec3(0.5, 0.25, 0.5), .density = 4000}) + "[contact]\nkind = 'none'\n",
        {.drift = 0.05, .deepest = 0.05, .speed = 5}, [&](const StepReport&, const World& w, const Workspace&) {
          for (const Vec3& x : w.bodies[0].x) lowest = std::min(lowest, x.y());
        });
  EXPECT_LT(lowest, -0.02);
}

// --- What bodies can look like

// How far a cube of one hexahedron, or of many, rises in a tenth of a second.
double rise_of_cube(double side, int cells) {
  double rise = 0;
  const Vec3 lo(0.35, 0.2, 0.35);
  watch(tank(0.8, 0.1) + box("cube", lo, lo + Vec3::Constant(side), Vec3i::Constant(cells), 500, 1e6), {},
        [&](const StepReport& r, const World&, const Workspace&) { rise = r.bodies[0].center.y() - 0.2 - 0.5 * side; });
  return rise;
}

TEST(Coupling, triangles_of_five_cells_and_of_a_fifth_of_one_move_as_those_of_a_cell_do) {
  const double large = rise_of_cube(0.3125, 1), medium = rise_of_cube(0.3125, 6);
  // (ρ − ρs) g / (ρs + c ρ) t² / 2, c about 2/3 for a cube: 0.021 m. The tank's walls are near.
  EXPECT_NEAR(medium, 0.021, 0.003);
  EXPECT_NEAR(large, medium, 0.05 * medium);
  const double small = rise_of_cube(0.1, 8), one = rise_of_cube(0.1, 1);
  EXPECT_NEAR(small, one, 0.05 * one);
}

TEST(Coupling, a_body_thinner_than_a_cell_is_warned_of_and_runs) {
  const TemporaryDirectory dir;
  RunOptions options;
  options.dir = dir / "run";
  std::vector<std::string> said;
  options.say = [&](const std::string& text) { said.push_back(text); };
  Watch all;
  const Scene scene = parse_scene(
      tank(0.5, 0.2) + box("sheet", Vec3(0.2, 0.42, 0.2), Vec3(0.8, 0.45, 0.8), Vec3i(8, 1, 8), 800, 1e6), "thin.toml");
  EXPECT_EQ(run(scene, options,
                [&](const StepReport& r, const World&) {
                  all.retries += r.retries;
                  EXPECT_TRUE(r.bodies[0].fluid_force.allFinite());
                }),
            RunEnd::done);
  EXPECT_LE(all.retries, 2);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("warning: the body 'sheet' is 0.03 m thick"), std::string::npos) << said[0];
}

// One step of a world that a test has bent by hand.
struct Bent {
  Scene scene;
  World world;
  Workspace work;

  Bent(const std::string& text, const std::function<Vec3(const Vec3&)>& bend) : scene(parse_scene(text, "bent.toml")) {
    world = build_world(scene);
    start(scene, world, work);
    for (Body& body : world.bodies)
      for (Vec3& x : body.x) x = bend(x);
  }
  StepReport step(double dt) {
    derive(scene, world, work);
    Liquid& liquid = liquid_of(world);  // what the bent bodies displace is not to be made up for
    liquid.expected_volume = measure_volume(world, liquid, liquid_work(work)).volume;
    return try_step(scene, world, work, dt);
  }
};

TEST(Coupling, a_body_folded_through_itself_leaves_every_cell_closed_and_the_solve_converges) {
  const std::string text =
      tank(0.8, 1) + box("bar", Vec3(0.2, 0.3, 0.4), Vec3(0.8, 0.45, 0.55), Vec3i(8, 2, 2), 900, 500);
  // The right half is turned back over the left one, a little askew.
  Bent bent(text, [](const Vec3& x) {
    if (x.x() < 0.5) return x;
    return Vec3(1.0 - x.x() + 0.02, x.y() + 0.35 * (x.x() - 0.5), x.z() + 0.2 * (x.x() - 0.5));
  });
  const StepReport report = bent.step(1e-3);
  EXPECT_TRUE(report.ok) << report.trouble;
  EXPECT_TRUE(report.bodies[0].fluid_force.allFinite());
  EXPECT_LT(closure_error(liquid_work(bent.work).solids.cut), 1e-10);
}

TEST(Coupling, an_inverted_element_under_water_is_carried_on_with) {
  for (const char* material : {"corotational", "stable_neo_hookean", "fixed_corotated"}) {
    Bent bent(tank(0.8, 1) + to_text({.young = 1e4, .edge = 0.1, .material = material}),
              [](const Vec3& x) { return x; });
    Body& body = bent.world.bodies[0];
    // The node in the middle goes through the far side of one of its tets.
    const auto inner = std::min_element(body.x.begin(), body.x.end(), [](const Vec3& a, const Vec3& b) {
      return (a - Vec3::Constant(0.5)).norm() < (b - Vec3::Constant(0.5)).norm();
    });
    *inner += Vec3(0.1, 0.03, 0.02);
    ASSERT_LT(least_quality(body), 0) << material;
    const StepReport report = bent.step(1e-3);
    EXPECT_TRUE(report.ok) << material << ": " << report.trouble;
    EXPECT_TRUE(report.bodies[0].fluid_force.allFinite()) << material;
    for (const Vec3& x : body.x) EXPECT_TRUE(x.allFinite());
  }
}

// --- Forces

TEST(Coupling, a_held_body_in_still_water_is_lifted_by_the_water_that_it_displaces) {
  // p is linear, a cell has one: with closed cells the force is exact but for where triangles are cut, dx² / 8 of the
  // curvature; the surface is the particles', a tenth of a cell.
  double force = 0;
  Vec3 torque = Vec3::Zero(), lift = Vec3::Zero(), center = Vec3::Zero();
  int steps = 0;
  double volume = 0;
  watch(tank(0.8, 0.2) + to_text({.center = Vec3(0.45, 0.4, 0.55), .radius = 0.2}) + held, {},
        [&](const StepReport& r, const World&, const Workspace&) {
          if (r.time < 0.05) return;
          ++steps;
          lift += r.bodies[0].fluid_force;
          torque += r.bodies[0].fluid_torque;
          volume = r.bodies[0].volume;
          center = r.bodies[0].center;
        });
  lift /= steps, torque /= steps;
  force = water * g * volume;
  EXPECT_NEAR(lift.y(), force, 0.03 * force);
  EXPECT_LT(std::hypot(lift.x(), lift.z()), 0.03 * force);
  EXPECT_LT((torque - center.cross(lift)).norm(), 0.02 * force * 0.2);  // through its middle
}

TEST(Coupling, a_piston_pushes_water_that_pushes_a_body) {
  // A channel full to the lid but for its far end. The piston starts at once, and with it water and ball, which is as
  // heavy as water, as one plug: that takes ρ L A V from the piston, and nothing after it.
  constexpr double v = 0.4, plug = water * 0.65 * 0.5 * 0.5 * v;
  double moved = 0, last = 0, impulse = 0;
  const std::string text =
      "gravity = [0, 0, 0]\n[domain]\nmax = [1, 0.5, 0.5]\nresolution = 20\n[time]\nfps = 50\nframes = 15\n"
      "[[liquid.region]]\nshape = \"box\"\nmin = [0.15, 0, 0]\nmax = [0.8, 0.5, 0.5]\n[[solid]]\nname = \"piston\"\n"
      "shape = \"box\"\nmin = [-0.3, -0.1, -0.1]\nmax = [0.15, 0.6, 0.6]\n[[solid.motion]]\ntype = \"velocity\"\n"
      "velocity = [0.4, 0, 0]\n" +
      to_text({.center = Vec3(0.5, 0.25, 0.25), .radius = 0.14, .density = 1000, .young = 1e7, .edge = 0.07});
  watch(text, {}, [&](const StepReport& r, const World&, const Workspace&) {
    const BodyReport& ball = r.bodies[1];
    const double kick = -r.bodies[0].fluid_force.x() * r.dt;
    EXPECT_LT(kick, 1.05 * plug) << r.step << ": no step gives more than the whole start";
    impulse += kick;
    moved = ball.center.x() - 0.5;
    last = ball.momentum.x() / (water * ball.volume);
  });
  // A soft ball would swing about the stream, and lag behind: its skin alone takes up the start.
  EXPECT_NEAR(impulse, plug, 0.05 * plug);
  EXPECT_NEAR(last, v, 0.03 * v);
  EXPECT_NEAR(moved, v * 0.3, 0.02 * v * 0.3);
}

// --- What may be asked

std::string problems_of(const std::string& text) {
  try {
    (void)parse_scene(text, "asked.toml");
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

TEST(Coupling, every_form_and_strength_is_accepted_and_a_wrong_word_gets_the_nearest_one) {
  const std::string scene = tank(0.5, 0.1) + to_text({});
  for (const char* form : {"schur", "spd", "indefinite"})
    EXPECT_EQ(problems_of(scene + "[solver]\nform = \"" + form + "\"\n"), "");
  for (const char* coupling : {"strong", "damping_only", "weak"})
    EXPECT_EQ(problems_of(scene + "[solver]\ncoupling = \"" + coupling + "\"\n"), "");
  for (const char* stop : {"volume_error", "own_residual"})
    EXPECT_EQ(problems_of(scene + "[solver]\nstop_at = \"" + stop + "\"\n"), "");
  const std::string form = problems_of(scene + "[solver]\nform = \"shur\"\n");
  EXPECT_NE(form.find("schur"), std::string::npos) << form;
  EXPECT_NE(form.find("asked.toml:"), std::string::npos) << form;
  const std::string coupling = problems_of(scene + "[solver]\ncoupling = \"strnog\"\n");
  EXPECT_NE(coupling.find("strong"), std::string::npos) << coupling;
  const std::string key = problems_of(scene + "[solver]\ncuopling = \"strong\"\n");
  EXPECT_NE(key.find("coupling"), std::string::npos) << key;
}

TEST(Coupling, damping_only_is_refused_with_any_integrator_but_backward_euler_and_with_newton) {
  const std::string scene = tank(0.5, 0.1) + to_text({}) + "[solver]\ncoupling = \"damping_only\"\n[elastic]\n";
  EXPECT_EQ(problems_of(scene + "integrator = \"backward_euler\"\n"), "");
  for (const char* wrong : {"integrator = \"midpoint\"\n", "integrator = \"trapezoidal\"\n", "newton = true\n"}) {
    const std::string message = problems_of(scene + wrong);
    for (const char* part : {"damping_only", "backward_euler", "Newton"})
      EXPECT_NE(message.find(part), std::string::npos) << wrong << message;
  }
}

TEST(Coupling, every_strength_moves_a_heavy_body_the_same_in_short_steps) {
  // Elasticity outside the solve is as good as explicit, so is the pressure in weak coupling, where the body must
  // outweigh the water that it moves.
  double rise[3] = {0, 0, 0};
  const char* const strengths[] = {"strong", "damping_only", "weak"};
  for (int i = 0; i < 3; ++i)
    watch(fmt::format("{}max_dt = 1e-3\n{}[solver]\ncoupling = \"{}\"\n[[liquid.region]]\nshape = \"box\"\n"
                      "min = [0, 0, 0]\nmax = [1, 0.4, 1]\n",
                      tank(0, 0.04), to_text({.center = Vec3(0.5, 0.38, 0.5), .density = 8000}), strengths[i]),
          {}, [&](const StepReport& r, const World&, const Workspace&) { rise[i] = r.bodies[0].center.y() - 0.38; });
  for (int i = 1; i < 3; ++i) EXPECT_NEAR(rise[i], rise[0], 0.02 * std::abs(rise[0])) << strengths[i];
}

// --- When a solve fails

TEST(Coupling, a_solve_that_does_not_converge_is_tried_with_smaller_steps_then_kept_and_told_how_to_repeat) {
  const TemporaryDirectory dir;
  RunOptions options;
  options.dir = dir / "run";
  const Scene scene =
      parse_scene(tank(0.5, 0.2) + to_text({}) + "[solver]\nmax_iterations = 1\ntolerance = 1e-14\n", "hard.toml");
  int steps = 0;
  const std::string message =
      message_of<RunError>([&] { (void)run(scene, options, [&](const StepReport&, const World&) { ++steps; }); });
  EXPECT_EQ(steps, 0);
  for (const char* part : {"step 0", "projection: no convergence after 1 iterations", "failed.h5",
                           "to repeat the failing step: coracle run", "--resume"})
    EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
  // Halved eight times from 0.05 s at most, which is what the shortest waves allow.
  const std::size_t at = message.find("dt = ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_LT(std::stod(message.substr(at + 5)), 0.05 / 256);
  EXPECT_TRUE(std::filesystem::exists(failed_checkpoint_file(options.dir)));
}

TEST(Coupling, a_step_repeated_after_a_failure_gives_the_bits_of_one_that_was_never_tried) {
  // The same world, one workspace fresh, the other having just failed.
  const std::string text = tank(0.5, 1) + to_text({.center = Vec3(0.5, 0.4, 0.5), .velocity = Vec3(0.1, -0.5, 0)}) +
                           to_text({.name = "low", .center = Vec3(0.5, 0.16, 0.5), .radius = 0.14, .edge = 0.07});
  const Scene scene = parse_scene(text, "twice.toml");
  Scene hopeless = scene;
  hopeless.solver.max_iterations = 1;
  hopeless.solver.tolerance = 1e-14;
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(try_step(scene, world, work, 0.01).ok);
  const World before = world;
  ASSERT_FALSE(try_step(hopeless, world, work, 0.01).ok);
  world = before;
  derive(scene, world, work);
  World fresh = before;
  Workspace new_work;
  derive(scene, fresh, new_work);
  ASSERT_TRUE(try_step(scene, world, work, 0.005).ok);
  ASSERT_TRUE(try_step(scene, fresh, new_work, 0.005).ok);
  for (int b = 0; b < 2; ++b)
    for (std::size_t i = 0; i < world.bodies[b].x.size(); ++i) ASSERT_EQ(world.bodies[b].x[i], fresh.bodies[b].x[i]);
  EXPECT_EQ(liquid_of(world).pressure.data, liquid_of(fresh).pressure.data);
  EXPECT_EQ(liquid_of(world).particles.x, liquid_of(fresh).particles.x);
}

// --- Newton and integrators

// Where the nodes of a soft ball are that falls into water.
std::vector<Vec3> after_a_fall(const std::string& elastic, const Ball& ball, double seconds, int* passes = nullptr) {
  std::vector<Vec3> x;
  int most = 0;
  watch(tank(0.4, seconds) + to_text(ball) + "[elastic]\n" + elastic, {},
        [&](const StepReport& r, const World& w, const Workspace&) {
          x = w.bodies[0].x;
          most = std::max(most, r.solver.passes);
        });
  if (passes) *passes = most;
  return x;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

TEST(Coupling, newton_with_the_pressure_inside_agrees_with_one_linear_solve_where_strains_are_small) {
  // The two differ by what strain and turning do within a step: of second order in both.
  const Ball ball{.center = Vec3(0.5, 0.45, 0.5), .density = 700, .young = 1e6};
  int once = 0, often = 0;
  const auto linear = after_a_fall("", ball, 0.1, &once), newton = after_a_fall("newton = true\n", ball, 0.1, &often);
  EXPECT_EQ(once, 1);
  EXPECT_GT(often, 1);
  EXPECT_LT(largest_difference(linear, newton), 1e-4);  // of a path of 0.03 m
}

TEST(Coupling, newton_runs_with_a_hyperelastic_body_in_water_and_in_contact) {
  const Ball ball{.center = Vec3(0.5, 0.19, 0.5), .density = 1500, .young = 2e4, .material = "stable_neo_hookean"};
  int passes = 0;
  const auto x = after_a_fall("newton = true\n", ball, 0.16, &passes);
  EXPECT_GT(passes, 1);
  for (const Vec3& p : x) EXPECT_TRUE(p.allFinite());
}

TEST(Coupling, every_integrator_runs_and_they_agree_on_where_a_ball_falls) {
  const Ball ball{.center = Vec3(0.5, 0.45, 0.5), .density = 700, .young = 2e5};
  const auto euler = after_a_fall("", ball, 0.1);
  for (const char* other : {"trapezoidal", "midpoint"}) {
    const auto x = after_a_fall(fmt::format("integrator = \"{}\"\n", other), ball, 0.1);
    // g dt T / 2 is what half a step does to the path.
    EXPECT_LT(largest_difference(euler, x), 0.5 * g * 0.02 * 0.1) << other;
  }
}

}  // namespace
}  // namespace coracle
