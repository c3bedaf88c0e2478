#include "../../out/temporary_directory.h"
#include "coracle/base/files.h"
#include "coracle/shape/tri_mesh.h"
#include "glb_file.h"
#include "tools/characters/character.h"

namespace coracle::characters {
namespace {

// A limb of two bones that bends, twists and moves.
Character limb() {
  Character c{.name = "limb", .edge = 0.03, .longest = 0.05};
  c.add_bone("upper", -1, {0.1, 0.6, 0});
  c.add_bone("lower", 0, {0.1, 0.3, 0.05});
  c.add_bone("end", 1, {0.1, 0, 0});
  c.body = {{.bone = 0, .a = {0.1, 0.6, 0}, .b = {0.1, 0.3, 0.05}, .ra = 0.1, .rb = 0.08},
            {.bone = 1, .a = {0.1, 0.3, 0.05}, .b = {0.1, 0, 0}, .ra = 0.08, .rb = 0.06, .blend = 0.02}};
  const Character still = c;
  c.clips.push_back({.name = "bend", .duration = 0.5, .rate = 40, .pose = [still](double t) {
                       Pose pose = still.rest();
                       pose.shift[0] = {t, -t * t, 0};
                       pose.turn[0] = turn(700 * t, {1, 2, 3});  // almost once round: keys change their sign
                       pose.turn[1] = turn(60 * t, {0, 0, 1});
                       return pose;
                     }});
  grow_skin(c);
  return c;
}

TEST(Glb, gives_back_what_was_written) {
  const Character c = limb();
  const TemporaryDirectory dir;
  write_atomically(dir / "limb.glb", to_glb(c));
  const GlbFile file(dir / "limb.glb");

  ASSERT_EQ(file.skin.x.size(), c.skin.x.size());
  for (std::size_t v = 0; v < c.skin.x.size(); ++v)
    EXPECT_EQ(file.skin.x[v].cast<float>(), c.skin.x[v].cast<float>().eval());
  EXPECT_EQ(file.skin.tris, c.skin.tris);
  std::vector<std::map<int, double>> weights(c.skin.x.size());
  for (unsigned b = 0; b < file.mesh().mNumBones; ++b) {
    const aiBone& bone = *file.mesh().mBones[b];
    for (unsigned i = 0; i < bone.mNumWeights; ++i)
      if (bone.mWeights[i].mWeight > 0)
        weights[bone.mWeights[i].mVertexId][c.bone(bone.mName.C_Str())] = bone.mWeights[i].mWeight;
  }
  for (std::size_t v = 0; v < weights.size(); ++v) {
    std::map<int, double> written;
    for (int k = 0; k < 4; ++k)
      if (c.weights[v].weight[k] > 0) written[c.weights[v].bone[k]] = float(c.weights[v].weight[k]);
    EXPECT_EQ(weights[v], written);
  }
}

TEST(Glb, is_posed_by_other_programs_as_by_us) {
  const Character c = limb();
  const TemporaryDirectory dir;
  write_atomically(dir / "limb.glb", to_glb(c));
  const GlbFile file(dir / "limb.glb");
  const aiAnimation& clip = file.clip("bend");
  ASSERT_EQ(GlbFile::keys(clip), 21u);
  EXPECT_NEAR(GlbFile::duration(clip), 0.5, 1e-6);
  for (unsigned key = 0; key < 21; ++key) {
    const std::vector<Vec3> ours = posed_skin(c, c.clips[0].pose(0.025 * key)), theirs = file.posed(clip, key);
    for (std::size_t v = 0; v < ours.size(); ++v) EXPECT_LT((ours[v] - theirs[v]).norm(), 1e-6);  // floats of 1 m
  }
  // Between keys the turn goes the short way.
  for (unsigned channel = 0; channel < clip.mNumChannels; ++channel) {
    const aiNodeAnim& turns = *clip.mChannels[channel];
    for (unsigned key = 1; key < turns.mNumRotationKeys; ++key) {
      const aiQuaternion &p = turns.mRotationKeys[key - 1].mValue, &q = turns.mRotationKeys[key].mValue;
      EXPECT_GT(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z, 0);
    }
  }
}

TEST(Skin, is_closed_lies_on_the_body_and_has_weights_of_sum_one) {
  const Character c = limb();
  EXPECT_EQ(closedness_problem(c.skin), "");
  for (const Vec3& x : c.skin.x) EXPECT_LT(std::abs(distance_to(c.body, x)), 1e-6);
  for (const SkinWeights& w : c.weights) {
    double sum = 0;
    for (int k = 0; k < 4; ++k) {
      EXPECT_GE(w.weight[k], 0);
      sum += w.weight[k];
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
}

TEST(Skin, moves_rigidly_with_bones_that_do) {
  const Character c = limb();
  Pose pose = c.rest();
  pose.turn[0] = turn(80, {1, 2, 3});
  pose.shift[0] = {1, 2, 3};
  const std::vector<Vec3> x = posed_skin(c, pose);
  for (std::size_t v = 0; v < x.size(); ++v) {
    const Vec3 expected = pose.turn[0] * (c.skin.x[v] - c.bones[0].joint) + c.bones[0].joint + pose.shift[0];
    EXPECT_LT((x[v] - expected).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace coracle::characters
