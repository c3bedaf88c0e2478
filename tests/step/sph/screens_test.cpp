#include "coracle/step/sph/screens.h"

#include "tests/step/sph/tank.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

const std::string sheet =
    "method = 'proxy'\n[domain]\nmax = [0.4, 0.4, 0.4]\n[[body]]\nname = 'sheet'\nkind = 'shell'\nshape = "
    "'rectangle'\nalong = [0.3, 0, 0]\nacross = [0, 0, -0.3]\ncenter = [0.2, 0.2, 0.2]\nshell_thickness = 0.001\nedge "
    "= 0.05\n";

struct Parted {
  Tank tank;
  SphPairs pairs;
  explicit Parted(double lo, double hi) : tank(sheet, 0.02, Vec3(0.12, lo, 0.12), Vec3(0.28, hi, 0.28)) {
    SphLiquid& l = tank.liquid;
    const CellOrder sorted = order_by_cell(l.grid, l.x);
    for_lists(l, [&](auto& values) { reorder(sorted.order, values); });
    pairs = find_pairs(l.grid, sorted.start, l.x, l.grid.dx);
    ContactMesh mesh = make_contact_mesh(tank.world, 0);
    part_by_surfaces(mesh, contact_positions(mesh, tank.world, tank.world.bodies[0].x), l.x, l.grid.dx, pairs);
  }
  // Of the particle next to x.
  std::size_t at(const Vec3& x) const {
    std::size_t best = 0;
    for (std::size_t i = 0; i < tank.liquid.size(); ++i)
      if ((tank.liquid.x[i] - x).norm() < (tank.liquid.x[best] - x).norm()) best = i;
    return best;
  }
};

TEST(Screens, particles_on_the_two_sides_of_a_sheet_do_not_see_each_other) {
  const Parted both(0.12, 0.28), above(0.2, 0.28);
  for (std::size_t i = 0; i < above.tank.liquid.size(); ++i) {
    const std::size_t same = both.at(above.tank.liquid.x[i]);
    ASSERT_LT((both.tank.liquid.x[same] - above.tank.liquid.x[i]).norm(), 1e-12);
    EXPECT_NEAR(both.pairs.number_density[same], above.pairs.number_density[i], 1e-9 * above.pairs.number_density[i]);
  }
  std::size_t parted = 0;
  for (std::size_t i = 0; i < both.tank.liquid.size(); ++i)
    for (std::size_t k = both.pairs.start[i]; k < both.pairs.start[i + 1]; ++k) {
      const Vec3 &a = both.tank.liquid.x[i], &b = both.tank.liquid.x[both.pairs.other[k]];
      const bool apart = (a.y() - 0.2) * (b.y() - 0.2) < 0;
      EXPECT_EQ(apart, both.pairs.slope[k] == 0);
      parted += apart;
    }
  EXPECT_GT(parted, 64u);
}

// Beside the edge of the sheet the way is free.
TEST(Screens, particles_see_each_other_past_the_edge_of_a_sheet) {
  Tank t(sheet, 0.02, Vec3(0.36, 0.12, 0.12), Vec3(0.4, 0.28, 0.28));
  const CellOrder sorted = order_by_cell(t.liquid.grid, t.liquid.x);
  for_lists(t.liquid, [&](auto& values) { reorder(sorted.order, values); });
  SphPairs pairs = find_pairs(t.liquid.grid, sorted.start, t.liquid.x, t.liquid.grid.dx);
  const SphPairs before = pairs;
  ContactMesh mesh = make_contact_mesh(t.world, 0);
  part_by_surfaces(mesh, contact_positions(mesh, t.world, t.world.bodies[0].x), t.liquid.x, t.liquid.grid.dx, pairs);
  EXPECT_EQ(pairs.slope, before.slope);
  EXPECT_EQ(pairs.number_density, before.number_density);
}

}  // namespace
}  // namespace coracle
