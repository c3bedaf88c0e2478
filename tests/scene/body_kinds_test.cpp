// Options of a body must belong to its kind, and what a kind needs must be there.
#include "coracle/scene.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

// What a scene is told, problem by problem.
std::string told(const std::string& toml) {
  std::string all;
  try {
    parse_scene(toml, "s.toml");
  } catch (const SceneError& error) {
    for (const Problem& p : error.problems) all += p.text() + "\n";
  }
  return all;
}

void expect_one(const std::string& toml, const std::string& place, const std::string& part) {
  const std::string all = told(toml);
  EXPECT_NE(all.find(part), std::string::npos) << part << " is not in: " << all;
  EXPECT_EQ(all.rfind("s.toml:" + place, 0), 0u) << all;
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 1) << all;
}

const std::string sheet =
    "[[body]]\nname = 'cloth'\nkind = 'shell'\nshape = 'rectangle'\ncenter = [0.5, 0.5, 0.5]\nalong = [0.5, 0, "
    "0]\nacross = [0, 0, 0.5]\n";
const std::string rope =
    "[[body]]\nname = 'rope'\nkind = 'rod'\nshape = 'line'\npoints = [[0.2, 0.5, 0.5], [0.8, 0.5, 0.5]]\n";
const std::string crate =
    "[[body]]\nname = 'crate'\nkind = 'rigid'\nshape = 'box'\ncenter = [0.5, 0.8, 0.5]\nsize = [0.1, 0.1, 0.1]\n";

TEST(BodyKinds, a_scene_with_all_kinds_has_no_problem_and_barrier_contact) {
  const Scene scene = parse_scene(sheet + "shell_thickness = 1e-3\n" + rope + "rod_radius = 1e-3\n" + crate, "s.toml");
  EXPECT_EQ(scene.contact.kind, ContactKind::barrier);
  EXPECT_TRUE(scene.elastic.newton);
  EXPECT_EQ(parse_scene("[[body]]\nname = 'a'\nshape = 'sphere'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.1\n", "s.toml")
                .contact.kind,
            ContactKind::penalty);
}

TEST(BodyKinds, a_shell_needs_a_thickness_and_a_rod_a_radius) {
  expect_one(sheet, "3", "set 'shell_thickness'");
  expect_one(rope, "3", "set 'rod_radius'");
}

TEST(BodyKinds, a_rod_is_longer_than_thick_and_the_ropes_of_a_net_lie_apart) {
  expect_one(rope + "rod_radius = 0.31\n", "6", "0.62 m thick and 0.6 m long");
  const std::string net =
      "[[body]]\nname = 'net'\nkind = 'rod'\nshape = 'net'\ncenter = [0.5, 0.5, 0.5]\nalong = [0.5, 0, 0]\nacross = "
      "[0, "
      "0, 0.5]\nrod_radius = 0.01\n";
  EXPECT_EQ(told(net + "spacing = 0.021\n"), "");
  expect_one(net + "spacing = 0.02\n", "9", "must be further apart");
}

TEST(BodyKinds, options_of_another_kind_are_refused) {
  expect_one(crate + "rod_radius = 1e-3\n", "7", "'rod_radius' belongs to kind = 'rod'");
  expect_one(crate + "young = 1e6\n", "7", "does not deform");
  expect_one(rope + "rod_radius = 1e-3\nmaterial = 'neo_hookean'\n", "7", "'material' belongs to kind = 'solid'");
}

TEST(BodyKinds, shapes_without_volume_are_for_shells_and_rods) {
  expect_one(
      "[[body]]\nname = 'a'\nshape = 'rectangle'\ncenter = [0.5, 0.5, 0.5]\nalong = [0.5, 0, 0]\nacross = [0, 0, "
      "0.5]\n",
      "3", "set kind = 'shell'");
  expect_one("[[solid]]\nname = 'a'\nshape = 'line'\npoints = [[0, 0, 0], [1, 0, 0]]\n" + crate, "3",
             "can only be a body");
  expect_one(
      "[[body]]\nname = 'a'\nkind = 'rod'\nrod_radius = 0.01\nshape = 'sphere'\ncenter = [0.5, 0.5, "
      "0.5]\nradius = 0.1\n",
      "5", "cannot be a rod");
}

TEST(BodyKinds, all_but_solids_need_newtons_method) {
  expect_one(crate + "[elastic]\nnewton = false\n", "8", "needs Newton's method");
  expect_one(crate + "[elastic]\nnewton = false\n[contact]\nkind = 'none'\n", "8", "does not turn freely");
  expect_one("method = 'simultaneous'\n" + crate, "4", "needs Newton's method");
}

TEST(BodyKinds, sides_of_a_sheet_are_at_right_angles) {
  expect_one(
      "[[body]]\nname = 'a'\nkind = 'shell'\nshell_thickness = 1e-3\nshape = 'rectangle'\ncenter = [0.5, 0.5, "
      "0.5]\nalong = [0.5, 0, 0]\nacross = [0.1, 0, 0.5]\n",
      "8", "right angles");
}

TEST(BodyKinds, shells_in_a_fluid_and_with_penalty_are_refused) {
  const std::string fine = sheet + "shell_thickness = 1e-3\n";
  expect_one(fine + "[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.2, 1]\n", "3",
             "fluids on a grid need bodies with a volume");
  expect_one(fine + "[contact]\nkind = 'penalty'\n", "10", "leave it out to have barrier contact");
  EXPECT_EQ(told(rope + "rod_radius = 1e-3\n[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.2, 1]\n"),
            "");
}

TEST(BodyKinds, thin_bodies_outside_the_domain_are_refused) {
  expect_one(
      "[[body]]\nname = 'rope'\nkind = 'rod'\nrod_radius = 1e-3\nshape = 'line'\npoints = [[0.2, 0.5, 0.5], "
      "[1.8, 0.5, 0.5]]\n",
      "5", "reaches out of the domain in x");
}

TEST(BodyKinds, attachments_name_two_bodies_and_points) {
  const std::string both = rope + "rod_radius = 1e-3\n" + crate + "[[attachment]]\nbody = 'rope'\n";
  EXPECT_EQ(told(both + "to = 'crate'\npoints = [[0.2, 0.5, 0.5]]\n"), "");
  expect_one(both + "to = 'create'\npoints = [[0.2, 0.5, 0.5]]\n", "15", "there is no body 'create'");
  expect_one(both + "to = 'rope'\npoints = [[0.2, 0.5, 0.5]]\n", "15", "cannot be tied to itself");
  expect_one(both + "to = 'crate'\npoints = []\n", "16", "one point or more");
}

}  // namespace
}  // namespace coracle
