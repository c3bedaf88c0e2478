// What a program sets between steps: forces, ways of holds, inflows, muscles.
#include "coracle/base/files.h"
#include "coracle/simulation.h"
#include "coracle/world/archive.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace coracle {
namespace {

const char* const bar_text = R"(
gravity = [0, 0, 0]

[domain]
max = [2, 1, 1]

[time]
frames = 4

[[body]]
name = "bar"
shape = "box"
center = [1, 0.5, 0.5]
size = [0.4, 0.1, 0.1]
mesh = "grid6"
cells = [4, 1, 1]
young = 1e4
poisson = 0

[[body.muscle]]
name = "long"
stress = 2e3
level = 0
swing = 0
)";

const char* const pool_text = R"(
[domain]
resolution = 12

[time]
frames = 3

[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 0.4, 1]

[[inflow]]
name = "tap"
shape = "box"
center = [0.5, 0.9, 0.5]
size = [0.2, 0.1, 0.2]
velocity = [0, -0.5, 0]

[[body]]
name = "flap"
shape = "box"
center = [0.3, 0.2, 0.5]
size = [0.1, 0.4, 0.3]
mesh = "grid6"
cells = [1, 3, 2]

[[body.hold]]
type = "pin"
side = "y_min"

[[body.muscle]]
name = "all"
fibre = [0, 1, 0]
)";

Simulation simulate(const std::string& text) { return Simulation(parse_scene(text, "test.toml")); }

const Body& body_of(const Simulation& sim) { return sim.world().bodies[0]; }

Vec3 momentum(const Body& body) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < body.v.size(); ++i) sum += body.rest->mass[i] * body.v[i];
  return sum;
}

TEST(Controls, a_force_is_the_change_of_momentum_and_ends_when_it_is_taken_away) {
  Simulation sim = simulate(bar_text);
  std::vector<Vec3> force(body_of(sim).x.size(), Vec3::Zero());
  force[0] = Vec3(0, 0.3, 0);
  force[5] = Vec3(0.1, 0, -0.2);
  sim.set_force("bar", force);
  sim.frame();
  const Vec3 expected = sim.time() * Vec3(0.1, 0.3, -0.2);
  EXPECT_LT((momentum(body_of(sim)) - expected).norm(), 1e-10 * expected.norm());
  sim.set_force("bar", {});
  sim.frame();
  EXPECT_LT((momentum(body_of(sim)) - expected).norm(), 1e-10 * expected.norm());
}

TEST(Controls, a_muscle_shortens_its_body_and_pushes_it_nowhere) {
  Simulation sim = simulate(bar_text);
  const auto length = [&] {
    double low = 1e30, high = -1e30;
    for (const Vec3& p : body_of(sim).x) low = std::min(low, p.x()), high = std::max(high, p.x());
    return high - low;
  };
  const double before = length();
  sim.frame();
  EXPECT_NEAR(length(), before, 1e-12);
  sim.set_activation("bar", "long", 1);
  sim.frame();
  EXPECT_LT(length(), 0.95 * before);
  EXPECT_LT(momentum(body_of(sim)).norm(), 1e-12);
  sim.set_activation("bar", "long", std::nullopt);
  EXPECT_TRUE(std::isnan(body_of(sim).controls.activation[0]));
}

TEST(Controls, a_hold_moves_where_it_is_told) {
  Simulation sim = simulate(pool_text);
  const Vec3 way(0.05, 0, 0.02);
  const std::vector<Vec3> before = body_of(sim).x;
  const double frame = 1 / sim.scene().time.fps;
  sim.move_hold("flap", 0, 0.5 * way, frame);
  sim.frame();
  sim.move_hold("flap", 0, 0.5 * way, 0.5 * frame);  // it is there before the frame ends, and stays
  sim.frame();
  for (const Hold& hold : body_of(sim).rest->holds)
    EXPECT_LT((body_of(sim).x[hold.node] - before[hold.node] - way).norm(), 1e-12);
}

TEST(Controls, an_inflow_that_is_told_is_one_that_the_scene_gives) {
  std::string text = pool_text;
  text.replace(text.find("[0, -0.5, 0]"), 12, "[0, -2.0, 0]");
  Simulation given = simulate(text), told = simulate(pool_text);
  told.set_flow("tap", Vec3(0, -2, 0));
  for (int frame = 0; frame < 2; ++frame) given.frame(), told.frame();
  EXPECT_EQ(liquid_of(given.world()).particles.x, liquid_of(told.world()).particles.x);
  const double expected = liquid_of(told.world()).expected_volume;
  told.set_flow("tap", Vec3::Zero());
  told.frame();
  EXPECT_EQ(liquid_of(told.world()).expected_volume, expected);
}

TEST(Controls, a_saved_state_keeps_them_and_goes_on_to_the_same_bits) {
  const TemporaryDirectory dir;
  Simulation sim = simulate(pool_text);
  sim.step();
  sim.set_force("flap", std::vector<Vec3>(body_of(sim).x.size(), Vec3(0.1, 0, 0)));
  sim.set_flow("tap", Vec3(0, -1, 0.1));
  sim.move_hold("flap", 0, Vec3(0.05, 0, 0), 0.1);
  sim.set_activation("flap", "all", 0.5);
  sim.step();
  sim.save(dir / "state.h5");
  Simulation resumed = Simulation::resume(dir / "state.h5");
  EXPECT_EQ(first_difference(sim.world(), resumed.world()), "");
  sim.frame();
  resumed.frame();
  EXPECT_EQ(first_difference(sim.world(), resumed.world()), "");
}

void expect_refused(const std::function<void()>& call, const std::string& word) {
  try {
    call();
    ADD_FAILURE() << "was taken: " << word;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(Controls, what_means_nothing_is_refused_with_what_would_do) {
  Simulation sim = simulate(pool_text);
  const std::size_t nodes = body_of(sim).x.size();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused([&] { sim.set_force("flop", {}); }, "there is no body 'flop'; there are flap");
  expect_refused([&] { sim.set_force("flap", {Vec3::Zero()}); }, "give one per node");
  expect_refused([&] { sim.set_force("flap", std::vector<Vec3>(nodes, Vec3(nan, 0, 0))); }, "must be finite");
  expect_refused([&] { sim.set_flow("tip", Vec3::Zero()); }, "there are tap");
  expect_refused([&] { sim.set_flow("tap", Vec3(0, nan, 0)); }, "must be finite");
  expect_refused([&] { sim.move_hold("flap", 1, Vec3::Zero(), 1); }, "there is no hold 1");
  expect_refused([&] { sim.move_hold("flap", 0, Vec3::Zero(), 0); }, "above 0");
  expect_refused([&] { sim.set_activation("flap", "some", 1.0); }, "there are all");
  expect_refused([&] { sim.set_activation("flap", "all", 1.5); }, "between 0 and 1");
  sim.step();  // nothing is broken
}

}  // namespace
}  // namespace coracle
