// The values of a sweep, their combinations and the names of their folders.
#include "coracle/out/sweep.h"

#include <gtest/gtest.h>

#include <set>

namespace coracle {
namespace {

using Words = std::vector<std::string>;

Words values(const std::string& text) { return parse_settings({{"a", text}})[0].values; }

std::string problem(const std::vector<Override>& set) {
  try {
    parse_settings(set);
  } catch (const SceneError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(Sweep, commas_split_values_but_not_within_brackets_and_quotes) {
  EXPECT_EQ(values("1"), Words({"1"}));
  EXPECT_EQ(values("1, 2,3"), Words({"1", "2", "3"}));
  EXPECT_EQ(values("cutcell,simultaneous"), Words({"cutcell", "simultaneous"}));
  EXPECT_EQ(values("[0,0,-9.81]"), Words({"[0,0,-9.81]"}));
  EXPECT_EQ(values("[0,0,-9.81],[0, -9.81, 0]"), Words({"[0,0,-9.81]", "[0, -9.81, 0]"}));
  EXPECT_EQ(values("[[1,2],[3,4]],[[5,6]]"), Words({"[[1,2],[3,4]]", "[[5,6]]"}));
  EXPECT_EQ(values(R"("a,b",'c,d',["e,]f"])"), Words({R"("a,b")", "'c,d'", R"(["e,]f"])"}));
  EXPECT_EQ(values(R"("a\",b",c)"), Words({R"("a\",b")", "c"}));
  EXPECT_EQ(values("=max(a, b),=a"), Words({"=max(a, b)", "=a"}));
  EXPECT_EQ(values("the bird's,other"), Words({"the bird's", "other"})) << "an apostrophe in a word is no quote";
}

TEST(Sweep, low_high_count_are_evenly_spaced_numbers_with_both_ends) {
  EXPECT_EQ(values("0:1:3"), Words({"0", "0.5", "1"}));
  EXPECT_EQ(values("16:32:3"), Words({"16", "24", "32"})) << "whole numbers stay whole";
  EXPECT_EQ(values("0.1:0.3:3"), Words({"0.1", "0.2", "0.3"}));
  EXPECT_EQ(values("-0.1:0.2:4"), Words({"-0.1", "0", "0.1", "0.2"})) << "no 1e-17";
  EXPECT_EQ(values("3:1:3"), Words({"3", "2", "1"}));
  EXPECT_EQ(values("1e3:1e4:2,5"), Words({"1e3", "1e4", "5"})) << "one entry of a list";
  EXPECT_EQ(values("c:/meshes:x"), Words({"c:/meshes:x"})) << "words with colons are words";
}

TEST(Sweep, what_is_wrong_is_named_all_at_once) {
  EXPECT_NE(problem({{"a", "1,,2"}}).find("--set a=1,,2: a value is missing"), std::string::npos);
  EXPECT_NE(problem({{"a", ""}}).find("a value is missing"), std::string::npos);
  EXPECT_NE(problem({{"a", "1,2,1"}}).find("'1' is given twice"), std::string::npos);
  EXPECT_NE(problem({{"a", "[1,2"}}).find("a bracket is not closed"), std::string::npos);
  EXPECT_NE(problem({{"a", "1]"}}).find("not opened"), std::string::npos);
  EXPECT_NE(problem({{"a", "\"1,2"}}).find("a quote is not closed"), std::string::npos);
  for (const char* range : {"0:1:1", "0:1:x", "0:1:2.5", "1:1:3", "0:1:100000", "0:inf:3"})
    EXPECT_NE(problem({{"a", range}}).find("must be LOW:HIGH:COUNT"), std::string::npos) << range;
  const std::string both = problem({{"a", "1"}, {"b", ","}, {"a", "2"}});
  EXPECT_NE(both.find("--set b=,"), std::string::npos) << both;
  EXPECT_NE(both.find("--set a=2: this path is given twice"), std::string::npos) << both;
}

TEST(Sweep, runs_are_all_combinations_and_carry_single_values_too) {
  const std::vector<SweepRun> runs = sweep_runs({{"p.a", {"1", "2"}}, {"q", {"7"}}, {"p.b", {"x", "y", "z"}}});
  ASSERT_EQ(runs.size(), 6u);
  EXPECT_EQ(runs[0].name, "a=1,b=x");
  EXPECT_EQ(runs[1].name, "a=1,b=y") << "the last changes first";
  EXPECT_EQ(runs[5].name, "a=2,b=z");
  EXPECT_EQ(runs[5].swept, Words({"2", "z"}));
  ASSERT_EQ(runs[5].overrides.size(), 3u);
  EXPECT_EQ(runs[5].overrides[1].path, "q");
  EXPECT_EQ(runs[5].overrides[1].value, "7");
  EXPECT_THROW(sweep_runs({{"a", Words(101, "1")}, {"b", Words(100, "1")}}), SceneError);
}

TEST(Sweep, labels_are_the_shortest_ends_of_paths_that_differ) {
  const auto labels = [](const Words& paths) {
    std::vector<SweepSetting> settings{{"liquid.density", {"1"}}};  // not swept: it takes no label
    for (const std::string& path : paths) settings.push_back({path, {"1", "2"}});
    return short_labels(settings);
  };
  EXPECT_EQ(labels({"liquid.density"}), Words({"density"}));
  EXPECT_EQ(labels({"solid.a.radius", "solid.b.radius"}), Words({"a.radius", "b.radius"}));
  EXPECT_EQ(labels({"radius", "solid.radius"}), Words({"radius", "solid.radius"}));
  EXPECT_EQ(labels({"xradius", "solid.radius"}), Words({"xradius", "radius"}));
}

TEST(Sweep, names_of_folders_are_safe_and_differ) {
  const std::vector<SweepRun> runs = sweep_runs({{"g", {"[0, -1, 0]", "a/b", "a_b", "../x", "é", "\"\"", "''"}}});
  std::set<std::string> names;
  for (const SweepRun& run : runs) {
    EXPECT_EQ(run.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-+_=,"),
              std::string::npos)
        << run.name;
    names.insert(run.name);
  }
  EXPECT_EQ(names.size(), runs.size());
  EXPECT_EQ(runs[0].name, "g=0_-1_0");
}

TEST(Sweep, long_values_and_many_settings_make_names_that_a_file_system_takes) {
  std::vector<SweepSetting> settings;
  for (int i = 0; i < 8; ++i)
    settings.push_back({std::string(30, char('a' + i)), {std::string(300, 'x'), std::string(300, 'x') + "y"}});
  std::set<std::string> names;
  for (const SweepRun& run : sweep_runs(settings)) {
    EXPECT_LT(run.name.size(), 255u);
    names.insert(run.name);
  }
  EXPECT_EQ(names.size(), 256u);
}

TEST(Sweep, an_added_value_leaves_the_names_of_the_others) {
  const std::vector<SweepRun> few = sweep_runs({{"g", {"a/b", "a_b"}}}),
                              more = sweep_runs({{"g", {"a/b", "a_b", "a:b"}}});
  EXPECT_EQ(few[0].name, more[0].name);
  EXPECT_EQ(few[1].name, more[1].name);
}

}  // namespace
}  // namespace coracle
