#include "coracle/out/progress_text.h"
#include "coracle/out/time_left.h"
#include "coracle/report.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

RunProgress some() {
  return {.frame = 12,
          .frames = 96,
          .step = 345,
          .share = 0.125,
          .in_step = 0,
          .left = 3723,
          .paused = -1,
          .headline = "liquid +0.01 %, gap 120 µm"};
}

int characters(const std::string& text) {
  int count = 0;
  for (const char c : text) count += (std::uint8_t(c) & 0xC0) != 0x80;
  return count;
}

TEST(ProgressText, tells_frame_step_time_left_volume_error_and_gap_in_80_columns) {
  const std::string text = progress_text(some(), 79);
  EXPECT_EQ(text, "[#............] frame 12/96, step 345, 1:02:03 left, liquid +0.01 %, gap 120 µm");
  EXPECT_LE(characters(text), 79);
}

TEST(ProgressText, never_is_longer_than_the_terminal_is_wide) {
  for (int columns = 0; columns < 200; ++columns) {
    const std::string text = progress_text(some(), columns);
    EXPECT_LE(characters(text), columns);
    if (columns <= 63) {
      EXPECT_EQ(characters(text), columns) << "only the end is cut";
    }
  }
  EXPECT_TRUE(progress_text(some(), 200).starts_with("[##..................] frame"));
  EXPECT_TRUE(progress_text(some(), 69).starts_with("frame 12/96")) << "no room for a bar";
  EXPECT_EQ(cut_to("µm", 1), "µ") << "no half of a character";
}

TEST(ProgressText, a_long_step_moves_and_a_pause_is_said) {
  RunProgress now = some();
  now.in_step = 75;
  EXPECT_NE(progress_text(now, 100).find("step 346 for 1:15, 1:02:03 left"), std::string::npos);
  now.paused = 12;
  EXPECT_NE(progress_text(now, 100).find("step 345, paused for 12 s, liquid"), std::string::npos);
  now = some();
  now.left = -1;
  EXPECT_NE(progress_text(now, 100).find("step 345, liquid"), std::string::npos) << "nothing is known of the time";
}

TEST(TimeLeft, of_steps_that_all_cost_the_same_is_exact) {
  TimeLeft time(0.1);
  EXPECT_EQ(time.left(1), 0);
  for (int i = 0; i < 50; ++i) {
    time.add(i % 2 == 0 ? 0.01 : 0.03, i % 2 == 0 ? 1 : 3);  // 100 s for a simulated second
    EXPECT_NEAR(time.left(0.5), 50, 1e-9);
  }
  EXPECT_EQ(time.left(-1e-9), 0);
}

// After n steps at the new price r₂ the mean is r₂ + (r₁ − r₂) e^{−nΔt/m}, if there were many at the old one before.
TEST(TimeLeft, follows_steps_that_become_slower) {
  const double memory = 0.1, dt = 0.01, before = 100, after = 300;
  TimeLeft time(memory);
  for (int i = 0; i < 1000; ++i) time.add(dt, before * dt);
  for (int n = 1; n <= 60; ++n) {
    time.add(dt, after * dt);
    EXPECT_NEAR(time.left(1), after + (before - after) * std::exp(-n * dt / memory), 1e-6);
  }
}

TEST(StepReport, its_headline_is_the_error_of_volume_and_the_smallest_gap) {
  StepReport report;
  EXPECT_EQ(report.headline(), "");
  report.contact = ContactReport{.min_distance = 2e-3, .reach = 2e-3};
  EXPECT_EQ(report.headline(), "") << "all gaps are wider than the reach";
  report.contact = ContactReport{.min_distance = 1.2e-4, .reach = 2e-3};
  EXPECT_EQ(report.headline(), "gap 120 µm");
  LiquidReport liquid;
  liquid.volume = 0.98, liquid.expected_volume = 1;
  report.fluid = liquid;
  EXPECT_EQ(report.headline(), "liquid -2.00 %, gap 120 µm");
  SphReport sph;
  sph.liquid = liquid, sph.min_distance = 3e-5;
  report.fluid = sph;
  EXPECT_EQ(report.headline(), "liquid -2.00 %, gap 30 µm") << "of bodies and of particles";
  sph.reach = sph.min_distance;
  report.fluid = sph;
  EXPECT_EQ(report.headline(), "liquid -2.00 %, gap 120 µm") << "of bodies alone";
  GasReport gas;
  gas.smoke = 0.5005, gas.expected_smoke = 0.5;
  report.fluid = gas, report.contact.reset();
  EXPECT_EQ(report.headline(), "smoke +0.10 %");
}

}  // namespace
}  // namespace coracle
