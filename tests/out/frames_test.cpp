#include "coracle/out/frames.h"

#include "../world/made_bodies.h"
#include "coracle/out/ply.h"
#include "coracle/out/replay.h"
#include "coracle/out/vtk.h"
#include "coracle/shape/thin_meshes.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/step/advance.h"
#include "coracle/step/body/material.h"
#include "coracle/world/bodies.h"
#include "coracle/world/build.h"
#include "temporary_directory.h"
#include "vtk_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>
#include <cstring>

namespace coracle {
namespace {

struct Case {
  TemporaryDirectory dir;
  Scene scene;
  World world;
  Workspace work;

  Case() {
    scene.liquid.regions.emplace_back();
    const Grid grid{.origin = Vec3::Zero(), .dx = 0.1, .n = Vec3i(10, 10, 10)};
    world.fluid = empty_fluid(FluidKind::liquid, grid);
    LiquidWork& liquid = work.fluid.emplace<LiquidWork>();
    Array3<double>& phi = liquid.fluid_phi;
    phi.assign(grid.n);
    for (std::size_t i = 0; i < phi.size(); ++i) phi.data[i] = grid.center(phi.cell(i)).y() - 0.5;
    liquid.solids.phi.assign(grid.n, 0.3);
    Solid post;
    post.rest = std::make_shared<TriMesh>(box_mesh(Vec3(0.4, 0, 0.4), Vec3(0.6, 0.3, 0.6)));
    post.x = post.rest->x;
    post.v.assign(post.x.size(), Vec3::Zero());
    world.solids.push_back(post);
  }
  void write(int frame) {
    world.clock.frame = frame;
    write_frame(dir.path, scene, world, work, [](const auto& task) { task(); });
  }
  std::map<std::string, std::string> files() const { return files_in(dir / "frames"); }
};

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

BodyOptions bar() {
  BodyOptions options;
  options.name = "bar2";
  options.mesh = BodyMesh::grid5;
  options.shape.kind = ShapeKind::box;
  options.shape.center = Vec3(0.5, 0.5, 0.5);
  options.shape.size = Vec3(0.4, 0.2, 0.2);
  options.cells = Vec3i(4, 2, 2);
  return options;
}

TEST(Frames, only_what_is_asked_for_is_written) {
  Case c;
  c.scene.output.volume = c.scene.output.solids = false;
  c.scene.output.every = 2;
  for (const int frame : {0, 1, 2}) c.write(frame);
  const auto files = c.files();
  EXPECT_EQ(files.size(), 7u);
  for (const char* name : {"drops.0000.ply", "drops.0002.ply", "surface.0000.ply", "surface.0000.vtp",
                           "surface.0002.ply", "surface.0002.vtp", "surface.pvd"})
    EXPECT_TRUE(files.contains(name)) << name;
  EXPECT_EQ(count(files.at("surface.pvd"), "<DataSet"), 2);
}

TEST(Frames, without_paraview_every_surface_is_written_once) {
  Case c;
  c.scene.output.paraview = c.scene.output.volume = false;
  c.scene.output.particles = true;
  c.world.solids[0].name = "post";
  c.world.bodies.push_back(build_body(bar()));
  for (const int frame : {0, 1}) c.write(frame);
  const auto files = c.files();
  for (const auto& [name, bytes] : files) EXPECT_TRUE(name.ends_with(".ply")) << name;
  for (const char* name :
       {"surface.0001.ply", "drops.0001.ply", "particles.0001.ply", "body_bar2.0001.ply", "solid_post.0000.ply"})
    EXPECT_TRUE(files.contains(name)) << name;
  EXPECT_EQ(files.size(), 9u);
}

TEST(Frames, solids_that_stand_still_are_written_once_and_listed_always) {
  Case c;
  for (const int frame : {0, 1, 2}) c.write(frame);
  const auto files = c.files();
  EXPECT_FALSE(files.contains("solids.0001.vtp"));
  EXPECT_EQ(count(files.at("solids.pvd"), "file=\"solids.0000.vtp\""), 3);
}

TEST(Frames, solids_that_move_are_written_every_frame) {
  Case c;
  c.world.solids[0].moving = true;
  for (const int frame : {0, 1}) c.write(frame);
  const auto files = c.files();
  EXPECT_TRUE(files.contains("solids.0001.vtp"));
  EXPECT_EQ(count(files.at("solids.pvd"), "<DataSet"), 2);
}

TEST(Frames, a_solid_that_holds_liquid_is_written_every_frame_with_its_film) {
  const TemporaryDirectory dir;
  const Scene scene = parse_scene(R"(method = "skinned"
[domain]
resolution = 12
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 0.2, 1]
[[solid]]
name = "post"
shape = "box"
min = [0.1, 0, 0.1]
max = [0.2, 0.5, 0.2]
[[solid]]
name = "ball"
shape = "sphere"
center = [0.6, 0.6, 0.5]
radius = 0.2
[solid.skin]
[output]
volume = false
)",
                                  "wet.toml");
  World world = build_world(scene);
  Workspace work;
  start(scene, world, work);
  Film& film = liquid_of(world).skins[0].film;
  for (const int frame : {0, 1}) {
    const std::vector<Vec3>& x = world.solids[1].x;
    for (std::size_t t = 0; t < film.volume.size(); ++t) {
      const Vec3i& tri = world.solids[1].rest->tris[t];
      film.volume[t] = 1e-4 * frame * 0.5 * (x[tri[1]] - x[tri[0]]).cross(x[tri[2]] - x[tri[0]]).norm();
    }
    world.clock.frame = frame;
    write_frame(dir.path, scene, world, work, [](const auto& task) { task(); });
  }
  const auto files = files_in(dir / "frames");
  EXPECT_FALSE(files.contains("solid_post.0001.ply")) << "dry and at rest";
  EXPECT_EQ(count(files.at("solids.pvd"), "<DataSet"), 2);
  const std::size_t post = world.solids[0].x.size(), ball = world.solids[1].x.size();
  for (const int frame : {0, 1}) {
    const PlyMesh mesh = read_ply(dir / fmt::format("frames/solid_ball.{:04}.ply", frame));
    ASSERT_NE(mesh.field("film"), nullptr);
    ASSERT_EQ(mesh.field("film")->values.size(), ball);
    for (const float f : mesh.field("film")->values) EXPECT_NEAR(f, 1e-4 * frame, 1e-10);
    const std::vector<float> all = array_values<float>(files.at(fmt::format("solids.{:04}.vtp", frame)), "film");
    ASSERT_EQ(all.size(), post + ball);
    EXPECT_EQ(all.front(), 0) << "of the post";
    EXPECT_NEAR(all.back(), 1e-4 * frame, 1e-10);
  }
  // Whoever reads a run looks for the same files.
  std::vector<std::string> expected;
  for (const FrameFile& f : frame_files(scene, 1)) expected.push_back(fmt::format("{}.{:04}", f.file, f.frame));
  EXPECT_EQ(expected, (std::vector<std::string>{"surface.0001", "solid_post.0000", "solid_ball.0001"}));
  Scene other = scene;
  other.method = Method::cutcell;
  EXPECT_EQ(frame_files(other, 1).back().frame, 0) << "another method leaves the skin alone";
}

