// The files of scenes/characters.
#include "coracle/base/disjoint_sets.h"
#include "coracle/scene/scenes.h"
#include "coracle/shape/tri_mesh.h"
#include "glb_file.h"

#include <cmath>
#include <filesystem>
#include <set>

namespace coracle::characters {
namespace {

namespace fs = std::filesystem;

struct Shipped {
  std::string name;
  std::set<std::string> clips;
  double lowest, highest;  // m, at rest
};
std::ostream& operator<<(std::ostream& out, const Shipped& s) { return out << s.name; }

std::string path_of(const std::string& name) {
  return (fs::path(find_scene("dam_break")).parent_path().parent_path() / "characters" / (name + ".glb")).string();
}

class Characters : public testing::TestWithParam<Shipped> {
 protected:
  const GlbFile file{path_of(GetParam().name)};
};

TEST_P(Characters, have_one_closed_skin_of_their_true_size) {
  EXPECT_EQ(closedness_problem(file.skin), "");
  DisjointSets pieces(int(file.skin.x.size()));
  for (const Vec3i& t : file.skin.tris) pieces.join(t[0], t[1]), pieces.join(t[1], t[2]);
  for (std::size_t v = 0; v < file.skin.x.size(); ++v) EXPECT_EQ(pieces.root(int(v)), pieces.root(0));
  Bounds box;
  for (const Vec3& x : file.skin.x) box.extend(x);
  const double size = box.hi.y() - box.lo.y();
  EXPECT_NEAR(box.lo.y(), GetParam().lowest, 0.03 * size);
  EXPECT_NEAR(box.hi.y(), GetParam().highest, 0.03 * size);
}

TEST_P(Characters, have_at_most_four_weights_a_vertex_of_sum_one) {
  std::vector<double> sum(file.skin.x.size(), 0);
  std::vector<int> count(file.skin.x.size(), 0);
  for (unsigned b = 0; b < file.mesh().mNumBones; ++b)
    for (unsigned i = 0; i < file.mesh().mBones[b]->mNumWeights; ++i) {
      const aiVertexWeight& w = file.mesh().mBones[b]->mWeights[i];
      EXPECT_GE(w.mWeight, 0);
      sum[w.mVertexId] += w.mWeight;
      count[w.mVertexId] += w.mWeight > 0;
    }
  for (std::size_t v = 0; v < sum.size(); ++v) {
    EXPECT_NEAR(sum[v], 1, 1e-6);
    EXPECT_LE(count[v], 4);
  }
}

// The surface is the same triangles in every pose, so it stays closed; it must also keep what it encloses. Blending
// rotations that differ by an angle α shrinks a limb to cos²(α/2) of its section, and more than a twentieth of the
// whole would be seen.
TEST_P(Characters, keep_their_volume_in_every_clip) {
  std::set<std::string> names;
  const double rest = enclosed_volume(file.skin);
  for (unsigned a = 0; a < file.scene->mNumAnimations; ++a) {
    const aiAnimation& clip = *file.scene->mAnimations[a];
    names.insert(clip.mName.C_Str());
    const unsigned last = GlbFile::keys(clip) - 1;
    for (unsigned sample = 0; sample <= 20; ++sample) {
      const std::vector<Vec3> x = file.posed(clip, sample * last / 20);
      for (const Vec3& p : x) ASSERT_TRUE(p.allFinite());
      EXPECT_NEAR(enclosed_volume(x, file.skin.tris) / rest, 1, 0.05) << clip.mName.C_Str() << " " << sample;
    }
  }
  EXPECT_EQ(names, GetParam().clips);
}

INSTANTIATE_TEST_SUITE_P(All, Characters,
                         testing::Values(Shipped{"ball", {"turn"}, 0, 0.2}, Shipped{"arm", {"stir", "dip"}, 0, 0.62},
                                         Shipped{"dog", {"walk", "shake"}, 0, 0.76},
                                         Shipped{"bather", {"rise", "sit", "wring"}, 0, 1.7},
                                         Shipped{"whale", {"breach"}, -1.4, 1.4}),
                         [](const auto& info) { return info.param.name; });

TEST(ShippedDog, shakes_at_four_hertz_with_more_than_ten_g_and_keeps_its_paws_on_the_ground) {
  const GlbFile file(path_of("dog"));
  const aiAnimation& clip = file.clip("shake");
  const unsigned last = GlbFile::keys(clip) - 1;
  const double dt = GlbFile::duration(clip) / last;
  const unsigned period = unsigned(std::round(0.25 / dt));
  ASSERT_NEAR(period * dt, 0.25, 1e-6);
  double most = 0;
  for (unsigned key = last / 2; key < last / 2 + period; key += 2) {
    const std::vector<Vec3> before = file.posed(clip, key - 1), now = file.posed(clip, key),
                            after = file.posed(clip, key + 1);
    for (std::size_t v = 0; v < now.size(); ++v) {
      if (file.skin.x[v].y() < 0.1) {
        EXPECT_LT((now[v] - file.skin.x[v]).norm(), 1e-3);
      }
      if (std::abs(file.skin.x[v].x()) < 0.1)  // the trunk
        most = std::max(most, (before[v] - 2 * now[v] + after[v]).norm() / (dt * dt));
    }
    // In the middle of the clip the shake is steady.
    const std::vector<Vec3> later = file.posed(clip, key + period / 2), earlier = file.posed(clip, key - period / 2);
    for (std::size_t v = 0; v < now.size(); ++v) EXPECT_LT((later[v] - earlier[v]).norm(), 1e-3);
  }
  EXPECT_GT(most, 10 * 9.81);
  EXPECT_LT(most, 70 * 9.81);
}

TEST(ShippedDog, walks_with_at_least_two_paws_that_follow_the_ground) {
  const GlbFile file(path_of("dog"));
  const aiAnimation& clip = file.clip("walk");
  const unsigned last = GlbFile::keys(clip) - 1;
  const double dt = GlbFile::duration(clip) / last;
  for (unsigned key = 1; key < last; ++key) {
    const std::vector<Vec3> before = file.posed(clip, key - 1), now = file.posed(clip, key),
                            after = file.posed(clip, key + 1);
    std::map<std::pair<bool, bool>, bool> stands;
    for (std::size_t v = 0; v < now.size(); ++v) {
      EXPECT_GT(now[v].y(), -1e-3);
      const Vec3 u = (after[v] - before[v]) / (2 * dt);
      if (now[v].y() < 0.01 && (u - Vec3(-0.7, 0, 0)).norm() < 0.15)
        stands[{now[v].z() > 0, file.skin.x[v].x() > 0}] = true;
    }
    EXPECT_GE(stands.size(), 2u) << key;
  }
}

TEST(ShippedWhale, comes_out_of_the_water_and_falls_back) {
  const GlbFile file(path_of("whale"));
  const aiAnimation& clip = file.clip("breach");
  const unsigned last = GlbFile::keys(clip) - 1;
  const auto share_above = [&](unsigned key) {
    const std::vector<Vec3> x = file.posed(clip, key);
    double above = 0;
    for (const Vec3& p : x) above += p.y() > 0;
    return above / double(x.size());
  };
  double most = 0;
  for (unsigned key = 0; key <= last; key += 5) most = std::max(most, share_above(key));
  EXPECT_EQ(share_above(0), 0);
  EXPECT_GT(most, 0.6);
  EXPECT_LT(share_above(last), 0.1);
}

}  // namespace
}  // namespace coracle::characters
