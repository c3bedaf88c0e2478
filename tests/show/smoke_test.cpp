#include "coracle/show/smoke.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/show/render.h"
#include "made_gas_run.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <cmath>

namespace coracle {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
const Grid grid{Vec3(-1, 0, -1), 0.1, Vec3i(20, 20, 20)};

Volume uniform_smoke(float value) { return {grid, Array3<float>(grid.n, value)}; }

Volume cloud() {
  Volume volume = uniform_smoke(0);
  for (std::size_t i = 0; i < volume.values.size(); ++i)
    volume.values.data[i] = float(std::exp(-8 * (grid.center(volume.values.cell(i)) - Vec3(0, 1, 0)).squaredNorm()));
  return volume;
}

// A function of the jitter, over all of it.
template <class F>
double mean(F&& f, int count = 64) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += double(f((float(i) + 0.5f) / float(count)));
  return sum / count;
}

Studio dark_studio() {
  Studio studio;
  studio.nadir = studio.zenith = studio.backdrop_low = studio.backdrop_high = Vec3f::Zero();
  return studio;
}

TEST(Smoke, a_slab_lets_through_what_beer_and_lambert_say) {
  const Smoke smoke = smoke_of(uniform_smoke(2), 0.8);
  const auto through = [&](const Ray& ray, float most = infinity) { return transmittance(smoke, ray, most, 0.3f); };
  EXPECT_NEAR(through({Vec3f(0.12f, -5, 0.3f), Vec3f::UnitY()}), std::exp(-2 * 2 / 0.8), 1e-5) << "all of it";
  EXPECT_NEAR(through({Vec3f(0.12f, 1.5f, 0.3f), Vec3f::UnitY()}), std::exp(-2 * 0.5 / 0.8), 1e-5) << "from within";
  EXPECT_NEAR(through({Vec3f(0.12f, -5, 0.3f), Vec3f::UnitY()}, 5.7f), std::exp(-2 * 0.7 / 0.8), 1e-5)
      << "up to a thing";
  const Vec3f slant = Vec3f(-0.6f, 0, 0.8f);
  EXPECT_NEAR(through({Vec3f(0.5f, 1, -0.5f) - 9 * slant, slant}), std::exp(-2 * (2 / 0.8) / 0.8), 1e-5) << "aslant";
  EXPECT_EQ(through({Vec3f(3, -5, 0.3f), Vec3f::UnitY()}), 1) << "beside it";
  EXPECT_EQ(through({Vec3f(0, 3, 0), Vec3f::UnitY()}), 1) << "behind the ray";
  EXPECT_NEAR(veil(smoke, {Vec3f(0.12f, -5, 0.3f), Vec3f::UnitY()}, infinity, 0.7f).share, std::exp(-5.0), 1e-5);
}

TEST(Smoke, one_cell_of_it_is_found_wherever_it_lies) {
  // Between centres smoke is linear, and even to the wall: along a line through the centre it adds up to σ dx.
  for (const Vec3i& c : {Vec3i(0, 0, 0), Vec3i(7, 7, 8), Vec3i(8, 16, 15), Vec3i(19, 19, 19), Vec3i(10, 3, 12)}) {
    Volume volume = uniform_smoke(0);
    volume.values[c] = 1;
    const Smoke smoke = smoke_of(volume, 1);
    for (int a = 0; a < 3; ++a) {
      const Vec3f d = Vec3f::Unit(a);
      const Ray ray{grid.center(c).cast<float>() - 5 * d, d};
      const double depth = mean([&](float j) { return -std::log(transmittance(smoke, ray, infinity, j)); });
      EXPECT_NEAR(depth, 0.1, 2e-4) << c.transpose() << " along " << a;
    }
  }
}

TEST(Smoke, where_there_is_none_nothing_changes) {
  const Smoke smoke = smoke_of(uniform_smoke(0), 1);
  EXPECT_TRUE(is_clear(smoke));
  const Veil air = veil(smoke, {Vec3f(0, -1, 0), Vec3f::UnitY()}, infinity, 0.5f);
  EXPECT_EQ(air.share, 1);
  EXPECT_EQ(air.added, Vec3f::Zero());
  EXPECT_FALSE(is_clear(smoke_of(cloud(), 1)));
  const Stage stage({}, 0.1f);
  EXPECT_EQ(scene_smoke(Scene(), uniform_smoke(0), stage, {}), nullptr);
}

TEST(Smoke, under_an_even_white_sky_white_smoke_cannot_be_seen) {
  const Stage stage({}, 0.1f);
  Smoke smoke = smoke_of(cloud(), 0.5);
  light_smoke(stage, {}, Vec3f::Ones(), smoke);
  for (const float x : {0.0f, 0.33f, -0.5f}) {
    const Veil seen = veil(smoke, {Vec3f(x, 1.1f, 5), -Vec3f::UnitZ()}, infinity, 0.4f);
    EXPECT_LT(seen.share, 0.97f);
    EXPECT_NEAR(seen.share + seen.added.x(), 1, 2e-3) << "but for what is scattered more than twelve times";
  }
}

