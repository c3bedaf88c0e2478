#include "coracle/out/frames.h"

#include "temporary_directory.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

struct Case {
  TemporaryDirectory dir;
  Scene scene;
  World world;
  Workspace work;

  Case() {
    world.grid = {Vec3::Zero(), 0.1, Vec3i(10, 10, 10)};
    world.u = make_face_field<double>(world.grid);
    work.liquid_phi.assign(world.grid.n);
    for (std::size_t i = 0; i < work.liquid_phi.size(); ++i)
      work.liquid_phi.data[i] = world.grid.center(work.liquid_phi.cell(i)).y() - 0.5;
    work.solids.phi.assign(world.grid.n, 0.3);
    Solid post;
    post.rest = std::make_shared<TriMesh>(box_mesh(Vec3(0.4, 0, 0.4), Vec3(0.6, 0.3, 0.6)));
    post.x = post.rest->x;
    post.v.assign(post.x.size(), Vec3::Zero());
    world.solids.push_back(post);
  }
  void write(int frame) {
    world.clock.frame = frame;
    write_frame(dir.path, scene, world, work);
  }
  std::map<std::string, std::string> files() const { return files_in(dir / "frames"); }
};

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Frames, OnlyWhatIsAskedForIsWritten) {
  Case c;
  c.scene.output.volume = c.scene.output.solids = false;
  c.scene.output.every = 2;
  for (const int frame : {0, 1, 2}) c.write(frame);
  const auto files = c.files();
  EXPECT_EQ(files.size(), 5u);
  for (const char* name :
       {"surface.0000.ply", "surface.0000.vtp", "surface.0002.ply", "surface.0002.vtp", "surface.pvd"})
    EXPECT_TRUE(files.contains(name)) << name;
  EXPECT_EQ(count(files.at("surface.pvd"), "<DataSet"), 2);
}

TEST(Frames, SolidsThatStandStillAreWrittenOnceAndListedAlways) {
  Case c;
  for (const int frame : {0, 1, 2}) c.write(frame);
  const auto files = c.files();
  EXPECT_FALSE(files.contains("solids.0001.vtp"));
  EXPECT_EQ(count(files.at("solids.pvd"), "file=\"solids.0000.vtp\""), 3);
}

TEST(Frames, SolidsThatMoveAreWrittenEveryFrame) {
  Case c;
  c.world.solids[0].moving = true;
  for (const int frame : {0, 1}) c.write(frame);
  const auto files = c.files();
  EXPECT_TRUE(files.contains("solids.0001.vtp"));
  EXPECT_EQ(count(files.at("solids.pvd"), "<DataSet"), 2);
}

TEST(Frames, TheIndexListsFramesOfTheRunThatWasResumed) {
  Case c;
  for (const int frame : {0, 1, 2, 3}) c.write(frame);
  c.write(2);  // as after a checkpoint of frame 1: frame 3 is yet to be made again
  EXPECT_EQ(count(c.files().at("surface.pvd"), "<DataSet"), 3);
  c.write(3);
  EXPECT_EQ(count(c.files().at("surface.pvd"), "<DataSet"), 4);
}

}  // namespace
}  // namespace coracle
