// Deformable bodies through whole steps.
#include "validation/setup.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace coracle {
namespace {

using validation::run_text;

const std::string box = R"(
[[body]]
name = "bar"
shape = "box"
center = [0.5, 0.5, 0.5]
size = [0.4, 0.1, 0.1]
mesh = "grid6"
element = "linear"
cells = [4, 1, 1]
young = 2e4
)";

// Height of the bar's free end after half a second.
double end_of_bar(const std::string& more, double dt) {
  double end = 0;
  run_text(
      "gravity = [0, -1, 0]\n[domain]\nresolution = 8\n[time]\nfps = 2\nframes = 1\nmax_dt = " + fmt::format("{}", dt) +
          "\n[elastic]\n" + more + box + "[[body.hold]]\ntype = \"pin\"\nside = \"x_min\"\n",
      "bar", [&](const StepReport&, const World& w, const Workspace&) { end = w.bodies[0].x.back().y(); });
  return end;
}

TEST(Integrators, converge_at_their_order) {
  const auto order = [&](const std::string& name) {
    double end[3];
    for (int i = 0; i < 3; ++i)
      end[i] = end_of_bar("integrator = \"" + name + "\"\nnewton = true\ntolerance = 1e-10\n", 1.0 / (512 << i));
    return std::log2(std::abs((end[0] - end[1]) / (end[1] - end[2])));
  };
  // Three lengths of step show the order but for what the next one adds, which goes with dt: measured 1.15, 1.97 and
  // 1.06 here, 1.20, 1.91 and 1.10 in steps twice as long.
  EXPECT_NEAR(order("backward_euler"), 1, 0.2);
  EXPECT_NEAR(order("midpoint"), 2, 0.2);
  EXPECT_NEAR(order("trapezoidal"), 1, 0.2);  // the force at the end of the step leaves it first order
}

TEST(Integrators, midpoint_iterates_unless_told_otherwise) {
  const auto newton = [](const std::string& more) {
    return parse_scene("[elastic]\n" + more + box, "a.toml").elastic.newton;
  };
  EXPECT_TRUE(newton("integrator = 'midpoint'\n"));
  EXPECT_FALSE(newton("integrator = 'midpoint'\nnewton = false\n"));
  EXPECT_FALSE(newton("integrator = 'backward_euler'\n"));
}

// A soft bar that falls around its held end. One linear solve per step turns rotations into strain.
TEST(Integrators, a_body_that_gains_energy_from_nowhere_is_warned_of_and_with_newton_it_gains_little) {
  const std::string text =
      "[domain]\nmin = [-1, -1.5, -1]\nmax = [1.5, 1, 1]\nresolution = 8\n[time]\nfps = 10\nframes = 20\nmax_dt = "
      "0.05\nmin_dt = 0.002\n[[body]]\nname = 'bar'\nshape = 'box'\ncenter = [0.5, 0, 0]\nsize = [1, 0.2, 0.2]\nmesh "
      "= 'grid6'\nelement = 'linear'\ncells = [10, 2, 2]\nyoung = 3e4\n[[body.hold]]\ntype = 'pin'\nside = "
      "'x_min'\n[elastic]\nintegrator "
      "= 'midpoint'\n";
  struct Watched {
    double gained = 0;  // over the largest energy
    std::size_t notes = 0;
  };
  const auto watch = [&](const std::string& more) {
    Watched w;
    run_text(text + more, "fall", [&](const StepReport& r, const World& world, const Workspace&) {
      w.gained = std::max(w.gained, world.bodies[0].energy.gained / world.bodies[0].energy.largest);
      for (const std::string& note : r.notes) w.notes += note.find("the energy of 'bar' has grown") == 0;
    });
    return w;
  };
  const Watched newton = watch(""), linear = watch("newton = false\n");
  EXPECT_GT(linear.gained, 0.01);
  EXPECT_GT(linear.notes, 0u);
  EXPECT_LT(newton.gained, 0.5 * linear.gained);
}

