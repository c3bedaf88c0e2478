// Animated solids displace fluids and touch bodies, whatever the method.
#include "coracle/shape/closest.h"
#include "coracle/simulation.h"
#include "coracle/world/archive.h"
#include "coracle/world/motion.h"
#include "tests/shape/characters.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coracle {
namespace {

Keys constant(const Eigen::Vector4d& value) { return {Interpolation::linear, {0}, {value}}; }

// A mesh on one bone, which turns about y by half a turn a second, or grows at `rate` a second.
Character on_one_bone(TriMesh mesh, bool turns, double rate) {
  Character c;
  c.rest = std::move(mesh);
  c.bones = {{"bone", -1, {}}};
  c.joints = {{0, {}}};
  for (std::size_t i = 0; i < c.rest.x.size(); ++i) c.first.push_back(int(i)), c.influences.push_back({0, 1});
  c.first.push_back(int(c.rest.x.size()));
  const double end = 1 + rate;
  c.clip = {"go", 1, {{0, constant(Eigen::Vector4d::Zero()), constant(turn_about(Vec3::UnitY(), 0)), {}}}};
  c.clip.tracks[0].scale = {Interpolation::linear, {0, 1}, {{1, 1, 1, 0}, {end, end, end, 0}}};
  if (turns)
    c.clip.tracks[0].rotation = {
        Interpolation::linear, {0, 1}, {turn_about(Vec3::UnitY(), 0), turn_about(Vec3::UnitY(), M_PI)}};
  return c;
}

SolidOptions solid_of(const std::string& file, const std::string& clip, const Vec3& at) {
  SolidOptions solid;
  solid.name = "doll";
  solid.shape.kind = ShapeKind::mesh;
  solid.shape.file = file;
  solid.shape.translate = at;
  solid.clip = clip;
  return solid;
}

Scene pool(Method method) {
  Scene scene;
  scene.method = method;
  scene.domain.resolution = 12;
  scene.time.frames = 2;
  RegionOptions water;
  water.shape.center = {0.5, 0.3, 0.5};
  water.shape.size = {1, 0.6, 1};
  scene.liquid.regions.push_back(water);
  return scene;
}

TriMesh paddle() { return box_mesh(Vec3(-0.31, -0.2, -0.07), Vec3(0.29, 0.2, 0.08)); }

// Where the solid is after each step, against its clip.
void expect_as_given(const World& world) {
  const Solid& solid = world.solids[0];
  std::vector<Vec3> x, v;
  solid_at(solid, world.clock.time, x, v);
  EXPECT_EQ(solid.x, x);
}

TEST(Animated, a_paddle_of_one_bone_stirs_as_the_same_solid_with_a_motion) {
  const TestFolder folder;
  const Character character = on_one_bone(paddle(), true, 0);
  const std::string skinned = folder.write("a.glb", as_glb(character));
  const std::string plain = folder.write("b.glb", as_glb(character, {.interpolation = "", .skin = false}));
  for (const Method method : {Method::cutcell, Method::simultaneous, Method::proxy}) {
    Scene scene = pool(method), other = pool(method);
    scene.proxy.tolerance = other.proxy.tolerance = 1e-10;
    scene.proxy.newton_tolerance = other.proxy.newton_tolerance = 1e-8;
    scene.solids = {solid_of(skinned, "go", Vec3(0.5, 0.4, 0.5))};
    other.solids = {solid_of(plain, "", Vec3(0.5, 0.4, 0.5))};
    MotionOptions spin;
    spin.kind = MotionKind::rotation, spin.pivot = Vec3(0.5, 0, 0.5), spin.rate = M_PI;
    other.solids[0].motions = {spin};
    Simulation animated(scene), turned(other);
    for (int step = 0; step < 3; ++step) {
      animated.step(), turned.step();
      expect_as_given(animated.world());
      const Solid &a = animated.world().solids[0], &b = turned.world().solids[0];
      ASSERT_EQ(a.x.size(), b.x.size());
      for (std::size_t i = 0; i < a.x.size(); ++i) EXPECT_LT((a.x[i] - b.x[i]).norm(), 1e-14);
    }
    const auto places = [](const World& world) {
      return std::holds_alternative<Liquid>(world.fluid) ? liquid_of(world).particles.x : sph_of(world).x;
    };
    const std::vector<Vec3> a = places(animated.world()), b = places(turned.world());
    ASSERT_EQ(a.size(), b.size());
    double apart = 0;
    for (std::size_t i = 0; i < a.size(); ++i) apart = std::max(apart, (a[i] - b[i]).norm());
    EXPECT_LT(apart, 1e-9) << int(method);  // round-off of vertices, and the tolerances of solves
  }
}

TEST(Animated, a_growing_ball_drives_its_volume_out_of_the_gas) {
  const TestFolder folder;
  const double rate = 0.5;
  const std::string file =
      folder.write("a.glb", as_glb(on_one_bone(sphere_mesh(Vec3::Zero(), 0.2, 0.08), false, rate)));
  Scene scene;
  scene.domain.resolution = 16;
  scene.domain.open = {Side::y_max};
  scene.gas.regions.resize(1);
  scene.solids = {solid_of(file, "go", Vec3(0.503, 0.47, 0.511))};
  Simulation sim(scene);
  for (int step = 0; step < 4; ++step) {
    const double scale = 1 + rate * sim.time();
    const double volume = enclosed_volume(sim.world().solids[0].x, sim.world().solids[0].rest->tris);
    const StepReport report = sim.step();
    expect_as_given(sim.world());
    const double out = std::get<GasReport>(report.fluid).outflow;
    const double expected = 3 * volume * rate / scale;  // ∮ v·n dA of v = (ṡ/s) x
    EXPECT_NEAR(out / expected, 1, 1e-6) << step;       // single precision in the file
  }
}

TEST(Animated, bodies_are_pushed_by_an_animated_solid) {
  const TestFolder folder;
  Character lift = on_one_bone(box_mesh(Vec3(-0.3, -0.05, -0.3), Vec3(0.3, 0.05, 0.3)), false, 0);
  lift.clip.tracks[0].translation = {Interpolation::linear, {0, 1}, {{0, 0, 0, 0}, {0, 1, 0, 0}}};
  const std::string file = folder.write("lift.glb", as_glb(lift));
  for (const ContactKind kind : {ContactKind::penalty, ContactKind::barrier}) {
    Scene scene;
    scene.domain.resolution = 16;
    scene.gravity = Vec3::Zero();
    scene.time.frames = 6;
    scene.contact.kind = kind;
    scene.elastic.newton = kind == ContactKind::barrier;
    scene.solids = {solid_of(file, "go", Vec3(0.5, 0.2, 0.5))};
    BodyOptions body;
    body.name = "cube";
    body.shape.center = Vec3(0.5, 0.37, 0.5);
    body.shape.size = Vec3::Constant(0.2);
    body.edge = 0.1;
    scene.bodies = {body};
    Simulation sim(scene);
    while (!sim.done()) sim.frame();
    double low = 1;
    for (const Vec3& x : sim.world().bodies[0].x) low = std::min(low, x.y());
    EXPECT_GT(low, 0.25 + 0.25 - 0.01) << int(kind);  // the platform's top has risen by 0.25 m, from 0.25 m
  }
}

TEST(Animated, a_resumed_run_goes_on_with_the_same_bits) {
  const TestFolder folder;
  const std::string file = folder.write("a.glb", as_glb(on_one_bone(paddle(), true, 0.2)));
  Scene scene = pool(Method::cutcell);
  scene.solids = {solid_of(file, "go", Vec3(0.5, 0.4, 0.5))};
  Simulation sim(scene);
  sim.step();
  const std::string state = (folder.path / "state.h5").string();
  sim.save(state);
  Simulation again = Simulation::resume(state);
  for (int step = 0; step < 2; ++step) sim.step(), again.step();
  EXPECT_EQ(first_difference(sim.world(), again.world()), "");
  EXPECT_EQ(sim.world().solids[0].x, again.world().solids[0].x);
}

}  // namespace
}  // namespace coracle
