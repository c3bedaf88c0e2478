// Liquid on skins as pictures show it.
#include "coracle/step/skinned/shown_skin.h"

#include "coracle/base/disjoint_sets.h"
#include "coracle/base/parallel.h"
#include "coracle/out/vdb.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/step/advance.h"
#include "coracle/world/build.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <map>
#include <numbers>

namespace coracle {
namespace {

const Vec3 middle(0.2, 0.2, 0.2);
constexpr double radius = 0.08, dx = 0.4 / 40;

// A ball over or in a pool.
struct Ball {
  Scene scene;
  World world;
  Workspace work;

  explicit Ball(const std::string& more = "", double level = 0.06) {
    scene = parse_scene(R"(method = "skinned"
[domain]
max = [0.4, 0.4, 0.4]
resolution = 40
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [0.4, )" + std::to_string(level) +
                            R"(, 0.4]
[[solid]]
name = "ball"
shape = "sphere"
center = [0.2, 0.2, 0.2]
radius = 0.08
[solid.skin]
)" + more,
                        "ball.toml");
    world = build_world(scene);
    start(scene, world, work);
  }
  Liquid& liquid() { return liquid_of(world); }
  WetSkin& skin() { return liquid().skins[0]; }
  double area(std::size_t tri) const {
    const Solid& s = world.solids[0];
    const Vec3i& t = s.rest->tris[tri];
    return 0.5 * (s.x[t[1]] - s.x[t[0]]).cross(s.x[t[2]] - s.x[t[0]]).norm();
  }
  // The share of the shell that gives a sheet of this thickness, spread over tets whose centroids `where` takes.
  template <class Where>
  void fill(double thickness, Where&& where) {
    const SkinShell& shell = *skin().shell;
    double all = 0, ball = 0;
    for (const double v : shell.volume) all += v;
    for (std::size_t t = 0; t < skin().film.volume.size(); ++t) ball += area(t);
    for (std::size_t t = 0; t < shell.tets.size(); ++t)
      if (where(centroid(shell, shell.x, int(t)))) skin().tets.volume[t] = thickness * ball / all * shell.volume[t];
  }
  ShownSkins skins() {
    const auto& own = std::get<LiquidWork>(work.fluid);
    return shown_skins(scene, world, liquid(), own.solids, own.skins);
  }
  TriMesh surface() {
    const FrameLayers layers = frame_layers(scene, world, work);
    return surface_mesh(layers.surfaces[0].grid, layers.surfaces[0].phi);
  }
  // Heights above the skin of the shown surface, of what lies outside the ball and above the pool.
  std::vector<double> heights() {
    std::vector<double> found;
    for (const Vec3& x : surface().x)
      if (const double h = (x - middle).norm() - radius; h > -0.1 * dx && h < 3 * dx && x.y() > 0.1) found.push_back(h);
    return found;
  }
};

const auto everywhere = [](const Vec3&) { return true; };

TEST(FilmLayers, a_film_has_its_thickness_at_every_vertex_with_what_hangs) {
  Ball ball;
  for (std::size_t t = 0; t < ball.skin().film.volume.size(); ++t) {
    ball.skin().film.volume[t] = 2e-4 * ball.area(t);
    ball.skin().film.pendant[t] = 5e-5 * ball.area(t);
  }
  const std::vector<SolidLayer> layers = film_layers(ball.scene, ball.world, ball.liquid());
  ASSERT_EQ(layers.size(), 1u);
  EXPECT_EQ(layers[0].solid, 0u);
  EXPECT_EQ(layers[0].field, "film");
  ASSERT_EQ(layers[0].values.size(), ball.world.solids[0].x.size());
  for (const float f : layers[0].values) EXPECT_NEAR(f, 2.5e-4, 1e-9);
}

TEST(FilmLayers, one_wet_triangle_keeps_its_volume) {
  Ball ball;
  const double volume = ball.skin().film.volume[7] = 1e-7;
  const std::vector<float> film = film_layers(ball.scene, ball.world, ball.liquid())[0].values;
  const std::vector<Vec3i>& tris = ball.world.solids[0].rest->tris;
  double sum = 0;  // linear over each triangle
  int wet = 0;
  for (std::size_t t = 0; t < tris.size(); ++t)
    for (const int i : tris[t]) sum += ball.area(t) / 3 * double(film[i]);
  for (const float f : film) wet += f > 0;
  EXPECT_NEAR(sum, volume, 1e-6 * volume);
  EXPECT_EQ(wet, 3) << "its corners";
}

TEST(FilmLayers, what_fur_keeps_is_film_and_no_sheet) {
  Ball furry("fur = {porosity = 0.9, along = 1e-8, across = 1e-8, residual = 0.2}\n");
  const SkinShell& shell = *furry.skin().shell;
  for (std::size_t t = 0; t < shell.tets.size(); ++t) furry.skin().tets.volume[t] = 0.2 * 0.9 * shell.volume[t];
  double most = 0;
  const std::vector<SolidLayer> layers = film_layers(furry.scene, furry.world, furry.liquid());
  for (const float f : layers[0].values) most = std::max(most, double(f));
  EXPECT_GT(most, 0.1 * shell.thickness);
  EXPECT_TRUE(furry.skins().joined.cells.empty());
  EXPECT_TRUE(furry.heights().empty());
}

TEST(ShownSkins, liquid_in_the_shell_is_a_sheet_of_its_thickness) {
  for (const double cells : {0.3, 0.6, 1.0}) {
    Ball ball;
    ball.fill(cells * dx, everywhere);
    const std::vector<double> heights = ball.heights();
    ASSERT_GT(heights.size(), 500u);
    double mean = 0, least = 1, most = 0;
    for (const double h : heights)
      mean += h / double(heights.size()), least = std::min(least, h), most = std::max(most, h);
    // As far as the volume of the shell around a ball, in tets of half a cell, follows the area of its triangles.
    EXPECT_NEAR(mean, cells * dx, 0.1 * cells * dx);
    EXPECT_GT(least, 0.4 * cells * dx) << "no holes";
    EXPECT_LT(most, 1.8 * cells * dx) << "no blobs";
  }
}

TEST(ShownSkins, thin_films_show_on_the_skin_only) {
  Ball ball;
  for (std::size_t t = 0; t < ball.skin().film.volume.size(); ++t)
    ball.skin().film.volume[t] = 0.05 * dx * ball.area(t);
  EXPECT_TRUE(ball.heights().empty());
  for (double& v : ball.skin().film.volume) v *= 4;
  EXPECT_GT(ball.heights().size(), 500u) << "a fifth of a cell";
}

TEST(ShownSkins, a_dry_skin_changes_nothing) {
  Ball ball;
  const ShownSkins shown = ball.skins();
  EXPECT_TRUE(shown.joined.cells.empty());
  EXPECT_TRUE(shown.joined.balls.empty());
  EXPECT_EQ(shown.drops.size(), 0u);
}

// Pieces of a mesh that share no vertex, each with at least so many vertices.
int pieces(const TriMesh& mesh, int least) {
  DisjointSets sets(int(mesh.x.size()));
  for (const Vec3i& t : mesh.tris) sets.join(t[0], t[1]), sets.join(t[1], t[2]);
  std::map<int, int> size;
  for (int i = 0; i < int(mesh.x.size()); ++i) ++size[sets.root(i)];
  return int(std::count_if(size.begin(), size.end(), [&](const auto& s) { return s.second >= least; }));
}

TEST(ShownSkins, pool_and_sheet_are_one_surface_where_they_meet) {
  Ball ball("", 0.2);  // half of it in the pool
  // On one side of the ball: a sheet apart from the pool would be a piece of its own.
  ball.fill(0.4 * dx, [](const Vec3& x) { return x.y() > 0.2 && x.x() > 0.2; });
  EXPECT_EQ(closedness_problem(ball.surface()), "");
  EXPECT_EQ(pieces(ball.surface(), 1), 1);
  // Where the sheet is, the surface never dips to the skin on the way down to the pool.
  double gap = 1;
  for (const Vec3& x : ball.surface().x)
    if (x.x() - 0.2 > 0.5 * radius && x.y() > 0.2 - dx && x.y() < 0.2 + 4 * dx)
      if (const double h = (x - middle).norm() - radius; h > -0.4 * dx) gap = std::min(gap, h);
  EXPECT_GT(gap, 0.15 * dx);
}

TEST(ShownSkins, what_leaves_the_skin_is_drops_of_the_same_volume) {
  Ball ball;
  ball.fill(0.3 * dx, everywhere);
  const SkinShell& shell = *ball.skin().shell;
  double outer = 0;
  for (std::size_t t = 0; t < shell.tets.size(); ++t) {
    if (shell.rank[t] < 1.5 * shell.edge) ball.skin().tets.volume[t] = 0;
    ball.skin().tets.v[t] = 3 * (centroid(shell, shell.x, int(t)) - middle).normalized();
    outer += ball.skin().tets.volume[t];
  }
  ball.liquid().drops.add({0.1, 0.35, 0.1}, Vec3::UnitX(), 1e-9);
  const ShownSkins shown = ball.skins();
  double volume = 0;
  for (const double v : shown.drops.volume) volume += v;
  for (const MoreLiquid::Ball& b : shown.joined.balls) volume += 4 * std::numbers::pi / 3 * b.r * b.r * b.r;
  EXPECT_GT(outer, 0);
  EXPECT_NEAR(volume, outer + 1e-9, 1e-9 * volume);
  EXPECT_EQ(shown.drops.x[0], Vec3(0.1, 0.35, 0.1)) << "free drops stay what they are";
  for (const MoreLiquid::Cell& c : shown.joined.cells) ASSERT_GT(c.phi, 0) << "no sheet";
}

TEST(ShownSkins, drops_in_the_liquid_are_not_seen) {
  Ball ball;
  ball.fill(0.8 * dx, everywhere);
  ball.liquid().drops.add({0.05, 0.03, 0.05}, Vec3::Zero(), 1e-9);                         // in the pool
  ball.liquid().drops.add({0.2, 0.28 + 0.3 * dx, 0.2}, Vec3::Zero(), 1e-9);                // in the sheet
  ball.liquid().drops.add({0.05, 0.33, 0.05}, Vec3::Zero(), 4e-9 * std::numbers::pi / 3);  // in the air
  const FrameLayers layers = frame_layers(ball.scene, ball.world, ball.work);
  const PointLayer& drops = layers.points[0];
  ASSERT_EQ(drops.x.size(), 1u);
  EXPECT_EQ(drops.x[0], Vec3f(0.05f, 0.33f, 0.05f));
  EXPECT_EQ(drops.fields[0].first, "radius");
  EXPECT_NEAR(drops.fields[0].second[0], 1e-3, 1e-8);
}

TEST(ShownSkins, the_sheet_moves_as_its_liquid_does) {
  Ball ball;
  ball.fill(0.5 * dx, everywhere);
  const Vec3 v(0.3, -0.1, 0.2);
  for (Vec3& u : ball.skin().tets.v) u = v;
  const FrameLayers layers = frame_layers(ball.scene, ball.world, ball.work);
  int found = 0;
  for (const Vec3& x : surface_mesh(layers.surfaces[0].grid, layers.surfaces[0].phi).x)
    if (x.y() > 0.27) found += (layers.surfaces[0].velocity(x) - v).norm() < 1e-6;
  EXPECT_GT(found, 20);
}

TEST(ShownSkins, have_the_same_bits_on_one_thread_and_two) {
  Ball ball;
  ball.fill(0.3 * dx, [](const Vec3& x) { return x.x() > 0.18; });
  const auto on = [&](int threads) {
    const ThreadLimit limit(threads);
    return frame_layers(ball.scene, ball.world, ball.work).surfaces[0].phi.data;
  };
  EXPECT_EQ(on(1), on(2));
}

}  // namespace
}  // namespace coracle
