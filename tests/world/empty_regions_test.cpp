#include "coracle/simulation.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace coracle {
namespace {

std::vector<std::string> said(const std::string& method, double size) {
  const std::string text = fmt::format(
      "method = '{}'\n[domain]\nresolution = 8\n[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.3, 1]\n"
      "[[liquid.region]]\nshape = 'box'\ncenter = [0.5, 0.75, 0.5]\nsize = [{}, {}, {}]\n",
      method, size, size, size);
  std::vector<std::string> lines;
  SimulationOptions options;
  options.log = [&](const std::string& line) { lines.push_back(line); };
  const Simulation sim(parse_scene(text, "scene.toml"), options);
  std::erase_if(lines, [](const std::string& line) { return line.find("holds no liquid") == std::string::npos; });
  return lines;
}

TEST(EmptyRegions, a_region_without_a_particle_is_named_under_every_method) {
  for (const char* method : {"cutcell", "proxy"}) {
    const std::vector<std::string> lines = said(method, 1e-4);  // a cell is 0.125
    ASSERT_EQ(lines.size(), 1u) << method;
    EXPECT_NE(lines[0].find("liquid.region 1"), std::string::npos) << lines[0];
    EXPECT_TRUE(said(method, 0.25).empty()) << method;
  }
}

}  // namespace
}  // namespace coracle
