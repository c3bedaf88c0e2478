#include "coracle/world/skin_shell.h"
#include "coracle/shape/character.h"

#include "coracle/shape/closest.h"
#include "coracle/shape/tet_mesh.h"
#include "coracle/shape/tet_topology.h"
#include "coracle/shape/tri_mesh.h"

#include <gtest/gtest.h>

#include <numbers>

namespace coracle {
namespace {

std::vector<Mat3> fitted_frames(const TriMesh& rest, const std::vector<Vec3>& x) {
  std::vector<Mat3> frames;
  fit_frames(rest, x, frames);
  return frames;
}

constexpr double edge = 0.1, thickness = 0.3;

TriMesh ball() { return sphere_mesh({0.1, -0.2, 0.3}, 0.5, 0.08); }

double face_area(const SkinShell& shell, int kind) {
  double area = 0;
  for (std::size_t t = 0; t < shell.tets.size(); ++t)
    for (int f = 0; f < 4; ++f)
      if (shell.neighbours[t][f] == kind) {
        const Vec3i k = tet_face(shell.tets[t], f);
        area += 0.5 * (shell.x[k[1]] - shell.x[k[0]]).cross(shell.x[k[2]] - shell.x[k[0]]).norm();
      }
  return area;
}

TEST(SkinShell, lies_between_the_skin_and_its_offset) {
  const SkinShell shell = make_skin_shell(ball(), edge, thickness);
  // Chords of spheres of radius 0.5 and 0.8 cut off less than (edge / radius)² of areas and volumes.
  const double pi = std::numbers::pi;
  EXPECT_NEAR(face_area(shell, SkinShell::skin) / (4 * pi * 0.25), 1, 0.04);
  EXPECT_NEAR(face_area(shell, SkinShell::outside) / (4 * pi * 0.64), 1, 0.0157);
  EXPECT_NEAR(volume_of(shell.x, shell.tets) / (4 * pi / 3 * (0.512 - 0.125)), 1, 0.0157);
  for (const double v : shell.volume) EXPECT_GT(v, 0);
}

TEST(SkinShell, nodes_of_skin_faces_are_on_the_skin_and_stay_there) {
  TriMesh skin = ball();
  const SkinShell shell = make_skin_shell(skin, edge, thickness);
  // Stretch and bend it.
  for (Vec3& x : skin.x) x = Vec3(2 * x.x() + 0.3 * x.y() * x.y(), x.y(), 0.8 * x.z() + 0.2 * x.x() * x.z());
  const std::vector<Mat3> F(skin.x.size(), 1.3 * Mat3::Identity());
  std::vector<Vec3> nodes;
  deform_shell(shell, skin.tris, skin.x, F, nodes);
  int found = 0;
  for (std::size_t t = 0; t < shell.tets.size(); ++t)
    for (int f = 0; f < 4; ++f)
      if (shell.neighbours[t][f] == SkinShell::skin)
        for (const int node : tet_face(shell.tets[t], f)) {
          const SkinShell::Anchor& a = shell.anchors[node];
          const Vec3i& k = skin.tris[a.tri];
          const Vec3 point = a.bary[0] * skin.x[k[0]] + a.bary[1] * skin.x[k[1]] + a.bary[2] * skin.x[k[2]];
          EXPECT_EQ(a.offset, Vec3::Zero().eval());
          EXPECT_LT((nodes[node] - point).norm(), 1e-15) << "round-off";
          ++found;
        }
  EXPECT_GT(found, 300);
}

TEST(SkinShell, at_rest_is_where_it_was_made) {
  const TriMesh skin = ball();
  const SkinShell shell = make_skin_shell(skin, edge, thickness);
  std::vector<Vec3> nodes;
  deform_shell(shell, skin.tris, skin.x, fitted_frames(skin, skin.x), nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_LT((nodes[i] - shell.x[i]).norm(), 1e-14);
}

TEST(SkinShell, keeps_its_volumes_in_rigid_motion_with_given_and_with_fitted_frames) {
  const TriMesh skin = ball();
  const SkinShell shell = make_skin_shell(skin, edge, thickness);
  const Mat3 turn = rotation_xyz({40, -110, 25});
  TriMesh moved = skin;
  transform(moved, 1, turn, {1, 2, -0.5});
  for (const std::vector<Mat3>& F : {std::vector<Mat3>(skin.x.size(), turn), fitted_frames(skin, moved.x)}) {
    std::vector<Vec3> nodes;
    deform_shell(shell, skin.tris, moved.x, F, nodes);
    for (std::size_t t = 0; t < shell.tets.size(); ++t) {
      const Vec4i& n = shell.tets[t];
      EXPECT_NEAR(tet_volume(nodes[n[0]], nodes[n[1]], nodes[n[2]], nodes[n[3]]) / shell.volume[t], 1, 1e-12);
    }
  }
}

TEST(SkinShell, fitted_frames_find_a_linear_map_up_to_the_thickness) {
  // Triangles know the map only along the skin: F e = A e, and F takes normals to unit normals.
  TriMesh skin = box_mesh(Vec3::Zero(), {1, 1, 1});
  Mat3 a;
  a << 1, 0.3, 0, -0.2, 1.5, 0.1, 0.4, 0, 0.7;
  TriMesh moved = skin;
  for (Vec3& x : moved.x) x = a * x;
  // On one flat face the F of its triangles agree; take a mesh of one face.
  skin.tris = {skin.tris[0]}, moved.tris = skin.tris;
  const std::vector<Mat3> F = fitted_frames(skin, moved.x);
  const Vec3i k = skin.tris[0];
  for (const int i : k) {
    EXPECT_LT((F[i] * (skin.x[k[1]] - skin.x[k[0]]) - (moved.x[k[1]] - moved.x[k[0]])).norm(), 1e-14);
    EXPECT_LT((F[i] * (skin.x[k[2]] - skin.x[k[0]]) - (moved.x[k[2]] - moved.x[k[0]])).norm(), 1e-14);
    const Vec3 n = (skin.x[k[1]] - skin.x[k[0]]).cross(skin.x[k[2]] - skin.x[k[0]]).normalized();
    EXPECT_NEAR((F[i] * n).norm(), 1, 1e-14);
  }
}

TEST(SkinShell, faces_close_and_neighbours_agree) {
  const SkinShell shell = make_skin_shell(ball(), edge, thickness);
  Vec3 skin_area = Vec3::Zero(), outer_area = Vec3::Zero();
  for (std::size_t t = 0; t < shell.tets.size(); ++t)
    for (int f = 0; f < 4; ++f) {
      const int other = shell.neighbours[t][f];
      const Vec3i k = tet_face(shell.tets[t], f);
      const Vec3 area = 0.5 * (shell.x[k[1]] - shell.x[k[0]]).cross(shell.x[k[2]] - shell.x[k[0]]);
      if (other >= 0) {
        EXPECT_EQ((shell.neighbours[other].array() == int(t)).count(), 1);
      }
      if (other == SkinShell::skin) skin_area += area;
      if (other == SkinShell::outside) outer_area += area;
    }
  EXPECT_LT(skin_area.norm(), 1e-14);
  EXPECT_LT(outer_area.norm(), 1e-14);
}

TEST(SkinShell, ranks_are_distances_and_onward_leads_outward_to_the_hull) {
  const TriMesh skin = torus_mesh(Vec3::Zero(), Vec3::UnitZ(), 0.4, 0.15, 0.06);  // its hole is narrower than 2T
  const SkinShell shell = make_skin_shell(skin, 0.06, 0.3);
  const TriTree tree(skin.x, skin.tris);
  for (std::size_t i = 1; i < shell.order.size(); ++i)
    EXPECT_LE(shell.rank[shell.order[i - 1]], shell.rank[shell.order[i]]);
  for (std::size_t t = 0; t < shell.tets.size(); ++t) {
    const Vec4i& n = shell.tets[t];
    const Vec3 centre = 0.25 * (shell.x[n[0]] + shell.x[n[1]] + shell.x[n[2]] + shell.x[n[3]]);
    EXPECT_NEAR(shell.rank[t], tree.closest(centre).distance, 1e-14);
    const bool outer = (shell.neighbours[t].array() == SkinShell::outside).any();
    EXPECT_EQ(shell.onward[t] < 0, outer);
    if (!outer) {
      EXPECT_GT(shell.rank[shell.onward[t]], shell.rank[t]);
    }
  }
}

}  // namespace
}  // namespace coracle
