// The back end of the pressure solve as users of the library choose it.
#include "coracle/backend.h"

#include "coracle/error.h"
#include "coracle/simulation.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

bool there(Backend backend) {
  try {
    require_backend(backend);
    return true;
  } catch (const RunError&) {
    return false;
  }
}

// A soft ball half in water, and a shell full of it.
Scene pool(Backend backend) {
  Scene scene = parse_scene(R"(
[domain]
resolution = 24
[time]
frames = 4
[solver]
tolerance = 1e-11
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 0.4, 1]
[[body]]
name = "ball"
shape = "sphere"
center = [0.3, 0.45, 0.5]
radius = 0.15
edge = 0.1
young = 1e4
density = 500
[[body]]
name = "shell"
shape = "hollow_sphere"
center = [0.7, 0.45, 0.5]
radius = 0.22
thickness = 0.09
edge = 0.07
young = 3e4
)",
                            "pool");
  scene.solver.backend = backend;
  return scene;
}

double largest_difference(const Array3<double>& a, const Array3<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a.data[i] - b.data[i]));
  return most;
}

TEST(Backend, a_missing_one_is_refused_with_the_remedy) {
  EXPECT_TRUE(there(Backend::cpu));
  if (there(Backend::cuda)) GTEST_SKIP() << "this machine has " << device_name(Backend::cuda);
  try {
    Simulation sim(pool(Backend::cuda));
    FAIL() << "it ran";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("solver.backend = \"cpu\""), std::string::npos) << error.what();
  }
}

class OnTheGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!there(Backend::cuda)) GTEST_SKIP() << "this machine has no GPU that the program can use";
  }
};

// Pressure and velocity follow from one residual, so they agree to its tolerance times the condition of the system.
TEST_F(OnTheGpu, a_step_agrees_with_the_processor_to_solver_tolerance) {
  Simulation gpu(pool(Backend::cuda)), cpu(pool(Backend::cpu));
  for (int step = 0; step < 3; ++step) {
    const StepReport a = gpu.step(), b = cpu.step();
    EXPECT_DOUBLE_EQ(a.dt, b.dt);
    EXPECT_LE(std::abs(a.solver.iterations - b.solver.iterations), 2);
  }
  const Array3<double>& p = std::get<Liquid>(cpu.world().fluid).pressure;
  const double scale = *std::max_element(p.data.begin(), p.data.end());
  EXPECT_LT(largest_difference(std::get<Liquid>(gpu.world().fluid).pressure, p), 1e-6 * scale);
  for (std::size_t n = 0; n < cpu.world().bodies[0].x.size(); ++n)
    EXPECT_LT((gpu.world().bodies[0].v[n] - cpu.world().bodies[0].v[n]).norm(), 1e-7);
}

TEST_F(OnTheGpu, a_run_repeats_its_bits_and_resumes_on_the_processor) {
  Simulation first(pool(Backend::cuda)), second(pool(Backend::cuda));
  for (int step = 0; step < 4; ++step) {
    first.step();
    second.step();
  }
  EXPECT_EQ(std::get<Liquid>(first.world().fluid).pressure.data, std::get<Liquid>(second.world().fluid).pressure.data);
  EXPECT_EQ(std::get<Liquid>(first.world().fluid).particles.x, std::get<Liquid>(second.world().fluid).particles.x);
  const TemporaryDirectory directory;
  first.save(directory / "state.h5");
  Simulation resumed = Simulation::resume(pool(Backend::cpu), directory / "state.h5");
  resumed.step();
  first.step();
  const Array3<double>& p = std::get<Liquid>(first.world().fluid).pressure;
  const double scale = *std::max_element(p.data.begin(), p.data.end());
  EXPECT_LT(largest_difference(std::get<Liquid>(resumed.world().fluid).pressure, p), 1e-6 * scale);
}

}  // namespace
}  // namespace coracle
