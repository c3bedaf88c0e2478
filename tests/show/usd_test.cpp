#include "coracle/show/usd.h"
#include "made_gas_run.h"
#include "made_run.h"
#include "usda_reader.h"

#include <gtest/gtest.h>

#include <cfloat>

namespace coracle {
namespace {

using Numbers = std::vector<float>;

Numbers flat(const std::vector<Vec3f>& x) {
  Numbers all;
  for (const Vec3f& p : x) all.insert(all.end(), p.data(), p.data() + 3);
  return all;
}

class Usd : public testing::Test {
 protected:
  void write(const std::vector<int>& frames) {
    write_usd(run.replay, things_of(run.replay.scene), frames, run.dir / "out/my-run.usda");
    root = read("out/my-run.usda");
  }
  UsdaLayer read(const std::string& name) const { return UsdaReader::read(read_file(run.dir / name)); }
  UsdaLayer layer(const std::string& name) const { return read("out/my_run_layers/" + name + ".usda"); }
  MadeRun run;
  UsdaLayer root;
};

TEST_F(Usd, a_root_says_units_and_times_and_names_a_layer_a_thing) {
  write({1, 2, 3});
  const std::map<std::string, std::string> expected = {
      {"metersPerUnit", "1"},     {"upAxis", "\"Y\""},          {"startTimeCode", "1"},   {"endTimeCode", "3"},
      {"defaultPrim", "\"run\""}, {"timeCodesPerSecond", "25"}, {"framesPerSecond", "25"}};
  for (const auto& [key, value] : expected) EXPECT_EQ(root.metadata[key], value) << key;
  EXPECT_EQ(root.metadata["doc"], R"("a \"made\" run")");
  EXPECT_EQ(root.prims.at("/run").type, "Xform");
  for (const char* name : {"water", "drops", "_2nd_post", "water_2", "particles"}) {
    EXPECT_NE(root.metadata["subLayers"].find("@./my_run_layers/" + std::string(name) + ".usda@"), std::string::npos);
    const UsdaLayer one = layer(name);
    for (const auto& [key, value] : expected) EXPECT_EQ(one.metadata.at(key), value) << name << " by itself: " << key;
    EXPECT_TRUE(one.prims.contains("/run/" + std::string(name)));
  }
}

TEST_F(Usd, water_has_its_own_triangles_in_every_sample) {
  write({0, 1, 2, 3});
  const UsdaPrim water = layer("water").prims.at("/run/water");
  EXPECT_EQ(water.type, "Mesh");
  EXPECT_EQ(water.attributes.at("subdivisionScheme").value, "\"none\"");
  EXPECT_EQ(water.attributes.at("normals").metadata.at("interpolation"), "\"vertex\"");
  for (int f = 0; f <= 3; ++f) {
    const PlyMesh mesh = read_ply(frame_path(run.replay, "surface", f, "ply"));
    const auto sample = [&](const char* name) {
      EXPECT_EQ(water.attributes.at(name).samples.size(), 4u) << name;
      return usda_numbers(water.attributes.at(name).samples.at(f));
    };
    const Numbers points = sample("points"), counts = sample("faceVertexCounts"), box = sample("extent");
    const Numbers corners = sample("faceVertexIndices");
    EXPECT_EQ(points, flat(mesh.x)) << "the same bits";
    EXPECT_EQ(sample("normals"), flat(mesh.normals));
    EXPECT_EQ(sample("velocities"), flat(mesh.v));
    EXPECT_EQ(counts, Numbers(mesh.tris.size(), 3));
    ASSERT_EQ(corners.size(), 3 * counts.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
      EXPECT_LT(3 * std::size_t(corners[i]) + 2, points.size());
      EXPECT_EQ(corners[i], float(mesh.tris[i / 3][int(i % 3)]));
    }
    ASSERT_EQ(box.size(), 6u);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_LE(box[i % 3], points[i]);
      EXPECT_GE(box[3 + i % 3], points[i]);
    }
    if (f == 3) {
      EXPECT_EQ(box, (Numbers{FLT_MAX, FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX, -FLT_MAX})) << "of nothing";
    }
  }
}

TEST_F(Usd, water_that_is_not_there_at_first_has_normals_later) {
  std::filesystem::copy_file(frame_path(run.replay, "surface", 3, "ply"), frame_path(run.replay, "surface", 0, "ply"),
                             std::filesystem::copy_options::overwrite_existing);
  write({0, 1});
  const UsdaPrim water = layer("water").prims.at("/run/water");
  EXPECT_EQ(water.attributes.at("normals").samples.at(0), "[]");
  EXPECT_EQ(usda_numbers(water.attributes.at("normals").samples.at(1)).size(), 15u);
}

TEST_F(Usd, a_body_keeps_its_triangles_and_a_solid_that_stands_has_no_samples) {
  write({0, 2});
  const UsdaPrim body = layer("water_2").prims.at("/run/water_2"),
                 solid = layer("_2nd_post").prims.at("/run/_2nd_post");
  for (const UsdaPrim* prim : {&body, &solid})
    for (const char* name : {"faceVertexCounts", "faceVertexIndices"}) {
      EXPECT_TRUE(prim->attributes.at(name).samples.empty());
      EXPECT_FALSE(prim->attributes.at(name).value.empty());
    }
  EXPECT_EQ(usda_numbers(body.attributes.at("faceVertexIndices").value).size(), 12u);
  for (const char* name : {"points", "normals", "velocities", "extent", "primvars:von_mises", "primvars:pressure"}) {
    EXPECT_TRUE(body.attributes.at(name).samples.contains(0)) << name;
    EXPECT_TRUE(body.attributes.at(name).samples.contains(2)) << name;
    EXPECT_EQ(body.attributes.at(name).samples.size(), 2u) << name;
  }
  EXPECT_EQ(usda_numbers(body.attributes.at("primvars:von_mises").samples.at(2)), Numbers(6, 2e5f));
  EXPECT_EQ(body.attributes.at("primvars:von_mises").metadata.at("interpolation"), "\"vertex\"");
  for (const auto& [name, attribute] : solid.attributes) EXPECT_TRUE(attribute.samples.empty()) << name;
  EXPECT_EQ(usda_numbers(solid.attributes.at("points").value).size(), 15u);
}

TEST_F(Usd, particles_are_points_with_one_width) {
  write({0, 1});
  const UsdaPrim cloud = layer("particles").prims.at("/run/particles");
  EXPECT_EQ(cloud.type, "Points");
  EXPECT_EQ(usda_numbers(cloud.attributes.at("widths").value), Numbers{1.0f / 16}) << "half a cell of 1/8 m";
  EXPECT_EQ(cloud.attributes.at("widths").metadata.at("interpolation"), "\"constant\"");
  EXPECT_EQ(usda_numbers(cloud.attributes.at("points").samples.at(1)).size(), 12u);
  const Numbers box = usda_numbers(cloud.attributes.at("extent").samples.at(0));
  EXPECT_FLOAT_EQ(box[1], 0.3f - 1.0f / 32) << "with the radius";
  EXPECT_FALSE(cloud.attributes.contains("faceVertexCounts"));
}

TEST_F(Usd, drops_that_differ_in_size_have_a_width_each) {
  for (const int f : {0, 1}) {
    const std::string file = frame_path(run.replay, "drops", f, "ply");
    PlyMesh drops = read_ply(file);
    drops.fields = {{"radius", std::vector<float>(drops.x.size(), 0.01f * float(f + 1))}};
    drops.fields[0].values[0] = 0.25f;
    write_ply(file, drops);
  }
  write({0, 1});
  const UsdaPrim cloud = layer("drops").prims.at("/run/drops");
  const auto& widths = cloud.attributes.at("widths");
  EXPECT_EQ(widths.metadata.at("interpolation"), "\"vertex\"");
  EXPECT_EQ(usda_numbers(widths.samples.at(0)), (Numbers{0.5f, 0.02f, 0.02f}));
  EXPECT_EQ(usda_numbers(widths.samples.at(1)), (Numbers{0.5f, 0.04f, 0.04f, 0.04f}));
  EXPECT_FALSE(cloud.attributes.contains("primvars:radius"));
}

TEST_F(Usd, a_skin_has_its_points_and_its_film_in_every_sample) {
  Scene& scene = run.replay.scene;
  scene.method = Method::skinned;
  scene.solids[0].skin.on = true;
  for (const int f : {0, 1}) {
    PlyMesh skin = made_mesh(5, 0.2f * float(f));
    skin.fields = {{"film", std::vector<float>(5, 1e-4f * float(f))}};
    write_ply(frame_path(run.replay, "solid_2nd-post", f, "ply"), skin);
  }
  write({0, 1});
  const UsdaPrim skin = layer("_2nd_post").prims.at("/run/_2nd_post");
  EXPECT_EQ(usda_numbers(skin.attributes.at("primvars:film").samples.at(1)), Numbers(5, 1e-4f));
  EXPECT_EQ(usda_numbers(skin.attributes.at("points").samples.at(1))[1], 0.2f);
  EXPECT_TRUE(skin.attributes.at("faceVertexIndices").samples.empty());
}

TEST_F(Usd, everything_has_a_colour_and_a_material_that_exists) {
  write({0});
  for (const char* name : {"water", "drops", "_2nd_post", "water_2", "particles"}) {
    const UsdaLayer one = layer(name);
    const UsdaPrim& prim = one.prims.at("/run/" + std::string(name));
    EXPECT_EQ(usda_numbers(prim.attributes.at("primvars:displayColor").value).size(), 3u);
    const std::string bound = prim.attributes.at("material:binding").value;
    const std::string material = bound.substr(1, bound.size() - 2);
    EXPECT_EQ(one.prims.at(material).type, "Material");
    EXPECT_EQ(one.prims.at(material).attributes.at("outputs:surface.connect").value,
              "<" + material + "/surface.outputs:surface>");
    EXPECT_EQ(one.prims.at(material + "/surface").attributes.at("info:id").value, "\"UsdPreviewSurface\"");
  }
  const UsdaPrim shader = layer("water").prims.at("/run/materials/water/surface");
  EXPECT_EQ(shader.attributes.at("inputs:ior").value, "1.33");
  EXPECT_LT(usda_numbers(shader.attributes.at("inputs:opacity").value)[0], 0.5f);
}

TEST_F(Usd, colours_are_those_of_the_scene) {
  run.replay.scene.look.liquid_color = Vec3(1, 0, 0);
  run.replay.scene.bodies[0].color = Vec3(0, 1, 0);
  run.replay.scene.bodies[0].opacity = 0.25;
  run.replay.scene.solids[0].color = Vec3(0, 0, 1);
  write({0});
  const auto color = [&](const char* name) {
    return usda_numbers(layer(name).prims.at("/run/" + std::string(name)).attributes.at("primvars:displayColor").value);
  };
  EXPECT_EQ(color("water"), (Numbers{1, 0, 0}));
  EXPECT_EQ(color("water_2"), (Numbers{0, 1, 0}));
  EXPECT_EQ(color("_2nd_post"), (Numbers{0, 0, 1}));
  EXPECT_EQ(layer("water_2").prims.at("/run/materials/water_2/surface").attributes.at("inputs:opacity").value, "0.25");
}

TEST(UsdSmoke, is_a_volume_that_names_its_files) {
  const MadeGasRun run("[look]\nsmoke_color = [1, 1, 0]\n");
  write_usd(run.replay, things_of(run.replay.scene), {2, 3}, run.dir / "out/run.usda");
  EXPECT_NE(read_file(run.dir / "out/run.usda").find("@./run_layers/smoke.usda@"), std::string::npos);
  const UsdaLayer layer = UsdaReader::read(read_file(run.dir / "out/run_layers/smoke.usda"));
  const UsdaPrim& smoke = layer.prims.at("/run/smoke");
  EXPECT_EQ(smoke.type, "Volume");
  EXPECT_EQ(usda_numbers(smoke.attributes.at("extent").value), (Numbers{0, 0, 0, 1, 2, 1}));
  EXPECT_EQ(usda_numbers(smoke.attributes.at("primvars:displayColor").value), (Numbers{1, 1, 0}));
  for (const std::string field : {"density", "temperature"}) {
    EXPECT_EQ(smoke.attributes.at("field:" + field).value, "</run/smoke/" + field + ">");
    const UsdaPrim& asset = layer.prims.at("/run/smoke/" + field);
    EXPECT_EQ(asset.type, "OpenVDBAsset");
    EXPECT_EQ(asset.attributes.at("fieldName").value, "\"" + field + "\"");
    EXPECT_EQ(asset.attributes.at("filePath").samples.at(3), "@./smoke.0003.vdb@");
    EXPECT_EQ(asset.attributes.at("filePath").samples.size(), 2u);
  }
  EXPECT_EQ(read_file(run.dir / "out/run_layers/smoke.0002.vdb"), "volume 2");
}

TEST_F(Usd, frames_of_two_runs_are_not_mixed) {
  write_ply(frame_path(run.replay, "body_water", 1, "ply"), made_mesh(7, 0));
  EXPECT_NE(message_of<RunError>([&] { write({0, 1}); }).find("frame 1 of water"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(run.dir / "out/my-run.usda")) << "no root where a layer is missing";
}

}  // namespace
}  // namespace coracle
