// Particles that come and go, and what is measured of them, as it is written for any place, against the processor's.
#include "coracle/step/liquid/measure.h"

#include "coracle/step/liquid/device/measure.h"
#include "coracle/step/liquid/device/particles.h"
#include "coracle/step/particles/push_out.h"
#include "tests/step/device/states.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using namespace device_tests;

constexpr double round_off = 1e-13;  // of sums of some ten thousand numbers, of which none cancels most of the others

struct State : LiquidState {
  Host place;
  PlacedParticles<Host> particles, memory;
  Host::Array<std::uint32_t> kept;

  explicit State(const std::string& more = "") : LiquidState(dam + ball + more, 15) {
    upload(place, liquid().particles, particles);
  }
  void expect_particles(const Particles& expected) {
    Particles mine;
    download(place, particles, mine);
    EXPECT_EQ(mine.x, expected.x);
    EXPECT_EQ(mine.v, expected.v);
    EXPECT_EQ(mine.c, expected.c);
  }
};

TEST(PlacedParticles, marked_ones_are_removed_and_the_others_keep_their_order) {
  State s;
  Particles expected = s.liquid().particles;
  std::vector<std::uint8_t> gone(expected.size());
  for (std::size_t p = 0; p < gone.size(); ++p) gone[p] = uniform(p, 0) < 0.1;
  Host::Array<std::uint8_t> marks;
  s.place.upload(gone.data(), gone.size(), marks);
  const std::size_t removed = remove_particles(expected, gone);
  ASSERT_GT(removed, 0);
  EXPECT_EQ(remove_particles(s.place, marks, s.particles, s.kept, s.memory), removed);
  s.expect_particles(expected);
}

TEST(PlacedParticles, all_may_go_and_others_come) {
  State s;
  const std::vector<std::uint8_t> gone(s.particles.count, 1);
  Host::Array<std::uint8_t> marks;
  s.place.upload(gone.data(), gone.size(), marks);
  EXPECT_EQ(remove_particles(s.place, marks, s.particles, s.kept, s.memory), gone.size());
  EXPECT_EQ(s.particles.count, 0);
  const std::vector<Vec3> x{{0.1, 0.2, 0.3}};
  append_particles(s.place, x, {{1, 2, 3}}, true, s.particles, s.memory);
  s.expect_particles({.x = x, .v = {{1, 2, 3}}, .c = {Mat3f::Zero()}});
}

TEST(PlacedParticles, new_ones_stand_after_the_others) {
  for (const bool affine : {true, false}) {
    State s;
    Particles expected = s.liquid().particles;
    if (!affine) expected.c.clear(), upload(s.place, expected, s.particles);
    for (const std::size_t count : {std::size_t(3), std::size_t(0), 2 * expected.size()}) {
      std::vector<Vec3> x;
      std::vector<Vec3f> v;
      for (std::size_t i = 0; i < count; ++i) {
        x.emplace_back(uniform(i, 0), uniform(i, 1), uniform(i, 2));
        v.emplace_back(float(i), 1.0f, -1.0f);
      }
      append_particles(s.place, x, v, affine, s.particles, s.memory);
      expected.x.insert(expected.x.end(), x.begin(), x.end());
      expected.v.insert(expected.v.end(), v.begin(), v.end());
      if (affine) expected.c.resize(expected.size(), Mat3f::Zero());
      s.expect_particles(expected);
    }
  }
}

TEST(PlacedMeasure, speeds_are_those_of_the_processor) {
  State s;
  std::vector<std::uint8_t> spray(s.particles.count);
  const std::vector<Vec3f>& v = s.liquid().particles.v;
  const double fastest = max_speed(s.liquid().particles);
  for (std::size_t p = 0; p < spray.size(); ++p) spray[p] = v[p].norm() > 0.7 * fastest;
  Host::Array<std::uint8_t> marks;
  s.place.upload(spray.data(), spray.size(), marks);
  const double others = max_speed(s.liquid().particles, spray);
  ASSERT_LT(others, fastest);
  EXPECT_NEAR(max_speed(s.place, s.particles), fastest, 1e-7 * fastest);  // squares in single precision
  EXPECT_NEAR(max_speed(s.place, s.particles, marks), others, 1e-7 * others);
}

