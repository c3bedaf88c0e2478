// The page of liquid at a place does what the page of the processor does.
#include "coracle/step/liquid/device/page.h"
#include "coracle/backend.h"
#include "coracle/error.h"
#include "tests/step/device/moving_scenes.h"
#include "tests/step/device/states.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <tuple>
#include <utility>

namespace coracle {
namespace {

using device_tests::ball;
using device_tests::dam;
using device_tests::soft;

// Of a solve: what the two pages differ by is the round-off of their sums, and the error that solves leave.
const std::string exact = "[solver]\ntolerance = 1e-12\n";

// A rubber shell that is full of water falls through the air: one closed component, whose volume is kept.
const std::string shell = R"(
[domain]
resolution = 24
[time]
frames = 10
[[liquid.region]]
shape = "sphere"
center = [0.5, 0.5, 0.5]
radius = 0.2
[[body]]
name = "shell"
shape = "hollow_sphere"
center = [0.5, 0.5, 0.5]
radius = 0.26
thickness = 0.06
edge = 0.07
young = 1e5
)";

const std::string probes = R"(
[[probe]]
name = "p"
type = "pressure"
point = [0.1, 0.1, 0.4]
[[probe]]
name = "h"
type = "height"
from = [0.2, 0, 0.4]
to = [0.2, 1, 0.4]
[[probe]]
name = "v"
type = "velocity"
point = [0.35, 0.1, 0.4]
[[probe]]
name = "q"
type = "volume"
min = [0, 0, 0]
max = [0.3, 0.3, 0.3]
)";

std::vector<MovingScene> scenes() {
  std::vector<MovingScene> all;
  for (const MovingScene& s : moving_scenes())
    if (std::string(s.name) != "whole_faces") all.push_back({s.name, s.toml + exact});
  all.push_back({"ball", dam + ball + probes + exact});
  all.push_back({"beam", dam + soft + exact});
  all.push_back({"flip", dam + ball + "[liquid]\nadvection = 'flip'\n" + exact});
  all.push_back({"full_shell", shell + exact});
  return all;
}

// On the place Host, which needs no GPU, and on a GPU where there is one.
class PlacedPageTest : public testing::TestWithParam<std::tuple<MovingScene, Backend>> {
 protected:
  void SetUp() override {
    if (!on_gpu()) return;
    try {
      require_backend(Backend::cuda);
    } catch (const RunError& error) {
      GTEST_SKIP() << error.what();
    }
  }
  static bool on_gpu() { return std::get<Backend>(GetParam()) == Backend::cuda; }
  static MovingRun here() { return MovingRun(std::get<MovingScene>(GetParam())); }
  static MovingRun there() {
    MovingRun run = here();
    LiquidWork& work = run.liquid_work();
    if (on_gpu()) {
      run.scene.solver.backend = Backend::cuda;
      work.placed = make_placed_page(run.scene);
    } else {
      work.placed = std::make_unique<PageAt<Host>>(make_host_placed_solver());
    }
    work.placed->derive(run.scene, run.world, run.liquid(), run.work.step, work);
    return run;
  }
};

