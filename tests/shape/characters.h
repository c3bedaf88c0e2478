// A bending arm as a character and as a glTF file, for tests.
#pragma once

#include "coracle/shape/character.h"
#include "coracle/shape/tri_mesh.h"
#include "tests/shape/mesh_files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace coracle {

inline Eigen::Vector4d turn_about(const Vec3& axis, double angle) {
  Eigen::Vector4d q;
  q << std::sin(angle / 2) * axis.normalized(), std::cos(angle / 2);
  return q;
}

// A capsule-like tube along y from 0 to 1 m with a shoulder at its lower end and an elbow in the middle. The clip, of
// two seconds, moves and turns the shoulder and turns and swells the elbow. Weights go over smoothly around the elbow.
inline Character arm(Interpolation interpolation = Interpolation::linear) {
  Character arm;
  arm.rest = sphere_mesh(Vec3::Zero(), 0.5, 0.2);
  for (Vec3& x : arm.rest.x) x = Vec3(0.3 * x.x(), x.y() + 0.5, 0.3 * x.z());
  arm.bones = {{"shoulder", -1, {}}, {"elbow", 0, {Mat3::Identity(), Vec3(0, 0.5, 0)}}};
  arm.joints = {{0, {}}, {1, {Mat3::Identity(), Vec3(0, -0.5, 0)}}};
  for (const Vec3& x : arm.rest.x) {
    const double upper = std::clamp((x.y() - 0.3) / 0.4, 0.0, 1.0);
    arm.first.push_back(int(arm.influences.size()));
    arm.influences.push_back({0, 1 - upper});
    arm.influences.push_back({1, upper});
  }
  arm.first.push_back(int(arm.influences.size()));
  const auto keys = [&](const std::vector<Eigen::Vector4d>& values) {
    Keys k{interpolation, {0, 0.75, 2}, {}};
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Eigen::Vector4d slope = 0.3 * (values[(i + 1) % values.size()] - values[0]);
      if (interpolation == Interpolation::cubic)
        k.values.insert(k.values.end(), {slope, values[i], 2 * slope});
      else
        k.values.push_back(values[i]);
    }
    return k;
  };
  const auto still = [](double value) { return Keys{Interpolation::linear, {0}, {{value, value, value, 0}}}; };
  arm.clip = {"bend", 2, {}};
  arm.clip.tracks.push_back(
      {0, keys({{0, 0, 0, 0}, {0.1, 0.2, 0, 0}, {0.2, -0.1, 0.3, 0}}),
       keys({turn_about(Vec3::UnitZ(), 0), turn_about({1, 0, 1}, 0.8), turn_about({0, 1, 1}, -0.5)}), still(1)});
  Keys elbow = still(0);
  elbow.values[0].y() = 0.5;
  arm.clip.tracks.push_back(
      {1, elbow, keys({turn_about(Vec3::UnitX(), 0), turn_about(Vec3::UnitX(), 2), turn_about({1, 1, 0}, 1)}),
       keys({{1, 1, 1, 0}, {1.2, 1, 1.2, 0}, {1, 0.9, 1, 0}})});
  return arm;
}

// What a .glb file of a character may have instead of what arm() has.
struct GlbChanges {
  std::string interpolation;  // the word of all samplers
  double unit = 1;            // m: the mesh and the bones are given in it, and a node above the bones has its scale
  bool skin = true;
};

