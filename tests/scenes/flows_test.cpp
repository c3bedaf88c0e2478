// Liquid that comes and goes, and solids that move through one another.
#include "coracle/step/particles/shown_liquid.h"
#include "coracle/step/workspace.h"
#include "validation/setup.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

using validation::run_text;

const std::string coarse = "[domain]\nresolution = 24\n[time]\nfps = 20\n";

struct Last {
  double volume = 0, expected = 0, speed = 0;
  std::size_t particles = 0;
};

Last run(const std::string& text, const std::function<void(const StepReport&, const World&)>& look = {}) {
  Last last;
  run_text(text, "flows", [&](const StepReport& r, const World& w, const Workspace&) {
    const LiquidReport& liquid = r.liquid();
    last = {liquid.volume, liquid.expected_volume, std::max(last.speed, liquid.max_speed), liquid.particles};
    if (look) look(r, w);
  });
  return last;
}

std::string jet(const std::string& more) {
  return "[[inflow]]\nname = 'jet'\nshape = 'box'\nmin = [0.1, 0.6, 0.4]\nmax = [0.25, 0.8, 0.6]\nvelocity = [1, 0, "
         "0]\n" +
         more;
}
constexpr double jet_rate = 0.2 * 0.2 * 1;  // m³/s

// 1.15 cells of water on the floor, stirred: spray lands in it and would press it flat, faster than the correction of
// the volume lifts it.
TEST(Film, of_a_cell_keeps_its_depth_to_a_tenth_of_a_cell) {
  for (const char* advection : {"apic", "flip"}) {
    double least = 0;
    run(coarse + "frames = 50\n[liquid]\nadvection = '" + advection +
            "'\n[[liquid.region]]\nshape = 'box'\nmin = [0.1, 0.3, 0.1]\nmax = [0.5, 0.6, 0.5]\nvelocity = [2, 0, 1]\n",
        [&](const StepReport& r, const World& w) {
          const LiquidReport& film = r.liquid();
          if (r.time > 1) least = std::min(least, (film.volume - film.expected_volume) / liquid_of(w).grid.dx);
        });
    EXPECT_GT(least, -0.1) << advection;  // the floor measures 1 m²
    EXPECT_LT(least, 0) << advection;     // the film was there to be measured
  }
}

TEST(Inflow, gives_off_its_section_times_its_speed_in_every_advection) {
  for (const char* advection : {"apic", "flip", "semi_lagrangian"}) {
    const Last last = run(coarse + "frames = 10\n[liquid]\nadvection = '" + advection + "'\n" + jet(""));
    EXPECT_NEAR(last.expected, 0.5 * jet_rate, 0.05 * 0.5 * jet_rate) << advection;
    EXPECT_NEAR(last.volume, last.expected, 0.02 * last.expected) << advection;
  }
}

TEST(Inflow, opens_once_and_leaves_its_liquid_behind_when_it_ends) {
  const Last last = run(coarse + "frames = 12\n" + jet("start = 0.1\nend = 0.4\n"));
  // 0.3 s of flow, and the 0.15 m long region's own content.
  const double expected = 0.3 * jet_rate + 0.15 * 0.2 * 0.2;
  EXPECT_NEAR(last.expected, expected, 0.08 * expected);
  EXPECT_NEAR(double(last.particles), expected * 24 * 24 * 24 * 8, 0.08 * expected * 24 * 24 * 24 * 8);
}

TEST(Inflow, may_reach_through_the_domains_side) {
  const Last last = run(coarse +
                        "frames = 10\n[[inflow]]\nname = 'jet'\nshape = 'box'\nmin = [-0.1, 0.6, 0.4]\n"
                        "max = [0.1, 0.8, 0.6]\nvelocity = [1, 0, 0]\n");
  EXPECT_NEAR(last.expected, 0.5 * jet_rate, 0.05 * 0.5 * jet_rate);
}

// Without the correction the level set loses a few percent of what comes.
TEST(Inflow, under_water_gives_its_full_rate_and_raises_the_level) {
  double volume = 0, particles = 0, time = 0;
  const Last last = run(coarse +
                            "frames = 10\n[liquid]\nvolume_correction = false\n[[liquid.region]]\nshape = 'box'\n"
                            "min = [0, 0, 0]\nmax = [1, 0.5, 1]\n[[inflow]]\nname = 'jet'\nshape = 'box'\n"
                            "min = [0.2, 0.1, 0.4]\nmax = [0.3, 0.3, 0.6]\nvelocity = [1, 0, 0]\n",
                        [&](const StepReport& r, const World&) {
                          if (r.time < 0.1)
                            volume = r.liquid().volume, particles = double(r.liquid().particles), time = r.time;
                        });
  const double per_particle = 1.0 / 8 / (24 * 24 * 24);
  EXPECT_NEAR((double(last.particles) - particles) * per_particle / (0.5 - time), jet_rate, 0.02 * jet_rate);
  EXPECT_NEAR((last.volume - volume) / (0.5 - time), jet_rate, 0.07 * jet_rate);
}

