// What a sweep's folder remembers and refuses.
#include "coracle/out/sweep_folder.h"

#include "coracle/error.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

Sweep sweep(std::vector<SweepSetting> settings, const std::string& scene = "/a/scene.toml",
            const std::string& preset = "") {
  return {scene, preset, std::move(settings)};
}

TEST(SweepFolder, what_was_asked_is_read_back) {
  const TemporaryDirectory dir;
  EXPECT_FALSE(read_sweep(dir / "none"));
  EXPECT_FALSE(read_sweep(dir.path)) << "empty";
  const Sweep written = sweep({{"a", {"[1, 2]", "\"x\""}}, {"b", {"1"}}}, "/ü/scene.toml", "quick");
  write_sweep(dir.path, written);
  const std::optional<Sweep> read = read_sweep(dir.path);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->scene, written.scene);
  EXPECT_EQ(read->preset, written.preset);
  EXPECT_EQ(read->settings, written.settings);
}

TEST(SweepFolder, other_files_are_refused) {
  const TemporaryDirectory dir;
  write_atomically(dir / "thesis.txt", "x");
  EXPECT_NE(message_of<RunError>([&] { read_sweep(dir.path); }).find("not a sweep's"), std::string::npos);
  EXPECT_THROW(read_sweep(dir / "thesis.txt"), RunError);
  for (const char* text : {"{", "{}", "[1]", R"({"scene": 1, "preset": "", "settings": []})"}) {
    write_atomically(dir / "sweep.json", text);
    EXPECT_NE(message_of<RunError>([&] { read_sweep(dir.path); }).find("cannot be read"), std::string::npos) << text;
  }
}

TEST(SweepFolder, values_may_be_added_in_any_order_and_number) {
  const Sweep before = sweep({{"a", {"1", "2"}}, {"b", {"x", "y"}}, {"c", {"5"}}});
  const Sweep asked = sweep({{"c", {"5"}}, {"b", {"z"}}, {"a", {"3", "1"}}});
  const Sweep joined = with_values(before, asked, "d");
  ASSERT_EQ(joined.settings.size(), 3u);
  EXPECT_EQ(joined.settings[0], (SweepSetting{"a", {"1", "2", "3"}}));
  EXPECT_EQ(joined.settings[1], (SweepSetting{"b", {"x", "y", "z"}}));
  std::string names;
  for (const SweepRun& run : sweep_runs(joined.settings))
    if (asks_for(asked, run)) names += run.name + " ";
  EXPECT_EQ(names, "a=1,b=z a=3,b=z ") << "only what is asked now";
}

TEST(SweepFolder, another_scene_preset_or_setting_is_refused) {
  const Sweep before = sweep({{"a", {"1", "2"}}, {"c", {"5"}}});
  const auto message = [&](const Sweep& asked) {
    return message_of<RunError>([&] { with_values(before, asked, "runs/d"); });
  };
  EXPECT_NE(
      message(sweep(before.settings, "/b/scene.toml")).find("the scene /a/scene.toml, this one has /b/scene.toml"),
      std::string::npos);
  EXPECT_NE(message(sweep(before.settings, before.scene, "quick")).find("the preset quick"), std::string::npos);
  EXPECT_NE(message(sweep({{"a", {"1", "2"}}})).find("it has c=5, this one has (no such setting)"), std::string::npos);
  EXPECT_NE(message(sweep({{"a", {"1"}}, {"c", {"6"}}})).find("it has c=5, this one has c=6"), std::string::npos);
  EXPECT_NE(message(sweep({{"a", {"1"}}, {"c", {"5", "6"}}})).find("c=5,6"), std::string::npos);
  EXPECT_NE(message(sweep({{"a", {"1"}}, {"c", {"5"}}, {"d", {"1"}}})).find("no --set d"), std::string::npos);
}

TEST(SweepFolder, one_process_at_a_time_sweeps_into_it) {
  const TemporaryDirectory dir;
  {
    const SweepLock first(dir.path);
    EXPECT_NE(message_of<RunError>([&] { const SweepLock second(dir.path); }).find("another sweep is writing"),
              std::string::npos);
  }
  const SweepLock third(dir.path);
}

}  // namespace
}  // namespace coracle
