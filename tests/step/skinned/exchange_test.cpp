// Liquid between skin, bulk and drops: nothing is lost, and it goes where it should.
#include "coracle/step/skinned/entrain.h"

#include "coracle/base/random.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/step/particles/cells.h"
#include "coracle/step/skinned/drops.h"
#include "coracle/world/skin_shell.h"
#include "validation/setup.h"

#include <gtest/gtest.h>

#include <numeric>

namespace coracle {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// A ball over, in or at a pool of water whose surface is at a height.
struct Pool {
  Grid grid = validation::unit_grid(20);
  std::vector<Solid> solids;
  SolidField field;
  Array3<double> phi;
  SkinShell shell;
  MovingShell moving;
  SkinEdges edges;
  SkinFrame frame;
  std::vector<Vec3> still;
  std::vector<int> tet_of;
  TetFinder finder;
  TetLiquid tets;
  Film film;
  Drops drops;
  Particles bulk;
  std::vector<std::uint8_t> submerged, soaked;
  ExchangeWork work;

  Pool(double level, const Vec3& velocity = Vec3::Zero()) {
    const TriMesh ball = sphere_mesh(Vec3(0.5, 0.5, 0.5), 0.2, 0.04);
    solids = {validation::make_solid(ball)};
    solids[0].v.assign(ball.x.size(), velocity);
    update_solid_field(grid, solids, boundary_maker(Method::cutcell), field);
    phi = Array3<double>(grid.n);
    for (std::size_t c = 0; c < phi.size(); ++c) phi.data[c] = grid.center(grid.cell_at(c)).y() - level;
    shell = make_skin_shell(ball, 0.5 * grid.dx, 1.5 * grid.dx);
    move_shell(shell, shell.x, shell.x, 0.01, 0, {}, moving);
    edges = find_skin_edges(ball.tris);
    still.assign(ball.x.size(), velocity);
    update_skin_frame(edges, motion(), frame);
    tet_of.assign(ball.tris.size(), 0);
    for (auto t = shell.order.rbegin(); t != shell.order.rend(); ++t) tet_of[shell.tri[*t]] = *t;
    finder.set(shell, shell.x);
    tets = {.volume = std::vector<double>(shell.tets.size(), 0), .v = std::vector<Vec3>(shell.tets.size(), velocity)};
    dry_film(ball.tris.size(), film);
    submerged.assign(ball.tris.size(), 0);
    soaked.assign(shell.tets.size(), 0);
  }
  SkinMotion motion() const { return {.tris = solids[0].rest->tris, .x = solids[0].x, .v = still, .a = still}; }
  double each() const { return particle_volume(grid); }
  double all() const {
    return each() * double(bulk.size()) + sum(tets.volume) + sum(film.volume) + sum(film.pendant) + sum(drops.volume);
  }
  template <class F>
  void with(F&& f) {
    const Surfaces surfaces(solids);
    const SkinMotion m = motion();
    f(Surroundings{.grid = grid, .liquid_phi = phi, .surfaces = surfaces, .solids = field, .particle_volume = each()},
      SkinNow{.surface = 0,
              .shell = shell,
              .moving = moving,
              .frame = frame,
              .motion = m,
              .tet_of = tet_of,
              .finder = finder});
  }
  // Particles and drops at random places outside the ball, with random velocities.
  void scatter(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const Vec3 x(uniform(i, 0), uniform(i, 1), uniform(i, 2)),
          v(uniform(i, 3) - 0.5, uniform(i, 4) - 0.5, uniform(i, 5) - 0.5);
      if ((x - Vec3::Constant(0.5)).norm() < 0.22) continue;
      bulk.x.push_back(x), bulk.v.push_back(v.cast<float>());
      drops.add(x, -v, each() * uniform(i, 6));
    }
  }
};