// K + Ψ + m g y, as a share of m g L/2, the energy of a fall from the horizontal. A step may gain 0.01 of the largest
// so far, and steps lose as well as gain; steps of 0.12 s without that bound gain 3.3.
TEST(Integrators, a_rope_that_swings_keeps_its_energy_under_midpoint_even_where_long_steps_would_gain) {
  constexpr double length = 2, radius = 0.02, g = 9.81;
  const double weight = 1000 * M_PI * radius * radius * length * g;
  for (const double max_dt : {0.06, 0.12}) {
    double most = 0;
    int repeated = 0;
    run_text(fmt::format("gravity = [0, {}, 0]\n[domain]\nmin = [-3, -3, -3]\nmax = [3, 3, 3]\nresolution = "
                         "8\n[time]\nfps = 4\nframes = 8\nmax_dt = {}\n[elastic]\nintegrator = 'midpoint'\n",
                         -g, max_dt) +
                 fmt::format("[[body]]\nname = 'rope'\nkind = 'rod'\nshape = 'line'\npoints = [[0, 0, 0], [{}, 0, "
                             "0]]\nedge = 0.2\nrod_radius = {}\nyoung = 1e7\n[[body.hold]]\ntype = 'pin'\nside = "
                             "'x_min'\n",
                             length, radius),
             "swing", [&](const StepReport& r, const World&, const Workspace&) {
               const BodyReport& rope = r.bodies[0];
               const double all = rope.kinetic_energy + rope.elastic_energy + weight * rope.center.y();
               most = std::max(most, all / (weight * length / 2));
               repeated += r.retries;
             });
    EXPECT_LT(most, 0.1) << max_dt;
    EXPECT_GT(repeated, 0) << max_dt << ": else nothing is tested";
  }
}

TEST(Contact, slides_freely_and_keeps_momentum_under_every_integrator) {
  for (const std::string rule : {"backward_euler", "trapezoidal", "midpoint"}) {
    const std::string head = "[time]\nfps = 20\nframes = 8\nmax_dt = 0.01\n[elastic]\nintegrator = \"" + rule + "\"\n";
    const auto cube = [](const std::string& name, const std::string& at, const std::string& more) {
      return fmt::format(
          "[[body]]\nname = '{}'\nshape = 'box'\ncenter = {}\nsize = [0.3, 0.3, 0.3]\nmesh = 'grid5'\ncells = [2, 2, "
          "2]\nfriction = 0\n{}",
          name, at, more);
    };
    double px = 0, mass = 27;
    run_text(
        "gravity = [5, -8, 0]\n[domain]\nmax = [3, 1, 1]\nresolution = 24\n" + head + cube("c", "[0.5, 0.16, 0.5]", ""),
        "ramp", [&](const StepReport& r, const World&, const Workspace&) { px = r.bodies[0].momentum.x(); });
    EXPECT_NEAR(px, mass * 5 * 0.4, 1e-6 * px) << rule << ": nothing rubs";
    Vec3 p = Vec3::Zero();
    std::size_t met = 0;
    run_text("gravity = [0, 0, 0]\n[domain]\nmax = [3, 1, 1]\nresolution = 24\n" + head +
                 cube("a", "[1, 0.5, 0.5]", "velocity = [2, 0, 0]\n") + cube("b", "[1.45, 0.55, 0.5]", ""),
             "hit", [&](const StepReport& r, const World&, const Workspace&) {
               p = r.bodies[0].momentum + r.bodies[1].momentum;
               met += r.bodies[0].contacts;
             });
    EXPECT_GT(met, 0u);
    EXPECT_LT((p - Vec3(2 * mass, 0, 0)).norm(), 1e-9 * mass) << rule;
  }
}

TEST(Holds, a_scripted_pin_is_followed_and_a_roller_keeps_its_plane) {
  run_text("gravity = [0, -1, 0]\n[domain]\nresolution = 8\n[time]\nfps = 10\nframes = 5\n" + box +
               "[[body.hold]]\ntype = \"pin\"\nside = \"x_min\"\n[[body.hold.motion]]\ntype = \"oscillation\"\n"
               "amplitude = [0, 0.05, 0]\nfrequency = 2\n[[body.hold]]\ntype = \"roller\"\nnormal = [0, 0, 1]\nside = "
               "\"z_min\"\n",
           "holds", [&](const StepReport& r, const World& w, const Workspace&) {
             const Body& b = w.bodies[0];
             for (std::size_t i = 0; i < b.x.size(); ++i) {
               const Vec3& rest = b.rest->x[i];
               if (rest.x() < 0.3 + 1e-9) {
                 EXPECT_LT((b.x[i] - rest - Vec3(0, 0.05 * std::sin(4 * M_PI * r.time), 0)).norm(), 1e-9);
               } else if (rest.z() < 0.45 + 1e-9) {
                 EXPECT_NEAR(b.x[i].z(), rest.z(), 1e-9);
               }
             }
           });
}

