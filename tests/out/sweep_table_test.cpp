// The table of a sweep, from runs made up line by line.
#include "coracle/out/sweep_table.h"

#include "coracle/out/figures.h"
#include "coracle/out/run.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

// Two frames of a cube that falls from rest: a real run, for its checkpoint and statistics.
void make_run(const std::string& dir, const std::string& young) {
  const Scene scene = parse_scene(R"([domain]
resolution = 8
[time]
frames = 2
fps = 50
[[body]]
name = "cube"
shape = "box"
center = [0.5, 0.6, 0.5]
size = [0.3, 0.3, 0.3]
mesh = "grid6"
[output]
solids = false
)",
                                  "scene.toml", {{"body.cube.young", young}});
  RunOptions options;
  options.dir = dir;
  run(scene, options, {});
}

const std::vector<SweepSetting> settings{{"body.cube.young", {"1e4", "1e5", "1e6", "1e7"}}};

TEST(SweepTable, rows_hold_values_figures_and_states) {
  const TemporaryDirectory dir;
  make_run(dir / "young=1e4", "1e4");
  make_run(dir / "young=1e5", "1e5");
  std::filesystem::remove_all(dir / "young=1e5/checkpoints");  // as if it had been killed
  const std::vector<Expectation> figures{parse_figure("count_above 0 bodies.cube.center.y"),
                                         parse_figure("last bodies.ball.center.y"),
                                         parse_figure("last bodies.cube.center.y from 7")};
  const SweepTable table = sweep_table(dir.path, settings, figures, {{"young=1e6", "the disk, \"it\" is full"}});
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.labels, std::vector<std::string>{"young"});
  EXPECT_EQ(table.rows[0].state, SweepState::done);
  EXPECT_EQ(table.rows[1].state, SweepState::interrupted);
  EXPECT_EQ(table.rows[2].state, SweepState::failed);
  EXPECT_EQ(table.rows[3].state, SweepState::not_run);
  EXPECT_GE(table.rows[0].steps, 2);
  EXPECT_EQ(table.rows[0].figures[0], double(table.rows[0].steps)) << "every step counts";
  EXPECT_GT(table.rows[0].wall_s, 0);
  EXPECT_TRUE(std::isnan(table.rows[0].figures[1])) << "there is no ball";
  EXPECT_TRUE(std::isnan(table.rows[0].figures[2])) << "the run ends before";
  EXPECT_TRUE(std::isnan(table.rows[3].figures[0]));

  const nlohmann::json json = nlohmann::json::parse(table_json(table));
  ASSERT_EQ(json.size(), 4u);
  EXPECT_EQ(json[0]["set"]["body.cube.young"], 1e4);
  EXPECT_EQ(json[0]["figures"]["count_above 0 bodies.cube.center.y"], table.rows[0].steps);
  EXPECT_TRUE(json[0]["figures"]["last bodies.ball.center.y"].is_null());
  EXPECT_EQ(json[2]["state"], "failed");
  EXPECT_EQ(json[2]["reason"], "the disk, \"it\" is full");
}

TEST(SweepTable, a_run_whose_files_are_damaged_does_not_cost_the_others_their_rows) {
  const TemporaryDirectory dir;
  make_run(dir / "young=1e4", "1e4");
  make_run(dir / "young=1e5", "1e5");
  write_atomically(dir / "young=1e4/scene.toml", "[domain]\nresolution = ");
  const SweepTable table = sweep_table(dir.path, settings, {parse_figure("last bodies.cube.volume")}, {});
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.rows[0].state, SweepState::failed);
  EXPECT_TRUE(table.rows[0].reason.starts_with("its files cannot be read: ")) << table.rows[0].reason;
  EXPECT_EQ(table.rows[0].reason.find('\n'), std::string::npos);
  EXPECT_EQ(table.rows[1].state, SweepState::done);
  EXPECT_NEAR(table.rows[1].figures[0], 0.027, 1e-9) << "0.3³, in free fall";
}

TEST(SweepTable, json_keeps_numbers_as_they_are_typed) {
  SweepTable table{{"a"}, {"a"}, {}, {}};
  for (const char* value : {"16", "1e4", "-0.5", "[0,1,2]", "inf", "16 m"}) table.rows.push_back({"r", {value}, {}});
  std::string values;
  for (const auto& row : nlohmann::json::parse(table_json(table))) values += row["set"]["a"].dump() + " ";
  EXPECT_EQ(values, "16 10000.0 -0.5 \"[0,1,2]\" \"inf\" \"16 m\" ");
}

TEST(SweepTable, csv_quotes_what_needs_quotes_and_reads_back_to_the_same_bits) {
  SweepTable table{{"gravity", "b"}, {"gravity", "b"}, {"max a"}, {}};
  table.rows.push_back({"g=1", {"[0,1,2]", "\"x\""}, {0.1 + 0.2}, 3, 1.5, SweepState::done});
  table.rows.push_back({"g=2", {"1", "2"}, {NAN}, 0, 0, SweepState::not_run});
  EXPECT_EQ(table_csv(table),
            "gravity,b,max a,steps,wall_s,state,run\n"
            "\"[0,1,2]\",\"\"\"x\"\"\",0.30000000000000004,3,1.500,done,g=1\n"
            "1,2,,,,not run,g=2\n");
  EXPECT_EQ(table_text(table),
            "gravity    b  max a  steps  wall_s  state\n"
            "[0,1,2]  \"x\"    0.3      3   1.500  done\n"
            "      1    2                        not run\n");
}

}  // namespace
}  // namespace coracle
