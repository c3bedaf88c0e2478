#include "coracle/show/export.h"
#include "coracle/error.h"
#include "made_gas_run.h"
#include "made_run.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

std::vector<std::string> names_in(const std::string& dir) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : files_in(dir)) names.push_back(name);
  return names;
}

ExportOptions to(ExportFormat format, const std::string& out, std::optional<std::pair<int, int>> range = {}) {
  return {.format = format, .out = out, .range = range, .particles = true, .progress = {}};
}

TEST(Export, ply_copies_the_frames_asked_for_and_the_first_of_what_stands) {
  const MadeRun run;
  const auto before = files_in(run.at + "/frames");
  const Exported done = export_run(run.replay, to(ExportFormat::ply, run.dir / "out", {{1, 2}}));
  EXPECT_EQ(done.frames, 2);
  EXPECT_EQ(names_in(run.dir / "out"),
            (std::vector<std::string>{"body_water.0001.ply", "body_water.0002.ply", "drops.0001.ply", "drops.0002.ply",
                                      "particles.0001.ply", "particles.0002.ply", "solid_2nd-post.0000.ply",
                                      "surface.0001.ply", "surface.0002.ply"}));
  for (const auto& [name, bytes] : files_in(run.dir / "out")) EXPECT_EQ(bytes, before.at(name));
  EXPECT_EQ(files_in(run.at + "/frames"), before) << "untouched";
}

TEST(Export, particles_can_be_left_out_and_the_place_has_a_default) {
  const MadeRun run;
  ExportOptions options = to(ExportFormat::obj, "");
  options.particles = false;
  EXPECT_EQ(export_run(run.replay, options).path, run.at + "/export/obj");
  EXPECT_EQ(names_in(run.at + "/export/obj").size(), 13u) << "4 frames of water, drops and body, one of the solid";
  options.format = ExportFormat::usd;
  EXPECT_EQ(export_run(run.replay, options).path, run.at + "/export/usd/run.usda");
  EXPECT_FALSE(std::filesystem::exists(run.at + "/export/usd/run_layers/particles.usda"));
}

TEST(Export, vdb_of_gas_is_its_smoke_and_only_usd_takes_it_along) {
  const MadeGasRun run;
  EXPECT_EQ(export_run(run.replay, to(ExportFormat::vdb, run.dir / "vdb", {{2, 3}})).frames, 2);
  EXPECT_EQ(names_in(run.dir / "vdb"), (std::vector<std::string>{"smoke.0002.vdb", "smoke.0003.vdb"}));
  EXPECT_EQ(read_file(run.dir / "vdb/smoke.0003.vdb"), "volume 3");
  export_run(run.replay, to(ExportFormat::ply, run.dir / "ply"));
  EXPECT_EQ(names_in(run.dir / "ply"), (std::vector<std::string>{"solid_post.0000.ply"}));
  export_run(run.replay, to(ExportFormat::usd, run.dir / "usd", {{2, 3}}));
  EXPECT_TRUE(std::filesystem::exists(run.dir / "usd/run_layers/smoke.usda"));
  EXPECT_EQ(read_file(run.dir / "usd/run_layers/smoke.0003.vdb"), "volume 3");
  const MadeGasRun none("[output]\nsmoke = false\nsolids = false\n");
  EXPECT_NE(message_of<RunError>([&] { export_run(none.replay, to(ExportFormat::vdb, "")); }).find("output.smoke=true"),
            std::string::npos);
}

TEST(Export, an_index_over_time_lists_what_was_copied) {
  const MadeRun run;
  for (int f = 0; f <= 3; ++f)
    for (const char* file : {"surface.{:04}.vtp", "body_water.{:04}.vtu", "particles.{:04}.vtp", "solids.{:04}.vtp"})
      if (f == 0 || file != std::string("solids.{:04}.vtp"))
        write_atomically(run.at + "/frames/" + fmt::format(fmt::runtime(file), f), "</VTKFile>\n");
  export_run(run.replay, to(ExportFormat::vtu, run.dir / "out", {{2, 3}}));
  const std::string water = read_file(run.dir / "out/surface.pvd"), solids = read_file(run.dir / "out/solids.pvd");
  EXPECT_NE(water.find("timestep=\"0.08\""), std::string::npos) << water;
  EXPECT_NE(water.find("surface.0003.vtp"), std::string::npos);
  EXPECT_EQ(water.find("surface.0001.vtp"), std::string::npos);
  EXPECT_NE(solids.find("timestep=\"0.12\""), std::string::npos) << "what stands is listed at every time";
  EXPECT_NE(solids.find("solids.0000.vtp"), std::string::npos);
  EXPECT_EQ(names_in(run.dir / "out").size(), 4u + 3 * 2 + 1);
}

TEST(Export, what_does_not_fit_the_run_is_refused) {
  const MadeRun run;
  const auto refused = [&](const ExportOptions& options) {
    return message_of<SceneError>([&] { export_run(run.replay, options); });
  };
  EXPECT_NE(refused(to(ExportFormat::ply, run.dir / "o", {{2, 9}})).find("the run holds frames 0 to 3"),
            std::string::npos);
  EXPECT_NE(refused(to(ExportFormat::ply, run.dir / "o", {{2, 1}})).find("first comes after"), std::string::npos);
  for (const std::string& inside : {run.at + "/frames", run.at + "/export/../frames/x"})
    EXPECT_NE(refused(to(ExportFormat::ply, inside)).find("among the run's own frames"), std::string::npos);
  EXPECT_NE(refused(to(ExportFormat::usd, run.dir / "a.usdc")).find("ends in .usda"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(run.dir / "o"));
}

TEST(Export, a_missing_file_is_named_with_what_to_do) {
  const MadeRun run;
  std::filesystem::remove(run.at + "/frames/surface.0002.ply");
  const std::string said =
      message_of<RunError>([&] { export_run(run.replay, to(ExportFormat::ply, run.dir / "out")); });
  EXPECT_NE(said.find("frames/surface.0002.ply is missing"), std::string::npos) << said;
  EXPECT_NE(said.find("--frame"), std::string::npos) << said;
  std::filesystem::remove(run.at + "/frames/particles.0003.ply");
  EXPECT_EQ(export_run(run.replay, to(ExportFormat::ply, run.dir / "out", {{0, 1}})).frames, 2);
  EXPECT_NE(message_of<SceneError>([&] {
              export_run(run.replay, to(ExportFormat::ply, run.dir / "o", {{0, 3}}));
            }).find("frames 0 to 2"),
            std::string::npos)
      << "a frame that is still being written does not count";
}

TEST(Export, volumes_need_a_run_that_kept_them) {
  MadeRun run;
  write_atomically(run.at + "/frames/liquid.0000.vdb", "v");
  EXPECT_EQ(export_run(run.replay, to(ExportFormat::vdb, run.dir / "out")).frames, 1);
  EXPECT_EQ(read_file(run.dir / "out/liquid.0000.vdb"), "v");
  run.replay.scene.output.volume = false;
  EXPECT_NE(message_of<RunError>([&] {
              export_run(run.replay, to(ExportFormat::vdb, run.dir / "out"));
            }).find("--set output.volume=true"),
            std::string::npos);
}

TEST(Export, a_place_that_cannot_be_written_is_named) {
  const MadeRun run;
  write_atomically(run.dir / "file", "");
  const std::string said =
      message_of<RunError>([&] { export_run(run.replay, to(ExportFormat::obj, run.dir / "file/out")); });
  EXPECT_NE(said.find("file/out"), std::string::npos) << said;
}

}  // namespace
}  // namespace coracle