TEST_P(PlacedPageTest, a_step_agrees_with_the_processor_to_the_tolerance_of_the_solve) {
  // Velocities are floats: of 5 m/s the last digit moves a particle by 1e-8 m in a step of 20 ms.
  constexpr double tolerance = 1e-7;
  MovingRun here = PlacedPageTest::here(), there = PlacedPageTest::there();
  for (int i = 0; i < 3; ++i) {
    const StepReport a = advance_step(here.scene, here.world, here.work);
    const StepReport b = advance_step(there.scene, there.world, there.work);
    bring_home(there.world, there.work);
    const Particles &p = here.liquid().particles, &q = there.liquid().particles;
    ASSERT_EQ(p.size(), q.size()) << i;
    double far = 0, fast = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
      far = std::max(far, (p.x[k] - q.x[k]).norm());
      fast = std::max(fast, double((p.v[k] - q.v[k]).norm()));
    }
    EXPECT_LT(far, tolerance) << i;
    EXPECT_LT(fast, 1e-5) << i;  // in single precision, of up to ten metres per second
    EXPECT_LT(device_tests::largest_difference(here.liquid().u, there.liquid().u), 1e-5) << i;
    const LiquidReport &ra = std::get<LiquidReport>(a.fluid), &rb = std::get<LiquidReport>(b.fluid);
    EXPECT_EQ(ra.particles, rb.particles);
    EXPECT_EQ(ra.spray, rb.spray);
    EXPECT_EQ(ra.cells, rb.cells);
    EXPECT_NEAR(ra.volume, rb.volume, 1e-9);
    EXPECT_NEAR(ra.expected_volume, rb.expected_volume, 1e-12);
    EXPECT_NEAR(ra.kinetic_energy, rb.kinetic_energy, 1e-6 * (1 + ra.kinetic_energy));
    EXPECT_NEAR(ra.potential_energy, rb.potential_energy, 1e-8 * (1 + std::abs(ra.potential_energy)));
    ASSERT_EQ(ra.pockets.size(), rb.pockets.size());
    for (std::size_t k = 0; k < ra.pockets.size(); ++k) EXPECT_NEAR(ra.pockets[k].volume, rb.pockets[k].volume, 1e-9);
    ASSERT_EQ(a.probes.size(), b.probes.size());
    for (std::size_t k = 0; k < a.probes.size(); ++k)
      EXPECT_NEAR(a.probes[k], b.probes[k], 1e-5 * (1 + std::abs(a.probes[k]))) << k;
    ASSERT_EQ(a.bodies.size(), b.bodies.size());
    for (std::size_t k = 0; k < a.bodies.size(); ++k) {
      EXPECT_LT((a.bodies[k].fluid_force - b.bodies[k].fluid_force).norm(),
                1e-5 * (1 + a.bodies[k].fluid_force.norm()));
      EXPECT_LT((a.bodies[k].momentum - b.bodies[k].momentum).norm(), 1e-6);
    }
  }
}

// Memory may run out in the middle of a step.
TEST(PlacedPageThat, throws_in_a_step_goes_on_with_the_same_bits) {
  class Throwing : public PageAt<Host> {
   public:
    using PageAt::PageAt;
    bool now = false;
    StepReport step(const Scene& scene, World& world, Liquid& liquid, StepWork& step, LiquidWork& work,
                    double dt) override {
      const StepReport report = PageAt::step(scene, world, liquid, step, work, dt);
      if (std::exchange(now, false)) throw RunError("a test asked for this");
      return report;
    }
  };
  for (const MovingScene& scene : scenes()) {
    const auto placed = [&](Throwing*& page) {
      MovingRun run(scene);
      auto own = std::make_unique<Throwing>(make_host_placed_solver());
      page = own.get();
      run.liquid_work().placed = std::move(own);
      run.liquid_work().placed->derive(run.scene, run.world, run.liquid(), run.work.step, run.liquid_work());
      return run;
    };
    Throwing *calm = nullptr, *throwing = nullptr;
    MovingRun a = placed(calm), b = placed(throwing);
    for (int i = 0; i < 4; ++i) {
      a.step();
      throwing->now = i == 2;
      if (i == 2) {
        EXPECT_THROW(b.step(), RunError);
      }
      b.step();
    }
    bring_home(a.world, a.work), bring_home(b.world, b.work);
    EXPECT_EQ(first_difference(a.world, b.world), "") << scene.name;
  }
}

// Rollback does not copy what lies at a place.
TEST_P(PlacedPageTest, a_failed_step_leaves_no_trace) {
  for (const char* stage : {"transfer", "projection", "extrapolate", "particles", "advect", "solids", "surface"}) {
    MovingRun run = there();
    run.step();
    bring_home(run.world, run.work);
    const World before = run.world;
    run.work.step.fail_after = stage;
    EXPECT_THROW(run.step(), StepError);
    run.work.step.fail_after.clear();
    bring_home(run.world, run.work);
    EXPECT_EQ(first_difference(before, run.world), "") << stage;
  }
}

TEST_P(PlacedPageTest, home_and_out_again_changes_no_bit) {
  MovingRun stays = there(), returns = there();
  for (int i = 0; i < 3; ++i) {
    stays.step(), returns.step();
    bring_home(returns.world, returns.work);
  }
  bring_home(stays.world, stays.work);
  EXPECT_EQ(first_difference(stays.world, returns.world), "");
}

INSTANTIATE_TEST_SUITE_P(Scenes, PlacedPageTest,
                         testing::Combine(testing::ValuesIn(scenes()), testing::Values(Backend::cpu, Backend::cuda)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param).name) +
                                  (std::get<1>(test.param) == Backend::cuda ? "_gpu" : "_host");
                         });

}  // namespace
}  // namespace coracle
