#include "coracle/show/render.h"

#include "../out/temporary_directory.h"
#include "coracle/out/run.h"
#include "coracle/show/views.h"
#include "coracle/world/build.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

namespace coracle {
namespace {

const std::string scene_text = R"(
[domain]
resolution = 10
[time]
frames = 1
fps = 25
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 0.4, 1]
[[solid]]
name = "post"
shape = "cylinder"
center = [0.7, 0.3, 0.7]
radius = 0.12
height = 0.6
color = [0.6, 0.2, 0.1]
[[body]]
name = "cube"
shape = "box"
center = [0.4, 0.5, 0.5]
size = [0.35, 0.35, 0.35]
mesh = "grid6"
element = "linear"
cells = [2, 2, 2]
color = [0.1, 0.9, 0.2]
[output]
particles = true
)";

// One run serves all tests.
class Render : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    dir = new TemporaryDirectory;
    RunOptions options;
    options.dir = *dir / "run";
    (void)run(parse_scene(scene_text, "scene.toml"), options, [](const StepReport&, const World&) {});
  }
  static void TearDownTestSuite() { delete dir; }

  static RenderOptions small() {
    RenderOptions options;
    options.quality = {64, 36, 2, {1, 6}};
    options.frames = {0, 1};
    return options;
  }
  static TemporaryDirectory* dir;
  Replay replay = open_replay(*dir / "run");
};
TemporaryDirectory* Render::dir = nullptr;

int differing(const Picture& a, const Picture& b) {
  int count = 0;
  for (std::size_t i = 0; i < a.rgb.size(); i += 3) count += std::abs(a.rgb[i + 1] - b.rgb[i + 1]) > 40;
  return count;
}

TEST_F(Render, a_folder_gets_a_picture_a_frame) {
  RenderOptions options = small();
  options.out = *dir / "pictures/";
  int heard = 0;
  render(replay, options, [&](int done) { heard = done; });
  EXPECT_EQ(heard, 2);
  for (const char* name : {"pictures/frame.0000.png", "pictures/frame.0001.png"}) {
    const Picture p = read_png(*dir / name);
    EXPECT_EQ(p.width, 64);
    EXPECT_EQ(p.height, 36);
  }
}

TEST_F(Render, another_thread_stops_it) {
  RenderOptions options = small();
  std::atomic<int> stop = 0;
  options.stop = &stop;
  EXPECT_NO_THROW(render_frame(replay, 1, options, {}));
  stop = 1;
  EXPECT_THROW(render_frame(replay, 1, options, {}), PictureStopped);
  EXPECT_THROW(find_range(replay, options, ColorField::speed), PictureStopped);
}

