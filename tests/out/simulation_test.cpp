#include "coracle/simulation.h"

#include "coracle/error.h"
#include "coracle/out/run.h"
#include "coracle/world/archive.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace coracle {
namespace {

Scene pool_with_ball() {
  Scene scene;
  scene.title = "A ball in a pool";
  scene.domain.resolution = 12;
  scene.time.frames = 3;
  RegionOptions water;
  water.shape.kind = ShapeKind::box;
  water.shape.center = {0.5, 0.2, 0.5};
  water.shape.size = {1, 0.4, 1};
  scene.liquid.regions.push_back(water);
  BodyOptions ball;
  ball.name = "ball";
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.center = {0.5, 0.6, 0.5};
  ball.shape.radius = 0.15;
  ball.edge = 0.1;
  scene.bodies.push_back(ball);
  ProbeOptions probe;
  probe.name = "floor";
  probe.kind = ProbeKind::pressure;
  probe.point = {0.5, 0.05, 0.5};
  scene.probes.push_back(probe);
  return scene;
}

TEST(Simulation, a_scene_built_in_code_runs_to_its_end) {
  Simulation sim(pool_with_ball());
  int steps = 0;
  while (!sim.done())
    sim.frame([&](const StepReport& report) {
      ++steps;
      EXPECT_EQ(report.step, steps);
      EXPECT_EQ(report.probes.size(), sim.probe_columns().size());
    });
  EXPECT_EQ(sim.world().clock.frame, 3);
  EXPECT_DOUBLE_EQ(sim.time(), 3 / 24.0);
  EXPECT_LT(sim.world().bodies[0].x[0].y(), sim.world().bodies[0].rest->x[0].y());  // it falls
}

TEST(Simulation, steps_and_frames_are_the_same_bits) {
  Simulation by_frames(pool_with_ball()), by_steps(pool_with_ball());
  by_frames.frame();
  while (by_steps.world().clock.frame < 1) by_steps.step();
  EXPECT_EQ(first_difference(by_frames.world(), by_steps.world()), "");
}

TEST(Simulation, a_scene_built_in_code_is_validated_like_one_from_a_file) {
  Scene scene = pool_with_ball();
  scene.liquid.density = -1;
  scene.bodies[0].poisson = 0.6;
  try {
    Simulation sim(scene);
    FAIL() << "a bad scene was taken";
  } catch (const SceneError& error) {
    ASSERT_EQ(error.problems.size(), 2u) << error.what();
    EXPECT_EQ(error.problems[0].place.text(), "liquid.density");
    EXPECT_EQ(error.problems[1].place.text(), "body[0].poisson");
  }
}

TEST(Simulation, a_saved_state_resumes_to_the_same_bits) {
  const TemporaryDirectory dir;
  Simulation sim(pool_with_ball());
  sim.frame();
  sim.step();  // in the middle of a frame as well
  sim.save(dir / "state.h5");
  Simulation resumed = Simulation::resume(dir / "state.h5");
  EXPECT_EQ(first_difference(sim.world(), resumed.world()), "");
  while (!sim.done()) sim.frame();
  while (!resumed.done()) resumed.frame();
  EXPECT_EQ(first_difference(sim.world(), resumed.world()), "");
}

TEST(Simulation, a_relative_mesh_file_is_found_again_from_another_folder) {
  const TemporaryDirectory dir;
  write_atomically(dir / "tetrahedron.obj",
                   "v 0.4 0.4 0.4\nv 0.6 0.4 0.4\nv 0.4 0.6 0.4\nv 0.4 0.4 0.6\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  Scene scene = pool_with_ball();
  scene.bodies.clear();
  SolidOptions solid;
  solid.name = "tetrahedron";
  solid.shape.kind = ShapeKind::mesh;
  solid.shape.file = "tetrahedron.obj";
  scene.solids.push_back(solid);
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(dir.path);
  {
    const Simulation sim(scene);
    std::filesystem::create_directory("elsewhere");
    sim.save("elsewhere/state.h5");
  }
  std::filesystem::current_path(here);
  const Simulation resumed = Simulation::resume(dir / "elsewhere/state.h5");
  EXPECT_EQ(resumed.world().solids[0].rest->tris.size(), 4u);
}

TEST(Simulation, its_frames_are_those_of_a_run) {
  const TemporaryDirectory dir;
  const Scene scene = pool_with_ball();
  RunOptions options;
  options.dir = dir / "run";
  run(scene, options, {});
  Simulation sim(scene);
  sim.write_frame(dir / "own");
  while (!sim.done()) {
    sim.frame();
    sim.write_frame(dir / "own");
  }
  const auto files = files_in(dir / "run/frames");
  EXPECT_GT(files.size(), 10u);
  const auto own = files_in(dir / "own/frames");
  ASSERT_EQ(own.size(), files.size());
  for (const auto& [name, bytes] : files) EXPECT_TRUE(own.contains(name) && own.at(name) == bytes) << name;
}

TEST(Simulation, warnings_go_to_the_log) {
  Scene scene = pool_with_ball();
  scene.bodies[0].shape.kind = ShapeKind::hollow_sphere;
  scene.bodies[0].shape.thickness = 0.03;
  scene.bodies[0].edge = 0.03;
  std::vector<std::string> log;
  const Simulation sim(scene, {.threads = 0, .log = [&](const std::string& line) { log.push_back(line); }});
  ASSERT_EQ(log.size(), 1u);
  EXPECT_NE(log[0].find("'ball' is 0.0"), std::string::npos) << log[0];
}

}  // namespace
}  // namespace coracle
