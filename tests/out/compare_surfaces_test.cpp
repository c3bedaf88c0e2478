// The distance between the surfaces of two runs, from frames that are made up.
#include "coracle/out/compare_surfaces.h"

#include "coracle/error.h"
#include "coracle/shape/tri_mesh.h"
#include "temporary_directory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

// Water, a post that stands and a door that moves, for three frames.
class CompareSurfaces : public testing::Test {
 protected:
  static PlyMesh ply(const TriMesh& mesh, const Vec3& by) {
    PlyMesh out{{}, mesh.tris};
    for (const Vec3& x : mesh.x) out.x.push_back((x + by).cast<float>());
    out.v.assign(out.x.size(), Vec3f::Zero());
    return out;
  }
  std::string file(const std::string& run, const char* name, int frame) const {
    return fmt::format("{}/{}/frames/{}.{:04}.ply", dir.path.string(), run, name, frame);
  }
  Replay make(const std::string& name, const Vec3& by = Vec3::Zero(), int fps = 10) const {
    const std::string at = dir / name;
    make_directories(at + "/frames");
    write_atomically(at + "/scene.toml", fmt::format(R"([domain]
resolution = 20
[time]
frames = 3
fps = {}
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 0.3, 1]
[[solid]]
name = "post"
shape = "box"
min = [0.1, 0, 0.1]
max = [0.2, 0.8, 0.2]
[[solid]]
name = "door"
shape = "box"
min = [0.7, 0, 0.7]
max = [0.8, 0.8, 0.8]
[[solid.motion]]
type = "velocity"
velocity = [0.1, 0, 0]
)",
                                                     fps));
    write_atomically(at + "/stats.jsonl", "");
    const TriMesh box = box_mesh({0.3, 0.3, 0.3}, {0.6, 0.6, 0.6});
    for (int f = 0; f <= 3; ++f) {
      write_ply(file(name, "surface", f), ply(sphere_mesh({0.5, 0.5, 0.5}, 0.3, 0.05), by));
      write_ply(file(name, "solid_door", f), ply(box, Vec3::Zero()));
    }
    write_ply(file(name, "solid_post", 0), ply(box, by));
    return open_replay(at);
  }
  static const FileDifference* find(const std::vector<FileDifference>& all, const std::string& name) {
    for (const FileDifference& f : all)
      if (f.file == name) return &f;
    return nullptr;
  }
  TemporaryDirectory dir;
};

TEST_F(CompareSurfaces, a_run_does_not_differ_from_itself) {
  const Replay a = make("a"), b = make("b");
  const std::vector<FramePair> frames = common_frames(a, b);
  ASSERT_EQ(frames.size(), 4u);
  const std::vector<FileDifference> all = compare_surfaces(a, b, frames);
  EXPECT_EQ(all.size(), 9u) << "water and door four times, the post once";
  for (const FileDifference& f : all) {
    EXPECT_TRUE(f.same_bits) << f.file;
    ASSERT_TRUE(f.distance.has_value()) << f.file;
    EXPECT_EQ(f.distance->largest, 0);
    EXPECT_EQ(f.distance->rms, 0);
  }
}

TEST_F(CompareSurfaces, what_is_moved_differs_by_its_way_in_either_order) {
  const double way = 0.02;
  const Replay a = make("a"), b = make("b", {way, 0, 0});
  const std::vector<FileDifference> all = compare_surfaces(a, b, {{3, 3}}), back = compare_surfaces(b, a, {{3, 3}});
  ASSERT_EQ(all.size(), 3u);
  const SurfaceDistance& water = find(all, "surface")->distance.value();
  EXPECT_LE(water.largest, way + 1e-7) << "coordinates are single precision";
  const double tilt = 0.05 / 0.3;  // of a facet, at most
  EXPECT_GT(water.largest, std::cos(tilt) * way);
  EXPECT_NEAR(water.mean, way / 2, tilt * tilt * way) << "|cos θ| over a sphere";
  EXPECT_NEAR(find(all, "solid_post")->distance->largest, way, 1e-7) << "faces at right angles to the way";
  EXPECT_TRUE(find(all, "solid_door")->same_bits);
  for (const FileDifference& f : all) {
    const SurfaceDistance &d = *f.distance, &e = find(back, f.file)->distance.value();
    EXPECT_EQ(d.largest, e.largest) << f.file;
    EXPECT_EQ(d.mean, e.mean) << f.file;
    EXPECT_EQ(d.rms, e.rms) << f.file;
    EXPECT_EQ(d.between, e.between) << f.file;
  }
}

