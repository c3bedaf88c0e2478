// What a run costs is told before it begins, and what does not fit is refused.
#include "coracle/out/forecast.h"

#include "../scene/half_full.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

TEST(Forecast, a_run_that_does_not_fit_is_refused_with_figures_and_a_resolution_that_does) {
  EXPECT_NO_THROW(require_memory(half_full(8)));
  const Scene huge = half_full(10'000);
  try {
    require_memory(huge);
    FAIL() << "a trillion cells fit";
  } catch (const SceneError& error) {
    const std::string text = error.what();
    for (const char* part : {"(1 trillion cells, 4 trillion particles)", "domain.resolution: the run needs about ",
                             " PB of memory", "are free; domain.resolution = ", " would fit", "--force-memory"})
      EXPECT_NE(text.find(part), std::string::npos) << part << " is not in: " << text;
  }
}

TEST(Forecast, the_time_of_a_frame_is_measured_and_grows_with_the_resolution) {
  const Scene small = half_full(16), large = half_full(64);
  const FrameTime quick = measure_frame_time(small, size_of(small)), slow = measure_frame_time(large, size_of(large));
  EXPECT_EQ(quick.trouble, "");
  EXPECT_GT(quick.seconds, 0);
  // 64 times the cells, and at least as many steps; timings vary.
  EXPECT_GT(slow.seconds, 5 * quick.seconds);
  EXPECT_GT(slow.steps, quick.steps);
  EXPECT_LE(slow.resolution, 20);
}

TEST(Forecast, bodies_are_part_of_the_time) {
  Scene scene = half_full(16);
  BodyOptions& cube = scene.bodies.emplace_back();
  cube.name = "cube", cube.edge = 0.04;
  cube.shape.center = Vec3(0.5, 0.7, 0.5), cube.shape.size = Vec3::Constant(0.3);
  const FrameTime with = measure_frame_time(scene, size_of(scene));
  scene.bodies.clear();
  const FrameTime without = measure_frame_time(scene, size_of(scene));
  EXPECT_EQ(with.trouble, "");
  EXPECT_GT(with.seconds / with.steps, without.seconds / without.steps);
}

TEST(Forecast, a_trial_that_fails_says_why) {
  Scene scene = half_full(16);
  scene.time.min_dt = 0.5;  // no step is that long
  scene.time.max_dt = 1;
  const FrameTime time = measure_frame_time(scene, size_of(scene));
  EXPECT_NE(time.trouble.find("min_dt"), std::string::npos) << time.trouble;
}

}  // namespace
}  // namespace coracle
