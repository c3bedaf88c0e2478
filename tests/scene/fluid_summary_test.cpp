// What `coracle check` says of a scene's fluid.
#include "coracle/scene/fluid_summary.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

const std::string water = "[[liquid.region]]\nshape = \"box\"\nmin = [0, 0, 0]\nmax = [1, 0.5, 1]\n";
const std::string tap =
    "[[inflow]]\nshape = \"sphere\"\ncenter = [0.5, 0.5, 0.5]\nradius = 0.1\nvelocity = [0, -1, 0]\n";
const std::string vent = "[[jet]]\nname = \"vent\"\nshape = \"sphere\"\ncenter = [0.5, 0.5, 0.5]\nradius = 0.1\n";
const std::string block =
    "[[body]]\nname = \"block\"\nshape = \"box\"\ncenter = [0.5, 0.5, 0.5]\nsize = [0.2, 0.2, 0.2]\n";

std::string summary_of(const std::string& text) {
  std::string all;
  const Grid grid{.origin = Vec3::Zero(), .dx = 0.125, .n = Vec3i::Constant(8)};
  for (const SummaryLine& line : fluid_summary(parse_scene(text, "s.toml"), grid))
    all += line.label + ": " + line.text + "\n";
  return all;
}

TEST(FluidSummary, names_the_method_the_fluid_and_its_sources) {
  // Half of 1 m³; 8³ / 2 cells with eight particles each.
  EXPECT_EQ(summary_of(water), "method: cutcell\nliquid: about 0.5 m³, 2.05e+03 particles\n");
  EXPECT_EQ(summary_of(tap), "method: cutcell\nliquid: about 0 m³, 0 particles\ninflow: (unnamed) at 1 m/s\n");
  EXPECT_EQ(summary_of(vent), "method: cutcell\ngas: 1.2 kg/m³, no side open\njet: vent at 0 m/s\n");
  EXPECT_EQ(summary_of(block), "method: cutcell\n");
}

TEST(FluidSummary, names_the_open_sides_of_gas) {
  EXPECT_EQ(summary_of("[domain]\nopen = [\"y_max\", \"x_min\"]\n" + vent),
            "method: cutcell\ngas: 1.2 kg/m³, open at y_max, x_min\njet: vent at 0 m/s\n");
}

TEST(FluidSummary, a_tank_without_air_is_said_to_be_full) {
  const auto notes = [](const std::string& text) {
    return fluid_notes(parse_scene(text, "s.toml"), {.origin = Vec3::Zero(), .dx = 0.125, .n = Vec3i::Constant(8)});
  };
  const std::string all = "[[liquid.region]]\nshape = \"box\"\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n";
  ASSERT_EQ(notes(all).size(), 1u);
  EXPECT_NE(notes(all)[0].find("the tank is full of liquid"), std::string::npos);
  EXPECT_EQ(notes(water).size(), 0u);
  const std::string lid = "[[solid]]\nname = 'lid'\nshape = 'box'\nmin = [0, 0.5, 0]\nmax = [1, 1, 1]\n";
  EXPECT_EQ(notes(water + lid).size(), 1u) << "no air under the lid";
  EXPECT_EQ(notes(tap).size(), 0u) << "it is empty at the start";
  EXPECT_EQ(notes(vent).size(), 0u) << "gas has no surface";
}

TEST(FluidSummary, what_does_not_run_on_a_gpu_is_said_with_the_reason) {
  const auto notes = [](const std::string& text) {
    std::string all;
    const Scene scene = parse_scene("solver.backend = \"cuda\"\n" + text, "s.toml");
    for (const std::string& note : fluid_notes(scene, {.origin = Vec3::Zero(), .dx = 0.125, .n = Vec3i::Constant(8)}))
      all += note;
    return all;
  };
  EXPECT_EQ(notes(water), "");
  EXPECT_NE(notes("method = \"simultaneous\"\n" + water).find("only the pressure solve runs on the GPU, as method"),
            std::string::npos);
  EXPECT_NE(notes(vent).find("only the pressure solve runs on the GPU, as the fluid is not liquid"), std::string::npos);
  EXPECT_NE(notes("method = \"proxy\"\n" + water).find("nothing runs on the GPU"), std::string::npos);
}

}  // namespace
}  // namespace coracle