TEST(Smoke, thin_smoke_scatters_its_share_of_the_light_alike_to_all_sides) {
  Studio studio = dark_studio();
  studio.irradiance = Vec3f(3, 2, 1);
  const Vec3f albedo(0.9f, 0.5f, 0.2f);
  Smoke smoke = smoke_of(uniform_smoke(1), 1000);
  light_smoke(Stage({}, 0.1f), studio, albedo, smoke);
  for (const Vec3f& d : {Vec3f(Vec3f::UnitY()), Vec3f(-Vec3f::UnitZ()), Vec3f(0.6f, 0, 0.8f)}) {
    const Veil seen = veil(smoke, {Vec3f(0, 1, 0) - 7 * d, d}, infinity, 0.5f);
    const Vec3f expected = (1 - seen.share) * albedo.cwiseProduct(studio.irradiance) / (4 * M_PI);  // a E / 4π
    EXPECT_LT((seen.added - expected).norm(), 5e-3f * expected.norm()) << "σ of the domain is 0.002";
  }
}

TEST(Smoke, smoke_and_solids_shade_smoke) {
  Studio studio = dark_studio();
  studio.irradiance = Vec3f::Ones();
  studio.light_cosine = 1;
  const auto lit_at = [&](const Stage& stage, const Vec3i& c) {
    Smoke smoke = smoke_of(uniform_smoke(1), 0.5);
    light_smoke(stage, studio, Vec3f::Constant(1e-3f), smoke);  // so dark that it does not light itself
    return smoke.emission[c].x() / (1e-3 * 2 / (4 * M_PI));
  };
  const Stage open({}, 0.1f);
  EXPECT_NEAR(lit_at(open, Vec3i(10, 19, 10)), std::exp(-0.05 / 0.5), 0.01) << "half a cell below the top";
  EXPECT_NEAR(lit_at(open, Vec3i(10, 9, 10)), std::exp(-1.05 / 0.5), 0.01);
  const TriMesh box = box_mesh(Vec3(-0.3, 2.5, -0.3), Vec3(0.3, 2.6, 0.3));
  Prop roof{.tris = box.tris};
  for (const Vec3& x : box.x) roof.x.push_back(x.cast<float>());
  const Stage shaded({roof}, 0.1f);
  EXPECT_LT(lit_at(shaded, Vec3i(10, 9, 10)), 1e-3);
  EXPECT_NEAR(lit_at(shaded, Vec3i(2, 9, 2)), std::exp(-1.05 / 0.5), 0.01) << "beside its shadow";
}

TEST(Smoke, a_cloud_between_light_and_floor_darkens_the_floor) {
  Studio studio = dark_studio();
  studio.irradiance = Vec3f::Ones();
  studio.light_cosine = 1;
  studio.floor = -1.0f;
  studio.fade = 1e6f;
  const Stage stage({}, 0.1f);
  const Ray ray{Vec3f(0.8f, -0.8f, 0), Vec3f(-0.8f, -0.2f, 0).normalized()};  // below the smoke, to (0, −1, 0)
  const auto floor = [&] {
    return mean([&](float j) {
      Samples samples(std::uint64_t(1000 * j), 0);
      return radiance(stage, studio, ray, {0, 1}, samples).x();
    });
  };
  const double clear = floor();
  EXPECT_NEAR(clear, 0.5 / M_PI, 1e-5);
  auto smoke = std::make_shared<Smoke>(smoke_of(uniform_smoke(1), 2.5));
  light_smoke(stage, studio, Vec3f::Ones(), *smoke);
  studio.smoke = smoke;
  EXPECT_NEAR(floor() / clear, std::exp(-2 / 2.5), 1e-4);
}

TEST(Smoke, what_stands_in_it_is_dimmed_by_what_is_before_it) {
  const Material paint{.finish = Finish::line, .color = Vec3f::Ones()};
  const TriMesh box = box_mesh(Vec3(-0.5, 0.5, -0.5), Vec3(0.5, 1.5, 0.2));
  Prop prop{.material = paint, .tris = box.tris};
  for (const Vec3& x : box.x) prop.x.push_back(x.cast<float>());
  const Stage stage({prop}, 0.1f);
  Studio studio = dark_studio();
  studio.smoke = std::make_shared<Smoke>(smoke_of(uniform_smoke(1), 0.7));  // not lit: black
  Samples samples(1, 1);
  const float seen = radiance(stage, studio, {Vec3f(0, 1, 5), -Vec3f::UnitZ()}, {1, 1}, samples).x();
  EXPECT_NEAR(seen, std::exp(-0.8 / 0.7), 1e-5) << "0.8 m of it";
}

TEST(Smoke, a_picture_has_the_same_bits_on_one_thread_and_on_two_and_shows_it) {
  const MadeGasRun run;
  RenderOptions options;
  options.quality = {64, 36, 2, {1, 6}};
  const auto picture = [&](int frame, int threads) {
    const ThreadLimit limit(threads);
    return render_frame(run.replay, frame, options, {}).rgb;
  };
  const auto one = picture(2, 1), clear = picture(0, 1);
  EXPECT_EQ(one, picture(2, 2));
  int differing = 0;
  for (std::size_t i = 1; i < one.size(); i += 3) differing += std::abs(one[i] - clear[i]) > 10;
  EXPECT_GT(differing, 200) << "the domain is a fifth of the picture";
}

}  // namespace
}  // namespace coracle
