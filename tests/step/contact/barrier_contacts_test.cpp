// Barrier contact through whole steps.
#include "coracle/step/contact/contact_start.h"
#include "coracle/world/build.h"
#include "validation/setup.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

using validation::run_text;

const std::string head = "[domain]\nresolution = 16\n[contact]\nkind = 'barrier'\n[time]\nfps = 50\nmax_dt = 0.01\n";

std::string cube(const std::string& name, const Vec3& center, double size, const std::string& more = "") {
  return fmt::format(
      "[[body]]\nname = '{}'\nshape = 'box'\ncenter = [{}, {}, {}]\nsize = [{}, {}, {}]\nmesh = "
      "'grid6'\nelement = 'linear'\ncells = [2, 2, 2]\n{}{}",
      name, center.x(), center.y(), center.z(), size, size, size,
      more.find("young") == std::string::npos ? "young = 1e5\n" : "", more);
}

struct Seen {
  double nearest = INFINITY, speed = 0, time = 0;
  int active = 0;
};
Seen run(const std::string& text, const std::function<void(const StepReport&, const World&)>& look = {}) {
  Seen seen;
  run_text(text, "barrier", [&](const StepReport& r, const World& w, const Workspace&) {
    ASSERT_TRUE(r.contact);
    seen.nearest = std::min(seen.nearest, r.contact->min_distance);
    seen.active = int(r.contact->active);
    seen.time = r.time;
    seen.speed = 0;
    for (const Body& b : w.bodies)
      for (const Vec3& v : b.v) seen.speed = std::max(seen.speed, v.norm());
    if (look) look(r, w);
  });
  return seen;
}

TEST(Barrier, a_cube_falls_on_the_floor_and_rests_above_it) {
  double low = 1;
  const Seen seen = run(head + "frames = 50\n" + cube("cube", Vec3(0.5, 0.2, 0.5), 0.2, "damping_mass = 2\n"),
                        [&](const StepReport&, const World& w) {
                          for (const Vec3& x : w.bodies[0].x) low = std::min(low, x.y());
                        });
  EXPECT_GT(seen.nearest, 0);
  EXPECT_GT(low, 0);
  EXPECT_GT(seen.active, 0);
  EXPECT_LT(seen.speed, 0.02);
}

TEST(Barrier, a_gap_is_told_only_when_something_is_within_reach) {
  int far = 0, close = 0;
  run(head + "frames = 20\n" + cube("cube", Vec3(0.5, 0.5, 0.5), 0.2, "damping_mass = 2\n"),
      [&](const StepReport& r, const World& w) {
        double low = 1;
        for (const Vec3& x : w.bodies[0].x) low = std::min(low, x.y());
        const std::optional<double> gap = r.smallest_gap();
        ASSERT_EQ(gap.has_value(), low < r.contact->reach) << low;
        EXPECT_EQ(r.headline().find("gap") != std::string::npos, gap.has_value()) << r.headline();
        EXPECT_NEAR(gap.value_or(low), low, 1e-12);
        ++(gap ? close : far);
      });
  EXPECT_GT(far, 5);
  EXPECT_GT(close, 5);
}

TEST(Barrier, a_body_that_slides_on_a_slope_follows_coulomb) {
  for (const double friction : {0.0, 0.2}) {
    constexpr double degrees = 30, g = 9.81;
    const double angle = degrees * M_PI / 180, expected = g * (std::sin(angle) - friction * std::cos(angle));
    double start = 0, then = 0, way = 0, time = 0;
    run(fmt::format("gravity = [{}, {}, 0]\n", g * std::sin(angle), -g * std::cos(angle)) +
            "[domain]\nmax = [4, 1, 1]\nresolution = 16\n[time]\nfps = 50\nframes = 30\nmax_dt = "
            "0.005\n[contact]\nkind "
            "= 'barrier'\nfriction = " +
            fmt::format("{}\n", friction) + cube("cube", Vec3(0.5, 0.115, 0.5), 0.2),
        [&](const StepReport& r, const World& w) {
          const double x = r.bodies[0].momentum.x() / 8;
          (void)w;
          if (r.time < 0.2) start = x, then = r.time;
          way = x, time = r.time;
        });
    EXPECT_NEAR((way - start) / (time - then), expected, 0.02 * g * std::sin(angle)) << friction;
  }
}

