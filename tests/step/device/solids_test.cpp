// What kernels see of the solids is what the processor has, after every step.
#include "coracle/step/grid/device/solids.h"
#include "coracle/step/grid/device/walls.h"
#include "coracle/step/grid/extrapolate.h"
#include "tests/step/device/moving_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

class Placed : public testing::TestWithParam<MovingScene> {};

template <class T>
bool same(const Array3<T>& a, const PlacedArray3<Host, T>& b) {
  return a.n == b.n && std::equal(a.data.begin(), a.data.end(), b.data.data());
}
template <class T>
bool same(std::span<const T> a, const Host::Array<T>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.data());
}

TEST_P(Placed, solids_are_those_of_the_processor_to_the_last_bit_while_they_move_and_appear) {
  MovingRun run(GetParam());
  const Grid& grid = run.liquid().grid;
  Host place;
  PlacedSolids<Host> placed;
  int appeared = 0;
  std::vector<bool> present;
  for (int step = 0; step < 40; ++step, run.step()) {
    if (step > 10 && step < 39) continue;  // then all have left the boxes around where they were
    const Surfaces surfaces(run.world);
    const SolidField& field = run.liquid_work().solids;
    appeared += step > 0 && field.present != present;
    present = field.present;
    place_solids(place, grid, surfaces, field, placed);
    ASSERT_EQ(placed.each.size(), surfaces.size());
    EXPECT_TRUE(same(field.phi, placed.phi)) << step;
    EXPECT_TRUE(same(field.cut.volume, placed.volume)) << step;
    for (int a = 0; a < 3; ++a) EXPECT_TRUE(same(field.cut.open[a], placed.open[a])) << step;
    for (std::size_t s = 0; s < surfaces.size(); ++s) {
      const SolidGeometry& g = field.each[s];
      const PlacedSolid<Host>& to = placed.each[s];
      EXPECT_TRUE(same(g.phi, to.phi)) << step << " " << s;
      EXPECT_TRUE(same(std::span<const int>(g.band), to.band));
      EXPECT_TRUE(same(surfaces[s].tris, to.corners));
      EXPECT_TRUE(same(surfaces[s].v, to.v));
      ASSERT_EQ(to.nearest.size(), g.nearest.size());
      for (std::size_t b = 0; b < g.nearest.size(); ++b) EXPECT_EQ(to.nearest.data()[b].tri, g.nearest[b].tri);
      const SolidView& view = placed.views.data()[s];
      EXPECT_EQ(view.present, surfaces[s].present);
      EXPECT_EQ(view.inflow, surfaces[s].inflow);
      EXPECT_EQ(view.container, surfaces[s].container);
      EXPECT_EQ(view.flow, surfaces[s].flow);
      const Vec3 x = grid.upper() * 0.3;
      EXPECT_EQ(view.tree.closest(x, 1e30).distance, g.tree.closest(x).distance);
    }
  }
  if (GetParam().toml.find("late") != std::string::npos) {
    EXPECT_EQ(appeared, 1);
  }
}

// To round-off: a velocity of some m/s takes a hundred operations.
constexpr double round_off = 1e-13;

TEST_P(Placed, solids_hold_the_velocity_inside_them_as_on_the_processor) {
  MovingRun run(GetParam());
  const Grid& grid = run.liquid().grid;
  LiquidWork& work = run.liquid_work();
  Host place;
  PlacedSolids<Host> placed;
  for (int part = 0; part < 3; ++part) {  // in between, solids move by more than their bands are wide
    for (int step = 0; step < 15; ++step) run.step();
    const Surfaces surfaces(run.world);
    FaceField<double> u = make_face_field<double>(grid);
    FaceField<std::uint8_t> valid = make_face_field<std::uint8_t>(grid);
    for (int a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < u[a].size(); ++i) {
        const Vec3 x = grid.face_center(a, u[a].cell(i));
        u[a].data[i] = std::sin(7 * x.x() + a) + std::cos(9 * x.y() - 2 * x.z());
        valid[a].data[i] = std::uint8_t(i % 5 == 0 ? 1 : i % 3);
      }
    PlacedFaces<Host, double> placed_u;
    PlacedFaces<Host, std::uint8_t> placed_valid;
    upload(place, u, placed_u), upload(place, valid, placed_valid);
    place_solids(place, grid, surfaces, work.solids, placed);

    const FaceField<double> before = u;
    set_inflow_velocity(grid, surfaces, work.solids, u, valid);
    constrain(grid, surfaces, work.solids, valid, u);
    set_inflow_velocity(place, placed, placed_u.view(), placed_valid.view());
    constrain(place, grid, surfaces, std::as_const(placed_valid).view(), placed_u.view(), placed);
    std::size_t changed = 0;
    double worst = 0;
    for (int a = 0; a < 3; ++a) {
      EXPECT_TRUE(same(valid[a], placed_valid[a]));
      for (std::size_t i = 0; i < u[a].size(); ++i) {
        changed += u[a].data[i] != before[a].data[i];
        worst = std::max(worst, std::abs(u[a].data[i] - placed_u[a].data.data()[i]));
      }
    }
    EXPECT_LT(worst, round_off);
    if (!surfaces.empty()) {
      EXPECT_GT(changed, 500u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Placed, testing::ValuesIn(moving_scenes()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace coracle