TEST(SkinExchange, keeps_all_liquid_whatever_passes_between_skin_bulk_and_drops) {
  for (const double level : {0.1, 0.5, 0.9}) {
    Pool pool(level);
    pool.scatter(4000);
    for (std::size_t t = 0; t < pool.tets.volume.size(); t += 3) pool.tets.volume[t] = 0.7 * pool.moving.capacity[t];
    for (std::size_t t = 0; t < pool.film.volume.size(); ++t) pool.film.volume[t] = 1e-7, pool.film.pendant[t] = 1e-8;
    std::fill(pool.submerged.begin(), pool.submerged.end(), 1);
    std::fill(pool.soaked.begin(), pool.soaked.end(), 1);
    const double before = pool.all();
    pool.with([&](const Surroundings& around, const SkinNow& skin) {
      const auto expect_kept = [&](const char* after) { EXPECT_NEAR(pool.all(), before, 1e-12 * before) << after; };
      take_in_particles(around, skin, pool.tets, pool.drops, pool.bulk, pool.work);
      expect_kept("particles");
      take_in_drops(around, skin, pool.tets, pool.drops, pool.work);
      expect_kept("drops");
      entrain(around, skin, {}, Vec3(0, -9.81, 0), 1e-3, pool.submerged, pool.film, pool.bulk, pool.work);
      expect_kept("entrainment");
      soak(around, skin, pool.soaked, pool.tets, pool.drops, pool.bulk, pool.work);
      expect_kept("fur");
      release_submerged(around, skin, pool.tets, pool.film, pool.drops, pool.work);
      expect_kept("release");
      move_drops(around, Vec3(0, -9.81, 0), 0.01, pool.drops);
      merge_drops(around, pool.drops, pool.bulk);
      expect_kept("merging");
    });
    for (std::size_t t = 0; t < pool.tets.volume.size(); ++t)
      EXPECT_LE(pool.tets.volume[t], pool.moving.capacity[t] * (1 + 1e-13));
  }
}

TEST(SkinExchange, takes_in_what_flies_to_the_skin_and_nothing_that_flies_off_or_belongs_to_the_bulk) {
  const Vec3 above(0.5, 0.73, 0.5), below(0.5, 0.27, 0.5);
  for (const double way : {-1.0, 1.0})
    for (const bool high : {true, false}) {
      Pool pool(0.4);
      pool.bulk.x = {high ? above : below};
      pool.bulk.v = {Vec3f(0, float(high ? way : -way), 0)};
      pool.with([&](const Surroundings& around, const SkinNow& skin) {
        take_in_particles(around, skin, pool.tets, pool.drops, pool.bulk, pool.work);
      });
      EXPECT_EQ(pool.bulk.size(), high && way < 0 ? 0u : 1u) << high << way;
    }
}

TEST(SkinExchange, a_skin_that_leaves_the_bulk_takes_its_film_from_whole_particles) {
  constexpr double thickness = 2e-3;
  Pool pool(0.26, Vec3(0, 0.5, 0));  // the surface is below the ball: it has come out
  for (std::size_t i = 0; i < 100000; ++i) {
    const Vec3 x(uniform(i, 0), uniform(i, 1), uniform(i, 2));
    if ((x - Vec3::Constant(0.5)).norm() > 0.2) pool.bulk.x.push_back(x);
  }
  pool.bulk.v.assign(pool.bulk.size(), Vec3f(0, 0.5f, 0));
  std::fill(pool.submerged.begin(), pool.submerged.end(), 1);
  const std::size_t before = pool.bulk.size();
  double area = 0;
  pool.with([&](const Surroundings& around, const SkinNow& skin) {
    for (std::size_t t = 0; t < pool.submerged.size(); ++t) {
      const Vec3i& n = pool.solids[0].rest->tris[t];
      const Vec3 x = (pool.solids[0].x[n[0]] + pool.solids[0].x[n[1]] + pool.solids[0].x[n[2]]) / 3;
      if (around.above(x + 0.5 * pool.grid.dx * pool.frame.normal[t]) > 0) area += pool.frame.area[t];
    }
    entrain(around, skin, {}, Vec3(0, -9.81, 0), thickness, pool.submerged, pool.film, pool.bulk, pool.work);
  });
  const double taken = pool.each() * double(before - pool.bulk.size());
  EXPECT_NEAR(sum(pool.film.volume), taken, 1e-14);
  EXPECT_LE(taken, thickness * area);
  EXPECT_GT(taken, thickness * area - pool.each());
  for (std::size_t t = 0; t < pool.film.volume.size(); ++t)
    if (pool.film.volume[t] > 0) {
      EXPECT_LT((pool.film.v[t] - Vec3(0, 0.5, 0)).norm(), 1e-6);
    }
}