// Speed of a block on a plane tilted by `degrees`, after half a second from rest.
double sliding_speed(double degrees, double friction) {
  const double a = degrees * M_PI / 180, s = std::sin(a), c = std::cos(a);
  const Vec3 n(s, c, 0), foot(0.6, 1, 0.5), block = foot + 0.055 * n, plane = foot - 0.5 * n;
  double speed = 0;
  run_text(
      "[domain]\nmax = [2.5, 2, 1]\nresolution = 25\n[time]\nfps = 20\nframes = 10\nmax_dt = 0.005\n[[body]]\nname = "
      "\"block\"\nshape = \"box\"\nmesh = \"grid6\"\n"
      "cells = [2, 1, 2]\nsize = [0.2, 0.1, 0.2]\nyoung = 1e6\ncenter = [" +
          std::to_string(block.x()) + ", " + std::to_string(block.y()) + ", 0.5]\nrotate = [0, 0, " +
          std::to_string(-degrees) + "]\nfriction = " + std::to_string(friction) +
          "\n[[solid]]\nname = \"plane\"\nshape = \"box\"\nsize = [6, 1, 2]\ncenter = [" + std::to_string(plane.x()) +
          ", " + std::to_string(plane.y()) + ", 0.5]\nrotate = [0, 0, " + std::to_string(-degrees) + "]\n",
      "slope", [&](const StepReport& r, const World&, const Workspace&) {
        speed = (r.bodies[0].momentum / (1000 * 0.2 * 0.1 * 0.2)).dot(Vec3(c, -s, 0));
      });
  return speed;
}

TEST(Friction, a_block_on_a_slope_sticks_or_slides_as_coulomb_says) {
  const double a = 20 * M_PI / 180, g = 9.81, t = 0.5;
  EXPECT_NEAR(sliding_speed(20, 0), g * std::sin(a) * t, 0.05 * g * std::sin(a) * t);
  const double slow = g * (std::sin(a) - 0.2 * std::cos(a)) * t;
  EXPECT_NEAR(sliding_speed(20, 0.2), slow, 0.1 * slow);
  EXPECT_LT(sliding_speed(20, 0.6), 0.05);
}

TEST(Contact, two_bodies_exchange_momentum_and_lose_none) {
  Vec3 before = Vec3::Zero();
  bool met = false;
  run_text(
      "gravity = [0, 0, 0]\n[domain]\nresolution = 10\n[time]\nfps = 20\nframes = 6\nmax_dt = 0.004\n"
      "[[body]]\nname = \"a\"\nshape = \"sphere\"\ncenter = [0.3, 0.5, 0.5]\nradius = 0.1\nedge = 0.05\nvelocity = [1, "
      "0, 0]\n"
      "[[body]]\nname = \"b\"\nshape = \"sphere\"\ncenter = [0.6, 0.55, 0.5]\nradius = 0.1\nedge = 0.05\nvelocity = "
      "[-0.5, 0, 0]\ndensity = 500\n",
      "two", [&](const StepReport& r, const World&, const Workspace&) {
        const Vec3 p = r.bodies[0].momentum + r.bodies[1].momentum;
        if (before.isZero()) before = p;
        EXPECT_LT((p - before).norm(), 1e-10 * before.norm());
        met = met || r.bodies[0].contacts > 0;
      });
  EXPECT_TRUE(met);
}

TEST(Contact, a_fast_ball_does_not_pass_through_a_thin_plate) {
  // Alone it would fly 1.6 m, and it is thrown at a plate of 0.02 m.
  const double near_face = 0.59;
  double front = 0, back = 1;
  int met = 0;
  run_text(
      "gravity = [0, 0, 0]\n[domain]\nresolution = 10\n[time]\nfps = 50\nframes = 8\n"
      "[[body]]\nname = \"ball\"\nshape = \"sphere\"\ncenter = [0.3, 0.5, 0.5]\nradius = 0.08\nedge = 0.04\nvelocity = "
      "[10, 0, 0]\n"
      "[[solid]]\nname = \"plate\"\nshape = \"box\"\ncenter = [0.6, 0.5, 0.5]\nsize = [0.02, 0.6, 0.6]\n",
      "plate", [&](const StepReport& r, const World& w, const Workspace&) {
        for (const Vec3& x : w.bodies[0].x) front = std::max(front, x.x());
        back = r.bodies[0].center.x();
        met += r.bodies[0].contacts;
      });
  EXPECT_GT(met, 0);
  EXPECT_LT(front, near_face) << "contact keeps surfaces apart by its rest distance";
  EXPECT_LT(back, 0.3) << "it is thrown back past where it came from";
}

}  // namespace
}  // namespace coracle
