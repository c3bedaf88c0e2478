#include "coracle/scene/expect.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using Words = std::vector<std::string>;

ExpectContext context(const std::string& preset = "quick") {
  return {preset, {"preview", "quick", "paper"}, [](const std::string& of) {
            return std::string(of.find("lost") == std::string::npos ? "" : "leads nowhere");
          }};
}

std::vector<Expectation> read(const std::string& text, const std::string& preset = "quick") {
  return parse_expectations(text, "expect.toml", context(preset));
}

Words problems_of(const std::string& text) {
  Words all;
  try {
    read(text);
  } catch (const SceneError& error) {
    for (const Problem& p : error.problems) all.push_back(p.text());
  }
  return all;
}

std::string one(const std::string& more) {
  return "[[expect]]\nclaim = 'it bends'\nof = 'liquid.volume'\nreason = 'paper'\n" + more;
}

TEST(Expect, values_land_in_their_struct_and_read_back) {
  const auto all = read(one("take = 'count_above'\nabove = 0.5\nfrom = 0.2\nto = 0.7\nat_least = 1\nat_most = 5\n") +
                        one("take = 'mean'\nat_most = -1e12\n"));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].claim, "it bends");
  EXPECT_EQ(all[0].of, "liquid.volume");
  EXPECT_EQ(all[0].take, Take::count_above);
  EXPECT_EQ(all[0].above, 0.5);
  EXPECT_EQ(all[0].from, 0.2);
  EXPECT_EQ(all[0].to, 0.7);
  EXPECT_EQ(all[0].at_least, 1);
  EXPECT_EQ(all[0].at_most, 5);
  EXPECT_EQ(all[0].reason, "paper");
  EXPECT_FALSE(all[1].at_least);
  EXPECT_EQ(all[1].at_most, -1e12);
  EXPECT_EQ(all[1].to, no_end);
  EXPECT_EQ(to_toml(read(to_toml(all))), to_toml(all));
}

TEST(Expect, only_those_for_the_method_are_kept_and_only_their_paths_must_exist) {
  const std::string text = one("take = 'max'\nat_least = 1\nmethods = ['skinned']\n") +
                           one("take = 'max'\nat_least = 2\n") +
                           "[[expect]]\nclaim = 'a'\nof = 'lost'\nreason = 'b'\ntake = 'max'\nat_most = 1\n"
                           "methods = ['proxy']\n";
  ExpectContext by = context();
  by.method = "skinned";
  EXPECT_EQ(parse_expectations(text, "expect.toml", by).size(), 2u);
  by.method = "cutcell";
  EXPECT_EQ(parse_expectations(text, "expect.toml", by).size(), 1u);
  by.method = "proxy";
  EXPECT_THROW(parse_expectations(text, "expect.toml", by), SceneError) << "its path leads nowhere";
  const Words wrong = problems_of(one("take = 'max'\nat_least = 1\nmethods = ['skined']\n"));
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_NE(wrong[0].find("'skinned'"), std::string::npos) << wrong[0];
}

TEST(Expect, only_those_for_the_preset_are_kept) {
  const std::string text = one("take = 'max'\nat_least = 1\npresets = ['quick', 'paper']\n") +
                           one("take = 'max'\nat_least = 2\n") +
                           one("take = 'max'\nat_least = 3\npresets = ['preview']\n");
  EXPECT_EQ(read(text, "quick").size(), 2u);
  EXPECT_EQ(read(text, "preview").size(), 2u);
  EXPECT_EQ(read(text, "").size(), 1u);
  EXPECT_TRUE(read(text, "quick")[0].presets.empty()) << "for the run that it is copied to, it simply holds";
}

TEST(Expect, mistakes_are_reported_at_once_each_at_its_place) {
  const std::string text =
      "[[expect]]\n"                   // 1: no reason
      "claim = 'a'\n"                  // 2
      "of = 'lost.way'\n"              // 3: leads nowhere
      "take = 'maxx'\n"                // 4
      "at_least = 'much'\n"            // 5
      "presets = ['quik', 'quick']\n"  // 6
      "[[expect]]\n"                   // 7: no bound
      "claim = ''\n"                   // 8
      "of = 'b'\n"                     // 9
      "take = 'max'\n"                 // 10
      "above = 2\n"                    // 11: of another kind
      "becuase = 'c'\n"                // 12
      "reason = 'c'\n";                // 13
  const Words expected = {
      "expect.toml:1:1: [[expect]] needs 'reason'",
      "expect.toml:3:1: leads nowhere",
      "expect.toml:4:1: 'take' cannot be 'maxx'; did you mean 'max'?",
      "expect.toml:5:1: 'at_least' must be a number, not a string",
      "expect.toml:6:1: the scene has no preset 'quik'; did you mean 'quick'?",
      "expect.toml:8:1: 'claim' must not be empty",
      "expect.toml:11:1: a max has no 'above'",
      "expect.toml:12:1: unknown key 'becuase' in [[expect]]",
  };
  EXPECT_EQ(problems_of(text), expected);
}

TEST(Expect, bounds_and_times_must_make_sense) {
  EXPECT_EQ(problems_of(one("take = 'max'\n")),
            Words{"expect.toml:1:1: an expectation needs 'at_least', 'at_most' or both"});
  EXPECT_EQ(problems_of(one("take = 'max'\nat_least = 2\nat_most = 1\n")),
            Words{"expect.toml:7:1: 'at_most' (1) must not be below 'at_least' (2)"});
  EXPECT_EQ(problems_of(one("take = 'max'\nat_least = 2\nfrom = 2\nto = 1\n")),
            Words{"expect.toml:8:1: 'to' (1 s) must come after 'from' (2 s)"});
  EXPECT_EQ(problems_of(one("take = 'count_above'\nat_least = 2\n")),
            Words{"expect.toml:1:1: a count_above needs 'above'"});
  EXPECT_EQ(problems_of("[[expct]]\n"),
            Words{"expect.toml:1:3: unknown key 'expct' at the top level; did you mean 'expect'?"});
  EXPECT_EQ(problems_of("expect = 3\n"),
            Words{"expect.toml:1:1: 'expect' must be an array of tables, each headed [[expect]], not an integer"});
}

TEST(Expect, the_file_stands_beside_the_scenes) {
  EXPECT_EQ(expect_file_of("a/scene.toml"), "a/expect.toml");
  EXPECT_EQ(expect_file_of("scene.toml"), "expect.toml");
  EXPECT_EQ(expect_file_of("a/other.toml"), "a/other.expect.toml");
}

}  // namespace
}  // namespace coracle
