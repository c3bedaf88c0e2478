#include "coracle/out/vdb.h"

#include "coracle/base/parallel.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace coracle {
namespace {

Grid test_grid() { return {Vec3(-1, 0.5, 2), 0.05, Vec3i(40, 32, 24)}; }

template <class F>
Array3<double> field(const Grid& grid, F&& distance) {
  Array3<double> phi(grid.n);
  for (std::size_t i = 0; i < phi.size(); ++i) phi.data[i] = distance(grid.center(phi.cell(i)));
  return phi;
}

TEST(Surface, ASphereIsClosedInItsPlaceFacesOutwardsAndConverges) {
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

TEST(Surface, LiquidThatFillsTheDomainIsClosedAtItsWalls) {
  const Grid grid = test_grid();
  const TriMesh mesh = surface_mesh(grid, Array3<double>(grid.n, -10));
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

TEST(Surface, APoolHasItsLevel) {
  const Grid grid = test_grid();
  const double level = 1.23;
  const TriMesh mesh = surface_mesh(grid, field(grid, [&](const Vec3& x) { return x.y() - level; }));
  EXPECT_EQ(closedness_problem(mesh), "");
  double top = 0;
  for (const Vec3& x : mesh.x) top = std::max(top, x.y());
  EXPECT_NEAR(top, level, 1e-5);
}

TEST(Surface, NoLiquidNoSurface) {
  const Grid grid = test_grid();
  EXPECT_TRUE(surface_mesh(grid, Array3<double>(grid.n, 10)).tris.empty());
}

TEST(Vdb, EqualFieldsGiveEqualBytesOnAnyNumberOfThreads) {
  const TemporaryDirectory dir;
  const Grid grid = test_grid();
  const auto phi = field(grid, [&](const Vec3& x) { return (x - Vec3(0, 1.2, 2.5)).norm() - 0.4; });
  auto u = make_face_field<double>(grid);
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < u[a].size(); ++i) u[a].data[i] = std::sin(double(i + a));
  std::vector<TriMesh> meshes;
  for (const int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    write_vdb(dir / std::to_string(threads), grid, phi, u);
    meshes.push_back(surface_mesh(grid, phi));
  }
  const std::string one = read_file(dir / "1");
  EXPECT_EQ(one.substr(0, 4), " BDV");  // OpenVDB's magic number
  EXPECT_TRUE(one == read_file(dir / "2"));
  EXPECT_TRUE(meshes[0].x == meshes[1].x);
  EXPECT_TRUE(meshes[0].tris == meshes[1].tris);
}

}  // namespace
}  // namespace coracle