TEST_F(Render, every_view_shows_something_else) {
  const RenderOptions options = small();
  std::vector<Picture> views;
  for (const Shown show : {Shown::surfaces, Shown::particles, Shown::cut_cells, Shown::tets}) {
    RenderOptions o = options;
    o.show = show;
    views.push_back(render_frame(replay, 1, o, {show == Shown::particles ? ColorField::speed : ColorField::none, {}}));
  }
  for (std::size_t i = 0; i < views.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_GT(differing(views[i], views[j]), 20) << i << " " << j;
}

TEST_F(Render, the_body_has_the_colour_that_the_scene_gives_it) {
  std::vector<Prop> props;
  add_bodies(props, replay.scene, read_frame(replay, 1).bodies, {});
  ASSERT_EQ(props.size(), 1);
  EXPECT_EQ(props[0].material.color, linear_of(Vec3(0.1, 0.9, 0.2)));
}

TEST_F(Render, a_solid_has_the_colour_that_the_scene_gives_it_and_is_grey_without) {
  std::vector<Prop> props;
  Scene scene = replay.scene;
  add_solids(props, scene, read_frame(replay, 1).solids, {});
  scene.solids[0].color.reset();
  add_solids(props, scene, read_frame(replay, 1).solids, {});
  ASSERT_EQ(props.size(), 2);
  EXPECT_EQ(props[0].material.color, linear_of(Vec3(0.6, 0.2, 0.1)));
  EXPECT_EQ(props[1].material.color.x(), props[1].material.color.z());
  EXPECT_TRUE(props[0].wet.empty()) << "it holds no liquid";
}

TEST_F(Render, a_film_makes_a_skin_wet_or_colours_it) {
  PlyMesh skin = read_frame(replay, 1).solids[0];
  skin.fields = {{"film", std::vector<float>(skin.x.size(), 0.0f)}};
  skin.fields[0].values[0] = 3e-4f, skin.fields[0].values[1] = 3e-5f;
  std::vector<Prop> props;
  add_solids(props, replay.scene, {skin}, {});
  ASSERT_EQ(props[0].wet.size(), skin.x.size());
  EXPECT_GT(props[0].wet[0], 0.95f);
  EXPECT_LT(props[0].wet[0], 1);
  EXPECT_GT(props[0].wet[1], 0.35f);
  EXPECT_LT(props[0].wet[1], 0.45f);
  EXPECT_EQ(props[0].wet[2], 0);
  EXPECT_EQ(props[0].material.gloss, 0) << "dry skin is matte";
  add_solids(props, replay.scene, {skin}, {ColorField::film, {0, 3e-4}});
  EXPECT_TRUE(props[1].wet.empty());
  EXPECT_EQ(props[1].colors, field_colors(skin.fields[0].values, {0, 3e-4}));
}

TEST_F(Render, a_film_cannot_be_shown_where_no_solid_holds_one) {
  RenderOptions options = small();
  options.out = *dir / "film.png";
  options.color = ColorField::film;
  const std::string said = message_of<SceneError>([&] { render(replay, options, [](int) {}); });
  EXPECT_NE(said.find("--color film: only solids with a [solid.skin]"), std::string::npos) << said;
}

TEST_F(Render, the_range_of_colours_is_that_of_all_frames_together) {
  RenderOptions options = small();
  const ColorRange both = find_range(replay, options, ColorField::speed);
  EXPECT_EQ(both.low, 0);
  double most = 0;
  for (const int frame : {0, 1})
    for (const PlyMesh& mesh : {read_frame(replay, frame).liquid, read_frame(replay, frame).bodies[0]})
      for (const float v : field_values(mesh, ColorField::speed)) most = std::max(most, double(v));
  EXPECT_LE(both.high, most);
  EXPECT_GT(both.high, 0.6 * most);
  options.frames = {1};
  EXPECT_EQ(find_range(replay, options, ColorField::speed).high, both.high) << "frame 0 is at rest";
}

TEST_F(Render, the_pieces_of_cut_cells_cover_the_surfaces_in_the_domain) {
  World world = build_world(replay.scene);
  std::vector<Prop> props;
  add_cut_cells(props, replay, 0, world);
  ASSERT_EQ(props.size(), 1);
  double area = 0;
  for (const Vec3i& t : props[0].tris)
    area += 0.5 * double((props[0].x[t[1]] - props[0].x[t[0]]).cross(props[0].x[t[2]] - props[0].x[t[0]]).norm());
  const double cube = 6 * 0.35 * 0.35, post = 2 * M_PI * 0.12 * 0.6 + M_PI * 0.12 * 0.12;  // the foot is on the ground
  EXPECT_NEAR(area, cube + post, 0.03 * (cube + post));
}

TEST_F(Render, camera_and_look_can_change_afterwards_and_nothing_else) {
  const Replay changed = open_replay(*dir / "run", {{"camera.fov", "50"}, {"look.tank", "none"}});
  EXPECT_EQ(changed.scene.camera.fov, 50);
  EXPECT_EQ(changed.scene.look.tank, TankLook::none);
  const std::string said = message_of<SceneError>([&] { open_replay(*dir / "run", {{"liquid.density", "900"}}); });
  EXPECT_NE(said.find("--set liquid.density=900: only camera and look"), std::string::npos) << said;
}

}  // namespace
}  // namespace coracle