// Every triangle has its own three vertices, as where normals or textures split them.
inline std::string as_glb(const Character& character, const GlbChanges& changes = {}) {
  using nlohmann::json;
  std::string bytes;
  json gltf = {{"asset", {{"version", "2.0"}}}, {"scene", 0}};
  const auto accessor = [&](const char* type, int component, std::size_t count, const auto& put) {
    const std::size_t begin = bytes.size();
    put();
    bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
    gltf["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", begin}, {"byteLength", bytes.size() - begin}});
    gltf["accessors"].push_back({{"bufferView", gltf["bufferViews"].size() - 1},
                                 {"componentType", component},
                                 {"type", type},
                                 {"count", count}});
    return gltf["accessors"].size() - 1;
  };
  const auto floats = [&](const auto& values, int count) {
    for (int i = 0; i < count; ++i) put_bytes(bytes, float(values[i]));
  };
  const std::size_t corners = 3 * character.rest.tris.size(), bones = character.bones.size();
  const double unit = changes.unit;
  const auto each_corner = [&](const auto& f) {
    for (const Vec3i& t : character.rest.tris)
      for (const int v : t) f(v);
  };
  json attributes;
  attributes["POSITION"] = accessor("VEC3", 5126, corners,
                                    [&] { each_corner([&](int v) { floats(Vec3(character.rest.x[v] / unit), 3); }); });
  if (changes.skin) {
    attributes["JOINTS_0"] = accessor("VEC4", 5121, corners, [&] {
      each_corner([&](int v) {
        for (int k = 0; k < 4; ++k) {
          const int i = character.first[v] + k;
          put_bytes(bytes, std::uint8_t(i < character.first[v + 1] ? character.influences[i].joint : 0));
        }
      });
    });
    attributes["WEIGHTS_0"] = accessor("VEC4", 5126, corners, [&] {
      each_corner([&](int v) {
        for (int k = 0; k < 4; ++k) {
          const int i = character.first[v] + k;
          put_bytes(bytes, float(i < character.first[v + 1] ? character.influences[i].weight : 0));
        }
      });
    });
  }
  gltf["meshes"] = {{{"primitives", {{{"attributes", attributes}}}}}};
  for (const Character::Bone& bone : character.bones) {
    const Vec3 b = bone.local.b / unit;
    gltf["nodes"].push_back({{"name", bone.name}, {"translation", {b.x(), b.y(), b.z()}}});
  }
  for (std::size_t b = 0; b < bones; ++b)
    if (const int parent = character.bones[b].parent; parent >= 0) gltf["nodes"][parent]["children"].push_back(b);
  gltf["nodes"].push_back({{"mesh", 0}});
  gltf["nodes"].push_back({{"name", "armature"}, {"scale", {unit, unit, unit}}, {"children", {0}}});
  gltf["scenes"] = {{{"nodes", {bones, bones + 1}}}};
  if (changes.skin) {
    gltf["nodes"][bones]["skin"] = 0;
    json skin;
    for (const Character::Joint& joint : character.joints) skin["joints"].push_back(joint.bone);
    skin["inverseBindMatrices"] = accessor("MAT4", 5126, character.joints.size(), [&] {
      for (const Character::Joint& joint : character.joints) {
        Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
        m.topLeftCorner<3, 3>() = joint.inverse_bind.a;
        m.topRightCorner<3, 1>() = joint.inverse_bind.b / unit;
        floats(m.reshaped(), 16);
      }
    });
    gltf["skins"] = {skin};
  }
  json animation = {{"name", character.clip.name}};
  for (const Track& track : character.clip.tracks) {
    const auto channel = [&](const Keys& keys, const char* path, int components, double scale) {
      json sampler;
      sampler["input"] =
          accessor("SCALAR", 5126, keys.times.size(), [&] { floats(keys.times, int(keys.times.size())); });
      sampler["output"] = accessor(components == 4 ? "VEC4" : "VEC3", 5126, keys.values.size(), [&] {
        for (const Eigen::Vector4d& value : keys.values) floats(Eigen::Vector4d(scale * value), components);
      });
      const char* words[] = {"LINEAR", "STEP", "CUBICSPLINE"};
      sampler["interpolation"] =
          changes.interpolation.empty() ? words[int(keys.interpolation)] : changes.interpolation.c_str();
      animation["samplers"].push_back(sampler);
      animation["channels"].push_back(
          {{"sampler", animation["samplers"].size() - 1}, {"target", {{"node", track.bone}, {"path", path}}}});
    };
    channel(track.translation, "translation", 3, 1 / unit);
    channel(track.rotation, "rotation", 4, 1);
    channel(track.scale, "scale", 3, 1);
  }
  gltf["animations"] = {animation};
  gltf["buffers"] = {{{"byteLength", bytes.size()}}};
  std::string text = gltf.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string file = "glTF";
  put_bytes(file, std::uint32_t(2));
  put_bytes(file, std::uint32_t(12 + 8 + text.size() + 8 + bytes.size()));
  put_bytes(file, std::uint32_t(text.size()));
  file += "JSON" + text;
  put_bytes(file, std::uint32_t(bytes.size()));
  return file + std::string("BIN\0", 4) + bytes;
}

}  // namespace coracle
