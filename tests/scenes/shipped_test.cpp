// Every shipped scene that has a quick preset, run in it, does what its expect.toml says.
#include "../out/temporary_directory.h"

#include "coracle/out/judge.h"
#include "coracle/out/run.h"
#include "coracle/scene/scenes.h"
#include "coracle/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coracle {
namespace {

std::vector<std::string> quick_scenes() {
  std::vector<std::string> names;
  for (const SceneInfo& info : shipped_scenes())
    if (std::find(info.presets.begin(), info.presets.end(), "quick") != info.presets.end()) names.push_back(info.name);
  return names;
}

class Shipped : public testing::TestWithParam<std::string> {};

void run_and_judge(const std::string& name, const std::vector<Override>& overrides) {
  const std::string file = find_scene(name);
  const Scene scene = load_scene(file, overrides, "quick");
  const TemporaryDirectory dir;
  RunOptions options;
  options.dir = dir / "run";
  options.expectations = load_expectations(file, scene);
  ASSERT_EQ(run(scene, options, {}), RunEnd::done);
  const std::vector<Judgement> judgements = judge(options.expectations, options.dir);
  EXPECT_FALSE(judgements.empty()) << "a quick preset, and nothing is expected of it";
  for (const Judgement& j : judgements) EXPECT_EQ(j.verdict, Verdict::pass) << judgement_table({j});
}

// Particles with bodies and characters with skins take a minute or more in quick: here they only have to begin well.
// `coracle run NAME --preset quick` judges them.
bool takes_long(const Scene& scene) {
  return (scene.method == Method::proxy && has_liquid(scene) && !scene.bodies.empty()) ||
         scene.method == Method::skinned;
}

void expect_well(const StepReport& step) {
  ASSERT_TRUE(step.ok) << step.trouble;
  if (const auto* sph = std::get_if<SphReport>(&step.fluid)) {
    EXPECT_GT(sph->min_distance, 0);
  } else {
    const SkinnedReport& s = *step.liquid().skinned;
    EXPECT_LE(std::abs(s.error), 1e-12 * s.total);
  }
}

TEST_P(Shipped, does_in_quick_what_it_should) {
  const Scene scene = load_scene(find_scene(GetParam()), {}, "quick");
  if (!takes_long(scene)) return run_and_judge(GetParam(), {});
  Simulation start(scene);
  for (int i = 0; i < 3; ++i) expect_well(start.step());
}

TEST(ShippedScenes, of_the_second_method_do_it_by_the_first_as_well) {
  for (const char* name : {"sheets", "paddle", "toy", "bar"}) run_and_judge(name, {{"method", "cutcell"}});
}

TEST(ShippedScenes, of_the_first_method_do_it_by_the_second_as_well) {
  for (const char* name : {"dam_break", "thin_panel"}) run_and_judge(name, {{"method", "simultaneous"}});
}

INSTANTIATE_TEST_SUITE_P(Scenes, Shipped, testing::ValuesIn(quick_scenes()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST(ShippedScenes, expect_only_what_can_be_measured_in_every_preset) {
  for (const SceneInfo& info : shipped_scenes())
    for (const std::string& preset : info.presets.empty() ? std::vector<std::string>{""} : info.presets)
      EXPECT_NO_THROW(load_expectations(info.path, load_scene(info.path, {}, preset))) << info.name << " " << preset;
}

}  // namespace
}  // namespace coracle
