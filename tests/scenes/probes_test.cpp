// Probes that measure velocity and volume, and probes that move with a solid.
#include "validation/setup.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using validation::run_text;

std::string problems_of(const std::string& text) {
  try {
    parse_scene(text, "s.toml");
    return "";
  } catch (const SceneError& error) {
    return error.what();
  }
}

const std::string pool =
    "[domain]\nresolution = 16\n[time]\nfps = 10\nframes = 8\n"
    "[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.5, 1]\n";
// Above the water, and rising.
const std::string lift =
    "[[solid]]\nname = 'lift'\nshape = 'box'\ncenter = [0.5, 0.65, 0.5]\nsize = [0.1, 0.1, 0.1]\n"
    "[[solid.motion]]\ntype = 'velocity'\nvelocity = [0, 0.5, 0]\n";

std::string probe(const std::string& name, const std::string& type, const std::string& more) {
  return "[[probe]]\nname = '" + name + "'\ntype = '" + type + "'\n" + more + "\n";
}

TEST(Probe, height_and_volume_follow_their_solid) {
  const std::string text = pool + lift +
                           probe("line", "height", "from = [0.2, 0, 0.2]\nto = [0.2, 0.4, 0.2]\nmoves_with = 'lift'") +
                           probe("box", "volume", "min = [0, 0, 0]\nmax = [1, 0.2, 1]\nmoves_with = 'lift'") +
                           probe("all", "volume", "min = [-1, -1, -1]\nmax = [2, 2, 2]");
  int measured = 0;
  run_text(text, "lift", [&](const StepReport& r, const World& w, const Workspace&) {
    const double dx = liquid_of(w).grid.dx, below = 0.5 - 0.5 * r.time;  // of the water's surface, from the line's foot
    ASSERT_EQ(r.probes.size(), 3u);
    EXPECT_NEAR(r.probes[0], std::min(0.4, below), 0.3 * dx) << r.time;
    EXPECT_NEAR(r.probes[1], std::min(0.2, below), 0.3 * dx) << r.time;
    EXPECT_NEAR(r.probes[2], r.liquid().volume, 1e-9);
    ++measured;
  });
  EXPECT_GT(measured, 7);
}

TEST(Probe, of_velocity_reads_that_of_falling_water_and_nothing_in_air) {
  const std::string text =
      "[domain]\nresolution = 20\n[time]\nfps = 20\nframes = 2\n[[liquid.region]]\nshape = 'box'\n"
      "min = [0.3, 0.5, 0.3]\nmax = [0.7, 0.9, 0.7]\n" +
      probe("wet", "velocity", "point = [0.5, 0.7, 0.5]") + probe("dry", "velocity", "point = [0.5, 0.1, 0.5]");
  run_text(text, "fall", [&](const StepReport& r, const World& w, const Workspace&) {
    ASSERT_EQ(r.probes.size(), 6u);
    const double time = r.time - r.dt + liquid_of(w).ahead;  // of the grid's velocity
    EXPECT_NEAR(r.probes[1], -9.81 * time, 0.01) << r.time;
    EXPECT_NEAR(r.probes[0], 0, 0.01);
    for (int a = 3; a < 6; ++a) EXPECT_EQ(r.probes[std::size_t(a)], 0);
  });
}

TEST(Probe, of_velocity_reads_that_of_gas_before_a_jet) {
  double last = 0;
  run_text(
      "[domain]\nresolution = 16\nopen = ['x_max']\n[time]\nfps = 20\nframes = 4\n[[jet]]\nname = 'jet'\nshape = "
      "'box'\n"
      "min = [0, 0.25, 0.25]\nmax = [0.1, 0.75, 0.75]\nvelocity = [2, 0, 0]\n" +
          probe("wind", "velocity", "point = [0.15, 0.5, 0.5]"),
      "jet", [&](const StepReport& r, const World&, const Workspace&) { last = r.probes.at(0); });
  EXPECT_NEAR(last, 2, 0.4);
}

TEST(Probe, that_cannot_be_placed_is_refused) {
  const auto says = [](const std::string& text, const std::string& what) {
    const std::string problems = problems_of(text);
    EXPECT_NE(problems.find(what), std::string::npos) << problems;
  };
  const std::string line = "from = [0.2, 0, 0.2]\nto = [0.2, 0.4, 0.2]\n";
  says(pool + lift + probe("a", "height", line + "moves_with = 'lfit'"),
       "there is no solid 'lfit'; did you mean 'lift'?");
  says(pool + "[[body]]\nname = 'jelly'\nshape = 'sphere'\ncenter = [0.5, 0.7, 0.5]\nradius = 0.1\n" +
           probe("a", "height", line + "moves_with = 'jelly'"),
       "'jelly' is a body, which deforms");
  says(pool + probe("a", "volume", "min = [0, 0, 0]\nmax = [1, 0, 1]"), "'max' must be above 'min'");
  says(pool + probe("a", "volume", "min = [2, 0, 0]\nmax = [3, 1, 1]"), "the box lies wholly outside the domain");
  says(pool + probe("a", "velocity", "point = [2, 0, 0]"), "'point' lies outside the domain");
  EXPECT_EQ(problems_of(pool + lift + probe("a", "velocity", "point = [2, 0, 0]\nmoves_with = 'lift'")), "")
      << "it may come in later";
}

}  // namespace
}  // namespace coracle
