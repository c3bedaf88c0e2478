#include "coracle/show/trace.h"

#include "coracle/base/parallel.h"
#include "coracle/out/ply.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/show/optics.h"
#include "coracle/show/picture.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>

namespace coracle {
namespace {

Prop prop_of(const TriMesh& mesh, const Material& material) {
  Prop prop{.material = material, .tris = mesh.tris};
  for (const Vec3& x : mesh.x) prop.x.push_back(x.cast<float>());
  prop.normals = point_normals(prop.x, prop.tris);
  return prop;
}

Prop ball(const Material& material) { return prop_of(sphere_mesh(Vec3::Zero(), 1, 0.15), material); }

// The mean over many paths.
Vec3f mean_radiance(const Stage& stage, const Studio& studio, const Ray& ray, const Depth& depth, int count = 64) {
  Vec3f sum = Vec3f::Zero();
  for (int i = 0; i < count; ++i) {
    Samples samples(5, std::uint32_t(i));
    sum += radiance(stage, studio, ray, depth, samples);
  }
  return sum / float(count);
}

const std::vector<Vec3f> seen_points = {{0, 0, 0}, {0.5f, 0.3f, 0}, {-0.9f, 0.1f, 0}, {0.3f, -0.97f, 0}};

TEST(Furnace, under_an_even_white_sky_a_matte_body_has_its_own_colour) {
  const Vec3f color(0.8f, 0.5f, 0.1f);
  const Stage stage({ball({.color = color})}, 0.1f);
  for (const Vec3f& at : seen_points) {
    const Ray ray{Vec3f(0, 0, 5), (at - Vec3f(0, 0, 5)).normalized()};
    EXPECT_LT((mean_radiance(stage, {}, ray, {1, 4}) - color).norm(), 1e-5f);
  }
}

TEST(Furnace, under_an_even_white_sky_clear_water_and_glass_cannot_be_seen) {
  for (const Finish finish : {Finish::water, Finish::pane}) {
    const Stage stage({ball({.finish = finish})}, 0.1f);
    for (const Vec3f& at : seen_points) {
      const Ray ray{Vec3f(0, 0, 5), (at - Vec3f(0, 0, 5)).normalized()};
      EXPECT_LT((mean_radiance(stage, {}, ray, {1, 6}) - Vec3f::Ones()).norm(), 1e-5f);
    }
  }
}

TEST(Furnace, a_half_clear_white_body_cannot_be_seen_and_a_black_one_stops_its_share) {
  const Ray ray{Vec3f(0.1f, 0.2f, 5), -Vec3f::UnitZ()};
  const Stage white({ball({.color = Vec3f::Ones(), .opacity = 0.5f})}, 0.1f);
  EXPECT_LT((mean_radiance(white, {}, ray, {200, 800}) - Vec3f::Ones()).norm(), 1e-4f);
  const Stage black({ball({.color = Vec3f::Zero(), .opacity = 0.5f})}, 0.1f);
  EXPECT_NEAR(mean_radiance(black, {}, ray, {1, 6}, 4096).x(), 0.25, 0.02);  // two sides; three sigma of 4096 paths
  EXPECT_NEAR(black.light_through({Vec3f(0.1f, -3, 0.2f), Vec3f::UnitY()}).x(), 0.25, 1e-6);
}

TEST(Trace, a_matte_surface_sends_back_its_share_of_the_light_by_lamberts_law) {
  Studio studio;
  studio.nadir = studio.zenith = Vec3f::Zero();
  studio.light = Vec3f(0, 0.6f, 0.8f);
  studio.light_cosine = 0.99999f;
  studio.irradiance = Vec3f::Constant(2);
  Prop wall = prop_of(box_mesh(Vec3(-1, -1, -1), Vec3(1, 1, 0)), {.color = Vec3f::Constant(0.5f)});
  wall.normals.clear();
  const Stage stage({wall}, 0.1f);
  const Vec3f seen = mean_radiance(stage, studio, {Vec3f(0, 0, 3), -Vec3f::UnitZ()}, {1, 1});
  EXPECT_NEAR(seen.x(), 0.5 * 2 * 0.8 / M_PI, 2e-4);  // a E cos θ / π
}

// Seen along its normal under an even white sky, and at a flat angle under a sky that is bright above.
TEST(Trace, a_wet_surface_is_darker_and_mirrors_the_sky) {
  Prop ground = prop_of(box_mesh(Vec3(-9, -2, -9), Vec3(9, 0, 9)), {.color = Vec3f::Constant(0.4f)});
  ground.normals.clear();
  const auto seen = [&](float wet, const Vec3f& from) {
    ground.wet.assign(ground.x.size(), wet);
    const Stage stage({ground}, 0.1f);
    return mean_radiance(stage, {}, {from, -from.normalized()}, {1, 4}).x();
  };
  const Vec3f above(0, 3, 0), flat(3, 0.3f, 0);
  EXPECT_NEAR(seen(0, above), 0.4f, 1e-5f);
  EXPECT_NEAR(seen(0, flat), 0.4f, 1e-5f) << "matte";
  const float coat = fresnel(1, water_index), under = wet_color(Vec3f::Constant(0.4f)).x();
  EXPECT_NEAR(seen(1, above), coat + (1 - coat) * under, 1e-5f);
  EXPECT_GT(seen(1, flat), seen(0, flat)) << "most is mirrored";
  EXPECT_LT(seen(0.5f, above), seen(0, above));
  EXPECT_GT(seen(0.5f, above), seen(1, above));
}

TEST(Trace, a_film_mirrors_the_light_as_water_does) {
  Studio studio;
  studio.nadir = studio.zenith = Vec3f::Zero();
  studio.irradiance = Vec3f::Ones();
  studio.light_cosine = 0.99f;
  const auto seen = [&](const Prop& prop, const Vec3f& light) {
    studio.light = light;
    return mean_radiance(Stage({prop}, 0.1f), studio, {Vec3f(0.1f, 3, 0.1f), -Vec3f::UnitY()}, {1, 8}).x();
  };
  Prop film = prop_of(box_mesh(Vec3(-9, -2, -9), Vec3(9, 0, 9)), {.color = Vec3f::Zero()});
  film.wet.assign(film.x.size(), 1);
  const Prop water =
      prop_of(box_mesh(Vec3(-9, -2, -9), Vec3(9, 0, 9)), {.finish = Finish::water, .absorption = Vec3f::Constant(99)});
  const Vec3f aside = Vec3f(0.3f, 1, 0).normalized();
  EXPECT_NEAR(seen(film, Vec3f::UnitY()), fresnel(1, water_index) / (2 * M_PI * (1 - 0.99)), 1e-4);
  EXPECT_NEAR(seen(film, Vec3f::UnitY()), seen(water, Vec3f::UnitY()), 1e-4);
  EXPECT_EQ(seen(film, aside), 0) << "nowhere else";
}

TEST(Trace, a_skin_in_water_is_as_dark_as_under_a_film) {
  // Lit from above, without a sky: the film's coat would mirror nothing here.
  Studio studio;
  studio.nadir = studio.zenith = Vec3f::Zero();
  studio.irradiance = Vec3f::Ones();
  studio.light = Vec3f(0.6f, 0.8f, 0);
  studio.light_cosine = 0.99999f;
  Prop ground = prop_of(box_mesh(Vec3(-9, -2, -9), Vec3(9, 0, 9)), {.color = Vec3f::Constant(0.4f)});
  ground.normals.clear();
  ground.wet.assign(ground.x.size(), 1);
  Prop sheet = prop_of(box_mesh(Vec3(-8, -0.5, -8), Vec3(8, 0.1, 8)), {.finish = Finish::water});
  const Ray down{Vec3f(0.1f, 3, 0.1f), -Vec3f::UnitY()};
  const float film = mean_radiance(Stage({ground}, 0.1f), studio, down, {1, 6}).x();
  ground.wet.assign(ground.x.size(), 0);  // where the bulk is, no film is counted
  const float in_water = mean_radiance(Stage({ground, sheet}, 0.1f), studio, down, {1, 6}, 256).x();
  ground.wet.clear();
  const float never_wet = mean_radiance(Stage({ground, sheet}, 0.1f), studio, down, {1, 6}, 256).x();
  // Of the light, 2.2 % are reflected on entering the water, which a film leaves out; and noise of 256 paths.
  EXPECT_NEAR(in_water, (1 - fresnel(0.8f, water_index)) * film, 0.02f * film);
  EXPECT_GT(never_wet, 1.4f * in_water);
}

TEST(Trace, water_dims_a_shadow_and_does_not_blacken_it) {
  const Material water{.finish = Finish::water, .absorption = Vec3f(1, 0.5f, 0)};
  Prop box = prop_of(box_mesh(Vec3(-1, -1, -1), Vec3(1, 1, 1)), water);
  const Stage stage({box}, 0.1f);
  const float t = 1 - fresnel(1, water_index);
  const Vec3f through = stage.light_through({Vec3f(0.1f, -3, 0.2f), Vec3f::UnitY()});
  EXPECT_LT((through - t * t * attenuated(water.absorption, 2)).norm(), 1e-5f) << "two faces and two metres";
  const Vec3f within = stage.light_through({Vec3f(0.1f, 0.5f, 0.2f), Vec3f::UnitY()});
  EXPECT_LT((within - t * attenuated(water.absorption, 0.5f)).norm(), 1e-5f) << "one face and half a metre";
}

TEST(Trace, a_box_of_water_shifts_what_stands_behind_it_as_snell_says) {
  // A wall whose red grows with x, seen at 45° through a metre of water. Its blue is black: whatever is seen there was
  // mirrored, in equal parts of all colours.
  Prop wall{.x = {{-9, -9, -1.001f}, {9, -9, -1.001f}, {9, 9, -1.001f}, {-9, 9, -1.001f}},
            .tris = {{0, 1, 2}, {0, 2, 3}}};
  const auto red = [](float x) { return 0.5f + 0.05f * x; };
  for (const Vec3f& x : wall.x) wall.colors.emplace_back(red(x.x()), 0.5f, 0);
  Prop box = prop_of(box_mesh(Vec3(-8, -8, -1), Vec3(8, 8, 0)), {.finish = Finish::water});
  const Ray ray{Vec3f(-2, 0, 2), Vec3f(1, 0, -1).normalized()};  // meets the water at x = 0
  const auto seen_x = [&](const Stage& stage) {
    const Vec3f c = mean_radiance(stage, {}, ray, {0, 8}, 256);
    return (0.5f * (c[0] - c[2]) / (c[1] - c[2]) - 0.5f) / 0.05f;
  };
  EXPECT_NEAR(seen_x(Stage({wall}, 0.1f)), 1.001, 0.01);
  const double inside = std::asin(std::sin(M_PI / 4) / water_index);
  EXPECT_NEAR(seen_x(Stage({wall, box}, 0.1f)), std::tan(inside), 0.02);
}

TEST(Trace, where_water_nearly_touches_a_body_there_is_no_air_between) {
  // Seen from within the water at 60°, beyond the critical angle: a gap of air would mirror all of it.
  Prop wall = prop_of(box_mesh(Vec3(-9, -9, -2), Vec3(9, 9, -1.05)), {.color = Vec3f(1, 0, 0)});
  Prop box = prop_of(box_mesh(Vec3(-8, -8, -1), Vec3(8, 8, 0)), {.finish = Finish::water});
  const Stage stage({wall, box}, 0.1f);
  Studio studio;
  const Ray ray{Vec3f(0, 0, -0.5f), Vec3f(std::sqrt(3.0f), 0, -1).normalized()};
  EXPECT_NEAR(mean_radiance(stage, studio, ray, {0, 8})[1], 1, 0.5f) << "mirrored";
  studio.wet_gap = 0.1f;
  const Vec3f touched = mean_radiance(stage, studio, ray, {0, 8});
  EXPECT_NEAR(touched[1], 0, 1e-6f);
  EXPECT_GT(touched[0], 0.4f);
}

TEST(Trace, edges_stay_sharp_and_round_things_smooth) {
  Hit hit{};
  const Stage box({prop_of(box_mesh(Vec3(-1, -1, -1), Vec3(1, 1, 1)), {})}, 0.1f);
  ASSERT_TRUE(box.hit({Vec3f(0.99f, 0.98f, 5), -Vec3f::UnitZ()}, false, hit));
  EXPECT_LT((hit.n - Vec3f::UnitZ()).norm(), 1e-6f);
  const Stage round({ball({})}, 0.1f);
  ASSERT_TRUE(round.hit({Vec3f(0.37f, 0.41f, 5), -Vec3f::UnitZ()}, false, hit));
  EXPECT_LT((hit.n - hit.x.normalized()).norm(), 0.02f);
}

TEST(Trace, a_line_is_seen_and_lights_and_shades_nothing) {
  const Vec3f color(0.1f, 0.2f, 0.3f);
  const Stage stage({ball({.finish = Finish::line, .color = color})}, 0.1f);
  EXPECT_EQ(mean_radiance(stage, {}, {Vec3f(0, 0, 5), -Vec3f::UnitZ()}, {1, 1}, 1), color);
  EXPECT_EQ(stage.light_through({Vec3f(0, 0, 5), -Vec3f::UnitZ()}), Vec3f::Ones());
}

TEST(Picture, has_the_same_bits_on_one_thread_and_on_two) {
  Studio studio;
  studio.light = Vec3f(-0.3f, 0.9f, 0.3f).normalized();
  studio.irradiance = Vec3f::Constant(2);
  studio.floor = -1.0f;
  std::vector<Prop> props = {ball({.finish = Finish::water, .absorption = Vec3f(1, 0.2f, 0.1f)})};
  props.push_back(
      prop_of(box_mesh(Vec3(0.5, -1, -0.5), Vec3(1.5, 1.2, 0.5)), {.color = Vec3f(0.7f, 0.2f, 0.1f), .gloss = 1}));
  Scene scene;
  scene.camera.position = Vec3(1, 2, 6);
  scene.camera.target = Vec3::Zero();
  const Camera camera = scene_camera(scene, 96, 54);
  const auto picture = [&](int threads) {
    const ThreadLimit limit(threads);
    const Stage stage(props, 0.1f);
    return take_picture(stage, studio, camera, {2, 8}, 4).rgb;
  };
  const auto one = picture(1);
  EXPECT_EQ(one, picture(2));
  EXPECT_GT(*std::max_element(one.begin(), one.end()) - *std::min_element(one.begin(), one.end()), 50) << "not blank";
}

}  // namespace
}  // namespace coracle