TEST(Frames, the_index_lists_frames_of_the_run_that_was_resumed) {
  Case c;
  for (const int frame : {0, 1, 2, 3}) c.write(frame);
  c.write(2);  // as after a checkpoint of frame 1: frame 3 is yet to be made again
  EXPECT_EQ(count(c.files().at("surface.pvd"), "<DataSet"), 3);
  c.write(3);
  EXPECT_EQ(count(c.files().at("surface.pvd"), "<DataSet"), 4);
}

TEST(Frames, a_scene_without_liquid_writes_nothing_of_it) {
  Case c;
  c.scene.liquid.regions.clear();
  c.scene.output.particles = true;
  c.world.fluid = NoFluid();
  c.work.fluid = DryWork();
  c.world.solids.clear();
  c.world.bodies.push_back(build_body(bar()));
  c.write(0);
  const auto files = c.files();
  EXPECT_EQ(files.size(), 3u);
  for (const char* name : {"body_bar2.0000.vtu", "body_bar2.0000.ply", "body_bar2.pvd"})
    EXPECT_TRUE(files.contains(name)) << name;

  c.scene.inflows.emplace_back();  // liquid will come: surfaces from the first frame on, so that ParaView has them all
  EXPECT_TRUE(has_liquid(c.scene));
}

TEST(Frames, bodies_go_with_the_solids_and_are_listed_over_time) {
  Case c;
  c.world.bodies.push_back(build_body(bar()));
  c.scene.output.every = 2;
  for (const int frame : {0, 1, 2}) c.write(frame);
  EXPECT_EQ(count(c.files().at("body_bar2.pvd"), "<DataSet"), 2);
  EXPECT_EQ(count(c.files().at("body_bar2.pvd"), "file=\"body_bar2.0002.vtu\""), 1);

  Case without;
  without.scene.output.solids = false;
  without.world.bodies.push_back(build_body(bar()));
  without.write(0);
  for (const auto& [name, bytes] : without.files()) EXPECT_FALSE(name.starts_with("body_")) << name;
}

