// What the frames of a run hold of its fluid.
#include "coracle/scene/layers.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

const std::string water = "[[liquid.region]]\nshape = \"box\"\nmin = [0, 0, 0]\nmax = [1, 0.5, 1]\n";
const std::string tap =
    "[[inflow]]\nshape = \"sphere\"\ncenter = [0.5, 0.5, 0.5]\nradius = 0.1\nvelocity = [0, -1, 0]\n";
const std::string vent = "[[jet]]\nname = \"vent\"\nshape = \"sphere\"\ncenter = [0.5, 0.5, 0.5]\nradius = 0.1\n";
const std::string block =
    "[[body]]\nname = \"block\"\nshape = \"box\"\ncenter = [0.5, 0.5, 0.5]\nsize = [0.2, 0.2, 0.2]\n";

Scene scene_of(const std::string& text) { return parse_scene(text, "s.toml"); }

std::vector<std::string> written_files(const Scene& scene) {
  std::vector<std::string> files;
  for (const Layer& layer : written_layers(scene)) files.push_back(std::string(layer.file) + "." + layer.extension);
  return files;
}

using Files = std::vector<std::string>;

TEST(Layers, the_fluid_is_what_the_scene_ever_has) {
  EXPECT_EQ(fluid_kind(scene_of(water)), FluidKind::liquid);
  EXPECT_EQ(fluid_kind(scene_of(tap)), FluidKind::liquid);
  EXPECT_EQ(fluid_kind(scene_of(vent)), FluidKind::gas);
  EXPECT_EQ(fluid_kind(scene_of(block)), FluidKind::none);
  EXPECT_TRUE(has_fluid(scene_of(vent)));
  EXPECT_FALSE(has_fluid(scene_of(block)));
}

TEST(Layers, frames_hold_what_output_asks_for) {
  EXPECT_EQ(written_files(scene_of(water)), (Files{"surface.ply", "drops.ply", "liquid.vdb"}));
  EXPECT_EQ(written_files(scene_of(water + "[output]\nparticles = true\nvolume = false\n")),
            (Files{"surface.ply", "drops.ply", "particles.ply"}));
  EXPECT_EQ(written_files(scene_of(vent)), (Files{"smoke.vdb", "smoke.nrrd"}));
  EXPECT_EQ(written_files(scene_of(block)), Files{});
}

TEST(Layers, a_solid_changes_from_frame_to_frame_if_it_moves_or_holds_liquid) {
  const std::string ball = "[[solid]]\nname = \"ball\"\nshape = \"sphere\"\ncenter = [0.5, 0.7, 0.5]\nradius = 0.1\n";
  const std::string motion = "[[solid.motion]]\ntype = \"velocity\"\nvelocity = [0, 0.1, 0]\n", skin = "[solid.skin]\n";
  const auto told = [](const std::string& text) {
    const Scene scene = scene_of(text);
    return std::pair(has_film(scene, scene.solids[0]), changes(scene, scene.solids[0]));
  };
  const std::string skinned = "method = \"skinned\"\n";
  EXPECT_EQ(told(water + ball), std::pair(false, false));
  EXPECT_EQ(told(water + ball + motion), std::pair(false, true));
  EXPECT_EQ(told(skinned + water + ball + skin), std::pair(true, true));
  EXPECT_EQ(told(water + ball + skin), std::pair(false, false)) << "other methods leave the skin alone";
}

TEST(Layers, the_named_option_switches_a_layer_on_and_off) {
  for (const std::string& fluid : {water, vent})
    for (const Layer& layer : fluid_layers(scene_of(fluid)))
      for (const bool on : {false, true}) {
        const std::string option = std::string("output.") + layer.option;
        const Scene scene = parse_scene(fluid, "s.toml", {{option, on ? "true" : "false"}});
        EXPECT_EQ(written_layer(scene, layer.kind) != nullptr, on) << layer.file << " " << option;
      }
}

TEST(Layers, a_layer_that_is_not_written_is_still_one_of_the_fluid) {
  const Scene scene = scene_of(vent + "[output]\nsmoke = false\n");
  EXPECT_TRUE(has_layer(scene, LayerKind::smoke));
  EXPECT_EQ(written_layer(scene, LayerKind::smoke), nullptr);
  EXPECT_FALSE(has_layer(scene, LayerKind::surface));
}

TEST(Layers, only_files_that_are_read_back_are_layer_files) {
  EXPECT_TRUE(is_layer_file("surface", "ply"));
  EXPECT_TRUE(is_layer_file("drops", "ply"));
  EXPECT_TRUE(is_layer_file("particles", "ply"));
  EXPECT_TRUE(is_layer_file("smoke", "nrrd"));
  for (const auto& [file, extension] :
       {std::pair("smoke", "vdb"), {"liquid", "vdb"}, {"smoke", "ply"}, {"surface", "vtp"}, {"", ""}, {"surf", "ply"}})
    EXPECT_FALSE(is_layer_file(file, extension)) << file << "." << extension;
}

TEST(Layers, statistics_follow_the_volume_of_liquid_and_the_smoke_of_gas) {
  EXPECT_EQ(conserved_amount(scene_of(water)), Conserved::volume);
  EXPECT_EQ(conserved_amount(scene_of(vent)), Conserved::smoke);
  EXPECT_EQ(conserved_amount(scene_of(block)), Conserved::nothing);
}

}  // namespace
}  // namespace coracle
