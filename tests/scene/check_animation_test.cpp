// What a scene may ask of an animated mesh, and how it is told what is wrong.
#include "coracle/scene.h"
#include "coracle/scene/animation.h"
#include "tests/shape/characters.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

const std::string water = "[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.2, 1]\n";

std::string solid(const std::string& more) {
  return water + "[[solid]]\nname = 'dog'\nshape = 'mesh'\nscale = 0.5\ntranslate = [0.5, 0.3, 0.5]\n" + more;
}

std::string problem_of(const TestFolder& folder, const std::string& text) {
  try {
    parse_scene(text, (folder.path / "scene.toml").string());
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

void expect_problem(const TestFolder& folder, const std::string& text, const std::string& part) {
  const std::string found = problem_of(folder, text);
  EXPECT_NE(found.find(part), std::string::npos) << found << "\nhas no: " << part;
}

TEST(CheckAnimation, a_skin_takes_the_only_clip_of_its_file) {
  const TestFolder folder;
  folder.write("arm.glb", as_glb(arm()));
  const Scene scene = parse_scene(solid("file = 'arm.glb'\n"), (folder.path / "scene.toml").string());
  EXPECT_EQ(scene.solids[0].clip, "bend");
  EXPECT_TRUE(is_animated(scene.solids[0]));
  EXPECT_TRUE(moves(scene.solids[0]));
  const Playback playback = playback_of(scene.solids[0]);
  EXPECT_EQ(playback.start, 0);
  EXPECT_EQ(playback.speed, 1);
  EXPECT_FALSE(playback.loop);
}

TEST(CheckAnimation, a_mesh_without_a_skin_stays_still) {
  const TestFolder folder;
  folder.write("arm.glb", as_glb(arm(), {.interpolation = "", .skin = false}));
  const Scene scene = parse_scene(solid("file = 'arm.glb'\n"), (folder.path / "scene.toml").string());
  EXPECT_FALSE(moves(scene.solids[0]));
}

TEST(CheckAnimation, the_place_of_the_mesh_holds_for_its_poses) {
  const TestFolder folder;
  folder.write("arm.glb", as_glb(arm()));
  const Scene scene = parse_scene(solid("file = 'arm.glb'\nclip_start = 0.5\n"), (folder.path / "scene.toml").string());
  std::vector<Vec3> x, v;
  pose(arm(), {.start = 0.5}, 0, x, v);
  Bounds expected, found;
  for (const Vec3& p : x) expected.extend(0.5 * p + Vec3(0.5, 0.3, 0.5));
  for (const Vec3& p : first_pose(scene.solids[0]).x) found.extend(p);
  EXPECT_LT((expected.lo - found.lo).norm() + (expected.hi - found.hi).norm(), 1e-6);
}

TEST(CheckAnimation, wrong_clips_are_named_with_those_that_exist) {
  const TestFolder folder;
  folder.write("arm.glb", as_glb(arm()));
  expect_problem(folder, solid("file = 'arm.glb'\nclip = 'bent'\n"),
                 "has no clip 'bent'; it has 'bend'; did you mean 'bend'?");
  expect_problem(folder, solid("file = 'arm.glb'\nclip = 'bent'\n"), "scene.toml:11:");  // the line of the clip
  folder.write("still.glb", as_glb(arm(), {.interpolation = "", .skin = false}));
  expect_problem(folder, solid("file = 'still.glb'\nclip = 'bend'\n"), "has no skin");
  folder.write("box.obj", as_obj(box_mesh(Vec3::Zero(), Vec3::Constant(0.1))));
  expect_problem(folder, solid("file = 'box.obj'\nclip = 'bend'\n"), "has no skin");
  expect_problem(folder, solid("file = 'box.obj'\nloop = true\n"), "is not animated, so that it has no 'loop'");
  expect_problem(folder, solid("file = 'box.obj'\nfps = 30\n"), "is no sequence of files");
  expect_problem(folder, water + "[[solid]]\nname = 'a'\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\nclip = 'b'\n",
                 "clip");
}

TEST(CheckAnimation, broken_skins_are_refused_with_their_remedy) {
  const TestFolder folder;
  Character open = arm(), flipped = arm();
  open.rest.tris.pop_back();
  for (Vec3i& t : flipped.rest.tris) std::swap(t[1], t[2]);
  folder.write("open.glb", as_glb(open));
  folder.write("flipped.glb", as_glb(flipped));
  folder.write("odd.glb", as_glb(arm(), {.interpolation = "BEZIER"}));
  expect_problem(folder, solid("file = 'open.glb'\n"), "is not closed");
  expect_problem(folder, solid("file = 'open.glb'\n"), "fill the holes");
  expect_problem(folder, solid("file = 'flipped.glb'\n"), "is turned inside out: its normals point inward; flip them");
  expect_problem(folder, solid("file = 'odd.glb'\n"), "interpolation 'BEZIER'");
  folder.write("damaged.glb", as_glb(arm()).substr(0, 9000));
  EXPECT_NE(problem_of(folder, solid("file = 'damaged.glb'\n")), "");
}

TEST(CheckAnimation, a_character_in_centimetres_gets_a_hint) {
  const TestFolder folder;
  Character large = arm();
  place(large, 180, Mat3::Identity(), Vec3::Zero());
  for (Character::Bone& bone : large.bones) bone.local.b *= 180;  // as_glb() writes bones, not the root
  for (Track& track : large.clip.tracks)
    for (Eigen::Vector4d& value : track.translation.values) value *= 180;
  for (Character::Joint& joint : large.joints) joint.inverse_bind.a = Mat3::Identity();
  large.joints[1].inverse_bind.b = Vec3(0, -90, 0);
  folder.write("large.glb", as_glb(large));
  expect_problem(folder, water + "[[solid]]\nname = 'dog'\nshape = 'mesh'\nfile = 'large.glb'\n",
                 "times as large as the domain; is it in centimetres? scale = 0.01");
}

TEST(CheckAnimation, sequences_are_of_one_mesh) {
  const TestFolder folder;
  const TriMesh box = box_mesh(Vec3::Zero(), Vec3::Constant(0.3));
  folder.write("walk_01.obj", as_obj(box));
  folder.write("walk_02.obj", as_obj(box));
  const std::string walk = solid("file = 'walk_##.obj'\nfps = 12\nloop = true\n");
  EXPECT_EQ(problem_of(folder, walk), "");
  expect_problem(folder, walk + "clip = 'walk'\n", "is a sequence of files, which has no clips");
  expect_problem(folder, water + "[[body]]\nname = 'soft'\nshape = 'mesh'\nfile = 'walk_##.obj'\n",
                 "is a sequence of files, which only solids take");
  expect_problem(folder, solid("file = 'run_##.obj'\n"), "names a file that does not exist");
  folder.write("walk_03.obj", as_obj(sphere_mesh(Vec3::Zero(), 0.2, 0.1)));
  expect_problem(folder, walk, "walk_03.obj' has other triangles than 'walk_01.obj'");
}

TEST(CheckAnimation, probes_follow_motions_alone) {
  const TestFolder folder;
  folder.write("arm.glb", as_glb(arm()));
  const std::string probe = "[[probe]]\nname = 'p'\ntype = 'pressure'\npoint = [0.5, 0.1, 0.5]\nmoves_with = 'dog'\n";
  expect_problem(folder, solid("file = 'arm.glb'\n") + probe, "is animated, and a probe follows");
  EXPECT_EQ(problem_of(folder,
                       solid("file = 'arm.glb'\n[[solid.motion]]\ntype = 'velocity'\nvelocity = [0, 0, 1]\n") + probe),
            "");
}

}  // namespace
}  // namespace coracle
