// Stages on faces that are written for any place, here on the processor, against its own stages.
#include "coracle/step/couple/grid_step.h"
#include "coracle/step/grid/device/extrapolate.h"
#include "coracle/step/grid/device/leapfrog.h"
#include "coracle/step/grid/extrapolate.h"
#include "coracle/step/liquid/transfer.h"

#include <gtest/gtest.h>

#include "tests/step/device/states.h"

namespace coracle {
namespace {

using namespace device_tests;

struct DeviceFaces : testing::TestWithParam<std::string> {
  LiquidState state{dam + GetParam(), 6};
  Host place;
  FaceField<std::uint8_t> set;  // the faces whose velocity the last solve has set

  void SetUp() override {
    set = state.work().valid;
    std::size_t count = 0;
    for (int a = 0; a < 3; ++a)
      for (std::uint8_t& mark : set[a].data) count += mark = mark == 1;
    ASSERT_GT(count, 1000u);
  }
  // Numbers everywhere: stages must not rest on zeros.
  static FaceField<double> random(const Grid& grid, std::uint64_t key) {
    FaceField<double> u = make_face_field(grid, 0.0);
    for (int a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < u[a].size(); ++i) u[a].data[i] = 2 * uniform(3 * key + a, i) - 1;
    return u;
  }
};

TEST_P(DeviceFaces, velocities_spread_to_the_same_bits) {
  const Grid& grid = state.liquid().grid;
  for (const int layers : {1, 3, 4}) {
    FaceField<double> u = random(grid, 1), v = random(grid, 2);
    FaceField<std::uint8_t> valid = set;
    PlacedFaces<Host, double> placed_u, placed_v;
    PlacedFaces<Host, std::uint8_t> placed_valid, scratch;
    upload(place, u, placed_u), upload(place, v, placed_v), upload(place, valid, placed_valid);
    extrapolate(layers, {&u, &v}, valid);
    extrapolate(place, layers, placed_valid, scratch, placed_u, placed_v);
    FaceField<double> found_u, found_v;
    FaceField<std::uint8_t> found_valid;
    download(place, placed_u, found_u), download(place, placed_v, found_v), download(place, placed_valid, found_valid);
    expect_equal(found_u, u), expect_equal(found_v, v), expect_equal(found_valid, valid);
  }
}

TEST_P(DeviceFaces, faces_that_are_little_open_are_left_out) {
  const FaceField<double>& open = state.work().solids.cut.open;
  PlacedFaces<Host, double> placed_open;
  PlacedFaces<Host, std::uint8_t> valid, well, one;
  upload(place, open, placed_open), upload(place, set, valid), upload(place, set, one);
  leave_out_closed(place, placed_open, 0.02, 0.5, valid, well);
  leave_out_closed(place, placed_open, 0.02, one);
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < open[a].size(); ++i) {
      ASSERT_EQ(valid[a].data.data()[i], open[a].data[i] < 0.02 ? 0 : set[a].data[i]);
      ASSERT_EQ(one[a].data.data()[i], open[a].data[i] < 0.02 ? 0 : set[a].data[i]);
      ASSERT_EQ(well[a].data.data()[i], open[a].data[i] < 0.5 ? 0 : set[a].data[i]);
    }
}

TEST_P(DeviceFaces, one_velocity_that_is_not_finite_is_noticed) {
  FaceField<double> u = random(state.liquid().grid, 1);
  PlacedFaces<Host, double> placed;
  upload(place, u, placed);
  EXPECT_EQ(not_finite(place, "solve", placed), "");
  for (const double bad : {double(INFINITY), -double(INFINITY), std::nan("")})
    for (int a = 0; a < 3; ++a) {
      FaceField<double> wrong = u;
      wrong[a].data[100 * a + 7] = bad;
      upload(place, wrong, placed);
      EXPECT_EQ(not_finite(place, "solve", placed), not_finite("solve", wrong));
      EXPECT_NE(not_finite(place, "solve", placed), "");
    }
}

TEST_P(DeviceFaces, gravity_drift_and_kick_are_those_of_the_processor) {
  Liquid& liquid = state.liquid();
  ASSERT_GT(liquid.lag, 0);  // the time scheme has begun
  const double dt = 1.1 * state.world().clock.last_dt, gravity = 9.81;
  const Vec3 dv(0.1, -0.2, 0.3);
  const double round_off = 1e-14;  // velocities below 5; some compilers round a product before its sum, some do not
  for (const double calm : {1.0, 1e-3}) {  // an acceleration unlike the last one, and the last one again
    for (int again = 0; again < 2; ++again) {
      Kick kick = choose_kick(liquid, state.world().clock, dt), placed_kick = kick;
      GridFlow flow = liquid, placed_flow = liquid;
      FaceField<double> last = random(liquid.grid, 2), kicked = random(liquid.grid, 3), out;
      for (int a = 0; a < 3; ++a)
        for (double& u : kicked[a].data) u *= calm;
      PlacedFaces<Host, double> u, u_last, u_kicked;
      PlacedFaces<Host, std::uint8_t> valid;
      upload(place, last, u_last), upload(place, kicked, u_kicked), upload(place, set, valid);
      add_gravity(dv, kicked, flow.u);
      add_gravity(place, dv, u_kicked, u);
      aim_drift(kick, last, flow.u);
      aim_drift(place, placed_kick, u_last, u);
      download(place, u, out);
      EXPECT_LT(largest_difference(out, flow.u), round_off);

      KickWork<Host> work;
      if (again) {  // the same push as in this step, so that it is steady
        PlacedFaces<Host, double> before;
        copy(place, u_kicked, before);
        flow.pushes = placed_flow.pushes = find_pushes(place, kick, valid, u, u_last, before, work).sums;
      }
      const ProjectionInput input{.grid = liquid.grid,
                                  .cut = state.work().solids.cut,
                                  .fluid_phi = state.work().fluid_phi,
                                  .surfaces = Surfaces(state.world()),
                                  .density = 1000,
                                  .dt = kick.solve_dt(),
                                  .solver = {},
                                  .open = {true, false, false, true, false, false},
                                  .step = dt};
      apply_kick(input, gravity, set, kick, flow, last, kicked);
      apply_kick(place, input.open, gravity, dt, valid, placed_kick, placed_flow, u, u_last, u_kicked, work);
      // Sums of at most 4000 numbers of size 3 / τ, in another order.
      ASSERT_EQ(placed_flow.pushes.size(), flow.pushes.size());
      double size = 0;
      for (std::size_t i = 0; i < flow.pushes.size(); ++i) {
        EXPECT_NEAR(placed_flow.pushes[i], flow.pushes[i], 4000 * 1e-16 * 4000 * 3 / kick.tau);
        size = std::max(size, std::abs(flow.pushes[i]));
      }
      EXPECT_GT(size, 1);
      EXPECT_NEAR(placed_kick.steady, kick.steady, 1e-10);
      if (again) {
        EXPECT_GT(kick.steady, 0.9);
      }
      EXPECT_NEAR(placed_flow.lag, flow.lag, 1e-12);
      EXPECT_EQ(placed_flow.ahead, flow.ahead);
      download(place, u, out);
      EXPECT_LT(largest_difference(out, flow.u), round_off);
      download(place, u_last, out);
      EXPECT_LT(largest_difference(out, last), round_off);
      download(place, u_kicked, out);
      EXPECT_LT(largest_difference(out, kicked), 1e-9);  // by what `steady` differs
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, DeviceFaces, testing::Values("", ball, soft, tap));

}  // namespace
}  // namespace coracle