TEST(PlacedMeasure, sums_over_particles_are_those_of_the_processor) {
  State s;
  Liquid& liquid = s.liquid();
  LiquidReport expected, mine;
  measure_liquid(s.scene(), s.world(), liquid, s.work(), expected);
  const LiquidReport volume = measure_volume(s.world(), liquid, s.work());
  report_liquid(s.scene(), liquid.grid, particle_sums(s.place, s.particles), volume, s.particles.count, mine);
  EXPECT_NEAR(mine.kinetic_energy, expected.kinetic_energy, round_off * expected.kinetic_energy);
  EXPECT_NEAR(mine.potential_energy, expected.potential_energy, round_off * expected.potential_energy);
  EXPECT_NEAR(mine.max_speed, expected.max_speed, round_off * expected.max_speed);
  const double most = s.scene().liquid.density * expected.volume * expected.max_speed;
  EXPECT_LT((mine.momentum - expected.momentum).norm(), round_off * most);

  Kick kick;
  kick.length = 0.01, kick.steady = 0.5;
  Particles before = liquid.particles;
  for (std::size_t p = 0; p < before.size(); ++p) before.v[p] += Vec3f(0.01f, float(uniform(p, 0)), 0.1f);
  const Acceleration a = acceleration_in(kick, s.scene(), liquid, before);
  PlacedParticles<Host> placed_before;
  upload(s.place, before, placed_before);
  const Acceleration b =
      scaled(acceleration_sums(s.place, placed_before, s.particles), kick, s.scene().liquid.density, liquid.grid);
  EXPECT_LT((a.force - b.force).norm(), round_off * a.force.norm());
  EXPECT_NEAR(a.square, b.square, round_off * a.square);
  EXPECT_NEAR(a.power, b.power, 10 * round_off * std::abs(a.power));  // some of its terms cancel
  EXPECT_GT(a.force.norm(), 0);
}

struct NotInInflow {
  const Vec3* x;
  bool operator()(std::size_t p) const { return (x[p] - Vec3(0.7, 0.8, 0.4)).cwiseAbs().maxCoeff() > 0.1; }
};

TEST(PlacedMeasure, the_volume_is_that_of_the_processor) {
  for (const bool jet : {false, true}) {
    State s(jet ? tap : "");
    Liquid& liquid = s.liquid();
    LiquidWork& work = s.work();
    for (std::size_t p = 0; p < work.spray.size(); p += 50) work.spray[p] = 1;
    const LiquidReport expected = measure_volume(s.world(), liquid, work);
    PlacedArray3<Host, double> phi, open;
    upload(s.place, work.fluid_phi, phi), upload(s.place, work.solids.cut.volume, open);
    Host::Array<std::uint32_t> start;
    Host::Array<std::uint8_t> spray;
    s.place.upload(work.cell_start.data(), work.cell_start.size(), start);
    s.place.upload(work.spray.data(), work.spray.size(), spray);
    const VolumeCounts counts =
        jet ? volume_counts(s.place, liquid.grid, phi, open, start, spray, NotInInflow{s.particles.x.data()})
            : volume_counts(s.place, liquid.grid, phi, open, start, spray);
    const LiquidReport mine = report_volume(liquid.grid, counts, s.particles.count, liquid.expected_volume);
    EXPECT_NEAR(mine.volume, expected.volume, round_off * expected.volume);
    EXPECT_EQ(mine.spray, expected.spray);
    EXPECT_GT(mine.spray, 0);
    EXPECT_EQ(mine.particles, expected.particles);
    EXPECT_GT(counts.loose, 0);
    if (jet) {
      const VolumeCounts all = volume_counts(s.place, liquid.grid, phi, open, start, spray);
      EXPECT_GT(all.loose, counts.loose);
    }
  }
}

}  // namespace
}  // namespace coracle
