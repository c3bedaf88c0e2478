// What the union of solids leaves of faces.
#include "coracle/step/grid/exact_boundary.h"
#include "validation/setup.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

using namespace validation;

// The share of a face that no solid covers, by sampling.
double sampled(const Grid& grid, const SolidField& field, const std::vector<Solid>& solids, int a, const Vec3i& face) {
  constexpr int n = 60;
  int open = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      Vec3 q = face.cast<double>();
      q[(a + 1) % 3] += (i + 0.5) / n;
      q[(a + 2) % 3] += (j + 0.5) / n;
      bool covered = false;
      for (std::size_t s = 0; s < solids.size(); ++s) {
        const double d = field.each[s].tree.closest(grid.origin + grid.dx * q).distance;
        covered = covered || (solids[s].container ? d > 0 : d < 0);
      }
      open += !covered;
    }
  return double(open) / (n * n);
}

TriMesh turned_box(const Vec3& center, const Vec3& size, double degrees) {
  TriMesh mesh = box_mesh(-0.5 * size, 0.5 * size);
  const double angle = degrees * M_PI / 180, c = std::cos(angle), s = std::sin(angle);
  for (Vec3& x : mesh.x) x = center + Vec3(c * x.x() - s * x.y(), s * x.x() + c * x.y(), x.z());
  return mesh;
}

TEST(FaceUnion, open_areas_are_those_that_samples_of_the_faces_find) {
  const Grid grid = unit_grid(10);
  const std::vector<Solid> solids{make_solid(turned_box(Vec3(0.41, 0.52, 0.47), Vec3(0.3, 0.5, 0.36), 17)),
                                  make_solid(sphere_mesh(Vec3(0.62, 0.55, 0.5), 0.21, 0.05)),
                                  make_solid(turned_box(Vec3(0.5, 0.5, 0.5), Vec3(0.83, 0.77, 0.9), -9), true)};
  SolidField field;
  update_solid_field(grid, solids, boundary_maker(Method::cutcell), field);
  int shared = 0;
  for (int a = 0; a < 3; ++a)
    for (std::size_t i = 0; i < field.cut.open[a].size(); ++i) {
      int partly = 0;
      for (std::size_t s = 0; s < solids.size(); ++s) {
        const double w = field.each[s].cut.filled[a].at(field.cut.open[a].cell(i));
        partly += w > 0 && w < 1;
      }
      if (partly < 2) continue;
      ++shared;
      const Vec3i face = field.cut.open[a].cell(i);
      EXPECT_NEAR(field.cut.open[a].data[i], sampled(grid, field, solids, a, face), 0.03)
          << a << " " << face.transpose();
    }
  EXPECT_GT(shared, 30);
}

TEST(FaceUnion, what_a_third_solid_covers_stays_shut_in_any_order) {
  const Grid grid = unit_grid(10);
  const TriMesh a = turned_box(Vec3(0.45, 0.5, 0.5), Vec3(0.13, 0.13, 0.13), 17);
  const TriMesh b = turned_box(Vec3(0.52, 0.5, 0.5), Vec3(0.13, 0.13, 0.13), -9);
  const TriMesh around = box_mesh(Vec3::Constant(0.21), Vec3::Constant(0.79));
  for (const int last : {0, 1}) {
    std::vector<Solid> solids{make_solid(a), make_solid(b)};
    solids.insert(last ? solids.end() : solids.begin(), make_solid(around));
    SolidField field;
    update_solid_field(grid, solids, boundary_maker(Method::cutcell), field);
    for (int axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0; i < field.cut.open[axis].size(); ++i) {
        const Vec3 x = grid.face_center(axis, field.cut.open[axis].cell(i));
        if ((x - Vec3::Constant(0.5)).cwiseAbs().maxCoeff() < 0.2) {
          EXPECT_EQ(field.cut.open[axis].data[i], 0);
        }
      }
  }
}

// A block that is wider than the tube by a hundredth of a cell on each side: nothing passes it, however they lie in the
// grid. A product of the shares that each leaves open would have a slit along the whole wall.
TEST(FaceUnion, a_block_flush_with_a_wall_off_the_grid_leaves_no_slit) {
  const Grid grid = unit_grid(24);
  const double dx = grid.dx;
  for (const double degrees : {0.0, 17.0, 45.0}) {
    const std::vector<Solid> solids{make_solid(turned_box(Vec3(0.51, 0.5, 0.5), Vec3(8 * dx, 3, 3), degrees), true),
                                    make_solid(turned_box(Vec3(0.51, 0.5, 0.5), Vec3(8.02 * dx, 6 * dx, 3), degrees))};
    SolidField field;
    update_solid_field(grid, solids, boundary_maker(Method::cutcell), field);
    for (int a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < field.cut.open[a].size(); ++i) {
        const Vec3 x = grid.face_center(a, field.cut.open[a].cell(i));
        const double angle = degrees * M_PI / 180;
        const double along = -std::sin(angle) * (x.x() - 0.51) + std::cos(angle) * (x.y() - 0.5);
        if (std::abs(along) < 2 * dx) {
          EXPECT_EQ(field.cut.open[a].data[i], 0) << degrees << " " << x.transpose();
        }
      }
  }
}

}  // namespace
}  // namespace coracle
