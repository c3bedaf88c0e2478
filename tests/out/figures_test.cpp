// Figures in words: those of expect.toml, without bounds.
#include "coracle/out/figures.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

TEST(Figures, words_are_read_and_written_back) {
  for (const char* text : {"max liquid.max_speed", "last liquid.volume", "ratio liquid.volume / liquid.expected_volume",
                           "count_above 100 solver.iterations", "mean probes.level from 0.5 to 2", "min a - b from 1",
                           "range a.b to 0.25"})
    EXPECT_EQ(figure_name(parse_figure(text)), text);
  EXPECT_EQ(figure_name(parse_figure("  liquid.volume ")), "last liquid.volume") << "without a take";
  EXPECT_EQ(figure_name(parse_figure("a / b from 1")), "last a / b from 1");
  const Expectation figure = parse_figure("count_above 2.5 a - b from 1 to 3");
  EXPECT_EQ(figure.take, Take::count_above);
  EXPECT_EQ(figure.above, 2.5);
  EXPECT_EQ(figure.of, "a - b");
  EXPECT_EQ(figure.from, 1);
  EXPECT_EQ(figure.to, 3);
}

TEST(Figures, what_is_wrong_is_said) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      parse_figure(text);
    } catch (const SceneError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(problem("maks liquid.volume").find("did you mean 'max'?"), std::string::npos)
      << problem("maks liquid.volume");
  EXPECT_NE(problem("").find("name a number"), std::string::npos);
  EXPECT_NE(problem("max").find("name a number"), std::string::npos);
  EXPECT_NE(problem("count_above a.b").find("needs a number"), std::string::npos);
  EXPECT_NE(problem("max a from x").find("a time in seconds"), std::string::npos);
  EXPECT_NE(problem("max a from 2 to 1").find("must come after"), std::string::npos);
  EXPECT_NE(problem("max a to 1 from 2").find("--figure 'max a to 1 from 2'"), std::string::npos);
}

TEST(Figures, each_is_listed_once) {
  std::vector<Expectation> figures{parse_figure("max a")};
  add_figures(figures,
              {parse_figure("min a"), parse_figure("max a"), parse_figure("max a from 1"), parse_figure("min a")});
  ASSERT_EQ(figures.size(), 3u);
  EXPECT_EQ(figure_name(figures[2]), "max a from 1");
}

}  // namespace
}  // namespace coracle
