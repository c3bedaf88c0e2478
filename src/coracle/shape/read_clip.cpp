#include "coracle/shape/read_clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace coracle {
namespace {

using nlohmann::json;
using Vec4 = Eigen::Vector4d;

Vec4 vector_of(const json& node, const char* key, const Vec4& usual, std::size_t count) {
  Vec4 value = usual;
  if (!node.contains(key)) return value;
  for (std::size_t i = 0; i < count; ++i) value[Eigen::Index(i)] = node.at(key).at(i);
  return value;
}

Keys keys_of(const Gltf& gltf, const json& animation, const std::string& clip, const json& channel, int components) {
  const json& sampler = gltf_entry(animation, "samplers", channel.at("sampler"));
  const std::string word = sampler.value("interpolation", std::string("LINEAR"));
  Keys keys;
  if (word == "STEP")
    keys.interpolation = Interpolation::step;
  else if (word == "CUBICSPLINE")
    keys.interpolation = Interpolation::cubic;
  else if (word != "LINEAR")
    throw std::runtime_error(
        fmt::format("its clip '{}' has the interpolation '{}'; LINEAR, STEP and CUBICSPLINE can be read", clip, word));
  keys.times = gltf_numbers(gltf, sampler.at("input"), 1);
  const std::vector<double> numbers = gltf_numbers(gltf, sampler.at("output"), components);
  const std::size_t per_time = keys.interpolation == Interpolation::cubic ? 3 : 1;
  bool fine = !keys.times.empty() && numbers.size() == per_time * keys.times.size() * std::size_t(components) &&
              keys.times.front() >= 0 && std::isfinite(keys.times.back());
  for (std::size_t i = 1; i < keys.times.size(); ++i) fine = fine && keys.times[i - 1] < keys.times[i];
  for (const double n : numbers) fine = fine && std::isfinite(n);
  if (!fine)
    throw std::runtime_error(fmt::format("it is damaged: the keys of its clip '{}' do not fit their times", clip));
  for (std::size_t i = 0; i < numbers.size(); i += std::size_t(components)) {
    Vec4 value = Vec4::Zero();
    for (int c = 0; c < components; ++c) value[c] = numbers[i + std::size_t(c)];
    keys.values.push_back(value);
  }
  return keys;
}

}  // namespace

NodePieces pieces_of(const json& node) {
  return {.translation = vector_of(node, "translation", Vec4::Zero(), 3),
          .rotation = vector_of(node, "rotation", Vec4::UnitW(), 4),
          .scale = vector_of(node, "scale", Vec4::Ones(), 3)};
}

Clip read_clip(const Gltf& gltf, const json& animation, const std::string& name, const std::vector<int>& bone) {
  Clip clip{name, 0, {}};
  std::map<int, Track> tracks;
  for (const json& channel : animation.at("channels")) {
    const json& target = channel.at("target");
    if (!target.contains("node")) continue;
    const std::size_t node = target.at("node");
    const std::string path = target.at("path");
    if (path == "weights")
      throw std::runtime_error(fmt::format(
          "its clip '{}' has morph targets (shape keys), which are not read; export bones only, or OBJ files", name));
    const json& entry = gltf_entry(gltf.json, "nodes", node);
    const auto [it, added] = tracks.try_emplace(bone.at(node));
    Track& track = it->second;
    if (added) {
      const NodePieces p = pieces_of(entry);
      track = {.bone = bone[node],
               .translation = {.times = {0}, .values = {p.translation}},
               .rotation = {.times = {0}, .values = {p.rotation}},
               .scale = {.times = {0}, .values = {p.scale}}};
    }
    Keys& keys = path == "translation" ? track.translation : path == "rotation" ? track.rotation : track.scale;
    keys = keys_of(gltf, animation, name, channel, path == "rotation" ? 4 : 3);
    clip.length = std::max(clip.length, keys.times.back());
  }
  for (auto& [b, track] : tracks) clip.tracks.push_back(std::move(track));
  return clip;
}

}  // namespace coracle
