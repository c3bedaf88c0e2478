#include "coracle/out/vdb.h"

#include "coracle/base/parallel.h"
#include "coracle/step/liquid/liquid_work.h"
#include "coracle/step/particles/shown_liquid.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace coracle {
namespace {

Grid test_grid() { return {Vec3(-1, 0.5, 2), 0.05, Vec3i(40, 32, 24)}; }

template <class T = float, class F>
Array3<T> field(const Grid& grid, F&& distance) {
  Array3<T> phi(grid.n);
  for (std::size_t i = 0; i < phi.size(); ++i) phi.data[i] = T(distance(grid.center(phi.cell(i))));
  return phi;
}

TEST(Surface, a_sphere_is_closed_in_its_place_faces_outwards_and_converges) {
  const Vec3 center(0.03, 1.21, 2.55);
  const double radius = 0.5, exact = 4.0 / 3 * std::numbers::pi * std::pow(radius, 3);
  double error[2];
  for (const int finer : {1, 2}) {
    Grid grid = test_grid();  // ten cells a radius, then twenty
    grid.n *= finer;
    grid.dx /= finer;
    const TriMesh mesh = surface_mesh(grid, field(grid, [&](const Vec3& x) { return (x - center).norm() - radius; }));
    EXPECT_EQ(closedness_problem(mesh), "");
    for (const Vec3& x : mesh.x) EXPECT_NEAR((x - center).norm(), radius, 0.05 * grid.dx);
    error[finer - 1] = (exact - enclosed_volume(mesh)) / exact;
  }
  // Vertices are means of crossings and edges are chords: both lie inside a sphere by a multiple of dx²/R.
  EXPECT_GT(error[1], 0);
  EXPECT_LT(error[1], 0.01);
  EXPECT_NEAR(error[0] / error[1], 4, 0.4);
}

TEST(Surface, liquid_that_fills_the_domain_is_closed_at_its_walls) {
  const Grid grid = test_grid();
  const TriMesh mesh = surface_mesh(grid, Array3<float>(grid.n, -10));
  EXPECT_EQ(closedness_problem(mesh), "");
  // Only the edges and corners of the box are cut: a strip of half a cell by half a cell at most.
  const Vec3 size = grid.upper() - grid.origin;
  EXPECT_NEAR(enclosed_volume(mesh), size.prod(), 4 * size.sum() * 0.25 * grid.dx * grid.dx);
  for (const Vec3& x : mesh.x)
    for (int a = 0; a < 3; ++a) {
      EXPECT_GE(x[a], grid.origin[a] - 1e-5);
      EXPECT_LE(x[a], grid.upper()[a] + 1e-5);
    }
}

TEST(Surface, a_pool_has_its_level) {
  const Grid grid = test_grid();
  const double level = 1.23;
  const TriMesh mesh = surface_mesh(grid, field(grid, [&](const Vec3& x) { return x.y() - level; }));
  EXPECT_EQ(closedness_problem(mesh), "");
  double top = 0;
  for (const Vec3& x : mesh.x) top = std::max(top, x.y());
  EXPECT_NEAR(top, level, 1e-5);
}

TEST(Surface, no_liquid_no_surface) {
  const Grid grid = test_grid();
  EXPECT_TRUE(surface_mesh(grid, Array3<float>(grid.n, 10)).tris.empty());
}

LiquidShape shape_of(const Liquid& liquid, const LiquidWork& work) {
  return {liquid.grid, liquid.particles.x, work.fluid_phi, work.level_set.share, work.solids};
}

TEST(ShownLiquid, a_linear_field_stays_linear_inside) {
  const Grid grid = test_grid();
  const auto linear = [](const Vec3& x) { return 0.3 * x.x() - 0.5 * x.y() + 0.8 * x.z() - 1; };
  const Array3<float> fine = twice_as_fine(field<double>(grid, linear));
  const Grid finer{grid.origin, 0.5 * grid.dx, 2 * grid.n};
  ASSERT_EQ(fine.n, finer.n);
  for (std::size_t i = 0; i < fine.size(); ++i) {
    const Vec3i c = fine.cell(i);
    // At the rim the field goes on as a constant; the cubic looks two coarse samples far.
    if ((c.array() < 3).any() || (c.array() >= fine.n.array() - 3).any()) continue;
    EXPECT_NEAR(fine.data[i], linear(finer.center(c)), 1e-6);
  }
}

// A pool at rest with jittered particles, and one particle above it.
TEST(ShownLiquid, a_pool_is_as_flat_as_its_level_set_and_a_drop_is_seen) {
  const World world;
  Liquid liquid;
  LiquidWork work;
  liquid.grid = test_grid();
  const Grid& grid = liquid.grid;
  const double level = 1.24;
  work.fluid_phi = field<double>(grid, [&](const Vec3& x) { return x.y() - level; });
  work.level_set.share.assign(grid.n, 1);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> jitter(0, 1);
  for (int p = 0; p < 20000; ++p) {
    const Vec3 share(jitter(random), jitter(random), jitter(random));
    const Vec3 x = grid.origin + share.cwiseProduct(grid.upper() - grid.origin);
    if (x.y() < level) liquid.particles.x.push_back(x);
  }
  const auto top = [&] {
    const ShownLiquid shown = shown_liquid(world, shape_of(liquid, work));
    const TriMesh mesh = surface_mesh(shown.grid, shown.phi);
    EXPECT_EQ(closedness_problem(mesh), "");
    double highest = 0;
    for (const Vec3& x : mesh.x) highest = std::max(highest, x.y());
    return highest;
  };
  EXPECT_NEAR(top(), level, 1e-5);
  const Vec3 drop(0, 1.7, 2.6);
  liquid.particles.x.push_back(drop);
  work.level_set.share.assign(grid.n, 0.05);  // it flies alone
  EXPECT_EQ(shown_liquid(world, shape_of(liquid, work)).lone_drops, std::vector<int>{int(liquid.particles.size()) - 1});
  EXPECT_NEAR(top(), level, 1e-5);
  work.level_set.share.assign(grid.n, 0.3);  // it is part of a sheet
  EXPECT_TRUE(shown_liquid(world, shape_of(liquid, work)).lone_drops.empty());
  EXPECT_GT(top(), drop.y());
  EXPECT_LT(top(), drop.y() + 0.5 * grid.dx);
}

TEST(ShownLiquid, reaches_into_a_body_and_ends_at_a_container) {
  for (const bool container : {false, true}) {
    World world;
    Liquid liquid;
    LiquidWork work;
    liquid.grid = test_grid();
    const Grid& grid = liquid.grid;
    const double wall = 0.5;  // solid beyond it
    world.solids.resize(1);
    world.solids[0].container = container;
    world.solids[0].rest = std::make_shared<TriMesh>();
    work.fluid_phi.assign(grid.n, -1);
    work.solids.each.resize(1);
    work.solids.each[0].phi = field<double>(grid, [&](const Vec3& x) { return wall - x.x(); });
    work.solids.each[0].cut.volume.assign({Vec3i::Zero(), grid.n});
    const ShownLiquid shown = shown_liquid(world, shape_of(liquid, work));
    double reach = -1;
    for (const Vec3& x : surface_mesh(shown.grid, shown.phi).x) reach = std::max(reach, x.x());
    EXPECT_NEAR(reach, container ? wall : wall + 0.5 * grid.dx, 1e-5);
  }
}

TEST(Vdb, equal_fields_give_equal_bytes_on_any_number_of_threads) {
  const TemporaryDirectory dir;
  const Grid grid = test_grid();
  const auto ball = [&](const Vec3& x) { return (x - Vec3(0, 1.2, 2.5)).norm() - 0.4; };
  auto u = make_face_field<double>(grid);
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < u[a].size(); ++i) u[a].data[i] = std::sin(double(i + a));
  std::vector<TriMesh> meshes;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    write_vdb(dir / std::to_string(threads),
              {.file = "liquid", .grid = grid, .surface = field<double>(grid, ball), .fogs = {}, .u = u});
    meshes.push_back(surface_mesh(grid, field(grid, ball)));
  }
  const std::string one = read_file(dir / "1");
  EXPECT_EQ(one.substr(0, 4), " BDV");  // OpenVDB's magic number
  EXPECT_TRUE(one == read_file(dir / "2"));
  EXPECT_TRUE(meshes[0].x == meshes[1].x);
  EXPECT_TRUE(meshes[0].tris == meshes[1].tris);
}

}  // namespace
}  // namespace coracle
