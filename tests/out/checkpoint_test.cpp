#include "coracle/out/checkpoint.h"

#include "coracle/error.h"
#include "coracle/world/bodies.h"
#include "coracle/world/build.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>

namespace coracle {
namespace {

World empty_world(const Vec3i& cells = Vec3i(5, 4, 3)) {
  World world;
  const Grid grid{.origin = Vec3(0.1, -2, 3), .dx = 1.0 / 3, .n = cells};
  world.domain = {grid.origin, grid.upper()};
  world.fluid = empty_fluid(FluidKind::liquid, grid);
  return world;
}

Body cube(const char* name, int cells) {
  BodyOptions options;
  options.name = name;
  options.mesh = BodyMesh::grid6;
  options.shape.kind = ShapeKind::box;
  options.cells = Vec3i::Constant(cells);
  return build_body(options);
}

World world_with_bodies() {
  World world = empty_world();
  world.bodies = {cube("one", 2), cube("other", 3)};
  return world;
}

World some_world(int frame) {
  World world = empty_world();
  world.clock = {frame, 10 * frame + 7, frame / 24.0 + 1e-17, 1.0 / (frame + 7)};
  Liquid& liquid = liquid_of(world);
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < liquid.u[a].size(); ++i) liquid.u[a].data[i] = std::sin(double(i + 100 * a));
  for (std::size_t i = 0; i < liquid.pressure.size(); ++i) liquid.pressure.data[i] = std::exp(double(i));
  liquid.pressure.data[3] = -0.0;
  liquid.u[0].data[1] = std::numeric_limits<double>::denorm_min();
  for (int i = 0; i < 50; ++i) {
    liquid.particles.x.push_back(Vec3(0.1 * i, 1.0 / (i + 1), std::sqrt(i)));
    liquid.particles.v.push_back(Vec3f(0.1f * i, 1.0f / (i + 1), -i));
    liquid.particles.c.push_back(Mat3f::Constant(0.3f * i) + Mat3f::Identity());
  }
  liquid.expected_volume = 0.1;
  return world;
}

void write_two(const std::string& dir) {
  const std::string before = write_checkpoint(dir, some_world(10));
  write_checkpoint(dir, some_world(20), "", FrameDone::yes, before);
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         std::memcmp(static_cast<const void*>(a.data()), static_cast<const void*>(b.data()), a.size() * sizeof(T)) == 0;
}

TEST(Checkpoint, comes_back_bit_for_bit) {
  const TemporaryDirectory dir;
  const World before = some_world(10);
  write_checkpoint(dir.path, before);
  World after = empty_world();
  read_checkpoint(dir / "checkpoints/checkpoint.0010.h5", after);
  EXPECT_EQ(after.clock.frame, before.clock.frame);
  EXPECT_EQ(after.clock.step, before.clock.step);
  EXPECT_EQ(after.clock.time, before.clock.time);
  EXPECT_EQ(after.clock.last_dt, before.clock.last_dt);
  const Liquid &read = liquid_of(after), &written = liquid_of(before);
  EXPECT_EQ(read.expected_volume, written.expected_volume);
  for (int a = 0; a < 3; ++a) EXPECT_TRUE(same_bits(read.u[a].data, written.u[a].data));
  EXPECT_TRUE(same_bits(read.pressure.data, written.pressure.data));
  EXPECT_TRUE(same_bits(read.particles.x, written.particles.x));
  EXPECT_TRUE(same_bits(read.particles.v, written.particles.v));
  EXPECT_TRUE(same_bits(read.particles.c, written.particles.c));
}

TEST(Checkpoint, holds_a_world_without_particles) {
  const TemporaryDirectory dir;
  write_checkpoint(dir.path, empty_world());
  World after = some_world(3);
  read_checkpoint(dir / "checkpoints/checkpoint.0000.h5", after);
  EXPECT_EQ(liquid_of(after).particles.size(), 0u);
  EXPECT_TRUE(liquid_of(after).particles.c.empty());
}

TEST(Checkpoint, bodies_come_back_bit_for_bit) {
  const TemporaryDirectory dir;
  World before = world_with_bodies();
  for (Body& body : before.bodies)
    for (std::size_t i = 0; i < body.x.size(); ++i) {
      body.x[i] += Vec3(std::sin(double(i)), 1e-17, 1.0 / (i + 3));
      body.v[i] = Vec3(-0.0, std::exp(-double(i)), std::numeric_limits<double>::denorm_min());
    }
  write_checkpoint_file(dir / "a.h5", before);
  EXPECT_EQ(read_checkpoint_clock(dir / "a.h5").frame, 0);
  World after = world_with_bodies();
  read_checkpoint(dir / "a.h5", after);
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_TRUE(same_bits(after.bodies[b].x, before.bodies[b].x));
    EXPECT_TRUE(same_bits(after.bodies[b].v, before.bodies[b].v));
  }
}

