#include "coracle/world/make_rigid.h"

#include "coracle/shape/tri_mesh.h"

#include <gtest/gtest.h>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace coracle {
namespace {

const Mat3 tilt = rotation_xyz(Vec3(20, -35, 50));

TriMesh tilted_box(const Vec3& size, const Vec3& center) {
  TriMesh box = box_mesh(-0.5 * size, 0.5 * size);
  transform(box, 1, tilt, center);
  return box;
}

// ∫ρ x xᵀ of a box about its centre: m/12 size² along its axes.
Mat3 second_of_box(double mass, const Vec3& size) {
  return tilt * (mass / 12 * size.cwiseAbs2()).asDiagonal() * tilt.transpose();
}

Moments of_points(const std::vector<Vec3>& x, const std::vector<double>& mass) {
  Moments m;
  for (std::size_t i = 0; i < x.size(); ++i) m.mass += mass[i], m.center += mass[i] * x[i];
  m.center /= m.mass;
  for (std::size_t i = 0; i < x.size(); ++i) m.second += mass[i] * (x[i] - m.center) * (x[i] - m.center).transpose();
  return m;
}

std::set<int> leaders_of(const RigidParts& parts) {
  const Vec4i& t = parts.rigid.frame.tets[0];
  return {t[0], t[1], t[2], t[3]};
}

const Follower& follower_of(const RigidParts& parts, int node) {
  const auto at =
      std::find_if(parts.followers.begin(), parts.followers.end(), [&](const Follower& f) { return f.node == node; });
  if (at == parts.followers.end()) throw std::logic_error("node " + std::to_string(node) + " does not follow");
  return *at;
}

TEST(MakeRigid, a_tilted_box_and_its_mass_points_have_the_moments_of_the_closed_form) {
  const Vec3 center(3, -2, 7);
  for (const Vec3& size : {Vec3(0.3, 0.2, 0.5), Vec3(1, 0.001, 1)}) {  // a block and a plate
    const TriMesh box = tilted_box(size, center);
    const double mass = 800 * size.prod();
    const RigidParts parts = make_rigid(box, 800);
    // Coordinates of 10 m carry an error of 1e-15 m.
    for (const Moments& m : {moments(box, 800), of_points(parts.x, parts.mass)}) {
      EXPECT_NEAR(m.mass, mass, 1e-11 * mass);
      EXPECT_LT((m.center - center).norm(), 1e-11);
      EXPECT_LT((m.second - second_of_box(mass, size)).norm(), 1e-11 * m.second.norm());
    }
    EXPECT_NEAR(parts.rigid.frame.volume[0], size.prod(), 1e-11 * size.prod());
    EXPECT_EQ(std::count_if(parts.mass.begin(), parts.mass.end(), [](double m) { return m > 0; }), mass_points);
  }
}

TEST(MakeRigid, a_sphere_has_two_fifths_m_r2_as_its_mesh_gets_finer) {
  double error[3], fineness[3];
  for (int i = 0; i < 3; ++i) {
    const TriMesh ball = sphere_mesh(Vec3(1, 2, 3), 0.5, 0.2 / (1 << i));
    const Moments m = moments(ball, 1000);
    const Mat3 inertia = m.second.trace() * Mat3::Identity() - m.second;
    error[i] = (inertia / (0.4 * m.mass * 0.25) - Mat3::Identity()).norm();
    fineness[i] = std::sqrt(double(ball.tris.size()));
  }
  // Facets are off the sphere by d ~ edge². At the exact volume the mean of d is zero but for d², and so is the error.
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(std::log(error[i] / error[i + 1]) / std::log(fineness[i + 1] / fineness[i]), 4, 0.1);
}

TEST(MakeRigid, followers_take_every_affine_motion_whatever_leads) {
  const TriMesh ball = sphere_mesh(Vec3(1, 2, 3), 0.5, 0.2);
  for (const std::vector<int>& tied : {std::vector<int>{}, {5}, {5, 17}, {5, 17, 30}, {1, 2, 5, 17, 30}}) {
    const RigidParts parts = make_rigid(ball, 1000, tied);
    const Mat3 a = Mat3::Random();
    const Vec3 b = Vec3::Random();
    EXPECT_EQ(parts.followers.size() + 4, parts.x.size());
    for (std::size_t i = 0; i < parts.followers.size(); ++i) {
      const Follower& f = parts.followers[i];
      EXPECT_TRUE(i == 0 || parts.followers[i - 1].node < f.node);
      Vec3 x = Vec3::Zero();
      for (std::size_t k = 0; k < f.leaders.size(); ++k) {
        EXPECT_TRUE(leaders_of(parts).count(f.leaders[k]));
        x += f.weights[k] * (a * parts.x[f.leaders[k]] + b);
      }
      EXPECT_LT((x - a * parts.x[f.node] - b).norm(), 1e-12) << f.node;
    }
    const Tets& frame = parts.rigid.frame;
    EXPECT_GT(frame.inverse_edges[0].determinant(), 0);
    Mat3 edges;
    for (int c = 0; c < 3; ++c) edges.col(c) = parts.x[frame.tets[0][c + 1]] - parts.x[frame.tets[0][0]];
    EXPECT_LT((edges * frame.inverse_edges[0] - Mat3::Identity()).norm(), 1e-12);
  }
}

TEST(MakeRigid, tied_vertices_lead_as_many_as_span_space_and_the_others_follow_them_alone) {
  TriMesh box = tilted_box(Vec3(1, 2, 3), Vec3(5, 6, 7));  // vertices: see below
  const auto leaders = [&](const std::vector<int>& tied) { return leaders_of(make_rigid(box, 1000, tied)); };
  EXPECT_EQ(leaders({}), (std::set<int>{0, 1, 2, 3}));
  EXPECT_EQ(leaders({6}).count(mass_points + 6), 1u);
  EXPECT_EQ(*leaders({6, 1}).rbegin(), mass_points + 6);
  EXPECT_EQ(leaders({6, 1}).count(mass_points + 1), 1u);

  // A side of the box: three of its four corners lead, and the fourth follows only these.
  std::vector<int> side;
  const double across = (tilt.transpose() * box.x[0]).x();
  for (int i = 0; i < 8; ++i)
    if (std::abs((tilt.transpose() * box.x[i]).x() - across) < 1e-9) side.push_back(i);
  ASSERT_EQ(side.size(), 4u);
  const RigidParts held = make_rigid(box, 1000, side);
  int leading = 0;
  for (const int i : side) {
    if (leaders_of(held).count(mass_points + i)) {
      ++leading;
      continue;
    }
    const Follower& f = follower_of(held, mass_points + i);
    EXPECT_EQ(f.leaders.size(), 3u);
    for (const int leader : f.leaders) EXPECT_GE(leader, mass_points) << "a mass point";
  }
  EXPECT_EQ(leading, 3);

  for (const int leader : leaders({0, 1, 2, 3, 4, 5, 6, 7})) EXPECT_GE(leader, mass_points);
}

TEST(MakeRigid, a_surface_without_inside_is_refused) {
  TriMesh open = tilted_box(Vec3(1, 1, 1), Vec3::Zero()), inside_out = open, flat = open;
  open.tris.pop_back();
  for (Vec3i& t : inside_out.tris) std::swap(t[0], t[1]);
  for (Vec3& x : flat.x) x.z() = 0;
  EXPECT_THROW((void)make_rigid(open, 1000), std::runtime_error);
  EXPECT_THROW((void)make_rigid(inside_out, 1000), std::runtime_error);
  EXPECT_THROW((void)make_rigid(flat, 1000), std::runtime_error);
}

}  // namespace
}  // namespace coracle
