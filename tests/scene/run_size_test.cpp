// How large a run is said to be before it begins.
#include "coracle/scene/run_size.h"

#include "../shape/mesh_files.h"
#include "../shape/tet_files.h"
#include "coracle/shape/tet_mesh.h"
#include "coracle/shape/thin_meshes.h"
#include "coracle/world/bodies.h"
#include "half_full.h"

#include <gtest/gtest.h>

#include <numbers>

#include <cmath>

namespace coracle {
namespace {

TEST(RunSize, counts_cells_particles_and_tetrahedra) {
  Scene scene = half_full(32);
  EXPECT_EQ(size_of(scene).cells, 32768);
  EXPECT_NEAR(size_of(scene).particles, 4.0 * 32768, 0.02 * 8 * 32768);  // eight a cell, in half of the cells
  EXPECT_EQ(size_of(scene).tets, 0);
  BodyOptions& body = scene.bodies.emplace_back();
  body.mesh = BodyMesh::grid5, body.cells = Vec3i(2, 3, 4);
  EXPECT_EQ(size_of(scene).tets, 5 * 24);
  body.mesh = BodyMesh::stuffed, body.edge = 0.1;  // a cubic metre: 12 tets in each of 1000 cubes
  EXPECT_NEAR(size_of(scene).tets, 12000, 1e-6);
}

TEST(RunSize, shells_around_skins_take_memory_under_method_skinned_alone) {
  const auto bytes = [](const std::string& method) {
    const Scene scene = parse_scene("method = '" + method + R"('
[domain]
resolution = 64
[[liquid.region]]
shape = "half_space"
point = [0, 0.2, 0]
[[solid]]
name = "ball"
shape = "sphere"
center = [0.5, 0.5, 0.5]
radius = 0.2
[solid.skin]
)",
                                    "scene.toml");
    return run_size(scene, scene_grid(scene.domain), {}).bytes;
  };
  // Tets of edge³/12 in a shell of three edges of half a cell: 12 · 4πR² · 3 / edge².
  const double edge = 0.5 / 64, tets = 12 * 4 * std::numbers::pi * 0.04 * 3 / (edge * edge);
  EXPECT_NEAR(bytes("skinned") - bytes("cutcell"), 1100 * tets, 0.05 * 1100 * tets);
}

TEST(RunSize, nodes_of_bodies_are_expected_to_a_tenth) {
  BodyOptions body;
  const auto compare = [&](const char* what) {
    const BodySize expected = expected_size(body);
    const Body built = build_body(body);
    EXPECT_NEAR(expected.nodes, double(built.x.size()), 0.1 * double(built.x.size())) << what;
    EXPECT_NEAR(expected.spacing, std::cbrt(body_volume(built) / double(built.x.size())), 0.05 * expected.spacing)
        << what;
  };
  for (const ElementOrder element : {ElementOrder::linear, ElementOrder::quadratic}) {
    body.element = element;
    body.mesh = BodyMesh::stuffed, body.shape.kind = ShapeKind::sphere, body.shape.radius = 0.12, body.edge = 0.02;
    compare("a ball");
    body.mesh = BodyMesh::grid6, body.shape.kind = ShapeKind::box, body.shape.size = Vec3(0.1, 0.7, 0.1);
    body.cells = Vec3i(4, 28, 4);
    compare("a beam");
  }
}

TEST(RunSize, tetrahedra_of_a_file_are_counted) {
  const TestFolder folder;
  BodyOptions body;
  body.shape.kind = ShapeKind::mesh, body.shape.scale = 2;
  body.shape.file = folder.write("cube.mesh", as_medit(box_tets(Vec3::Zero(), Vec3::Ones(), Vec3i(2, 2, 2), 5)));
  const BodySize size = expected_size(body);
  EXPECT_EQ(size.tets, 40);
  EXPECT_EQ(size.nodes, 27);
  EXPECT_NEAR(size.spacing, 2.0 / 3, 1e-12);  // 8 m³ for 27 nodes
}

TEST(RunSize, elements_of_sheets_and_closed_surfaces_are_expected_to_a_tenth) {
  const TestFolder folder;
  BodyOptions body;
  ShapeOptions& shape = body.shape;
  shape.along = Vec3(2, 0, 0), shape.across = Vec3(0, 0.03, 0);  // a ribbon
  shape.size = Vec3(0.5, 0.3, 0.02), shape.radius = 0.2, shape.height = 1, shape.tube = 0.05;
  shape.file = folder.write("ball.obj", as_obj(sphere_mesh(Vec3::Zero(), 0.2, 0.05)));
  shape.parts.resize(2);
  shape.parts[0].size = Vec3(0.3, 0.3, 0.3), shape.parts[1].size = Vec3(0.2, 0.2, 0.4);
  body.edge = 0.02;
  for (const BodyKind kind : {BodyKind::shell, BodyKind::rigid})
    for (const ShapeKind of : {ShapeKind::rectangle, ShapeKind::box, ShapeKind::sphere, ShapeKind::cylinder,
                               ShapeKind::torus, ShapeKind::mesh, ShapeKind::hollow_sphere, ShapeKind::union_of}) {
      if (kind == BodyKind::shell ? of == ShapeKind::hollow_sphere || of == ShapeKind::union_of : is_thin(of)) continue;
      body.kind = kind, shape.kind = of;
      const TriMesh mesh = kind == BodyKind::shell ? sheet_of(shape, body.edge) : closed_surface_of(shape, body.edge);
      const BodySize size = expected_size(body);
      const double off = of == ShapeKind::union_of ? 0.3 : 0.1;  // of a ball of the same volume
      EXPECT_NEAR(size.triangles / double(mesh.tris.size()), 1, off) << int(of);
      EXPECT_NEAR(size.nodes / double(mesh.x.size()), 1, off) << int(of);
      EXPECT_EQ(size.tets + size.segments, 0);
      EXPECT_EQ(expected_tets(body) > 0, of == ShapeKind::union_of) << "only shapes with parts are meshed by tets";
    }
}

TEST(RunSize, elements_of_rods_are_known) {
  const TestFolder folder;
  BodyOptions body;
  body.kind = BodyKind::rod, body.edge = 0.07;
  ShapeOptions& shape = body.shape;
  shape.along = Vec3(2, 0, 0), shape.across = Vec3(0, 1.1, 0), shape.spacing = 0.3, shape.scale = 2;
  shape.file = folder.write("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 1 2 0\nl 1 2 3\nl 2 4\n");
  for (const bool loop : {false, true}) {
    shape.points = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
    if (loop) shape.points.push_back(Vec3::Zero());
    for (const ShapeKind kind : {ShapeKind::line, ShapeKind::net, ShapeKind::mesh}) {
      shape.kind = kind;
      const LineMesh mesh = lines_of(shape, body.edge);
      EXPECT_EQ(expected_size(body).segments, double(mesh.segments.size()));
      EXPECT_EQ(expected_size(body).nodes, double(mesh.x.size()));
    }
  }
}

TEST(RunSize, a_rigid_body_needs_no_factor_however_stiff) {
  Scene scene;
  BodyOptions& body = scene.bodies.emplace_back();
  body.shape.kind = ShapeKind::sphere, body.shape.radius = 0.3, body.edge = 0.01, body.young = 1e12;
  const double solid = size_of(scene).bytes;
  body.kind = BodyKind::rigid;
  EXPECT_LT(size_of(scene).bytes, 0.1 * solid);
}

// Nodes are what costs memory: a body of quadratic tets has about seven times as many.
TEST(RunSize, quadratic_bodies_need_more_memory_than_linear_ones) {
  Scene scene;
  BodyOptions& body = scene.bodies.emplace_back();
  body.edge = 0.1;
  const RunSize linear = size_of(scene);
  body.element = ElementOrder::quadratic;
  const RunSize quadratic = size_of(scene);
  EXPECT_EQ(quadratic.tets, linear.tets);
  EXPECT_GT(quadratic.nodes, 6 * linear.nodes);
  scene.bodies.clear();
  const double empty = size_of(scene).bytes;
  EXPECT_GT(quadratic.bytes - empty, 6 * (linear.bytes - empty));
}

// A factor grows as n^(4/3); large soft bodies are solved by iterations instead (solve/block_solver.h).
TEST(RunSize, a_stiff_body_needs_memory_for_a_factor_and_a_soft_one_does_not) {
  Scene scene;
  scene.gravity.setZero();
  BodyOptions& body = scene.bodies.emplace_back();
  body.edge = 0.05;  // 96,000 tets
  body.young = 1e3;
  const double soft = size_of(scene).bytes;
  body.young = 1e9;
  const RunSize stiff = size_of(scene);
  EXPECT_NEAR(stiff.bytes - soft, 650 * std::pow(stiff.nodes, 4.0 / 3), 1);
}

TEST(RunSize, an_inflow_adds_its_speed_times_its_area_over_the_run) {
  Scene scene;
  scene.domain.resolution = 10;  // cells of 1 l
  scene.time.frames = 24;        // 1 s
  InflowOptions& tap = scene.inflows.emplace_back();
  tap.shape.center = Vec3(0.5, 0.9, 0.5), tap.shape.size = Vec3(0.1, 0.05, 0.1);
  tap.velocity = Vec3(0, -2, 0);  // 20 l in a second
  EXPECT_NEAR(size_of(scene).particles, 8 * 20, 1e-6);
  tap.end = 0.5;
  EXPECT_NEAR(size_of(scene).particles, 8 * 10, 1e-6);
  scene.time.frames = 1'000'000, tap.end = 1e30;
  EXPECT_NEAR(size_of(scene).particles, 8 * 1000, 1e-6) << "the tank holds no more";
}

TEST(RunSize, a_resolution_that_fits_needs_less_memory_than_there_is) {
  const Scene scene = half_full(512);
  const RunSize size = size_of(scene);
  EXPECT_GT(size.bytes, 1e11) << "1.3e8 cells";
  const double memory = 8e9;
  const int fit = fitting_resolution(scene, size, memory);
  EXPECT_LT(size_of(half_full(fit)).bytes, memory);
  EXPECT_GT(size_of(half_full(fit)).bytes, 0.8 * memory) << fit << " is not too careful";
  EXPECT_EQ(fitting_resolution(scene, size, 1e6), 0) << "not even the program fits";
}

TEST(RunSize, steps_per_frame_follow_speed_resolution_and_frame_rate) {
  Scene scene = half_full(100);
  // √(9.81 m/s² · 1 m) = 3.13 m/s: 13 cells of 1 cm in 1/24 s.
  EXPECT_EQ(expected_steps(scene, scene_grid(scene.domain)), 14);
  scene.time.cfl = 4;
  EXPECT_EQ(expected_steps(scene, scene_grid(scene.domain)), 4);
  scene.gravity.setZero();
  EXPECT_EQ(expected_steps(scene, scene_grid(scene.domain)), 1);
  scene.liquid.regions[0].velocity = Vec3(0, 0, 9.6);  // 40 cells in a frame, four a step
  EXPECT_EQ(expected_steps(scene, scene_grid(scene.domain)), 10);
}

}  // namespace
}  // namespace coracle