TEST(Checkpoint, pockets_come_back_bit_for_bit) {
  const TemporaryDirectory dir;
  World before = some_world(2);
  liquid_of(before).pockets = {{0.1, 0.1 + 1e-17, 1.0 / 3, {0, 7, 59}}, {1e-300, -0.0, 0, {}}, {2, 3, 4, {5}}};
  write_checkpoint_file(dir / "a.h5", before);
  World after = some_world(3);
  liquid_of(after).pockets = {{9, 9, 9, {9}}};
  read_checkpoint(dir / "a.h5", after);
  ASSERT_EQ(liquid_of(after).pockets.size(), 3u);
  for (std::size_t p = 0; p < 3; ++p) {
    const Pocket &a = liquid_of(after).pockets[p], &b = liquid_of(before).pockets[p];
    EXPECT_TRUE(same_bits<double>({a.volume, a.target_volume, a.last_dt}, {b.volume, b.target_volume, b.last_dt}));
    EXPECT_EQ(a.cells, b.cells);
  }
  EXPECT_EQ(after.clock.last_dt, before.clock.last_dt);
}

TEST(Checkpoint, a_pocket_outside_the_grid_is_an_error) {
  const TemporaryDirectory dir;
  for (const int cell : {-1, 60}) {
    World stored = some_world(1);
    liquid_of(stored).pockets = {{1, 1, 1, {0, cell}}};
    write_checkpoint_file(dir / "a.h5", stored);
    World after = empty_world();
    const std::string message = message_of<RunError>([&] { read_checkpoint(dir / "a.h5", after); });
    EXPECT_NE(message.find("a pocket has cells outside the grid"), std::string::npos) << message;
  }
}

TEST(Checkpoint, other_bodies_are_an_error_that_shows_both_counts_and_leaves_the_world_alone) {
  const TemporaryDirectory dir;
  World stored = world_with_bodies();
  liquid_of(stored).u[0].data[0] = 7;
  write_checkpoint_file(dir / "a.h5", stored);
  World fewer = world_with_bodies();
  fewer.bodies.pop_back();
  const std::string count = message_of<RunError>([&] { read_checkpoint(dir / "a.h5", fewer); });
  EXPECT_NE(count.find("holds 2 deformable bodies, but the scene has 1"), std::string::npos) << count;
  EXPECT_EQ(liquid_of(fewer).u[0].data[0], 0);

  World coarser = world_with_bodies();
  coarser.bodies[1] = cube("other", 1);
  const std::string nodes = message_of<RunError>([&] { read_checkpoint(dir / "a.h5", coarser); });
  EXPECT_NE(nodes.find("'other' has 64 nodes, but the scene's has 8"), std::string::npos) << nodes;
  EXPECT_EQ(liquid_of(coarser).u[0].data[0], 0);
}

TEST(Checkpoint, equal_states_give_equal_bytes) {
  const TemporaryDirectory dir;
  write_checkpoint_file(dir / "a.h5", some_world(1));
  write_checkpoint_file(dir / "b.h5", some_world(1));
  EXPECT_TRUE(read_file(dir / "a.h5") == read_file(dir / "b.h5"));
}

TEST(Checkpoint, the_newest_two_are_kept) {
  const TemporaryDirectory dir;
  std::string before;
  for (const int frame : {10, 20, 30})
    before = write_checkpoint(dir.path, some_world(frame), "", FrameDone::yes, before);
  const auto files = files_in(dir / "checkpoints");
  EXPECT_EQ(files.size(), 2u);
  EXPECT_TRUE(files.contains("checkpoint.0020.h5") && files.contains("checkpoint.0030.h5"));
}

TEST(Checkpoint, truncated_and_foreign_files_are_passed_over) {
  const TemporaryDirectory dir;
  EXPECT_FALSE(newest_checkpoint(dir.path));
  write_two(dir.path);
  write_atomically(dir / "checkpoints/failed.h5", "not counted");
  write_atomically(dir / "checkpoints/checkpoint.0040.h5.part", "not counted");
  EXPECT_EQ(newest_checkpoint(dir.path)->path, dir / "checkpoints/checkpoint.0020.h5");

  const std::string whole = read_file(dir / "checkpoints/checkpoint.0020.h5");
  for (const double share : {0.0, 0.01, 0.5, 0.99}) {
    write_atomically(dir / "checkpoints/checkpoint.0030.h5", whole.substr(0, std::size_t(share * whole.size())));
    EXPECT_EQ(newest_checkpoint(dir.path)->path, dir / "checkpoints/checkpoint.0020.h5") << share;
  }
}

