// Liquid that bodies enclose without any air.
#include "coracle/step/couple/pockets.h"

#include "coracle/world/build.h"
#include "validation/setup.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace coracle {
namespace {

using validation::run_text;
using validation::unit_grid;

// --- On cells alone

// A grid whose faces are all open but those around boxes of cells [lo, hi).
struct Boxes {
  Grid grid = unit_grid(12);
  Boundary cut;
  Array3<double> phi;

  explicit Boxes(const std::vector<std::pair<Vec3i, Vec3i>>& boxes) {
    cut.open = make_face_field(grid, 1.0);
    cut.volume.assign(grid.n, 1.0);
    phi.assign(grid.n, grid.dx);  // air everywhere
    for (const auto& [lo, hi] : boxes)
      for (int a = 0; a < 3; ++a)
        for (std::size_t i = 0; i < cut.open[a].size(); ++i) {
          const Vec3i f = cut.open[a].cell(i);
          const int b = (a + 1) % 3, c = (a + 2) % 3;
          if ((f[a] == lo[a] || f[a] == hi[a]) && f[b] >= lo[b] && f[b] < hi[b] && f[c] >= lo[c] && f[c] < hi[c])
            cut.open[a].data[i] = 0;
        }
  }
  Pocket pocket(const Vec3i& lo, const Vec3i& hi, double volume) const {
    Pocket p;
    p.volume = volume;
    for (std::size_t i = 0; i < phi.size(); ++i) {
      const Vec3i c = phi.cell(i);
      if ((c.array() >= lo.array()).all() && (c.array() < hi.array()).all()) p.cells.push_back(int(i));
    }
    return p;
  }
  void keep(std::vector<Pocket>& pockets) { keep_pockets_full(grid, cut, 2, pockets, phi); }
};

const Vec3i lo(3, 3, 3), hi(6, 6, 6), next_lo(6, 3, 3), next_hi(9, 6, 6), thin_hi(8, 6, 6);

TEST(Pockets, all_cells_of_a_closed_pocket_are_liquid_whatever_its_particles_say) {
  Boxes b({{lo, hi}});
  std::vector<Pocket> pockets{b.pocket(lo, hi, 0.5)};
  b.keep(pockets);
  ASSERT_EQ(pockets.size(), 1u);
  EXPECT_EQ(pockets[0].cells.size(), 27u);
  EXPECT_EQ(pockets[0].volume, 0.5);
  for (std::size_t i = 0; i < b.phi.size(); ++i)
    EXPECT_EQ(b.phi.data[i] < 0, std::binary_search(pockets[0].cells.begin(), pockets[0].cells.end(), int(i)));
}

TEST(Pockets, finding_a_pocket_again_changes_nothing) {
  Boxes b({{lo, hi}});
  std::vector<Pocket> pockets{b.pocket(lo, hi, 0.5)};
  b.keep(pockets);
  const std::vector<int> cells = pockets[0].cells;
  b.keep(pockets);
  ASSERT_EQ(pockets.size(), 1u);
  EXPECT_EQ(pockets[0].cells, cells);
}

TEST(Pockets, a_pocket_that_opens_is_forgotten) {
  Boxes b({{lo, hi}});
  std::vector<Pocket> pockets{b.pocket(lo, hi, 0.5)};
  b.cut.open[0][Vec3i(3, 4, 4)] = 0.3;
  b.keep(pockets);
  EXPECT_TRUE(pockets.empty());
  EXPECT_EQ(*std::min_element(b.phi.data.begin(), b.phi.data.end()), b.grid.dx);
}

// Two pockets, the wall between them gone: what becomes of them.
std::vector<Pocket> joined(const Vec3i& end) {
  Boxes b({{lo, hi}, {next_lo, end}});
  b.cut.open[0][Vec3i(6, 4, 4)] = 1;
  std::vector<Pocket> pockets{b.pocket(lo, hi, 0.5), b.pocket(next_lo, end, 0.25)};
  b.keep(pockets);
  std::vector<int> both = b.pocket(lo, hi, 0).cells;
  for (int c : b.pocket(next_lo, end, 0).cells) both.push_back(c);
  std::sort(both.begin(), both.end());
  return remember_pockets(pockets, {both}, volumes_by_cells(b.grid, b.cut, {both}));
}

TEST(Pockets, that_meet_become_one_with_a_volume_of_its_own) {
  const std::vector<Pocket> now = joined(next_hi);
  ASSERT_EQ(now.size(), 1u);
  EXPECT_NEAR(now[0].volume, 54 * unit_grid(12).cell_volume(), 1e-15);
}

// The small one lies within reach of the other as a whole. Were it taken over with its cells but not with its volume,
// the pocket would have to lose as much: it gets that of both, 27 + 18 cells.
TEST(Pockets, that_meet_become_one_even_where_one_is_small) {
  const std::vector<Pocket> now = joined(thin_hi);
  ASSERT_EQ(now.size(), 1u);
  EXPECT_NEAR(now[0].volume, 45 * unit_grid(12).cell_volume(), 1e-15);
}

TEST(Pockets, that_part_get_volumes_of_their_own) {
  const Boxes b({{lo, hi}, {next_lo, next_hi}});
  const std::vector<std::vector<int>> parts{b.pocket(lo, hi, 0).cells, b.pocket(next_lo, next_hi, 0).cells};
  const std::vector<Pocket> now =
      remember_pockets({b.pocket(lo, next_hi, 0.5)}, parts, volumes_by_cells(b.grid, b.cut, parts));
  ASSERT_EQ(now.size(), 2u);
  for (const Pocket& p : now) EXPECT_NEAR(p.volume, 27 * b.grid.cell_volume(), 1e-15);
}

// --- In whole runs

struct Shell {
  const char* name = "shell";
  Vec3 center = Vec3(0.47, 0.5, 0.5);
  double radius = 0.36, thickness = 0.14;
  Vec3 spin = Vec3::Zero();
  double hole = 0;  // m, radius of one through its top
};

std::string to_text(const Shell& s) {
  const Vec3 c = s.center;
  std::string text = fmt::format("[[body]]\nname = \"{}\"\nyoung = 1e6\nedge = {}\nspin = [{}, {}, {}]\n", s.name,
                                 s.thickness / 2, s.spin.x(), s.spin.y(), s.spin.z());
  const std::string round =
      fmt::format("shape = \"hollow_sphere\"\ncenter = [{}, {}, {}]\nradius = {}\nthickness = {}\n", c.x(), c.y(),
                  c.z(), s.radius, s.thickness);
  if (s.hole == 0) return text + round;
  return text + fmt::format(
                    "shape = \"difference\"\n[[body.parts]]\n{}[[body.parts]]\nshape = \"cylinder\"\n"
                    "center = [{}, {}, {}]\nradius = {}\nheight = {}\n",
                    round, c.x(), c.y() + s.radius, c.z(), s.hole, s.radius);
}

// The inside of shells full of water, no gravity.
std::string full_shells(const std::vector<Shell>& shells, double dt, int steps, int resolution = 16) {
  std::string text = fmt::format("gravity = [0, 0, 0]\n[domain]\nresolution = {}\n[time]\nfps = {}\nframes = {}\n",
                                 resolution, 1 / dt, steps);
  for (const Shell& s : shells)
    text += fmt::format("[[liquid.region]]\nshape = \"sphere\"\ncenter = [{}, {}, {}]\nradius = {}\n", s.center.x(),
                        s.center.y(), s.center.z(), s.radius - 0.5 * s.thickness);
  for (const Shell& s : shells) text += to_text(s);
  return text;
}

struct Growth {
  std::vector<double> pocket;  // volume over that expected, less 1; one a step
  int retries = 0;
  std::size_t fewest = 1000, most = 0;  // pockets
};

Growth growth(const std::string& text) {
  Growth g;
  run_text(text, "shell", [&](const StepReport& r, const World&, const Workspace&) {
    g.retries += r.retries;
    g.fewest = std::min(g.fewest, r.liquid().pockets.size());
    g.most = std::max(g.most, r.liquid().pockets.size());
    if (r.liquid().pockets.size() == 1)
      g.pocket.push_back(r.liquid().pockets[0].volume / r.liquid().pockets[0].expected_volume - 1);
  });
  return g;
}

TEST(Pockets, a_full_spinning_shell_keeps_its_volume_by_feedback_and_grows_without) {
  constexpr double omega = 5, dt = 0.01;
  constexpr int steps = 9;  // with the short one at the start
  const std::string with = full_shells({{.spin = Vec3(0, 0, omega)}}, dt, steps - 1);
  const Growth kept = growth(with), grown = growth(with + "[solver]\npocket_volume = false\n");
  ASSERT_EQ(kept.pocket.size(), std::size_t(steps));
  ASSERT_EQ(grown.pocket.size(), std::size_t(steps));
  EXPECT_EQ(kept.retries + grown.retries, 0);
  for (int i = 4; i < steps; ++i) EXPECT_LT(std::abs(kept.pocket[i]), 1e-3) << i;
  // Without: every step turns x into x + Δt ω × x, which widens by 1 + (ωΔt)² at right angles to the axis. Backward
  // Euler takes something from the spin, the shell's inertia and the water's none.
  EXPECT_GT(grown.pocket[1], 0.5 * std::pow(omega * dt, 2));
  EXPECT_LT(grown.pocket[1], 1.2 * std::pow(omega * dt, 2));
  EXPECT_GT(grown.pocket[steps - 1], 0.5 * steps * std::pow(omega * dt, 2));
}

// A wall that passes close by a corner of the grid leaves a thousandth of a cell there, which no particle falls into.
// It must not count as air, or the shell were not full (fill_corners).
TEST(Pockets, a_full_shell_is_one_wherever_it_lies) {
  for (std::uint64_t key = 0; key < 12; ++key) {
    const Vec3 center = Vec3::Constant(0.45) + 0.1 * Vec3(uniform(key, 0), uniform(key, 1), uniform(key, 2));
    const Growth g = growth(full_shells({{.center = center, .radius = 0.32 + 0.06 * uniform(key, 3)}}, 0.01, 1));
    EXPECT_EQ(g.fewest, 1u) << key;
  }
}

TEST(Pockets, a_shell_with_a_hole_is_none) {
  const Growth g = growth(full_shells({{.thickness = 0.14, .hole = 0.12}}, 0.01, 3));
  EXPECT_EQ(g.most, 0u);
}

TEST(Pockets, two_shells_are_two_and_each_keeps_its_volume) {
  int steps = 0;
  run_text(
      full_shells(
          {{.name = "low", .center = Vec3(0.5, 0.26, 0.5), .radius = 0.24, .thickness = 0.1},
           {.name = "high", .center = Vec3(0.5, 0.74, 0.5), .radius = 0.24, .thickness = 0.1, .spin = Vec3(0, 4, 0)}},
          0.01, 4, 24),
      "shells", [&](const StepReport& r, const World& w, const Workspace&) {
        ASSERT_EQ(r.liquid().pockets.size(), 2u);
        for (const PocketReport& p : r.liquid().pockets) EXPECT_NEAR(p.volume, p.expected_volume, 0.01 * p.volume);
        std::vector<int> common;
        std::set_intersection(liquid_of(w).pockets[0].cells.begin(), liquid_of(w).pockets[0].cells.end(),
                              liquid_of(w).pockets[1].cells.begin(), liquid_of(w).pockets[1].cells.end(),
                              std::back_inserter(common));
        EXPECT_TRUE(common.empty());
        ++steps;
      });
  EXPECT_GE(steps, 5);  // with the short one at the start
}

TEST(Pockets, particles_that_drift_apart_in_a_full_shell_open_no_air) {
  const Scene scene = parse_scene(full_shells({{.spin = Vec3(1, 2, 0)}}, 0.01, 4), "shell.toml");
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  Liquid& liquid = liquid_of(world);
  const auto nothing = [](const StepReport&) {};
  advance_frame(scene, world, work, nothing);
  ASSERT_EQ(liquid.pockets.size(), 1u);
  const double before = liquid.pockets[0].volume;
  // A bubble of three cells' width in the middle.
  std::vector<std::uint8_t> gone(liquid.particles.size());
  for (std::size_t p = 0; p < gone.size(); ++p)
    gone[p] = (liquid.particles.x[p] - Shell().center).norm() < 1.5 * liquid.grid.dx;
  EXPECT_GT(remove_particles(liquid.particles, gone), 60u);
  derive(scene, world, work);
  for (int step = 0; step < 3; ++step) {
    advance_frame(scene, world, work, nothing);
    ASSERT_EQ(liquid.pockets.size(), 1u);
    EXPECT_EQ(liquid.pockets[0].volume, before);
    for (int i : liquid.pockets[0].cells)
      EXPECT_LT(std::get<LiquidWork>(work.fluid).fluid_phi.data[i], -0.5 * liquid.grid.dx);
  }
}

TEST(Pockets, a_spinning_shell_crossing_the_grid_is_the_same_pocket_all_the_way) {
  // Half a cell a step: walls pass cells, which enter and leave the pocket.
  std::string text = full_shells({{.center = Vec3(0.4, 0.5, 0.5), .spin = Vec3(0, 0, 3)}}, 0.01, 8);
  text.replace(text.find("spin ="), 0, "velocity = [3, 0, 0]\n");
  text.replace(text.find("radius ="), 0, "velocity = [3, 0, 0]\n");
  double first = 0;
  int steps = 0;
  run_text(text, "flying_shell", [&](const StepReport& r, const World& w, const Workspace&) {
    ASSERT_EQ(liquid_of(w).pockets.size(), 1u) << r.step;
    if (steps++ == 0) first = liquid_of(w).pockets[0].volume;
    EXPECT_EQ(liquid_of(w).pockets[0].volume, first) << r.step;
    EXPECT_NEAR(r.liquid().pockets[0].volume, first, 0.01 * first) << r.step;
  });
}

TEST(Pockets, by_whole_faces_keep_their_cavity_as_measured_on_the_mesh) {
  std::string text = full_shells({{.center = Vec3(0.4, 0.5, 0.5), .spin = Vec3(0, 0, 3)}}, 0.01, 12);
  text.replace(text.find("spin ="), 0, "velocity = [2, 0, 0]\n");
  text.replace(text.find("radius ="), 0, "velocity = [2, 0, 0]\n");
  double first = 0, worst = 0;
  std::size_t fewest = 9;
  run_text("method = 'simultaneous'\n" + text, "shell", [&](const StepReport& r, const World&, const Workspace&) {
    if (first == 0) first = r.bodies[0].cavity;
    worst = std::max(worst, std::abs(r.bodies[0].cavity / first - 1));
    fewest = std::min(fewest, r.liquid().pockets.size());
    ASSERT_GE(r.liquid().pockets.size(), 1u);
    EXPECT_NEAR(r.liquid().pockets[0].volume, r.bodies[0].cavity, 1e-9) << "the same surface, asked twice";
  });
  EXPECT_EQ(fewest, 1u);
  EXPECT_LT(worst, 0.005) << "five cells of rubber and water pass by";
}

}  // namespace
}  // namespace coracle