// Held by friction, the velocity of the last step is the solution but for rounding.
TEST(Barrier, a_body_at_rest_on_a_slope_needs_few_iterations) {
  constexpr double degrees = 20, g = 9.81;
  const double angle = degrees * M_PI / 180;
  int most = 0;
  const Seen seen = run(fmt::format("gravity = [{}, {}, 0]\n[contact]\nkind = 'barrier'\nfriction = 0.6\n",
                                    g * std::sin(angle), -g * std::cos(angle)) +
                            "[domain]\nresolution = 16\n[time]\nfps = 50\nframes = 50\nmax_dt = 0.01\n" +
                            cube("cube", Vec3(0.5, 0.115, 0.5), 0.2, "damping_mass = 2\n"),
                        [&](const StepReport& r, const World&) {
                          if (r.time > 0.8) most = std::max(most, r.solver.iterations);
                        });
  EXPECT_LT(seen.speed, 2e-3);
  EXPECT_LE(most, 3);
}

TEST(Barrier, bodies_that_collide_keep_their_momentum) {
  Vec3 most = Vec3::Zero();
  const Seen seen = run("gravity = [0, 0, 0]\n[elastic]\ntolerance = 1e-13\n" + head + "frames = 20\n" +
                            cube("a", Vec3(0.3, 0.5, 0.5), 0.2, "velocity = [2, 0, 0]\n") +
                            cube("b", Vec3(0.6, 0.55, 0.52), 0.2, "velocity = [-2, 0, 0]\nspin = [0, 0, 1]\n"),
                        [&](const StepReport& r, const World&) {
                          most = most.cwiseMax((r.bodies[0].momentum + r.bodies[1].momentum).cwiseAbs());
                        });
  EXPECT_GT(seen.nearest, 0);
  EXPECT_LT(most.maxCoeff(), 1e-10 * 2 * 8);
}

TEST(Barrier, a_solid_that_moves_fast_pushes_a_body_and_never_enters_it) {
  double end = 0;
  const Seen seen = run("gravity = [0, 0, 0]\n" + head +
                            "frames = 12\n[[solid]]\nname = 'piston'\nshape = 'box'\ncenter = [0.1, 0.5, 0.5]\nsize = "
                            "[0.1, 0.4, 0.4]\n[[solid.motion]]\ntype = 'velocity'\nvelocity = [2, 0, 0]\n" +
                            cube("cube", Vec3(0.4, 0.5, 0.5), 0.2),
                        [&](const StepReport&, const World& w) {
                          double low = 1;
                          for (const Vec3& x : w.bodies[0].x) low = std::min(low, x.x());
                          EXPECT_GT(low, w.solids[0].x[0].x());
                          end = low;
                        });
  EXPECT_GT(seen.nearest, 0);
  EXPECT_GT(end, 0.5);
}

std::string plate(double y, double speed) {
  return fmt::format(
      "[[solid]]\nname = 'plate'\nshape = 'box'\ncenter = [0.5, {}, 0.5]\nsize = [0.5, 0.1, "
      "0.5]\n[[solid.motion]]\ntype = 'velocity'\nvelocity = [0, {}, 0]\n",
      y, speed);
}

// Newton's changes take the way of the plate into account. If they did not, the body would stay while the plate comes,
// every change would end a tenth of the gap before it, and long steps would fail.
TEST(Barrier, a_plate_lifts_a_soft_body_in_long_steps_of_which_none_is_repeated) {
  double low = 0, time = 0;
  int repeated = 0;
  const Seen seen =
      run("[domain]\nresolution = 16\n[contact]\nkind = 'barrier'\n[time]\nfps = 10\nframes = 4\nmax_dt "
          "= 0.1\n" +
              cube("cube", Vec3(0.5, 0.26, 0.5), 0.2, "young = 3e3\n") + plate(0.1, 1),
          [&](const StepReport& r, const World& w) {
            low = INFINITY, time = r.time, repeated += r.retries;
            for (const Vec3& x : w.bodies[0].x) low = std::min(low, x.y());
          });
  EXPECT_EQ(repeated, 0);
  EXPECT_GT(seen.nearest, 0);
  EXPECT_GT(low, 0.15 + time) << "above the plate";
}

