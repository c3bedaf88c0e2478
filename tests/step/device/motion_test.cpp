// Particles move at a place as they do on the processor.
#include "coracle/step/liquid/device/motion.h"
#include "tests/step/device/moving_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coracle {
namespace {

// To round-off: lengths of a metre and velocities of some m/s, after some hundred operations.
constexpr double round_off = 1e-13;
// Velocities of particles are floats.
constexpr float float_round_off = 1e-6f;

class Motion : public testing::TestWithParam<MovingScene> {
 protected:
  Motion() : run(GetParam()), grid(run.liquid().grid), work(run.liquid_work()) {
    for (int step = 0; step < 12; ++step) run.step();
    surfaces = Surfaces(run.world);
    // A third of the particles fly, the fastest ten cells in the step; some lie crowded.
    before = run.liquid().particles;
    spray.resize(before.size());
    for (std::size_t p = 0; p < spray.size(); ++p) {
      spray[p] = p % 3 == 0;
      const float share = float(p % 31) / 31;
      if (spray[p]) before.v[p] += share * Vec3f(-20, 25, 15) - Vec3f(3, 8, 6);
    }
    before.c.resize(before.size(), Mat3f::Identity());
    for (std::size_t i = 0; i < work.level_set.share.size(); ++i) work.level_set.share.data[i] += 0.2 * double(i % 3);
    place_solids(place, grid, surfaces, work.solids, liquid.solids);
    upload(place, work.drift, liquid.drift);
    upload(place, work.fluid_phi, liquid.fluid_phi);
    upload(place, work.level_set.share, liquid.share);
    place.upload(spray.data(), spray.size(), liquid.spray);
    put(before, liquid.previous), put(before, liquid.particles);
  }
  void put(const Particles& from, PlacedParticles<Host>& to) {
    to.count = from.size();
    place.upload(from.x.data(), from.size(), to.x);
    place.upload(from.v.data(), from.size(), to.v);
    place.upload(from.c.data(), from.size(), to.c);
  }
  double distance(const std::vector<Vec3>& x) const {
    double worst = 0;
    for (std::size_t p = 0; p < x.size(); ++p) worst = std::max(worst, (x[p] - liquid.particles.x.data()[p]).norm());
    return worst;
  }

  MovingRun run;
  const Grid& grid;
  LiquidWork& work;
  Surfaces surfaces;
  Particles before;
  std::vector<std::uint8_t> spray;
  Host place;
  PlacedLiquid<Host> liquid;
};

TEST_P(Motion, paths_are_those_of_the_processor_and_end_outside_solids) {
  for (const int order : {2, 3})
    for (const double dt : {0.005, 0.1}) {  // paths of up to 20 cells: many are stopped
      LiquidOptions options;
      options.runge_kutta = order;
      Particles particles = before;
      advect_particles(grid, {work.drift, work.fluid_phi, work.solids.phi, work.level_set.share}, work.cell_start,
                       spray, dt, options, before.x, particles);
      put(before, liquid.particles);
      advect_particles(place, grid, flow_around(liquid), liquid.spray.data(), dt, options, liquid.previous,
                       liquid.particles);
      EXPECT_LT(distance(particles.x), round_off) << order << " " << dt;

      const std::size_t out = push_out(grid, surfaces, work.solids, before.x, dt, particles.x);
      push_out(place, grid, liquid.solids, liquid.previous, dt, liquid.particles);
      EXPECT_LT(distance(particles.x), round_off) << order << " " << dt;
      if (!surfaces.empty()) {
        EXPECT_GT(out, 20u);
      }
    }
}

TEST_P(Motion, spray_is_accelerated_and_marked_as_on_the_processor) {
  const Vec3 gravity_dv(0, -0.3, 0.1);
  Particles particles = before;
  accelerate_spray(grid, surfaces, work.solids, spray, gravity_dv, before.x, particles);
  accelerate_spray(place, grid, liquid.solids, liquid.spray.data(), gravity_dv, liquid.previous, liquid.particles);
  std::size_t stopped = 0;
  for (std::size_t p = 0; p < spray.size(); ++p) {
    const Vec3f& v = liquid.particles.v.data()[p];
    EXPECT_LE((particles.v[p] - v).norm(), float_round_off * (1 + v.norm()));
    EXPECT_EQ(particles.c[p], liquid.particles.c.data()[p]);
    const Vec3f free = before.v[p] + gravity_dv.cast<float>();
    stopped += spray[p] && (v - free).norm() > 1e-3f;
  }
  EXPECT_GT(stopped, 0u);

  std::vector<std::uint8_t> marks;
  mark_spray(grid, work.fluid_phi, surfaces, work.solids, before, marks);
  mark_spray(place, grid, std::as_const(liquid.fluid_phi).view(), liquid.solids, liquid.previous, liquid.spray);
  ASSERT_EQ(liquid.spray.size(), marks.size());
  EXPECT_TRUE(std::equal(marks.begin(), marks.end(), liquid.spray.data()));
}

TEST_P(Motion, particles_in_inflows_are_counted_as_on_the_processor) {
  const std::size_t outside = count_outside_inflows(surfaces, work.solids, before);
  EXPECT_EQ(count_outside_inflows(place, surfaces, liquid.solids, liquid.previous), outside);
  if (has_inflows(surfaces)) {
    EXPECT_LT(outside, before.size());
  }
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    mark_inside(place, liquid.solids.each[s].view, liquid.previous, liquid.spray);
    for (std::size_t p = 0; p < before.size(); ++p)
      ASSERT_EQ(bool(liquid.spray.data()[p]), inside(work.solids.each[s], before.x[p]));
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, Motion, testing::ValuesIn(moving_scenes()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace coracle
