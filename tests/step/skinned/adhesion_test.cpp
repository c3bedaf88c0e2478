#include "coracle/step/skinned/adhesion.h"
#include "coracle/step/skinned/film.h"
#include "coracle/step/skinned/tet_stage.h"
#include "validation/made_shell.h"

#include <gtest/gtest.h>

#include <numbers>

namespace coracle {
namespace {

using namespace validation;

constexpr double radius = 0.5;  // m, of ball_shell()

// A ball at rest, without gravity, and liquid in its shell.
struct Ball {
  TriMesh mesh = sphere_mesh(Vec3::Zero(), radius, 0.1);
  std::vector<Vec3> still = std::vector<Vec3>(mesh.x.size(), Vec3::Zero());
  SkinMotion motion{.tris = mesh.tris, .x = mesh.x, .v = still, .a = still};
  SkinEdges edges = find_skin_edges(mesh.tris);
  SkinFrame frame;
  SkinCurvature curvature;
  Film film;

  Ball() {
    update_skin_frame(edges, motion, frame);
    update_curvature(motion, frame, curvature);
    dry_film(mesh.tris.size(), film);
  }
  void wet(double thickness) {
    for (std::size_t t = 0; t < film.volume.size(); ++t) film.volume[t] = thickness * frame.area[t];
  }
};

TEST(Adhesion, the_curvature_of_a_ball_is_that_of_its_radius) {
  const Ball ball;
  double mean = 0;
  for (std::size_t t = 0; t < ball.mesh.tris.size(); ++t) {
    const Vec3& n = ball.frame.normal[t];
    const Vec3 along = n.unitOrthogonal(), across = n.cross(along);
    const Mat3& s = ball.curvature.gradient[t];
    mean += 0.5 * (along.dot(s * along) + across.dot(s * across)) / double(ball.mesh.tris.size());
  }
  EXPECT_NEAR(mean, 1 / radius, 0.02 / radius);
}

TEST(Adhesion, turns_a_sheet_and_keeps_its_speed) {
  Ball ball;
  const SkinShell& shell = ball_shell();
  const Vec3 spin(0, 3, 0);
  const auto runs = [&] {
    return filled(
        shell, [](const Vec3&) { return 0.5; }, [&](const Vec3& x) -> Vec3 { return spin.cross(x); });
  };
  TetLiquid liquid = runs();
  const TetLiquid before = liquid;
  adhere(shell, ball.frame, ball.curvature, ball.film, 1e-3, 0.01, liquid);
  for (std::size_t t = 0; t < liquid.v.size(); ++t) EXPECT_EQ(liquid.v[t], before.v[t]) << "a dry skin pulls nothing";
  ball.wet(1e-3);
  adhere(shell, ball.frame, ball.curvature, ball.film, 1e-3, 0.01, liquid);
  double pulled = 0, asked = 0;
  for (std::size_t t = 0; t < liquid.v.size(); ++t) {
    EXPECT_NEAR(liquid.v[t].norm(), before.v[t].norm(), 1e-12);
    const Vec3 x = centroid(shell, shell.x, int(t)), u = before.v[t];
    pulled += (u - liquid.v[t]).dot(x.normalized()) * liquid.volume[t];
    asked += 0.01 * u.squaredNorm() / x.norm() * liquid.volume[t];  // along a great circle
  }
  EXPECT_NEAR(pulled / asked, 1, 0.05);
}

TEST(Adhesion, a_fast_sheet_runs_around_a_wet_ball_and_flies_off_a_dry_one) {
  const auto share_that_stays = [](bool wet, double edge) {
    Ball ball;
    if (wet) ball.wet(1e-2);
    const SkinShell shell = make_skin_shell(ball.mesh, edge, 0.3);
    const Vec3 spin(0, 4, 0);  // 2 m/s at the equator
    TetLiquid liquid = filled(
        shell, [](const Vec3& x) { return std::abs(x.y()) < 0.1 && x.norm() < radius + 0.15 ? 0.5 : 0.0; },
        [&](const Vec3& x) -> Vec3 { return spin.cross(x); });
    const double start = total(liquid.volume);
    TetOptions options;
    options.gravity = Vec3::Zero();
    const MovingShell moving = still(shell);
    Drops drops;
    TetWork work;
    const double dt = 0.1 * edge;
    for (int i = 0; i < int(2 * std::numbers::pi / spin.y() / dt); ++i) {  // once round
      adhere(shell, ball.frame, ball.curvature, ball.film, 1e-2, dt, liquid);
      (void)step_tets(options, shell, shell.x, moving, {}, dt, {}, liquid, drops, work);
    }
    EXPECT_NEAR(total(liquid.volume) + total(drops.volume), start, 1e-12 * start);
    return total(liquid.volume) / start;
  };
  // What leaves is blurred outward by the fluxes, less on finer tets.
  const double coarse = share_that_stays(true, 0.1), fine = share_that_stays(true, 0.06);
  EXPECT_GT(coarse, 0.8);
  EXPECT_LT(1 - fine, 0.7 * (1 - coarse));
  EXPECT_LT(share_that_stays(false, 0.1), 0.1);
}

}  // namespace
}  // namespace coracle