TEST(SkinExchange, a_skin_that_leaves_the_bulk_slowly_takes_as_much_along_as_a_fast_one) {
  // The surface sinks below the ball, by a little in every step: less than a particle's worth of skin leaves at once.
  constexpr double thickness = 5e-4;
  Pool pool(0.5);
  for (std::size_t i = 0; i < 100000; ++i) {
    const Vec3 x(uniform(i, 0), uniform(i, 1), uniform(i, 2));
    if ((x - Vec3::Constant(0.5)).norm() > 0.2) pool.bulk.x.push_back(x);
  }
  pool.bulk.v.assign(pool.bulk.size(), Vec3f::Zero());
  const auto entrain_at = [&](double level) {
    for (std::size_t c = 0; c < pool.phi.size(); ++c)
      pool.phi.data[c] = pool.grid.center(pool.grid.cell_at(c)).y() - level;
    pool.with([&](const Surroundings& around, const SkinNow& skin) {
      entrain(around, skin, {}, Vec3(0, -9.81, 0), thickness, pool.submerged, pool.film, pool.bulk, pool.work);
    });
  };
  entrain_at(0.5);
  double area = 0;
  for (std::size_t t = 0; t < pool.submerged.size(); ++t) area += pool.submerged[t] ? pool.frame.area[t] : 0;
  const double most = double(pool.bulk.size());
  for (double level = 0.5; level > 0.2; level -= 1e-3) entrain_at(level);
  const double taken = pool.each() * (most - double(pool.bulk.size()));
  EXPECT_NEAR(sum(pool.film.volume), taken, 1e-14);
  EXPECT_LE(taken, thickness * area * (1 + 1e-12));
  EXPECT_GT(taken, thickness * area - 2 * pool.each());
}

TEST(SkinExchange, fur_that_leaves_the_bulk_takes_what_its_pores_hold) {
  Pool pool(0.5);  // the upper half has come out
  move_shell(pool.shell, pool.shell.x, pool.shell.x, 0.01, 0.2, {}, pool.moving);
  for (std::size_t i = 0; i < 200000; ++i) {
    const Vec3 x(uniform(i, 0), uniform(i, 1), uniform(i, 2));
    if ((x - Vec3::Constant(0.5)).norm() > 0.2) pool.bulk.x.push_back(x);
  }
  pool.bulk.v.assign(pool.bulk.size(), Vec3f::Zero());
  std::fill(pool.soaked.begin(), pool.soaked.end(), 1);
  const double before = pool.all();
  double room = 0;
  pool.with([&](const Surroundings& around, const SkinNow& skin) {
    soak(around, skin, pool.soaked, pool.tets, pool.drops, pool.bulk, pool.work);
    for (std::size_t t = 0; t < pool.tets.volume.size(); ++t) {
      const double above = around.above(centroid(pool.shell, pool.moving.x, int(t)));
      if (above > 0) room += pool.moving.capacity[t];
      if (above < 0) {
        EXPECT_EQ(pool.tets.volume[t], 0);
        EXPECT_EQ(pool.soaked[t], 1);
      }
      EXPECT_LE(pool.tets.volume[t], pool.moving.capacity[t] * (1 + 1e-13));
    }
  });
  EXPECT_NEAR(pool.all(), before, 1e-12 * before);
  EXPECT_NEAR(sum(pool.tets.volume) + sum(pool.drops.volume), room, pool.each()) << "whole particles";
  EXPECT_GT(sum(pool.tets.volume), 0.8 * room);
}

