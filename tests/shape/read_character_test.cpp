#include "coracle/shape/read_character.h"

#include "coracle/shape/character.h"
#include "tests/shape/characters.h"

#include <gtest/gtest.h>

#include <map>

namespace coracle {
namespace {

std::string message(const auto& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

// Largest distance between corresponding corners of triangles, over some times; velocities too.
double difference(const Character& a, const Character& b) {
  if (a.rest.tris.size() != b.rest.tris.size()) return INFINITY;
  double most = 0;
  for (const double time : {0.0, 0.3, 0.8, 1.7, 2.0}) {
    std::vector<Vec3> xa, va, xb, vb;
    pose(a, {}, time, xa, va);
    pose(b, {}, time, xb, vb);
    for (std::size_t t = 0; t < a.rest.tris.size(); ++t)
      for (int c = 0; c < 3; ++c) {
        const int i = a.rest.tris[t][c], j = b.rest.tris[t][c];
        most = std::max({most, (xa[i] - xb[j]).norm(), (va[i] - vb[j]).norm()});
      }
  }
  return most;
}

constexpr double single = 2e-6;  // single precision in the file: 6e-8 a number, and slopes of keys 0.75 s apart

TEST(ReadCharacter, a_glb_file_moves_as_what_was_written) {
  const TestFolder folder;
  for (const Interpolation way : {Interpolation::linear, Interpolation::step, Interpolation::cubic}) {
    const std::string file = folder.write("arm.glb", as_glb(arm(way)));
    EXPECT_TRUE(has_skin(file));
    EXPECT_EQ(clip_names(file), std::vector<std::string>{"bend"});
    const Character read = read_skin(file, "bend");
    EXPECT_EQ(read.clip.length, 2);
    EXPECT_LT(difference(read, arm(way)), single);
  }
}

TEST(ReadCharacter, vertices_that_seams_split_are_joined_so_that_the_skin_is_closed) {
  const TestFolder folder;
  const Character read = read_skin(folder.write("arm.glb", as_glb(arm())), "bend");
  EXPECT_EQ(read.rest.x.size(), arm().rest.x.size());
  EXPECT_EQ(closedness_problem(read.rest), "");
  for (std::size_t i = 0; i < read.rest.x.size(); ++i) {
    double sum = 0;
    for (int k = read.first[i]; k < read.first[i + 1]; ++k) sum += read.influences[k].weight;
    EXPECT_NEAR(sum, 1, 1e-15);
  }
}

TEST(ReadCharacter, a_skeleton_in_centimetres_below_a_node_that_scales_it_gives_metres) {
  const TestFolder folder;
  const Character read = read_skin(folder.write("arm.glb", as_glb(arm(), {.interpolation = "", .unit = 0.01})), "bend");
  EXPECT_LT(difference(read, arm()), single);
  EXPECT_NEAR(enclosed_volume(read.rest), enclosed_volume(arm().rest), 1e-6);
  std::vector<Vec3> x, v;
  std::vector<Mat3> frames;
  pose(read, {}, 0, x, v, frames);  // the clip begins in the pose at rest
  for (const Mat3& frame : frames) EXPECT_LT((frame - Mat3::Identity()).norm(), single);
}

TEST(ReadCharacter, says_what_is_wrong_with_a_file) {
  const TestFolder folder;
  const std::string good = as_glb(arm());
  const std::string file = folder.write("arm.glb", good);
  EXPECT_EQ(message([&] { read_skin(file, "walk"); }), "it has no clip 'walk'");
  const std::string odd = folder.write("odd.glb", as_glb(arm(), {.interpolation = "BEZIER"}));
  EXPECT_NE(message([&] { read_skin(odd, "bend"); }).find("interpolation 'BEZIER'"), std::string::npos);
  EXPECT_FALSE(has_skin(folder.write("still.glb", as_glb(arm(), {.interpolation = "", .skin = false}))));
  for (std::size_t cut = 0; cut < good.size(); cut += 997) {  // no cut makes it read what is not there
    const std::string damaged = folder.write("damaged.glb", good.substr(0, cut));
    EXPECT_NE(message([&] { read_skin(damaged, "bend"); }), "") << cut;
  }
}

TEST(ReadCharacter, changed_bytes_of_the_json_are_an_error_or_harmless) {
  const TestFolder folder;
  const std::string good = as_glb(arm());
  for (std::size_t at = 20; at < 2000; at += 7) {
    std::string bytes = good;
    bytes[at] = bytes[at] == '9' ? '1' : '9';
    const std::string file = folder.write("changed.glb", bytes);
    if (const std::string wrong = message([&] { read_skin(file, "bend"); }); wrong.empty()) {
      std::vector<Vec3> x, v;
      pose(read_skin(file, "bend"), {}, 1, x, v);
    }
  }
}

TEST(ReadCharacter, a_sequence_is_its_files_in_the_order_of_their_numbers) {
  const TestFolder folder;
  const TriMesh rest = box_mesh(Vec3::Zero(), Vec3::Ones());
  for (const int number : {12, 7, 101, 8}) {
    TriMesh shifted = rest;
    for (Vec3& x : shifted.x) x.x() += number;
    std::ostringstream name;
    name << "walk_" << std::setw(3) << std::setfill('0') << number << ".obj";
    folder.write(name.str(), as_obj(shifted));
  }
  folder.write("walk_x12.obj", "v 0 0");
  folder.write("walk_12.obj", "v 0 0");
  const Character read = read_sequence((folder.path / "walk_###.obj").string(), 10);
  ASSERT_EQ(read.shots.size(), 4);
  EXPECT_NEAR(read.clip.length, 0.3, 1e-15);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(read.shots[i][0].x() - rest.x[0].x(), (std::vector<double>{7, 8, 12, 101})[i]);
}

TEST(ReadCharacter, a_sequence_names_the_file_whose_triangles_differ) {
  const TestFolder folder;
  const TriMesh box = box_mesh(Vec3::Zero(), Vec3::Ones());
  folder.write("a_1.obj", as_obj(box));
  folder.write("a_2.obj", as_obj(box));
  const std::string pattern = (folder.path / "a_#.obj").string();
  EXPECT_EQ(message([&] { read_sequence(pattern, 24); }), "");
  folder.write("a_3.obj", as_obj(sphere_mesh(Vec3::Zero(), 1, 1)));
  EXPECT_NE(message([&] { read_sequence(pattern, 24); }).find("a_3.obj' has other triangles"), std::string::npos);
  folder.write("a_3.obj", as_obj({box.x, {box.tris.rbegin(), box.tris.rend()}}));
  EXPECT_NE(message([&] { read_sequence(pattern, 24); }).find("a_3.obj' has other triangles"), std::string::npos);
  folder.write("a_3.obj", "v 0 0 zero\n");
  EXPECT_NE(message([&] { read_sequence(pattern, 24); }).find("has no number in line 1"), std::string::npos);
  EXPECT_NE(message([&] { read_sequence((folder.path / "b_#.obj").string(), 24); }).find("0 of its files"),
            std::string::npos);
}

TEST(ReadCharacter, faces_of_a_sequence_may_have_more_corners_and_texture_indices) {
  const TestFolder folder;
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv +0 1 0\nv .5 .5 1\n";
  const std::string faces = "f 4/1/1 3/1/1 2/1/1 1/1/1\nf 1//2 2//2 5//2\nf 2 3 5\nf 3 4 5\r\nf -2 -5 -1\n";
  for (const char* name : {"p_1.obj", "p_2.obj"}) folder.write(name, "# pyramid\n" + corners + faces);
  const Character read = read_sequence((folder.path / "p_#.obj").string(), 1);
  EXPECT_EQ(closedness_problem(read.rest), "");
  EXPECT_NEAR(enclosed_volume(read.rest), 1.0 / 3, 1e-15);
}

}  // namespace
}  // namespace coracle
