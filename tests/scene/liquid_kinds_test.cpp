// The liquids of method proxy: what scenes may say of them, and what is refused.
#include "coracle/scene/liquid_kinds.h"

#include "coracle/scene/fluid_summary.h"
#include "coracle/scene/layers.h"
#include "coracle/world/build.h"
#include "half_full.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

const std::string proxy = "method = 'proxy'\n";
const std::string pool = "[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [1, 0.5, 1]\n";
const std::string honey = "[[liquid.kind]]\nname = 'honey'\ndensity = 1400\nviscosity = 10\n";
const std::string drop =
    "[[liquid.region]]\nshape = 'sphere'\ncenter = [0.5, 0.8, 0.5]\nradius = 0.1\nkind = 'honey'\n";

Scene scene_of(const std::string& text) { return parse_scene(text, "s.toml"); }

std::string refusal(const std::string& text) {
  try {
    scene_of(text);
  } catch (const SceneError& error) {
    return error.what();
  }
  return "";
}

TEST(LiquidKinds, have_the_numbers_that_particles_carry) {
  const Scene scene = scene_of(proxy + "[liquid]\nviscosity = 0.5\n[proxy]\nstiffness = 3e4\n" + honey +
                               "[[liquid.kind]]\nname = 'oil'\ndensity = 900\nstiffness = 2e4\n" + drop + pool);
  const std::vector<LiquidKindOptions> kinds = liquid_kinds(scene);
  ASSERT_EQ(kinds.size(), 3u);
  EXPECT_EQ(kinds[0].density, 1000);
  EXPECT_EQ(kinds[0].viscosity, 0.5);
  EXPECT_EQ(kinds[1].density, 1400);
  EXPECT_EQ(kinds[1].stiffness, 3e4) << "that of [proxy]";
  EXPECT_EQ(kinds[2].stiffness, 2e4) << "its own";
  EXPECT_EQ(kind_number(scene, ""), 0);
  EXPECT_EQ(kind_number(scene, "honey"), 1);
  EXPECT_EQ(kind_number(scene, "oil"), 2);
  EXPECT_EQ(scene.liquid.regions[0].kind, "honey");
}

TEST(LiquidKinds, a_scene_with_method_proxy_has_smoothed_particles_and_the_files_of_liquid) {
  EXPECT_EQ(fluid_kind(scene_of(proxy + pool)), FluidKind::sph);
  EXPECT_EQ(conserved_amount(scene_of(proxy + pool)), Conserved::volume);
  EXPECT_EQ(written_layers(scene_of(proxy + pool)).size(), written_layers(scene_of(pool)).size());
  const std::string body = "[[body]]\nname = 'block'\nshape = 'box'\nmin = [0.4, 0.4, 0.4]\nmax = [0.6, 0.6, 0.6]\n";
  EXPECT_EQ(fluid_kind(scene_of(proxy + body)), FluidKind::none);
  EXPECT_TRUE(std::holds_alternative<SphLiquid>(build_world(scene_of(proxy + pool)).fluid));
}

TEST(LiquidKinds, are_written_and_read_back) {
  const Scene scene = scene_of(proxy + "[liquid]\nviscosity = 0.5\n[proxy]\nsplitting = 'two_phase'\n" + honey + drop);
  EXPECT_EQ(to_toml(parse_scene(to_toml(scene), "t.toml")), to_toml(scene));
}

TEST(LiquidKinds, viscosity_and_several_liquids_need_method_proxy) {
  EXPECT_NE(refusal("[liquid]\nviscosity = 1\n" + pool).find("s.toml:2:1: method = 'cutcell' has no viscosity"),
            std::string::npos);
  EXPECT_NE(refusal(honey + pool + drop).find("method = 'cutcell' has one liquid"), std::string::npos);
  EXPECT_NE(
      refusal("method = 'simultaneous'\n[liquid]\nviscosity = 1\n" + pool).find("'simultaneous' has no viscosity"),
      std::string::npos);
}

TEST(LiquidKinds, that_a_region_or_inflow_names_must_be_there) {
  EXPECT_NE(refusal(proxy + pool + drop).find("there is no kind of liquid 'honey'; give a [[liquid.kind]]"),
            std::string::npos);
  EXPECT_NE(refusal(proxy + honey + pool + "kind = 'hony'\n").find("did you mean 'honey'"), std::string::npos);
  EXPECT_NE(refusal(proxy + honey + honey + drop).find("a second kind of liquid named 'honey'"), std::string::npos);
}