TEST(SkinExchange, liquid_on_the_skin_joins_the_bulk_around_it) {
  Pool pool(0.95);
  std::fill(pool.tets.volume.begin(), pool.tets.volume.end(), 5e-7);
  std::fill(pool.film.volume.begin(), pool.film.volume.end(), 1e-7);
  const double before = pool.all();
  pool.with([&](const Surroundings& around, const SkinNow& skin) {
    release_submerged(around, skin, pool.tets, pool.film, pool.drops, pool.work);
    merge_drops(around, pool.drops, pool.bulk);
  });
  EXPECT_EQ(sum(pool.tets.volume) + sum(pool.film.volume), 0);
  EXPECT_NEAR(pool.each() * double(pool.bulk.size()) + sum(pool.drops.volume), before, 1e-12 * before);
  for (const double v : pool.drops.volume) EXPECT_LT(v, pool.each());
  EXPECT_GT(pool.bulk.size(), 0u);
}

// Free drainage bounds Landau and Levich's film at large capillary numbers.
TEST(SkinExchange, the_entrained_film_follows_landau_and_levich) {
  const FilmLaw water, honey{.viscosity = 7e-3, .density = 1400};
  const double slow = entrained_thickness(water, 0.01, 9.81), fast = entrained_thickness(water, 0.64, 9.81);
  EXPECT_NEAR(fast / slow, std::pow(64, 2.0 / 3), 1e-9);  // U^{1/6 + 1/2}
  EXPECT_NEAR(entrained_thickness(honey, 1, 9.81), std::sqrt(7e-3 / 9.81), 1e-12);
  EXPECT_EQ(entrained_thickness(water, -1, 9.81), 0);
}

TEST(SkinDrops, fall_freely_and_do_not_enter_solids_or_leave_the_domain) {
  Pool pool(0.05);
  pool.scatter(2000);
  pool.with([&](const Surroundings& around, const SkinNow&) {
    for (int step = 0; step < 100; ++step) {
      move_drops(around, Vec3(0, -9.81, 0), 0.01, pool.drops);
      for (const Vec3& x : pool.drops.x) {
        ASSERT_GT(pool.field.each[0].tree.closest(x).distance, 0);
        ASSERT_TRUE((x.array() > 0).all() && (x.array() < 1).all());
      }
    }
    merge_drops(around, pool.drops, pool.bulk);
  });
  Pool free(0.0);
  free.drops.add(Vec3(0.1, 0.9, 0.1), Vec3(0.2, 0, 0), 1e-7);
  free.with([&](const Surroundings& around, const SkinNow&) {
    for (int step = 0; step < 10; ++step) move_drops(around, Vec3(0, -9.81, 0), 0.01, free.drops);
  });
  EXPECT_LT((free.drops.x[0] - Vec3(0.12, 0.9 - 9.81 * 1e-4 * 55, 0.1)).norm(), 1e-12);
}

TEST(SkinDrops, do_not_fly_through_a_thin_plate) {
  const Grid grid = validation::unit_grid(20);
  const std::vector<Solid> solids = {validation::make_solid(box_mesh({0.02, 0.48, 0.02}, {0.98, 0.52, 0.98}))};
  SolidField field;
  update_solid_field(grid, solids, boundary_maker(Method::cutcell), field);
  const Array3<double> phi(grid.n, 1);
  const Surfaces surfaces(solids);
  const Surroundings around{
      .grid = grid, .liquid_phi = phi, .surfaces = surfaces, .solids = field, .particle_volume = particle_volume(grid)};
  Drops drops;
  for (int i = 0; i < 200; ++i) drops.add(Vec3(0.5, 0.6 + 0.3 * i / 200, 0.5), Vec3(0, -10, 0), 1e-7);
  move_drops(around, Vec3::Zero(), 0.02, drops);  // four cells a step; the plate is 0.8 of one
  for (const Vec3& x : drops.x) EXPECT_GT(x.y(), 0.52);
}

}  // namespace
}  // namespace coracle