TEST(Barrier, a_soft_body_in_a_press_yields_until_no_room_is_left_and_the_message_says_where) {
  double time = 0;
  try {
    run("[domain]\nresolution = 16\n[contact]\nkind = 'barrier'\n[time]\nfps = 50\nframes = 15\nmax_dt = 0.02\nmin_dt "
        "= "
        "4e-3\n" +
            cube("cube", Vec3(0.5, 0.13, 0.5), 0.2, "material = 'stable_neo_hookean'\n") + plate(0.3, -1),
        [&](const StepReport& r, const World&) { time = r.time; });
    FAIL() << "it goes on";
  } catch (const std::exception& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("'cube' and "), std::string::npos) << said;
    EXPECT_NE(said.find("leave more room there"), std::string::npos) << said;
  }
  // The plate's lower side, at 0.25 m, meets the floor after 0.25 s.
  EXPECT_GT(time, 0.24);
  EXPECT_LT(time, 0.25);
}

// At 1000 m/s the pressure of the impact, ρ v² = 1 GPa, turns soft bodies inside out: those are stiff.
TEST(Barrier, a_block_thrown_at_50_or_1000_m_s_does_not_pass_a_thin_plate) {
  struct Shot {
    double speed, young;
  };
  for (const Shot& shot : {Shot{50, 1e7}, {1000, 1e9}}) {
    double end = 1;
    const std::string text = fmt::format(
        "gravity = [0, 0, 0]\n{0}frames = 2\n[[body]]\nname = 'plate'\nshape = 'box'\ncenter = [0.5, 0.5, 0.5]\nsize = "
        "[0.02, 0.6, 0.6]\nmesh = 'grid6'\nelement = 'linear'\ncells = [1, 6, 6]\nyoung = {1}\n[[body.hold]]\ntype = "
        "'pin'\nside = 'y_min'\n[[body.hold]]\ntype = 'pin'\nside = 'y_max'\n[[body]]\nname = 'block'\nshape = "
        "'box'\ncenter = [0.2, 0.5, 0.5]\nsize = [0.1, 0.1, 0.1]\nmesh = 'grid6'\nelement = 'linear'\ncells = [2, 2, "
        "2]\nyoung = {1}\nvelocity = [{2}, 0, 0]\n",
        head, shot.young, shot.speed);
    const Seen seen = run(text, [&](const StepReport& r, const World& w) {  // the plate bulges, and throws it back
      double furthest = 0;
      for (const Vec3& x : w.bodies[0].x) furthest = std::max(furthest, x.x());
      EXPECT_LT(r.bodies[1].center.x(), furthest) << shot.speed;
      end = r.bodies[1].center.x();
    });
    EXPECT_LT(end, 0.5) << shot.speed;
    EXPECT_GT(seen.nearest, 0) << shot.speed;
    EXPECT_NEAR(seen.time, 0.04, 1e-9);
  }
}

