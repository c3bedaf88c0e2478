// A run holds copies of its meshes: it needs no other file, and notices a changed one.
#include "coracle/out/run_meshes.h"

#include "coracle/error.h"
#include "coracle/out/replay.h"
#include "coracle/out/run.h"
#include "coracle/out/run_directory.h"
#include "coracle/simulation.h"
#include "temporary_directory.h"
#include "tests/shape/mesh_files.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace coracle {
namespace {

namespace fs = std::filesystem;

// A tetrahedron of the given height.
TriMesh pyramid(double height, double at = 0) {
  TriMesh mesh{{{0, 0, 0}, {0.3, 0, 0}, {0, 0, 0.3}, {0, height, 0}}, {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
  for (Vec3& x : mesh.x) x += Vec3::Constant(at);
  return mesh;
}

struct Folder {
  TemporaryDirectory dir;
  std::string scene = dir / "scene.toml", run_dir = dir / "run";

  Folder() {
    make_directories(dir / "a");
    write_atomically(dir / "a/rock.obj", as_obj(pyramid(0.3)));
    write_atomically(dir / "skin.obj", as_obj(pyramid(0.31, 0.5)));
    write_atomically(scene, R"([domain]
resolution = 8
[time]
frames = 3
fps = 50
[[solid]]
name = "rock"
shape = "mesh"
file = "a/rock.obj"
translate = [0.1, 0.1, 0.1]
[[body]]
name = "soft"
shape = "mesh"
file = "a/rock.obj"
translate = [0.5, 0.5, 0.5]
edge = 0.06
render = "skin.obj"
[output]
checkpoint_every = 1
)");
  }

  RunEnd run_it(const std::string& from, bool resume, bool overwrite = false) const {
    RunOptions options;
    options.dir = run_dir;
    options.resume = resume;
    options.overwrite = overwrite;
    return run(load_scene(from), options, {});
  }
  void crash() const {
    RunOptions options;
    options.dir = run_dir;
    EXPECT_THROW(run(load_scene(scene), options,
                     [&](const StepReport&, const World& world) {
                       if (world.clock.frame == 2) throw std::logic_error("crash");
                     }),
                 std::logic_error);
  }
  std::string copy_of(const std::string& name) const {
    for (const auto& entry : fs::recursive_directory_iterator(run_dir + "/meshes"))
      if (entry.path().filename() == name) return entry.path().string();
    return "";
  }
  std::string refusal(const std::string& from) const {
    return message_of<RunError>([&] { run_it(from, true); });
  }
};

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

TEST(RunMeshes, a_run_moves_and_resumes_without_the_files_it_was_started_with) {
  const Folder folder;
  folder.crash();
  EXPECT_FALSE(has(read_file(scene_file(folder.run_dir)), folder.dir.path.string())) << "no absolute path";
  fs::remove_all(folder.dir / "a");
  fs::remove(folder.dir / "skin.obj");
  const std::string moved = folder.dir / "moved";
  fs::rename(folder.run_dir, moved);
  EXPECT_EQ(Simulation::resume(moved + "/checkpoints/checkpoint.0001.h5").world().bodies.size(), 1u);
  RunOptions options;
  options.dir = moved;
  options.resume = true;
  EXPECT_EQ(run(load_scene(scene_file(moved)), options, {}), RunEnd::done);
}

TEST(RunMeshes, a_changed_mesh_is_refused_with_what_to_do) {
  const Folder folder;
  folder.crash();
  write_atomically(folder.dir / "a/rock.obj", as_obj(pyramid(0.29)));
  const std::string said = folder.refusal(folder.scene);
  EXPECT_TRUE(has(said, folder.dir / "a/rock.obj has changed since the run was started")) << said;
  EXPECT_TRUE(has(said, folder.copy_of("rock.obj"))) << said;
  EXPECT_TRUE(has(said, "--overwrite")) << said;
  EXPECT_EQ(folder.run_it(scene_file(folder.run_dir), true), RunEnd::done) << "the run's own scene still works";
}

TEST(RunMeshes, a_changed_surface_to_show_is_refused_too) {
  const Folder folder;
  folder.crash();
  write_atomically(folder.dir / "skin.obj", as_obj(pyramid(0.32, 0.5)));
  EXPECT_TRUE(has(folder.refusal(folder.scene), "skin.obj has changed"));
}

TEST(RunMeshes, the_same_mesh_elsewhere_is_the_same_mesh) {
  const Folder folder;
  folder.crash();
  fs::rename(folder.dir / "a", folder.dir / "b");
  std::string text = read_file(folder.scene);
  for (std::size_t at; (at = text.find("a/rock")) != std::string::npos;) text[at] = 'b';
  write_atomically(folder.scene, text);
  EXPECT_EQ(folder.run_it(folder.scene, true), RunEnd::done);
}

TEST(RunMeshes, a_damaged_copy_is_named) {
  const Folder folder;
  folder.crash();
  const std::string copy = folder.copy_of("rock.obj");
  write_atomically(copy, as_obj(pyramid(0.29)));
  for (const std::string& from : {folder.scene, scene_file(folder.run_dir)}) {
    const std::string said = folder.refusal(from);
    EXPECT_TRUE(has(said, copy)) << said;
    EXPECT_TRUE(has(said, "is not the mesh that the run was started with")) << said;
  }
}

TEST(RunMeshes, a_run_started_again_from_its_own_scene_keeps_its_meshes) {
  const Folder folder;
  folder.crash();
  fs::remove_all(folder.dir / "a");
  fs::remove(folder.dir / "skin.obj");
  EXPECT_EQ(folder.run_it(scene_file(folder.run_dir), false, true), RunEnd::done);
  EXPECT_EQ(read_file(folder.copy_of("rock.obj")), as_obj(pyramid(0.3)));
  EXPECT_EQ(read_file(folder.copy_of("skin.obj")), as_obj(pyramid(0.31, 0.5)));
}

TEST(RunMeshes, the_buffer_of_a_gltf_file_and_the_other_half_of_a_tetgen_pair_are_copied) {
  const Folder folder;
  std::string buffer;
  write_atomically(folder.dir / "a/rock.gltf", as_gltf(pyramid(0.3), "rock.bin", buffer));
  write_atomically(folder.dir / "a/rock.bin", buffer);
  write_atomically(folder.dir / "a/tet.node", "4 3 0 0\n1 0 0 0\n2 .3 0 0\n3 0 .3 0\n4 0 0 .3\n");
  write_atomically(folder.dir / "a/tet.ele", "1 4 0\n1 1 2 3 4\n");
  Scene scene = load_scene(folder.scene);
  scene.solids[0].shape.file = folder.dir / "a/rock.gltf";
  scene.bodies[0].shape.file = folder.dir / "a/tet.ele";
  scene.bodies[0].render = "";
  RunOptions options;
  options.dir = folder.run_dir;
  EXPECT_EQ(run(scene, options, {}), RunEnd::done);
  for (const char* name : {"rock.gltf", "rock.bin", "tet.node", "tet.ele"}) EXPECT_NE(folder.copy_of(name), "") << name;
  const MeshCopies before = read_meshes(scene);
  buffer[0] = char(buffer[0] + 1);
  write_atomically(folder.dir / "a/rock.bin", buffer);
  EXPECT_NE(read_meshes(scene).at(scene.solids[0].shape.file).path, before.at(scene.solids[0].shape.file).path);
}

TEST(RunMeshes, all_files_of_a_sequence_are_copied_and_every_frame_shows_its_own_pose) {
  const Folder folder;
  for (int i = 1; i <= 3; ++i)
    write_atomically(folder.dir / ("a/rise_" + std::to_string(i) + ".obj"), as_obj(pyramid(0.3, 0.1 * i)));
  Scene scene = load_scene(folder.scene);
  scene.solids[0].shape.file = folder.dir / "a/rise_#.obj";
  scene.solids[0].shape.translate = Vec3::Zero();
  scene.solids[0].fps = scene.time.fps;  // a file a frame
  scene.bodies.clear();
  scene.liquid.regions.resize(1);
  scene.liquid.regions[0].shape.center = Vec3(0.85, 0.1, 0.85),
  scene.liquid.regions[0].shape.size = Vec3::Constant(0.2);
  RunOptions options;
  options.dir = folder.run_dir;
  EXPECT_EQ(run(scene, options, {}), RunEnd::done);
  fs::remove_all(folder.dir / "a");
  EXPECT_EQ(folder.run_it(scene_file(folder.run_dir), false, true), RunEnd::done);
  for (int i = 1; i <= 3; ++i) EXPECT_NE(folder.copy_of("rise_" + std::to_string(i) + ".obj"), "");
  const Replay replay = open_replay(folder.run_dir, {});
  EXPECT_EQ(replay.frames.size(), 4u);
  for (int f = 0; f <= 3; ++f)  // the last pose stays
    EXPECT_NEAR(read_frame(replay, f).solids[0].x[0].y(), 0.1 * std::min(f + 1, 3), 1e-6) << f;
}

}  // namespace
}  // namespace coracle
