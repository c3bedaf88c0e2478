#include "coracle/shape/tet_mesh.h"
#include "coracle/shape/stuffing.h"
#include "coracle/shape/tet_topology.h"
#include "coracle/shape/tri_mesh.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

double volume_of(const TetMesh& mesh) {
  double sum = 0;
  for (const Vec4i& t : mesh.tets) sum += tet_volume(mesh.x[t[0]], mesh.x[t[1]], mesh.x[t[2]], mesh.x[t[3]]);
  return sum;
}

// Two tets that share only what their lists share.
TetMesh two_tets(const Vec4i& a, const Vec4i& b) {
  TetMesh mesh;
  mesh.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
  for (Vec4i t : {a, b}) {
    if (tet_volume(mesh.x[t[0]], mesh.x[t[1]], mesh.x[t[2]], mesh.x[t[3]]) < 0) std::swap(t[2], t[3]);
    mesh.tets.push_back(t);
  }
  return mesh;
}

void drop_unused(TetMesh& mesh) {
  std::vector<int> number(mesh.x.size(), -1);
  TetMesh kept;
  for (Vec4i t : mesh.tets) {
    for (int& v : t) {
      if (number[v] < 0) {
        number[v] = int(kept.x.size());
        kept.x.push_back(mesh.x[v]);
      }
      v = number[v];
    }
    kept.tets.push_back(t);
  }
  mesh = kept;
}

TEST(TetMesh, a_box_of_cubes_has_the_nodes_and_tets_of_its_counts) {
  const struct {
    Vec3i cells;
    std::size_t nodes, tets;
  } cases[] = {{{2, 2, 14}, 135, 336}, {{3, 3, 21}, 352, 1134}, {{4, 4, 28}, 725, 2688}};
  for (const auto& c : cases) {
    const TetMesh mesh = box_tets(Vec3::Zero(), {0.2, 0.2, 1.4}, c.cells, 6);
    EXPECT_EQ(mesh.x.size(), c.nodes);
    EXPECT_EQ(mesh.tets.size(), c.tets);
    EXPECT_EQ(box_tets(Vec3::Zero(), {0.2, 0.2, 1.4}, c.cells, 5).tets.size(), 5 * c.tets / 6);
  }
}

TEST(TetMesh, a_box_of_tets_fills_its_box_and_its_surface_is_closed_and_outward) {
  for (const int split : {5, 6})
    for (const Vec3i& cells : {Vec3i(1, 1, 1), Vec3i(2, 3, 4), Vec3i(5, 2, 3)}) {
      const Vec3 lo(-1, 2, 0.5), hi(1, 2.5, 4);
      const TetMesh mesh = box_tets(lo, hi, cells, split);
      EXPECT_EQ(tet_mesh_problem(mesh), "");
      EXPECT_NEAR(volume_of(mesh), (hi - lo).prod(), 1e-12);
      const TriMesh surface = {mesh.x, boundary_triangles(mesh)};
      EXPECT_EQ(closedness_problem(surface), "");
      EXPECT_NEAR(enclosed_volume(surface), (hi - lo).prod(), 1e-12);
      EXPECT_EQ(surface.tris.size(), 4u * std::size_t(cells[0] * cells[1] + cells[1] * cells[2] + cells[2] * cells[0]));
    }
}

TEST(TetMesh, dihedral_angles_of_known_tets) {
  TetMesh mesh;
  mesh.x = {{0, 0, 0}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}};  // regular
  mesh.tets = {{0, 1, 2, 3}};
  EXPECT_NEAR(dihedral_range(mesh).least, std::acos(1.0 / 3) * 180 / M_PI, 1e-9);
  EXPECT_NEAR(dihedral_range(mesh).most, std::acos(1.0 / 3) * 180 / M_PI, 1e-9);
  const DihedralRange six = dihedral_range(box_tets(Vec3::Zero(), Vec3::Ones(), {2, 2, 2}, 6));
  EXPECT_NEAR(six.least, 45, 1e-9) << "a cube about its diagonal";
  EXPECT_NEAR(six.most, 90, 1e-9);
}

TEST(TetMesh, what_is_wrong_with_a_mesh_is_named) {
  const TetMesh good = box_tets(Vec3::Zero(), Vec3::Ones(), {2, 2, 2}, 6);
  const auto says = [&](auto&& change, const char* what) {
    TetMesh mesh = good;
    change(mesh);
    const std::string problem = tet_mesh_problem(mesh);
    EXPECT_NE(problem.find(what), std::string::npos) << problem << " for " << what;
  };
  says([](TetMesh& m) { m.tets.clear(); }, "no tetrahedra");
  says([](TetMesh& m) { m.x[3].y() = NAN; }, "not finite, at node 3");
  says([](TetMesh& m) { m.tets[5][2] = 27; }, "out of range in tetrahedron 5");
  says([](TetMesh& m) { m.tets[5][2] = -1; }, "out of range in tetrahedron 5");
  says([](TetMesh& m) { std::swap(m.tets[7][0], m.tets[7][1]); }, "inverted tetrahedron, 7");
  says([](TetMesh& m) { m.tets[7][0] = m.tets[7][1]; }, "flat tetrahedron, 7");
  says([](TetMesh& m) { m.x.push_back({9, 9, 9}); }, "a node, 27, that belongs to no tetrahedron");
  says([](TetMesh& m) { m.tets.push_back(m.tets[0]); }, "a tetrahedron twice, 0 and 48");
  // The last tet gets a corner of its own where node 26 is: a crack.
  says(
      [](TetMesh& m) {
        m.x.push_back(m.x[m.tets[47][3]]);
        m.tets[47][3] = 27;
      },
      "two nodes at the same place, 26 and 27");
}

TEST(TetMesh, surfaces_that_touch_themselves_are_refused_and_can_be_parted) {
  TetMesh at_edge = two_tets({0, 1, 2, 3}, {0, 1, 5, 6}), at_node = two_tets({0, 1, 2, 3}, {0, 4, 5, 6});
  drop_unused(at_edge);
  EXPECT_NE(tet_mesh_problem(at_edge).find("along the edge from (0, 0, 0) to (1, 0, 0)"), std::string::npos);
  EXPECT_NE(tet_mesh_problem(at_node).find("at node 0"), std::string::npos);
  for (TetMesh* mesh : {&at_edge, &at_node}) {
    remove_pinches(*mesh);
    EXPECT_EQ(tet_mesh_problem(*mesh), "");
    EXPECT_EQ(mesh->tets.size(), 1u);
  }
}

TEST(TetMesh, two_tets_on_the_same_side_of_a_face_are_refused) {
  TetMesh mesh;
  mesh.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 2}};
  mesh.tets = {{0, 1, 2, 3}, {0, 1, 2, 4}};
  EXPECT_NE(tet_mesh_problem(mesh).find("same side"), std::string::npos);
}

}  // namespace
}  // namespace coracle
