// The pace of the correction of the volume.
#include "coracle/step/liquid/volume.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

TEST(VolumeCorrection, has_the_pace_of_the_grid_and_not_that_of_the_steps) {
  constexpr double dx = 0.02, g = 9.81, frame = 0.04;
  const double calm = correction_time(dx, g, 0.1, frame, 1e-3);
  EXPECT_NEAR(calm, std::sqrt(dx / (M_PI * g)), 1e-15);
  EXPECT_EQ(correction_time(dx, g, 0.1, frame, 1e-4), calm);
  EXPECT_EQ(correction_time(dx, g, 10, frame, 1e-4), dx / 10);  // fast liquid
  EXPECT_EQ(correction_time(dx, g, 10, frame, 0.005), 0.005);   // never shorter than a step
  EXPECT_EQ(correction_time(dx, 1e-9, 0, frame, 1e-4), correction_time(dx, 0, 0, frame, 1e-4));
  EXPECT_EQ(correction_time(dx, 1e-9, 1, frame, 1e-4), correction_time(dx, 0, 1, frame, 1e-4));
}

TEST(VolumeCorrection, brings_back_a_fifth_of_what_is_missing_and_at_most_a_hundredth_of_all) {
  LiquidReport liquid;
  liquid.volume = 1, liquid.expected_volume = 1.001;
  EXPECT_NEAR(expansion_rate(liquid, 0.02), 0.2 * 0.001 / 0.02, 1e-12);
  liquid.expected_volume = 2;
  EXPECT_NEAR(expansion_rate(liquid, 0.02), 0.01 / 0.02, 1e-12);
  liquid.expected_volume = 0;
  EXPECT_NEAR(expansion_rate(liquid, 0.02), -0.01 / 0.02, 1e-12);
}

}  // namespace
}  // namespace coracle
