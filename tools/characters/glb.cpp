// Binary glTF 2.0: a header, a chunk of JSON that describes the data, and a chunk with the data.
#include "tools/characters/character.h"

#include "coracle/base/check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace coracle::characters {
namespace {

using Json = nlohmann::json;

// Numbers of the format for kinds of components.
enum Component : int { bytes = 5121, shorts = 5123, integers = 5125, floats = 5126 };

struct Writer {
  Json gltf;
  std::string data;

  // Appends a list and describes it; gives the number of its accessor. Every list begins at a multiple of four bytes.
  template <class T>
  int add(const std::vector<T>& values, Component component, const char* type, std::size_t count) {
    const std::size_t start = data.size(), length = values.size() * sizeof(T);
    data.append(reinterpret_cast<const char*>(values.data()), length);
    data.resize((data.size() + 3) / 4 * 4, '\0');
    gltf["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", start}, {"byteLength", length}});
    gltf["accessors"].push_back({{"bufferView", gltf["bufferViews"].size() - 1},
                                 {"componentType", int(component)},
                                 {"count", count},
                                 {"type", type}});
    return int(gltf["accessors"].size()) - 1;
  }
};

std::vector<float> as_floats(const std::vector<Vec3>& points) {
  std::vector<float> out;
  for (const Vec3& p : points) out.insert(out.end(), {float(p.x()), float(p.y()), float(p.z())});
  return out;
}

Json as_json(const Vec3& v) { return {float(v.x()), float(v.y()), float(v.z())}; }

void add_skin(Writer& out, const Character& character) {
  const std::size_t vertices = character.skin.x.size(), triangles = character.skin.tris.size();
  CHECK(vertices < 65536 && character.bones.size() < 256);
  std::vector<std::uint16_t> corners;
  for (const Vec3i& t : character.skin.tris)
    for (int k = 0; k < 3; ++k) corners.push_back(std::uint16_t(t[k]));
  std::vector<std::uint8_t> joints;
  std::vector<float> weights;
  for (const SkinWeights& w : character.weights)
    for (int k = 0; k < 4; ++k) joints.push_back(std::uint8_t(w.bone[k])), weights.push_back(float(w.weight[k]));

  const int positions = out.add(as_floats(character.skin.x), floats, "VEC3", vertices);
  Bounds box;
  for (const Vec3& x : character.skin.x) box.extend(x);
  out.gltf["accessors"][positions]["min"] = as_json(box.lo);
  out.gltf["accessors"][positions]["max"] = as_json(box.hi);
  const int indices = out.add(corners, shorts, "SCALAR", 3 * triangles);
  const int bones_of = out.add(joints, bytes, "VEC4", vertices);
  const int weights_of = out.add(weights, floats, "VEC4", vertices);
  const Json attributes = {{"POSITION", positions}, {"JOINTS_0", bones_of}, {"WEIGHTS_0", weights_of}};
  out.gltf["meshes"] = {
      {{"name", character.name}, {"primitives", {{{"attributes", attributes}, {"indices", indices}}}}}};
}

// Node b is bone b; the skin is the last node.
void add_bones(Writer& out, const Character& character) {
  std::vector<float> inverses;  // of the frames at rest: translations by −joint, column by column
  Json roots = Json::array(), joints = Json::array();
  for (std::size_t b = 0; b < character.bones.size(); ++b) {
    const Bone& bone = character.bones[b];
    const Vec3 from = bone.parent < 0 ? Vec3::Zero() : character.bones[bone.parent].joint;
    out.gltf["nodes"].push_back({{"name", bone.name}, {"translation", as_json(bone.joint - from)}});
    if (bone.parent < 0) roots.push_back(b);
    if (bone.parent >= 0) out.gltf["nodes"][bone.parent]["children"].push_back(b);
    joints.push_back(b);
    Eigen::Matrix4f inverse = Eigen::Matrix4f::Identity();
    inverse.topRightCorner<3, 1>() = -bone.joint.cast<float>();
    inverses.insert(inverses.end(), inverse.data(), inverse.data() + 16);
  }
  const int matrices = out.add(inverses, floats, "MAT4", character.bones.size());
  out.gltf["skins"] = {{{"inverseBindMatrices", matrices}, {"joints", joints}}};
  roots.push_back(out.gltf["nodes"].size());
  out.gltf["nodes"].push_back({{"name", character.name}, {"mesh", 0}, {"skin", 0}});
  out.gltf["scenes"] = {{{"nodes", roots}}};
  out.gltf["scene"] = 0;
}

void add_clip(Writer& out, const Character& character, const Clip& clip) {
  const int keys = int(std::round(clip.duration * clip.rate)) + 1;
  std::vector<float> times;
  std::vector<Pose> poses;
  for (int k = 0; k < keys; ++k) {
    const double t = clip.duration * k / (keys - 1);
    times.push_back(float(t));
    poses.push_back(clip.pose(t));
  }
  const int input = out.add(times, floats, "SCALAR", times.size());
  out.gltf["accessors"][input]["min"] = {times.front()};
  out.gltf["accessors"][input]["max"] = {times.back()};
  Json channels = Json::array(), samplers = Json::array();
  const auto add = [&](std::size_t bone, const char* path, int values) {
    channels.push_back({{"sampler", samplers.size()}, {"target", {{"node", bone}, {"path", path}}}});
    samplers.push_back({{"input", input}, {"output", values}, {"interpolation", "LINEAR"}});
  };
  for (std::size_t b = 0; b < character.bones.size(); ++b) {
    const Bone& bone = character.bones[b];
    const Vec3 from = bone.parent < 0 ? Vec3::Zero() : character.bones[bone.parent].joint;
    std::vector<float> turns;
    std::vector<Vec3> places;
    bool turned = false, moved = false;
    Eigen::Vector4d last = Quat::Identity().coeffs();
    for (const Pose& pose : poses) {
      Eigen::Vector4d q = pose.turn[b].coeffs();  // x, y, z, w, as in the format
      if (q.dot(last) < 0) q = -q;                // the short way round
      last = q;
      for (int i = 0; i < 4; ++i) turns.push_back(float(q[i]));
      places.push_back(bone.joint - from + pose.shift[b]);
      turned |= std::abs(q[3]) < 1 - 1e-15;
      moved |= pose.shift[b].norm() > 0;
    }
    // What does not move in this clip stays as the nodes have it.
    if (turned) add(b, "rotation", out.add(turns, floats, "VEC4", turns.size() / 4));
    if (moved) add(b, "translation", out.add(as_floats(places), floats, "VEC3", places.size()));
  }
  out.gltf["animations"].push_back({{"name", clip.name}, {"channels", channels}, {"samplers", samplers}});
}

void append_number(std::string& file, std::size_t number) {  // 32 bits, the lowest byte first
  for (int shift = 0; shift < 32; shift += 8) file += char((number >> shift) & 255);
}

}  // namespace

std::string to_glb(const Character& character) {
  Writer out;
  out.gltf["asset"] = {{"version", "2.0"}, {"generator", "coracle"}};
  add_skin(out, character);
  add_bones(out, character);
  for (const Clip& clip : character.clips) add_clip(out, character, clip);
  out.gltf["buffers"] = {{{"byteLength", out.data.size()}}};
  std::string text = out.gltf.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');

  std::string file = "glTF";
  append_number(file, 2);
  append_number(file, 12 + 8 + text.size() + 8 + out.data.size());
  append_number(file, text.size());
  file += "JSON" + text;
  append_number(file, out.data.size());
  file += std::string("BIN\0", 4) + out.data;
  return file;
}

}  // namespace coracle::characters
