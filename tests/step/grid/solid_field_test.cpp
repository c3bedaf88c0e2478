// What solids do to the grid, followed from step to step.
#include "coracle/step/grid/solid_field.h"

#include "tests/step/device/moving_scenes.h"
#include "tests/step/device/states.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <utility>

namespace coracle {
namespace {

class FollowedSolids : public testing::TestWithParam<MovingScene> {};

// Only what moves is cut again, in boxes around it; overlaps and slivers of the step before are taken back. A run that
// is resumed makes all of it anew, and must go on with the same bits.
TEST_P(FollowedSolids, have_the_bits_of_a_field_that_is_made_anew) {
  MovingRun run(GetParam());
  const Grid grid = run.liquid().grid;
  int merged = 0, shared = 0;
  for (int step = 0; step < 25; ++step) {
    run.step();
    const SolidField& followed = run.liquid_work().solids;
    SolidField anew;
    update_solid_field(grid, Surfaces(run.world), boundary_maker(run.scene.method), anew);
    device_tests::expect_equal(followed.phi, anew.phi);
    device_tests::expect_equal(followed.cut.open, anew.cut.open);
    device_tests::expect_equal(followed.cut.volume, anew.cut.volume);
    ASSERT_EQ(followed.cut.patches.size(), anew.cut.patches.size());
    for (std::size_t i = 0; i < anew.cut.patches.size(); ++i) {
      const Patch &a = followed.cut.patches[i], &b = anew.cut.patches[i];
      ASSERT_TRUE(a.cell == b.cell && a.surface == b.surface && a.tri == b.tri && a.area == b.area && a.bary == b.bary)
          << "patch " << i << " of step " << step;
    }
    EXPECT_EQ(followed.cut.samples.size(), anew.cut.samples.size());
    EXPECT_EQ(followed.cut.overlaps, anew.cut.overlaps);
    ASSERT_EQ(followed.each.size(), anew.each.size());
    for (std::size_t s = 0; s < anew.each.size(); ++s) {
      device_tests::expect_equal(followed.each[s].phi, anew.each[s].phi);
      const SolidCut &a = followed.each[s].cut, &b = anew.each[s].cut;
      for (int axis = 0; axis < 3; ++axis) device_tests::expect_equal(a.filled[axis].values, b.filled[axis].values);
      device_tests::expect_equal(a.volume.values, b.volume.values);
      EXPECT_EQ(followed.each[s].band, anew.each[s].band);
    }
    EXPECT_EQ(followed.boundary.shared, anew.boundary.shared);
    merged += anew.cut.merged, shared += int(anew.boundary.shared.size());
    if (HasFailure()) FAIL() << "in step " << step;
  }
  if (std::string(GetParam().name) == "cut_cells") {
    EXPECT_GT(merged, 0) << "no sliver was taken back";
    EXPECT_GT(shared, 0) << "no solids overlapped";
  }
}

// Three long bars leave a channel between them, far narrower than a cell. All patches of the cells along it lie inside
// other bars or close a face of almost no area: nothing there may be taken for a cell that a surface passes through.
TEST(Slivers, between_overlapping_solids_leave_closed_cells) {
  const Grid grid{.origin = Vec3::Zero(), .dx = 1.0 / 16, .n = Vec3i::Constant(16)};
  for (int i = 0; i < 60; ++i) {
    const double gap = 1e-4 * (5 + i);  // cells
    std::vector<std::vector<Vec3>> x(3);
    std::vector<std::vector<Vec3i>> tris(3);
    for (int k = 0; k < 3; ++k) {
      const double turn = 0.3 + k * 2 * M_PI / 3;
      const Eigen::Vector2d normal(std::cos(turn), std::sin(turn)), along(-normal.y(), normal.x());
      // A rectangle that is `gap` from the middle of the channel, from one side of the domain to the other.
      for (const double end : {-0.3, 1.3})
        for (const auto& [away, side] : {std::pair(gap, -3.0), {gap, 3.0}, {gap + 3, 3.0}, {gap + 3, -3.0}}) {
          const Eigen::Vector2d at = Eigen::Vector2d(8.62, 8.37) + away * normal + side * along;
          x[k].emplace_back(end, at.x() * grid.dx, at.y() * grid.dx);
        }
      for (int a = 0; a < 4; ++a) {
        const int b = (a + 1) % 4;
        tris[k].emplace_back(a, b, 4 + b), tris[k].emplace_back(a, 4 + b, 4 + a);
      }
      for (const Vec3i& t : {Vec3i(0, 2, 1), Vec3i(0, 3, 2), Vec3i(4, 5, 6), Vec3i(4, 6, 7)}) tris[k].push_back(t);
      double volume = 0;
      for (const Vec3i& t : tris[k]) volume += x[k][t[0]].dot(x[k][t[1]].cross(x[k][t[2]]));
      if (volume < 0)
        for (Vec3i& t : tris[k]) std::swap(t[1], t[2]);
    }
    const std::vector<Vec3> still(8, Vec3::Zero());
    Surfaces bars;
    for (int k = 0; k < 3; ++k) bars.push_back({.tris = tris[k], .x = x[k], .v = still});
    SolidField field;
    update_solid_field(grid, bars, boundary_maker(Method::cutcell), field);
    EXPECT_LT(closure_error(field.cut), 1e-12) << "a gap of " << gap << " cells";
  }
}

// Two balls that pass through each other: faces that both fill in part come and go.
std::vector<MovingScene> scenes() {
  std::vector<MovingScene> all = moving_scenes();
  all.push_back({"passing_balls", R"(
[domain]
resolution = 24
[time]
frames = 40
max_dt = 0.01
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 0.1, 1]
[[solid]]
name = "left"
shape = "sphere"
center = [0.35, 0.5, 0.5]
radius = 0.13
[[solid.motion]]
type = "oscillation"
amplitude = [0.3, 0.02, 0]
frequency = 2
[[solid]]
name = "right"
shape = "sphere"
center = [0.6, 0.55, 0.52]
radius = 0.13
)"});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Scenes, FollowedSolids, testing::ValuesIn(scenes()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace coracle
