#include "coracle/shape/thin_meshes.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <map>
#include <numbers>
#include <stdexcept>

namespace coracle {
namespace {

const Vec3 center(1, 2, 3), along(2, 0, 0), across(0, 0, -1.1);

double total_length(const LineMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b] : mesh.segments) sum += (mesh.x[b] - mesh.x[a]).norm();
  return sum;
}

double longest(const LineMesh& mesh) {
  double most = 0;
  for (const auto& [a, b] : mesh.segments) most = std::max(most, (mesh.x[b] - mesh.x[a]).norm());
  return most;
}

std::vector<int> segments_at_nodes(const LineMesh& mesh) {
  std::vector<int> count(mesh.x.size(), 0);
  for (const auto& s : mesh.segments) ++count[s[0]], ++count[s[1]];
  return count;
}

TEST(ThinMeshes, a_length_is_divided_into_as_few_parts_as_possible) {
  EXPECT_EQ(parts_of_length(1.1, 0.1), 11) << "round-off makes no twelfth";
  EXPECT_EQ(parts_of_length(0.3, 0.1), 3);
  EXPECT_EQ(parts_of_length(0.31, 0.1), 4);
  EXPECT_EQ(parts_of_length(0.01, 0.1), 1);
  EXPECT_THROW((void)parts_of_length(1, 1e-9), std::runtime_error);
  EXPECT_THROW((void)parts_of_length(1, 0), std::runtime_error);
}

TEST(ThinMeshes, a_rectangle_has_its_area_its_normal_and_cells_of_the_edge) {
  const TriMesh mesh = rectangle_mesh(center, along, across, 0.1);
  EXPECT_EQ(mesh.x.size(), 21u * 12u);
  EXPECT_EQ(mesh.tris.size(), 2u * 20u * 11u);
  Vec3 area = Vec3::Zero(), mean = Vec3::Zero();
  for (const Vec3i& t : mesh.tris) {
    const Vec3 a = 0.5 * (mesh.x[t[1]] - mesh.x[t[0]]).cross(mesh.x[t[2]] - mesh.x[t[0]]);
    EXPECT_NEAR(a.dot(along.cross(across).normalized()), 0.005, 1e-12) << "all triangles are alike";
    area += a;
  }
  EXPECT_LT((area - along.cross(across)).norm(), 1e-12);
  for (const Vec3& x : mesh.x) mean += x / double(mesh.x.size());
  EXPECT_LT((mean - center).norm(), 1e-12);
}

// Σ d dᵀ over the diagonals, in the axes of the sheet: its off-diagonal entry is what one direction has more than the
// other.
TEST(ThinMeshes, a_rectangle_prefers_no_diagonal) {
  for (const double edge : {0.5, 0.25}) {  // an even number of cells
    const TriMesh mesh = rectangle_mesh(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), edge);
    double both = 0, difference = 0;
    for (const Vec3i& t : mesh.tris)
      for (int c = 0; c < 3; ++c) {
        const Vec3 d = mesh.x[t[(c + 1) % 3]] - mesh.x[t[c]];
        difference += d.x() * d.y();
        both += std::abs(d.x() * d.y());
      }
    EXPECT_GT(both, 0);
    EXPECT_NEAR(difference, 0, 1e-12);
  }
}

TEST(ThinMeshes, ropes_of_a_net_cross_in_nodes_and_include_the_borders) {
  const LineMesh net = net_mesh(center, along, across, 0.5, 0.07);  // 5 ropes across, 4 along
  EXPECT_NEAR(total_length(net), 4 * 2 + 5 * 1.1, 1e-12);
  EXPECT_LE(longest(net), 0.07 + 1e-12);
  const std::vector<int> count = segments_at_nodes(net);
  std::map<int, int> nodes;
  for (const int c : count) ++nodes[c];
  EXPECT_EQ(nodes[4], 3 * 2) << "crossings inside";
  EXPECT_EQ(nodes[3], 2 * 3 + 2 * 2) << "on the borders";
  EXPECT_EQ(nodes[0] + nodes[1], 0);
  for (std::size_t i = 0; i < net.x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_GT((net.x[i] - net.x[j]).norm(), 1e-3) << "no node twice";
}

TEST(ThinMeshes, a_line_keeps_its_corners_and_its_length) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {1, 0.35, 0}, {1, 0.35, 2}};
  const LineMesh line = line_mesh(points, 0.1);
  EXPECT_NEAR(total_length(line), 3.35, 1e-12);
  EXPECT_LE(longest(line), 0.1 + 1e-12);
  EXPECT_EQ(line.segments.size(), 10u + 4u + 20u);
  EXPECT_EQ(line.x.size(), line.segments.size() + 1);
  for (int s = 0; s < int(line.segments.size()); ++s)
    EXPECT_TRUE(line.segments[s][0] == s && line.segments[s][1] == s + 1) << "numbered along the line";
  for (const Vec3& p : points) EXPECT_NE(std::find(line.x.begin(), line.x.end(), p), line.x.end());
}

TEST(ThinMeshes, a_line_that_ends_where_it_starts_is_a_loop) {
  const LineMesh loop = line_mesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}}, 0.1);
  EXPECT_EQ(loop.x.size(), loop.segments.size());
  for (const int count : segments_at_nodes(loop)) EXPECT_EQ(count, 2);
  EXPECT_NEAR(total_length(loop), 2 + std::numbers::sqrt2, 1e-12);
}

TEST(ThinMeshes, lines_that_cannot_be_are_refused) {
  EXPECT_THROW((void)line_mesh({}, 0.1), std::runtime_error);
  EXPECT_THROW((void)line_mesh({Vec3::Zero()}, 0.1), std::runtime_error);
  EXPECT_THROW((void)line_mesh({Vec3::Zero(), Vec3::Zero()}, 0.1), std::runtime_error);
  try {  // there and back
    (void)line_mesh({Vec3::Zero(), Vec3::UnitX(), Vec3::Zero()}, 0.1);
    ADD_FAILURE();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("add points, or leave out the last"), std::string::npos) << error.what();
  }
  EXPECT_THROW((void)line_mesh({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitX()}, 0.1), std::runtime_error);
}

}  // namespace
}  // namespace coracle
