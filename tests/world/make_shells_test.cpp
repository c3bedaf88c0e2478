#include "coracle/world/make_shells.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace coracle {
namespace {

std::string refusal(const std::vector<Vec3>& x, const std::vector<Vec3i>& tris) {
  try {
    (void)make_shells(x, tris, 0.3);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(MakeShells, what_is_wrong_with_a_mesh_is_told_with_its_place_and_a_remedy) {
  const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {2, 0, 0}};
  const std::string edge = "the edge from (0, 0, 0) to (1, 0, 0)";
  EXPECT_EQ(refusal(x, {{0, 1, 2}, {1, 0, 3}}), "");
  EXPECT_EQ(refusal(x, {{0, 1, 2}, {0, 1, 3}}),
            "the two triangles at " + edge +
                " are turned opposite ways; turn one of them round in the file (a band with one twist has no two "
                "sides: cut it)");
  EXPECT_EQ(refusal(x, {{0, 1, 2}, {1, 0, 3}, {1, 0, 4}}),
            edge + " has 3 triangles, and a shell can have two; make two bodies of it, and tie them by an attachment");
  EXPECT_EQ(refusal(x, {{0, 1, 2}, {1, 0, 4}}),
            "the triangles at " + edge + " are folded onto each other; open the fold a little");
  EXPECT_EQ(refusal(x, {{0, 1, 2}, {0, 1, 5}}),
            "triangle 2 at (0, 0, 0) has no area; leave it out of the file, or join its vertices");
}

}  // namespace
}  // namespace coracle