TEST(Frames, a_body_keeps_its_velocity_displacement_and_stress) {
  BodyOptions options = bar();
  const double stretch = 1.25;
  options.stretch = Vec3(stretch, 1, 1);
  options.velocity = Vec3(1, 2, 3);
  Case c;
  c.world.bodies.push_back(build_body(options));
  c.write(7);
  const std::string xml = c.files().at("body_bar2.0007.vtu");
  const BodyRest& rest = *c.world.bodies[0].rest;
  const auto x = array_values<float>(xml, "Points"), d = array_values<float>(xml, "displacement", "PointData"),
             v = array_values<float>(xml, "velocity", "PointData");
  ASSERT_EQ(x.size(), 3 * rest.x.size());
  ASSERT_EQ(d.size(), x.size());
  ASSERT_EQ(v.size(), x.size());
  for (std::size_t n = 0; n < rest.x.size(); ++n)
    for (int a = 0; a < 3; ++a) {
      const double moved = a == 0 ? (stretch - 1) * (rest.x[n].x() - 0.5) : 0;
      EXPECT_NEAR(d[3 * n + a], moved, 1e-7);  // floats of order 0.1
      EXPECT_NEAR(x[3 * n + a], rest.x[n][a] + moved, 1e-7);
      EXPECT_EQ(v[3 * n + a], options.velocity[a]);
    }
  // Corotational, F = diag(s, 1, 1): σ₁ = (2μ + λ)(s − 1), σ₂ = σ₃ = λ (s − 1) / s.
  const Lame l = lame(options.young, options.poisson);
  const double expected = (2 * l.mu + l.lambda) * (stretch - 1) - l.lambda * (stretch - 1) / stretch;
  const std::size_t tets = std::get<Tets>(rest.elements).tets.size();
  const auto cells = array_values<float>(xml, "von_mises", "CellData"),
             nodes = array_values<float>(xml, "von_mises", "PointData");
  EXPECT_EQ(cells.size(), tets);
  EXPECT_EQ(nodes.size(), rest.x.size());
  for (const auto& values : {cells, nodes})
    for (const float value : values) EXPECT_NEAR(value, expected, 1e-6 * expected);
  EXPECT_EQ(array_values<std::uint8_t>(xml, "types", "Cells"), std::vector<std::uint8_t>(tets, 10));
}

// x ↦ center + A (x − center), with turn, stretch and shear.
Vec3 affine(const Vec3& x) {
  Mat3 a = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  a.col(0) *= 1.3;
  a.col(1) += 0.2 * a.col(2);
  return Vec3(0.5, 0.6, 0.4) + a * (x - Vec3(0.5, 0.5, 0.5));
}

TEST(Frames, a_surface_is_closed_around_the_volume_of_its_body) {
  Case c;
  c.world.bodies.push_back(build_body(bar()));
  for (Vec3& x : c.world.bodies[0].x) x = affine(x);
  c.write(0);
  const PlyMesh ply = read_ply(c.dir / "frames/body_bar2.0000.ply");
  EXPECT_EQ(ply.x.size(), c.world.bodies[0].rest->skin.nodes.size());  // and no node from inside
  TriMesh mesh;
  for (const Vec3f& x : ply.x) mesh.x.push_back(x.cast<double>());
  mesh.tris = ply.tris;
  EXPECT_EQ(closedness_problem(mesh), "");
  EXPECT_NEAR(enclosed_volume(mesh), 0.4 * 0.2 * 0.2 * 1.3, 1e-7);  // det A = 1.3; floats of order 0.1
}

TEST(Frames, a_render_surface_follows_an_affine_map_of_its_body) {
  Case c;
  // Partly outside the tets: what sticks out follows too.
  const TriMesh ball = sphere_mesh(Vec3(0.52, 0.5, 0.49), 0.15, 0.03);
  write_ply(c.dir / "ball.ply", {.x = to_float(ball.x), .tris = ball.tris});
  BodyOptions options = bar();
  options.render = c.dir / "ball.ply";
  c.world.bodies.push_back(build_body(options));
  Body& body = c.world.bodies[0];
  for (Vec3& x : body.x) x = affine(x);
  c.write(0);
  const PlyMesh ply = read_ply(c.dir / "frames/body_bar2.0000.ply");
  ASSERT_EQ(ply.x.size(), body.rest->render.x.size());
  EXPECT_TRUE(ply.tris == body.rest->render.tris);
  for (std::size_t i = 0; i < ply.x.size(); ++i)
    EXPECT_LT((ply.x[i].cast<double>() - affine(body.rest->render.x[i])).norm(), 1e-6);  // floats of order one
}

