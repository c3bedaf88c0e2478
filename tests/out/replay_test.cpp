#include "coracle/out/replay.h"

#include "coracle/error.h"
#include "tests/show/made_gas_run.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

TEST(Replay, frames_of_gas_are_those_with_smoke) {
  const MadeGasRun run;
  EXPECT_EQ(run.replay.frames, (std::vector<int>{0, 2, 3}));
  const ReplayFrame frame = read_frame(run.replay, 2);
  EXPECT_EQ(frame.time, 0.2);
  EXPECT_EQ(frame.smoke.grid.n, Vec3i(8, 16, 8));
  EXPECT_EQ(frame.smoke.values.data, std::vector<float>(8 * 16 * 8, 2.0f));
  EXPECT_EQ(frame.solids.size(), 1u);
  EXPECT_TRUE(frame.liquid.x.empty());
}

TEST(Replay, gas_that_kept_no_smoke_has_none) {
  const MadeGasRun run("[output]\nsmoke = false\n");
  EXPECT_TRUE(run.replay.frames.empty());
  EXPECT_EQ(read_frame(run.replay, 2).smoke.values.size(), 0u);
}

TEST(Replay, a_frame_without_its_smoke_says_what_to_do) {
  const MadeGasRun run;
  const std::string said = message_of<RunError>([&] { read_frame(run.replay, 1); });
  EXPECT_NE(said.find("smoke.0001.nrrd is missing"), std::string::npos) << said;
  EXPECT_NE(said.find("to write them again: coracle run "), std::string::npos) << said;
}

}  // namespace
}  // namespace coracle