TEST(Inflow, is_shown_full_and_without_drops_at_its_mouth) {
  double inside = 1, beside = -1;
  std::size_t drops = 0;
  run_text(coarse + "frames = 3\n" + jet(""), "flows", [&](const StepReport&, const World& w, const Workspace& work) {
    const Liquid& liquid = liquid_of(w);
    const LiquidWork& own = std::get<LiquidWork>(work.fluid);
    const ShownLiquid shown =
        shown_liquid(w, {liquid.grid, liquid.particles.x, own.fluid_phi, own.level_set.share, own.solids});
    inside = shown.phi[shown.grid.cell_of(Vec3(0.17, 0.7, 0.5))];
    beside = shown.phi[shown.grid.cell_of(Vec3(0.05, 0.7, 0.5))];
    drops = 0;
    for (const int p : shown.lone_drops) drops += liquid_of(w).particles.x[p].x() < 0.25;
  });
  EXPECT_LT(inside, 0);
  EXPECT_GT(beside, 0);
  EXPECT_EQ(drops, 0u);
}

TEST(Outflow, takes_liquid_away_and_the_ledger_knows) {
  const Last last = run(coarse +
                        "frames = 10\n[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.4, 1]\n"
                        "[[outflow]]\nname = 'drain'\nshape = 'box'\nmin = [0.4, 0, 0.4]\nmax = [0.6, 0.1, 0.6]\n");
  EXPECT_LT(last.expected, 0.37);
  EXPECT_NEAR(last.volume, last.expected, 0.01 * last.expected);
}

TEST(Outflow, forgets_no_pocket_but_the_ones_that_it_touches) {
  const auto pockets = [](const char* drain) {
    std::size_t found = 0;
    run(coarse +
            "frames = 2\n[[liquid.region]]\nshape = 'sphere'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.4\n[[body]]\nname = "
            "'shell'\nshape = 'hollow_sphere'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.4\nthickness = 0.12\nedge = "
            "0.1\nyoung = 1e6\n[[outflow]]\nname = 'drain'\nshape = 'box'\n" +
            drain,
        [&](const StepReport& r, const World&) { found = r.liquid().pockets.size(); });
    return found;
  };
  EXPECT_EQ(pockets("min = [0, 0, 0]\nmax = [0.1, 0.1, 0.1]\n"), 1u);              // in a corner
  EXPECT_EQ(pockets("min = [0.45, 0.45, 0.45]\nmax = [0.55, 0.55, 0.55]\n"), 0u);  // inside the shell
}

TEST(Overlap, a_paddle_that_passes_through_the_wall_of_its_tank_makes_no_jets) {
  const Last last = run(coarse +
                        "frames = 8\n[[liquid.region]]\nshape = 'half_space'\npoint = [0, 0.5, 0]\nnormal = [0, 1, 0]\n"
                        "[[solid]]\nname = 'tank'\nshape = 'cylinder'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.4\n"
                        "height = 0.9\ncontainer = true\n[[solid]]\nname = 'paddle'\nshape = 'box'\n"
                        "center = [0.5, 0.3, 0.5]\nsize = [0.9, 0.2, 0.1]\n[[solid.motion]]\ntype = 'rotation'\n"
                        "pivot = [0.5, 0, 0.5]\naxis = [0, 1, 0]\nrate = 4\n");
  EXPECT_LT(last.speed, 2.5 * 4 * 0.45);  // of the paddle's tip; patches hidden in the wall drove 50 times that
}

TEST(Closed, a_full_sealed_box_stays_at_rest_and_says_nothing_is_wrong) {
  const Last last = run(coarse + "frames = 4\n[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n",
                        [](const StepReport& r, const World&) { EXPECT_TRUE(r.notes.empty()); });
  EXPECT_LT(last.speed, 1e-5);
}

TEST(Closed, squeezing_a_sealed_full_box_is_noted_and_survived) {
  bool noted = false;
  run(coarse +
          "frames = 4\n[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 1, 1]\n[[solid]]\nname = 'wall'\n"
          "shape = 'box'\nmin = [-1, -1, -1]\nmax = [0.05, 2, 2]\n[[solid.motion]]\ntype = 'velocity'\n"
          "velocity = [0.2, 0, 0]\n",
      [&](const StepReport& r, const World&) { noted = noted || !r.notes.empty(); });
  EXPECT_TRUE(noted);
}

}  // namespace
}  // namespace coracle