TriMesh mesh_of(const PlyMesh& ply) {
  TriMesh mesh;
  for (const Vec3f& x : ply.x) mesh.x.push_back(x.cast<double>());
  mesh.tris = ply.tris;
  return mesh;
}

TEST(Frames, shells_rods_and_rigid_bodies_have_closed_surfaces_that_keep_their_triangles) {
  const Vec3 middle(0.5, 0.5, 0.5);
  Case c;
  c.world.bodies = {shell_body(rectangle_mesh(middle, Vec3(0.4, 0, 0), Vec3(0, 0.3, 0), 0.1), 0.01),
                    rod_body(net_mesh(middle, Vec3(0.4, 0, 0), Vec3(0, 0, 0.4), 0.2, 0.1), 0.02),
                    rigid_body(sphere_mesh(middle, 0.2, 0.05))};
  std::map<std::string, PlyMesh> first;
  for (const int frame : {0, 1}) {
    c.write(frame);
    for (Body& body : c.world.bodies) {
      const std::string file = fmt::format("frames/body_{}.000{}.ply", body.name, frame);
      const PlyMesh ply = read_ply(c.dir / file);
      EXPECT_EQ(closedness_problem(mesh_of(ply)), "") << file;
      ASSERT_EQ(ply.v.size(), ply.x.size());
      for (const char* field : {"von_mises", "pressure"}) EXPECT_EQ(ply.field(field)->values.size(), ply.x.size());
      if (frame == 0) first[body.name] = ply;
      EXPECT_TRUE(ply.tris == first[body.name].tris) << file;
      EXPECT_EQ(ply.x.size(), first[body.name].x.size());
      for (Vec3& x : body.x) x = affine(x);  // for the next frame
      for (Vec3& v : body.v) v = Vec3(0, 1, 0);
    }
  }
  const auto volume = [&](const char* name) { return enclosed_volume(mesh_of(first[name])); };
  EXPECT_NEAR(volume("sheet"), 0.4 * 0.3 * 0.01, 1e-7);  // floats of order one
  EXPECT_NEAR(volume("stone"), body_volume(rigid_body(sphere_mesh(middle, 0.2, 0.05))), 1e-6);
  EXPECT_EQ(first["stone"].x.size(), sphere_mesh(middle, 0.2, 0.05).x.size()) << "without the leading nodes";
  const PlyMesh moved = read_ply(c.dir / "frames/body_rope.0001.ply");
  for (const Vec3f& v : moved.v) EXPECT_TRUE(v == Vec3f(0, 1, 0));
}

TEST(Frames, elements_of_every_kind_are_cells_with_their_stress) {
  const Vec3 middle(0.5, 0.5, 0.5);
  Case c;
  c.world.bodies = {shell_body(rectangle_mesh(middle, Vec3(0.4, 0, 0), Vec3(0, 0.3, 0), 0.1), 0.01),
                    rod_body(line_mesh({middle, middle + Vec3(0.3, 0, 0)}, 0.1), 0.02),
                    rigid_body(box_mesh(Vec3(0.2, 0.2, 0.2), Vec3(0.4, 0.4, 0.4)))};
  Body& rope = c.world.bodies[1];
  for (Vec3& x : rope.x) x = middle + 1.01 * (x - middle);
  c.write(0);
  const auto expect = [&](const char* name, std::uint8_t type, std::size_t cells) {
    const std::string xml = c.files().at(fmt::format("body_{}.0000.vtu", name));
    EXPECT_EQ(array_values<std::uint8_t>(xml, "types", "Cells"), std::vector<std::uint8_t>(cells, type));
    EXPECT_EQ(array_values<float>(xml, "von_mises", "CellData").size(), cells);
    return array_values<float>(xml, "von_mises", "CellData");
  };
  for (const float s : expect("sheet", 5, 24)) EXPECT_NEAR(s, 0, 1e-6);
  const double stress = 0.01 * rope.rest->options.young;                             // E ε
  for (const float s : expect("rope", 3, 3)) EXPECT_NEAR(s, stress, 0.02 * stress);  // strain measures differ by ε
  for (const float s : expect("stone", 5, 12)) EXPECT_EQ(s, 0);
}

}  // namespace
}  // namespace coracle