TEST(LiquidKinds, gas_is_refused_with_method_proxy) {
  const std::string smoke = "[[gas.region]]\nshape = 'sphere'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.1\nsmoke = 1\n";
  EXPECT_NE(refusal(proxy + smoke).find("s.toml:1:1: method = 'proxy' is for liquid, and the scene has gas"),
            std::string::npos);
}

TEST(LiquidKinds, bodies_are_kept_from_particles_by_the_barrier) {
  const std::string body = "[[body]]\nname = 'block'\nshape = 'box'\nmin = [0.4, 0.6, 0.4]\nmax = [0.6, 0.8, 0.6]\n";
  EXPECT_EQ(scene_of(proxy + pool + body).contact.kind, ContactKind::barrier);
  EXPECT_TRUE(scene_of(proxy + pool + body).elastic.newton);
  EXPECT_NE(refusal(proxy + pool + body + "[contact]\nkind = 'penalty'\n").find("by the barrier"), std::string::npos);
  EXPECT_NE(refusal(proxy + pool + body + "[elastic]\nintegrator = 'midpoint'\n").find("'backward_euler' only"),
            std::string::npos);
  EXPECT_EQ(refusal(proxy + body + "[contact]\nkind = 'penalty'\n"), "") << "without liquid it is a dry scene";
}

TEST(LiquidKinds, three_phases_need_materials_that_may_be_inverted) {
  const std::string three = proxy + "[proxy]\nsplitting = 'three_phase'\n",
                    body = "[[body]]\nname = 'block'\nshape = 'box'\nmin = [0.4, 0.6, 0.4]\nmax = [0.6, 0.8, 0.6]\n",
                    strict = "material = 'neo_hookean'\n";
  EXPECT_EQ(refusal(three + pool + body), "");
  EXPECT_NE(refusal(three + pool + body + strict).find("take 'stable_neo_hookean'"), std::string::npos);
  EXPECT_NE(refusal(three + body + strict).find("may invert elements"), std::string::npos) << "without liquid as well";
  EXPECT_EQ(refusal(proxy + pool + body + strict), "");
}

// Three limits: 0.4 diameters of way, six diameters of sound, 5 ms.
TEST(LiquidKinds, a_step_is_as_long_as_way_sound_and_the_longest_allow) {
  Scene scene = scene_of(proxy + "[domain]\nresolution = 50\n[proxy]\nstiffness = 1e5\n" + pool);  // D = 10 mm
  const Grid grid = scene_grid(scene.domain);
  EXPECT_NEAR(longest_sph_step(scene, grid, 0), 5e-3, 1e-12);
  EXPECT_NEAR(longest_sph_step(scene, grid, 2), 0.4 * 0.01 / 2, 1e-12);
  scene.proxy.stiffness = 1e7;  // sound at 100 m/s
  EXPECT_NEAR(longest_sph_step(scene, grid, 0), 6 * 0.01 / 100, 1e-12);
  scene.time.max_dt = 1e-4;
  EXPECT_NEAR(longest_sph_step(scene, grid, 0), 1e-4, 1e-12);
}

TEST(LiquidKinds, a_run_of_particles_needs_memory_by_the_particle) {
  Scene cut = half_full(32), sph = cut;
  sph.method = Method::proxy;
  EXPECT_EQ(size_of(sph).particles, size_of(cut).particles);
  EXPECT_GT(size_of(sph).grid_bytes, size_of(cut).grid_bytes);
}

TEST(LiquidKinds, are_told_of_by_check) {
  const Scene scene = scene_of(proxy + honey + pool + drop);
  std::string all;
  for (const SummaryLine& line : fluid_summary(scene, scene_grid(scene.domain)))
    all += line.label + " " + line.text + "\n";
  EXPECT_NE(all.find("method proxy"), std::string::npos) << all;
  EXPECT_NE(all.find("honey 1400 kg/m³, 10 Pa s"), std::string::npos) << all;
}

}  // namespace
}  // namespace coracle