TEST_F(CompareSurfaces, other_values_on_the_same_shape_are_no_distance_but_other_bits) {
  const Replay a = make("a"), b = make("b");
  PlyMesh mesh = read_ply(file("b", "surface", 3));
  mesh.v[7].x() = 1;
  write_ply(file("b", "surface", 3), mesh);
  const std::vector<FileDifference> all = compare_surfaces(a, b, {{3, 3}});
  EXPECT_FALSE(find(all, "surface")->same_bits);
  EXPECT_EQ(find(all, "surface")->distance->largest, 0);
}

TEST_F(CompareSurfaces, what_only_one_run_has_is_said) {
  const Replay a = make("a");
  make("b");
  write_ply(file("b", "surface", 3), PlyMesh{});
  std::string scene = read_file(dir / "b/scene.toml");
  scene.replace(scene.find("\"post\""), 6, "\"mast\"");
  write_atomically(dir / "b/scene.toml", scene);
  std::filesystem::rename(file("b", "solid_post", 0), file("b", "solid_mast", 0));
  const std::vector<FileDifference> all = compare_surfaces(a, open_replay(dir / "b"), {{3, 3}});
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(find(all, "surface")->only, OnlyIn::a) << "no water is left in b";
  EXPECT_FALSE(find(all, "surface")->distance.has_value());
  EXPECT_EQ(find(all, "solid_post")->only, OnlyIn::a);
  EXPECT_EQ(find(all, "solid_mast")->only, OnlyIn::b);
  EXPECT_EQ(find(all, "solid_door")->only, OnlyIn::neither);
}

TEST_F(CompareSurfaces, frames_are_matched_by_their_times) {
  const Replay a = make("a"), b = make("b", Vec3::Zero(), 20);
  const std::vector<FramePair> frames = common_frames(a, b);
  ASSERT_EQ(frames.size(), 2u) << "0 and 0.1 s: frames 0 and 1 of a, 0 and 2 of b";
  EXPECT_EQ(frames[1].a, 1);
  EXPECT_EQ(frames[1].b, 2);
}

TEST_F(CompareSurfaces, a_damaged_file_is_named) {
  const Replay a = make("a"), b = make("b");
  write_atomically(file("b", "surface", 3), "ply\n");
  const std::string said = message_of<RunError>([&] { compare_surfaces(a, b, {{3, 3}}); });
  EXPECT_NE(said.find("surface.0003.ply"), std::string::npos) << said;
}

TEST_F(CompareSurfaces, a_point_that_is_not_finite_is_named_with_its_file) {
  const Replay a = make("a"), b = make("b");
  for (const float odd : {std::nanf(""), INFINITY}) {
    PlyMesh mesh = read_ply(file("b", "surface", 3));
    mesh.x[6].y() = odd;
    write_ply(file("b", "surface", 3), mesh);
    for (const Replay& other : {a, b}) {  // also beside a copy of itself
      const std::string said = message_of<RunError>([&] { compare_surfaces(other, b, {{3, 3}}); });
      EXPECT_NE(said.find("b/frames/surface.0003.ply: point 7 of "), std::string::npos) << said;
    }
  }
}

}  // namespace
}  // namespace coracle