TEST(Checkpoint, another_grid_is_an_error_that_shows_both) {
  const TemporaryDirectory dir;
  write_checkpoint_file(dir / "a.h5", some_world(1));
  World other = empty_world(Vec3i(6, 4, 3));
  const std::string message = message_of<RunError>([&] { read_checkpoint(dir / "a.h5", other); });
  EXPECT_NE(message.find("5 × 4 × 3"), std::string::npos) << message;
  EXPECT_NE(message.find("6 × 4 × 3"), std::string::npos) << message;
}

TEST(Checkpoint, a_full_disk_is_a_run_error_and_leaves_no_file) {
  const TemporaryDirectory dir;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  for (const rlim_t limit : {100, 2000, 4000}) {
    const rlimit small{limit, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string message = message_of<RunError>([&] { write_checkpoint_file(dir / "a.h5", some_world(1)); });
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_NE(message.find("a.h5"), std::string::npos) << message;
    EXPECT_TRUE(files_in(dir.path).empty());
  }
  write_checkpoint_file(dir / "a.h5", some_world(1));  // and the next one, with space, is whole
  EXPECT_EQ(read_checkpoint_clock(dir / "a.h5").frame, 1);
}

TEST(Checkpoint, a_file_that_lacks_a_dataset_is_passed_over) {
  const TemporaryDirectory dir;
  write_two(dir.path);
  const std::string newest = dir / "checkpoints/checkpoint.0020.h5";
  EXPECT_EQ(newest_checkpoint(dir.path)->path, newest);
  const hid_t file = H5Fopen(newest.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(H5Ldelete(file, "particle_x", H5P_DEFAULT), 0);
  H5Fclose(file);
  std::vector<std::string> warnings;
  EXPECT_EQ(newest_checkpoint(dir.path, [&](const std::string& text) { warnings.push_back(text); })->path,
            dir / "checkpoints/checkpoint.0010.h5");
  EXPECT_EQ(warnings.size(), 1u);
}

TEST(Checkpoint, a_single_changed_bit_is_damage_that_is_named_and_the_one_before_is_taken) {
  const TemporaryDirectory dir;
  write_two(dir.path);
  const std::string newest = dir / "checkpoints/checkpoint.0020.h5", whole = read_file(newest);
  for (std::size_t at = 0; at < whole.size(); at += 97) {
    if (at > 78 && at < 512) continue;  // the padding of the text with the checksum
    std::string bytes = whole;
    bytes[at] = char(bytes[at] ^ 4);
    write_atomically(newest, bytes);
    std::vector<std::string> warnings;
    const auto found = newest_checkpoint(dir.path, [&](const std::string& text) { warnings.push_back(text); });
    ASSERT_TRUE(found) << at;
    EXPECT_EQ(found->clock.frame, 10) << at;
    ASSERT_EQ(warnings.size(), 1u) << at;
    EXPECT_NE(warnings[0].find("checkpoint.0020.h5 is left out: it "), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("damaged"), std::string::npos) << warnings[0];
    World world = empty_world();
    EXPECT_NE(message_of<RunError>([&] { read_checkpoint(newest, world); }).find("damaged"), std::string::npos) << at;
  }
}

TEST(Checkpoint, a_state_within_a_frame_comes_after_the_frame_before_it) {
  const TemporaryDirectory dir;
  const std::string frame = write_checkpoint(dir.path, some_world(10));
  World later = some_world(10);
  later.clock.step += 3;
  const std::string step = write_checkpoint(dir.path, later, "", FrameDone::no, frame);
  EXPECT_EQ(step, dir / "checkpoints/checkpoint.0010.step110.h5");
  EXPECT_EQ(checkpoint_files(dir.path), (std::vector<std::string>{frame, step}));
  EXPECT_EQ(newest_checkpoint(dir.path)->clock.step, later.clock.step);
  const std::string next = write_checkpoint(dir.path, some_world(11), "", FrameDone::yes, step);
  EXPECT_EQ(checkpoint_files(dir.path), (std::vector<std::string>{step, next}));
}

TEST(Checkpoint, what_a_killed_process_left_half_written_is_deleted) {
  const TemporaryDirectory dir;
  make_directories(dir / "checkpoints");
  write_atomically(dir / "checkpoints/checkpoint.0003.step9.h5.part", "half");
  write_checkpoint(dir.path, some_world(10));
  EXPECT_EQ(files_in(dir / "checkpoints").size(), 1u);
}

}  // namespace
}  // namespace coracle
