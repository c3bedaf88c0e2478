#include "coracle/shape/stuffing.h"
#include "coracle/base/parallel.h"
#include "coracle/base/random.h"
#include "coracle/shape/distance.h"
#include "coracle/shape/region.h"
#include "mesh_files.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

namespace coracle {
namespace {

// What the stencils allow whatever the shape [LabelleShewchuk07].
constexpr double least_angle = 10.7, most_angle = 164.8;

ShapeOptions shape_of(ShapeKind kind, const Vec3& center) {
  ShapeOptions s;
  s.kind = kind;
  s.center = center;
  s.radius = kind == ShapeKind::torus ? 0.8 : 1;
  s.tube = 0.35;
  s.thickness = 0.5;
  s.size = {1.6, 1, 1.2};
  s.axis = {1, 2, 0.5};
  s.rotate = {10, 25, 5};
  s.blend = 0.3;
  if (has_parts(kind)) {
    s.parts = {shape_of(ShapeKind::box, center), shape_of(ShapeKind::sphere, center + Vec3(0.7, 0.4, 0))};
    s.parts[1].radius = 0.6;
  }
  return s;
}

double volume_of(const TetMesh& mesh) { return coracle::volume_of(mesh.x, mesh.tets); }

void expect_sound(const TetMesh& mesh, const std::string& what) {
  EXPECT_EQ(tet_mesh_problem(mesh), "") << what;
  const TriMesh surface = {mesh.x, boundary_triangles(mesh)};
  EXPECT_EQ(closedness_problem(surface), "") << what;
  EXPECT_NEAR(enclosed_volume(surface), volume_of(mesh), 1e-9) << what;
  const DihedralRange angles = dihedral_range(mesh);
  EXPECT_GT(angles.least, least_angle) << what;
  EXPECT_LT(angles.most, most_angle) << what;
}

std::string refusal(const std::function<TetMesh()>& f) {
  try {
    f();
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(Stuffing, tets_of_every_shape_are_sound_and_their_angles_within_the_bounds) {
  for (const ShapeKind kind :
       {ShapeKind::sphere, ShapeKind::torus, ShapeKind::hollow_sphere, ShapeKind::box, ShapeKind::cylinder,
        ShapeKind::union_of, ShapeKind::smooth_union, ShapeKind::difference})
    for (const double edge : {0.3, 0.17, 0.1})
      for (const Vec3& offset : {Vec3(0, 0, 0), Vec3(0.31, -0.17, 0.05)}) {
        const ShapeOptions s = shape_of(kind, offset);
        const ShapeDistance distance(s);
        // Away from the middle too, so that symmetry does not hide anything.
        const TetMesh mesh =
            stuff([&](const Vec3& x) { return distance(x); }, Vec3(-2.1, -1.9, -2.2), Vec3(2.2, 2.1, 1.9), edge);
        expect_sound(mesh, fmt::format("shape {}, edge {}, offset {}", int(kind), edge, offset.x()));
        for (const Vec3i& t : boundary_triangles(mesh))
          for (const int v : t) ASSERT_LT(std::abs(distance(mesh.x[v])), 1e-6) << "on the surface";
      }
}

TEST(Stuffing, angles_hold_even_where_the_distance_is_noise) {
  // Whatever the signs and cuts, the stencils are what they are: values that jump from point to point.
  for (int seed = 0; seed < 8; ++seed) {
    const auto noise = [&](const Vec3& x) {
      std::uint64_t h = std::uint64_t(seed);
      for (int a = 0; a < 3; ++a) h = mix(h ^ std::bit_cast<std::uint64_t>(x[a]));
      return 0.01 * (uniform(h, 1) - 0.4 - 0.05 * seed);
    };
    expect_sound(stuff(noise, Vec3::Constant(-1), Vec3::Constant(1), 0.12), fmt::format("seed {}", seed));
  }
}

// With all vertices of its surface on that of the shape.
TetMesh on_the_surface(const ShapeOptions& s, double edge) {
  const ShapeDistance distance(s);
  const Bounds b = shape_bounds(s);
  return stuff([&](const Vec3& x) { return distance(x); }, b.lo, b.hi, edge);
}

// Of shape_of().
const struct {
  ShapeKind kind;
  double volume;
} smooth_shapes[] = {{ShapeKind::sphere, 4 * M_PI / 3},
                     {ShapeKind::torus, 2 * M_PI* M_PI * 0.8 * 0.35 * 0.35},
                     {ShapeKind::hollow_sphere, 4 * M_PI / 3 * (1 - 0.125)}};

TEST(Stuffing, a_shape_gets_its_volume_by_small_moves_outward_and_a_box_keeps_its_sides) {
  for (const auto& c : smooth_shapes)
    for (const double edge : {0.3, 0.17, 0.1}) {
      const ShapeOptions s = shape_of(c.kind, Vec3::Zero());
      const ShapeDistance distance(s);
      const TetMesh mesh = shape_tets(s, edge);
      EXPECT_EQ(tet_mesh_problem(mesh), "");
      EXPECT_NEAR(volume_of(mesh), c.volume, 1e-3 * c.volume) << int(c.kind) << " " << edge;
      EXPECT_GT(dihedral_range(mesh).least, 8);
      for (const Vec3i& t : boundary_triangles(mesh))
        for (const int v : t) EXPECT_LT(std::abs(distance(mesh.x[v])), 0.1 * edge + 1e-9);
    }
  ShapeOptions box = shape_of(ShapeKind::box, Vec3::Zero());
  box.rotate.setZero();
  const TetMesh mesh = shape_tets(box, 0.1);
  EXPECT_TRUE(mesh.x == on_the_surface(box, 0.1).x);
}

TEST(Stuffing, volume_converges_at_second_order_for_smooth_shapes) {
  for (const auto& c : smooth_shapes) {
    double error[3];
    for (int level = 0; level < 3; ++level)
      error[level] =
          std::abs(volume_of(on_the_surface(shape_of(c.kind, Vec3::Zero()), 0.24 / (1 << level))) - c.volume);
    EXPECT_GT(std::log2(error[0] / error[2]) / 2, 1.7) << int(c.kind);
    EXPECT_LT(error[2] / c.volume, 0.01);
  }
}

TEST(Stuffing, a_box_loses_only_a_bevel_along_its_sharp_edges) {
  // Sharp edges are cut off by at most a lattice cube: less than c h² for each metre of edge.
  const ShapeOptions s = shape_of(ShapeKind::box, Vec3::Zero());
  const double full = s.size.prod(), edges = 4 * s.size.sum();
  for (const double edge : {0.2, 0.1, 0.05}) {
    const double lost = full - volume_of(on_the_surface(s, edge));
    EXPECT_GT(lost, 0);
    EXPECT_LT(lost, 0.5 * edge * edge * edges);
  }
  ShapeOptions aligned = s;
  aligned.rotate.setZero();
  EXPECT_NEAR(volume_of(shape_tets(aligned, 0.1)), full, 1e-9) << "on the lattice's planes it keeps them";
}

TEST(Stuffing, a_closed_surface_file_is_stuffed) {
  const TestFolder folder;
  ShapeOptions s;
  s.kind = ShapeKind::mesh;
  s.file = folder.write("a.obj", as_obj(torus_mesh({0, 0, 0}, {0, 1, 1}, 1, 0.4, 0.1)));
  for (const double edge : {0.25, 0.15}) {
    const TetMesh mesh = shape_tets(s, edge);
    expect_sound(mesh, "a torus from a file");
    const double full = 2 * M_PI * M_PI * 0.16;
    EXPECT_NEAR(volume_of(mesh), full, edge * edge * full) << "second order";
  }
}

TEST(Stuffing, thin_walls_become_sound_meshes_or_a_reason) {
  for (const double thickness : {0.3, 0.2, 0.1, 0.05}) {
    ShapeOptions s = shape_of(ShapeKind::hollow_sphere, Vec3::Zero());
    s.thickness = thickness;
    try {
      expect_sound(shape_tets(s, 0.2), fmt::format("thickness {}", thickness));
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string(error.what()).find("use an edge of"), std::string::npos);
    }
  }
}

TEST(Stuffing, one_thread_and_many_give_the_same_bits) {
  const ShapeOptions s = shape_of(ShapeKind::smooth_union, Vec3::Zero());
  const TetMesh many = shape_tets(s, 0.15);
  const ThreadLimit limit(1);
  const TetMesh one = shape_tets(s, 0.15);
  EXPECT_EQ(one.x, many.x);
  EXPECT_EQ(one.tets, many.tets);
}

TEST(Stuffing, sizes_that_make_no_sense_are_refused_with_a_remedy) {
  const ShapeOptions ball = shape_of(ShapeKind::sphere, Vec3::Zero());
  EXPECT_NE(refusal([&] { return shape_tets(ball, 1e-3); }).find("use an edge of 0.009"), std::string::npos);
  EXPECT_NE(refusal([&] { return shape_tets(ball, 1e-300); }).find("use an edge of 0.009"), std::string::npos);
  EXPECT_NE(refusal([&] { return shape_tets(ball, 0); }).find("no length"), std::string::npos);
  EXPECT_NE(refusal([&] { return shape_tets(ball, NAN); }).find("no length"), std::string::npos);
  ShapeOptions thin = shape_of(ShapeKind::box, Vec3::Zero());
  thin.size = {1, 0.01, 1};
  EXPECT_NE(refusal([&] { return shape_tets(thin, 0.5); }).find("is too large for the shape"), std::string::npos);
  ShapeOptions half = shape_of(ShapeKind::half_space, Vec3::Zero());
  EXPECT_NE(refusal([&] { return shape_tets(half, 0.5); }).find("no end"), std::string::npos);
}

}  // namespace
}  // namespace coracle
