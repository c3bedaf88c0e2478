#include "coracle/out/stats.h"

#include "temporary_directory.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace coracle {
namespace {

StepReport report(std::int64_t step) {
  StepReport r;
  r.step = step;
  r.frame = 2;
  r.time = step / 3.0;
  r.stages.add("advect", 0.1);
  r.stages.add("project", 0.2);
  r.solver.form = "poisson";
  BodyReport& wall = r.bodies.emplace_back();
  wall.name = "wall";
  wall.volume = 1;
  wall.center = Vec3(1, 2, 3);
  wall.wet_area = 4;
  wall.fluid_force = Vec3(5, 6, 7);
  wall.fluid_torque = Vec3(8, 9, 10);
  r.probes = {0.1, -1e-300};
  return r;
}

TEST(Stats, a_line_holds_every_key) {
  const nlohmann::json line = nlohmann::json::parse(stats_line(report(5)));
  for (const char* key :
       {"step", "frame", "time", "dt", "retries", "stages", "solver", "liquid", "bodies", "memory_mb"})
    EXPECT_TRUE(line.contains(key)) << key;
  for (const char* key : {"form", "unknowns", "nonzeros", "iterations", "residual", "setup_s", "solve_s"})
    EXPECT_TRUE(line["solver"].contains(key)) << key;
  for (const char* key : {"particles", "cells", "volume", "expected_volume", "max_speed", "max_divergence",
                          "kinetic_energy", "potential_energy", "momentum"})
    EXPECT_TRUE(line["liquid"].contains(key)) << key;
  for (const char* key : {"name", "volume", "center", "wet_area", "fluid_force", "fluid_torque"})
    EXPECT_TRUE(line["bodies"][0].contains(key)) << key;
  EXPECT_EQ(line["time"].get<double>(), 5 / 3.0);  // to the bit
  EXPECT_EQ(line["stages"]["project"], 0.2);
  EXPECT_EQ(line["bodies"][0]["fluid_torque"], (std::vector<double>{8, 9, 10}));
  EXPECT_FALSE(line.contains("notes"));
}

TEST(Stats, a_deformable_body_has_more_to_say_than_a_solid) {
  StepReport r = report(5);
  BodyReport b;
  b.name = "jelly";
  b.is_body = true;
  b.min_element_quality = -0.25;
  b.kinetic_energy = 1.5;
  b.elastic_energy = 2.5;
  b.momentum = Vec3(1, 2, 3);
  b.angular_momentum = Vec3(4, 5, 6);
  b.deepest_penetration = 1e-5;
  b.contacts = 17;
  r.bodies.push_back(b);
  const nlohmann::json bodies = nlohmann::json::parse(stats_line(r))["bodies"];
  for (const auto& [key, value] : bodies[0].items()) EXPECT_TRUE(bodies[1].contains(key)) << key;
  EXPECT_FALSE(bodies[0].contains("min_element_quality"));
  EXPECT_EQ(bodies[1]["min_element_quality"], -0.25);
  EXPECT_EQ(bodies[1]["kinetic_energy"], 1.5);
  EXPECT_EQ(bodies[1]["elastic_energy"], 2.5);
  EXPECT_EQ(bodies[1]["momentum"], (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(bodies[1]["angular_momentum"], (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(bodies[1]["penetration"], 1e-5);
  EXPECT_EQ(bodies[1]["contacts"], 17);
}

TEST(Stats, notes_and_trouble_with_numbers_keep_the_line_readable) {
  StepReport r = report(1);
  r.notes = {"a pocket\nwith \"quotes\" and \xff"};
  r.fluid.emplace<LiquidReport>().max_speed = std::nan("");
  const std::string text = stats_line(r);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const nlohmann::json line = nlohmann::json::parse(text);
  EXPECT_EQ(line["notes"].size(), 1u);
  EXPECT_TRUE(line["liquid"]["max_speed"].is_null());
}

TEST(Probes, rows_read_back_to_the_same_bits) {
  EXPECT_EQ(probes_header({"p.pressure", "h"}), "step,time,p.pressure,h");
  const std::string row = probes_line(report(5));
  EXPECT_EQ(row.substr(0, 2), "5,");
  EXPECT_EQ(std::stod(row.substr(2)), 5 / 3.0);
  EXPECT_EQ(std::stod(row.substr(row.rfind(',') + 1)), -1e-300);
}

TEST(CutBack, drops_later_and_unfinished_lines) {
  const TemporaryDirectory dir;
  std::string stats, probes = probes_header({"a", "b"}) + "\n", kept_stats, kept_probes = probes;
  for (int step = 1; step <= 12; ++step) {
    stats += stats_line(report(step)) + "\n";
    probes += probes_line(report(step)) + "\n";
    if (step == 9) kept_stats = stats;
    if (step == 9) kept_probes = probes;
  }
  write_atomically(dir / "stats.jsonl", stats);
  write_atomically(dir / "probes.csv", probes);
  cut_back(dir / "stats.jsonl", 9);
  cut_back(dir / "probes.csv", 9);
  EXPECT_EQ(read_file(dir / "stats.jsonl"), kept_stats);
  EXPECT_EQ(read_file(dir / "probes.csv"), kept_probes);

  // A line without its end is not trusted, even where it could be read.
  write_atomically(dir / "stats.jsonl", kept_stats + stats_line(report(10)));
  write_atomically(dir / "probes.csv", kept_probes + "10,0.5,1,2");
  cut_back(dir / "stats.jsonl", 100);
  cut_back(dir / "probes.csv", 100);
  EXPECT_EQ(read_file(dir / "stats.jsonl"), kept_stats);
  EXPECT_EQ(read_file(dir / "probes.csv"), kept_probes);

  cut_back(dir / "probes.csv", 0);
  EXPECT_EQ(read_file(dir / "probes.csv"), "step,time,a,b\n");
}

TEST(CutBack, leaves_an_absent_file_absent) {
  const TemporaryDirectory dir;
  cut_back(dir / "stats.jsonl", 3);
  EXPECT_TRUE(files_in(dir.path).empty());
}

}  // namespace
}  // namespace coracle
