// What is wrong with a muscle is told at its line.
#include "coracle/scene.h"
#include "coracle/world/build.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

// What is told of a body with this muscle, whose first line is line 8.
std::string told(const std::string& muscle) {
  try {
    build_world(parse_scene(
        "[domain]\nresolution = 8\n[[body]]\nname = 'fish'\nshape = 'sphere'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.2\n"
        "[[body.muscle]]\n"
        "name = 'left'\n" +
            muscle,
        "s.toml"));
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

TEST(CheckMuscles, a_wave_must_have_a_length_that_numbers_can_tell_apart) {
  EXPECT_EQ(told("wavelength = 0.2"), "");
  EXPECT_EQ(told("wavelength = 0"), "");
  EXPECT_NE(told("wavelength = 5e-324").find("'wavelength' must be at least 1e-06 m, or 0"), std::string::npos);
  EXPECT_NE(told("frequency = 1e300").find("'frequency' must be at least 0 and at most 1000000"), std::string::npos)
      << told("frequency = 1e300");
}

TEST(CheckMuscles, a_muscle_without_elements_is_named_with_its_line) {
  const std::string text = told("[[body.muscle.region]]\nshape = 'sphere'\ncenter = [9, 9, 9]\nradius = 0.1");
  EXPECT_NE(text.find("s.toml:8:"), std::string::npos) << text;
  EXPECT_NE(text.find("the muscle 'left' contains no element of 'fish'"), std::string::npos) << text;
}

}  // namespace
}  // namespace coracle