TEST(Barrier, what_meets_at_the_start_is_refused_with_names_place_and_remedy) {
  const auto refusal = [](const std::string& text) -> std::string {
    const Scene scene = parse_scene(head + "frames = 1\n" + text, "s.toml");
    std::string all;
    for (const Problem& p : barrier_problems(scene, build_world(scene))) all += p.text() + "\n";
    return all;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  const std::string a = cube("a", Vec3(0.5, 0.5, 0.5), 0.2);
  EXPECT_EQ(refusal(a), "");
  const std::string crossing = refusal(a + cube("b", Vec3(0.69, 0.52, 0.53), 0.2));
  EXPECT_TRUE(has(crossing, "'a' and 'b' cross or touch each other at the start, at (0.")) << crossing;
  const std::string touching = refusal(a + cube("b", Vec3(0.7, 0.5, 0.5), 0.2));
  EXPECT_TRUE(has(touching, "'a' and 'b' cross or touch")) << touching;
  const std::string floor = refusal(cube("a", Vec3(0.5, 0.1, 0.5), 0.2));
  EXPECT_TRUE(has(floor, "touches the side y_min")) << floor;
  EXPECT_EQ(refusal(cube("a", Vec3(0.5, 0.1, 0.5), 0.2, "[[body.hold]]\ntype = 'pin'\nside = 'y_min'\n")), "");
  Scene scene = parse_scene(head + "frames = 1\n" + a, "s.toml");
  scene.contact.distance = 0.15;
  const std::vector<Problem> thick = barrier_problems(scene, build_world(scene));
  ASSERT_EQ(thick.size(), 1u);
  EXPECT_TRUE(has(thick[0].message, "more than half of the thickness of the body 'a'")) << thick[0].message;
}

TEST(Barrier, works_in_water) {
  const Seen seen = run(head + "frames = 10\n[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.5, 1]\n" +
                        cube("cube", Vec3(0.5, 0.13, 0.5), 0.2, "density = 3000\n"));
  EXPECT_GT(seen.nearest, 0);
  EXPECT_NEAR(seen.time, 0.2, 1e-9);
}

std::string rigid_box(const std::string& name, const Vec3& center, const Vec3& size, const std::string& more = "") {
  return fmt::format(
      "[[body]]\nname = '{}'\nkind = 'rigid'\nshape = 'box'\nedge = 0.2\ndensity = 500\ncenter = [{}, {}, {}]\nsize "
      "= [{}, {}, {}]\n{}",
      name, center.x(), center.y(), center.z(), size.x(), size.y(), size.z(), more);
}

const std::string held_everywhere =
    "[[body.hold]]\ntype = 'pin'\n[[body.hold.region]]\nshape = 'box'\nmin = [-9, -9, -9]\nmax = [9, 9, 9]\n";

TEST(Barrier, a_body_that_starts_within_the_reach_of_a_held_one_rests_on_it) {
  double low = 1;
  run(head + "frames = 15\n" + rigid_box("table", {0.5, 0.5, 0.5}, {0.8, 0.1, 0.8}, held_everywhere) +
          rigid_box("block", {0.5, 0.702, 0.5}, {0.3, 0.3, 0.3}),
      [&](const StepReport&, const World& w) {
        for (const int n : w.bodies[1].rest->skin.nodes) low = std::min(low, w.bodies[1].x[n].y());
      });
  EXPECT_GT(low, 0.55);
}

TEST(Barrier, a_start_that_crosses_a_held_sheet_is_refused_with_both_names) {
  const Scene scene = parse_scene(
      head +
          "[[body]]\nname = 'sheet'\nkind = 'shell'\nshape = 'rectangle'\ncenter = [0.5, 0.5, 0.5]\nalong = [0.8, "
          "0, 0]\nacross = [0, 0, 0.8]\nedge = 0.4\nshell_thickness = 0.002\n" +
          held_everywhere + rigid_box("block", {0.5, 0.5, 0.5}, {0.2, 0.2, 0.2}),
      "s.toml");
  const std::vector<Problem> problems = barrier_problems(scene, build_world(scene));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].message.find("'sheet' and 'block' cross or touch"), std::string::npos) << problems[0].message;
}

TEST(Barrier, a_rigid_body_in_a_press_fails_the_step_and_is_named) {
  const std::string text =
      head + "frames = 40\n" +
      rigid_box("press", {0.5, 0.6, 0.5}, {0.5, 0.1, 0.5},
                held_everywhere + "[[body.hold.motion]]\ntype = 'velocity'\nvelocity = [0, -1, 0]\n") +
      rigid_box("block", {0.5, 0.2, 0.5}, {0.3, 0.3, 0.3});
  try {
    run(text);
    FAIL() << "it goes on";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("'block' is squeezed"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace coracle
