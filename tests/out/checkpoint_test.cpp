#include "coracle/out/checkpoint.h"

#include "coracle/error.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>

namespace coracle {
namespace {

World empty_world() {
  World world;
  world.grid = {Vec3(0.1, -2, 3), 1.0 / 3, Vec3i(5, 4, 3)};
  world.u = make_face_field<double>(world.grid);
  world.pressure.assign(world.grid.n);
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
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < world.u[a].size(); ++i) world.u[a].data[i] = std::sin(double(i + 100 * a));
  for (std::size_t i = 0; i < world.pressure.size(); ++i) world.pressure.data[i] = std::exp(double(i));
  world.pressure.data[3] = -0.0;
  world.u[0].data[1] = std::numeric_limits<double>::denorm_min();
  for (int i = 0; i < 50; ++i) {
    world.particles.x.push_back(Vec3(0.1 * i, 1.0 / (i + 1), std::sqrt(i)));
    world.particles.v.push_back(Vec3f(0.1f * i, 1.0f / (i + 1), -i));
    world.particles.c.push_back(Mat3f::Constant(0.3f * i) + Mat3f::Identity());
  }
  world.ledger.expected_volume = 0.1;
  return world;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         std::memcmp(static_cast<const void*>(a.data()), static_cast<const void*>(b.data()), a.size() * sizeof(T)) == 0;
}

TEST(Checkpoint, ComesBackBitForBit) {
  const TemporaryDirectory dir;
  const World before = some_world(10);
  write_checkpoint(dir.path, before);
  World after = empty_world();
  read_checkpoint(dir / "checkpoints/checkpoint.0010.h5", after);
  EXPECT_EQ(after.clock.frame, before.clock.frame);
  EXPECT_EQ(after.clock.step, before.clock.step);
  EXPECT_EQ(after.clock.time, before.clock.time);
  EXPECT_EQ(after.clock.last_dt, before.clock.last_dt);
  EXPECT_EQ(after.ledger.expected_volume, before.ledger.expected_volume);
  for (int a = 0; a < 3; ++a) EXPECT_TRUE(same_bits(after.u[a].data, before.u[a].data));
  EXPECT_TRUE(same_bits(after.pressure.data, before.pressure.data));
  EXPECT_TRUE(same_bits(after.particles.x, before.particles.x));
  EXPECT_TRUE(same_bits(after.particles.v, before.particles.v));
  EXPECT_TRUE(same_bits(after.particles.c, before.particles.c));
}

TEST(Checkpoint, HoldsAWorldWithoutParticles) {
  const TemporaryDirectory dir;
  write_checkpoint(dir.path, empty_world());
  World after = some_world(3);
  read_checkpoint(dir / "checkpoints/checkpoint.0000.h5", after);
  EXPECT_EQ(after.particles.size(), 0u);
  EXPECT_TRUE(after.particles.c.empty());
}

TEST(Checkpoint, BodiesComeBackBitForBit) {
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

TEST(Checkpoint, PocketsComeBackBitForBit) {
  const TemporaryDirectory dir;
  World before = some_world(2);
  before.pockets = {{0.1, 0.1 + 1e-17, 1.0 / 3, {0, 7, 59}}, {1e-300, -0.0, 0, {}}, {2, 3, 4, {5}}};
  write_checkpoint_file(dir / "a.h5", before);
  World after = some_world(3);
  after.pockets = {{9, 9, 9, {9}}};
  read_checkpoint(dir / "a.h5", after);
  ASSERT_EQ(after.pockets.size(), 3u);
  for (std::size_t p = 0; p < 3; ++p) {
    const Pocket &a = after.pockets[p], &b = before.pockets[p];
    EXPECT_TRUE(same_bits<double>({a.volume, a.aimed, a.last_dt}, {b.volume, b.aimed, b.last_dt}));
    EXPECT_EQ(a.cells, b.cells);
  }
  EXPECT_EQ(after.clock.last_dt, before.clock.last_dt);
}

TEST(Checkpoint, APocketOutsideTheGridIsAnError) {
  const TemporaryDirectory dir;
  for (const int cell : {-1, 60}) {
    World stored = some_world(1);
    stored.pockets = {{1, 1, 1, {0, cell}}};
    write_checkpoint_file(dir / "a.h5", stored);
    World after = empty_world();
    const std::string message = message_of<RunError>([&] { read_checkpoint(dir / "a.h5", after); });
    EXPECT_NE(message.find("pocket_cells: outside the grid"), std::string::npos) << message;
  }
}

TEST(Checkpoint, OtherBodiesAreAnErrorThatShowsBothCountsAndLeavesTheWorldAlone) {
  const TemporaryDirectory dir;
  World stored = world_with_bodies();
  stored.u[0].data[0] = 7;
  write_checkpoint_file(dir / "a.h5", stored);
  World fewer = world_with_bodies();
  fewer.bodies.pop_back();
  const std::string count = message_of<RunError>([&] { read_checkpoint(dir / "a.h5", fewer); });
  EXPECT_NE(count.find("holds 2 deformable bodies, but the scene has 1"), std::string::npos) << count;
  EXPECT_EQ(fewer.u[0].data[0], 0);

  World coarser = world_with_bodies();
  coarser.bodies[1] = cube("other", 1);
  const std::string nodes = message_of<RunError>([&] { read_checkpoint(dir / "a.h5", coarser); });
  EXPECT_NE(nodes.find("'other' has 64 nodes, but the scene's has 8"), std::string::npos) << nodes;
  EXPECT_EQ(coarser.u[0].data[0], 0);
}

TEST(Checkpoint, EqualStatesGiveEqualBytes) {
  const TemporaryDirectory dir;
  write_checkpoint_file(dir / "a.h5", some_world(1));
  write_checkpoint_file(dir / "b.h5", some_world(1));
  EXPECT_TRUE(read_file(dir / "a.h5") == read_file(dir / "b.h5"));
}

TEST(Checkpoint, TheNewestTwoAreKept) {
  const TemporaryDirectory dir;
  for (const int frame : {10, 20, 30}) write_checkpoint(dir.path, some_world(frame));
  const auto files = files_in(dir / "checkpoints");
  EXPECT_EQ(files.size(), 2u);
  EXPECT_TRUE(files.contains("checkpoint.0020.h5") && files.contains("checkpoint.0030.h5"));
}

TEST(Checkpoint, TruncatedAndForeignFilesArePassedOver) {
  const TemporaryDirectory dir;
  EXPECT_FALSE(newest_checkpoint(dir.path));
  write_checkpoint(dir.path, some_world(10));
  write_checkpoint(dir.path, some_world(20));
  write_atomically(dir / "checkpoints/failed.h5", "not counted");
  write_atomically(dir / "checkpoints/checkpoint.0040.h5.part", "not counted");
  EXPECT_EQ(newest_checkpoint(dir.path), dir / "checkpoints/checkpoint.0020.h5");

  const std::string whole = read_file(dir / "checkpoints/checkpoint.0020.h5");
  for (const double share : {0.0, 0.01, 0.5, 0.99}) {
    write_atomically(dir / "checkpoints/checkpoint.0030.h5", whole.substr(0, std::size_t(share * whole.size())));
    EXPECT_EQ(newest_checkpoint(dir.path), dir / "checkpoints/checkpoint.0020.h5") << share;
  }
}

TEST(Checkpoint, AnotherGridIsAnErrorThatShowsBoth) {
  const TemporaryDirectory dir;
  write_checkpoint_file(dir / "a.h5", some_world(1));
  World other = empty_world();
  other.grid.n.x() = 6;
  const std::string message = message_of<RunError>([&] { read_checkpoint(dir / "a.h5", other); });
  EXPECT_NE(message.find("5 × 4 × 3"), std::string::npos) << message;
  EXPECT_NE(message.find("6 × 4 × 3"), std::string::npos) << message;
}

TEST(Checkpoint, AFullDiskIsARunErrorAndLeavesNoFile) {
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

}  // namespace
}  // namespace coracle
