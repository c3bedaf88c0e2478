#include "coracle/shape/gltf.h"

#include "coracle/base/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace coracle {
namespace {

using nlohmann::json;

constexpr const char* damaged = "it is damaged: ";

struct Chunks {
  std::string json, binary;
};

std::uint32_t word_at(const std::string& bytes, std::size_t at) {
  std::uint32_t word = 0;
  if (at + sizeof(word) <= bytes.size()) std::memcpy(&word, bytes.data() + at, sizeof(word));
  return word;
}

// A .glb file: a header of three words, then chunks: length, kind, bytes.
Chunks chunks_of(std::string bytes) {
  constexpr std::uint32_t magic = 0x46546c67, json_kind = 0x4e4f534a, binary_kind = 0x004e4942;
  if (word_at(bytes, 0) != magic) return {std::move(bytes), ""};  // a .gltf file is its JSON
  Chunks chunks;
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    const std::size_t length = word_at(bytes, at);
    const std::uint32_t kind = word_at(bytes, at + 4);
    if (length > bytes.size() - at - 8) throw std::runtime_error(std::string(damaged) + "it ends too early");
    if (kind == json_kind) chunks.json = bytes.substr(at + 8, length);
    if (kind == binary_kind) chunks.binary = bytes.substr(at + 8, length);
    at += 8 + length;
  }
  return chunks;
}

json parsed(const std::string& text) {
  json result = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!result.is_object()) throw std::runtime_error(std::string(damaged) + "it has no JSON");
  for (const json& name : result.value("extensionsRequired", json::array()))
    for (const char* packed : {"KHR_draco_mesh_compression", "EXT_meshopt_compression"})
      if (name == packed)
        throw std::runtime_error(fmt::format("it is compressed ({}); export it without compression", packed));
  return result;
}

std::string base64(const std::string& text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) break;  // the end is filled up with '='
    bits = bits << 6 | std::uint32_t(value);
    if ((count += 6) >= 8) bytes += char(bits >> (count -= 8) & 0xff);
  }
  return bytes;
}

std::string buffer_at(const std::string& file, const std::string& uri) {
  if (!uri.starts_with("data:")) return read_file((std::filesystem::path(file).parent_path() / uri).string());
  const std::size_t comma = uri.find(',');
  if (comma == std::string::npos) throw std::runtime_error(std::string(damaged) + "a buffer has no data");
  return base64(uri.substr(comma + 1));
}

// Bytes and largest value of the component types of glTF, from 5120 on.
struct Component {
  std::size_t bytes;
  double largest;
};
constexpr std::array<Component, 7> component_types = {
    {{1, 127}, {1, 255}, {2, 32767}, {2, 65535}, {0, 0}, {4, 4294967295.0}, {4, 1}}};

double number_at(const char* at, int type) {
  const auto as = [&](auto value) {
    std::memcpy(&value, at, sizeof(value));
    return double(value);
  };
  switch (type) {
    case 0:
      return as(std::int8_t());
    case 1:
      return as(std::uint8_t());
    case 2:
      return as(std::int16_t());
    case 3:
      return as(std::uint16_t());
    case 5:
      return as(std::uint32_t());
    default:
      return as(float());
  }
}

}  // namespace

bool is_gltf(const std::string& file) {
  std::string kind = std::filesystem::path(file).extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return kind == ".glb" || kind == ".gltf";
}

json read_gltf_json(const std::string& file) { return parsed(chunks_of(read_file(file)).json); }

Gltf read_gltf(const std::string& file) {
  Chunks chunks = chunks_of(read_file(file));
  Gltf gltf{parsed(chunks.json), {}};
  for (const json& buffer : gltf.json.value("buffers", json::array()))
    gltf.buffers.push_back(buffer.contains("uri") ? buffer_at(file, buffer.at("uri")) : chunks.binary);
  return gltf;
}

const json& gltf_entry(const json& all, const char* list, std::size_t index) {
  if (!all.contains(list) || !all.at(list).is_array() || index >= all.at(list).size())
    throw std::runtime_error(fmt::format("{}it has no {}[{}]", damaged, list, index));
  return all.at(list).at(index);
}

std::vector<double> gltf_numbers(const Gltf& gltf, std::size_t index, int components) {
  const json& accessor = gltf_entry(gltf.json, "accessors", index);
  if (accessor.contains("sparse") || !accessor.contains("bufferView"))
    throw std::runtime_error("it has sparse accessors, which are not read; export it without them");
  const json& view = gltf_entry(gltf.json, "bufferViews", accessor.at("bufferView"));
  const std::size_t buffer = view.at("buffer"), count = accessor.at("count");
  const std::size_t type = accessor.at("componentType").get<std::size_t>() - 5120;
  if (type >= component_types.size() || component_types[type].bytes == 0 || buffer >= gltf.buffers.size())
    throw std::runtime_error(fmt::format("{}accessors[{}] is wrong", damaged, index));
  const auto [size, largest] = component_types[type];
  const std::size_t element = size * std::size_t(components);
  const std::size_t stride = view.value("byteStride", element);
  const std::size_t begin = view.value("byteOffset", std::size_t(0)) + accessor.value("byteOffset", std::size_t(0));
  const std::string& bytes = gltf.buffers[buffer];
  const bool fits = stride >= element && begin <= bytes.size() && count <= bytes.size() &&
                    (count == 0 || (stride <= bytes.size() && begin + (count - 1) * stride + element <= bytes.size()));
  if (!fits) throw std::runtime_error(fmt::format("{}accessors[{}] reaches beyond its buffer", damaged, index));
  const double scale = accessor.value("normalized", false) ? 1 / largest : 1;
  std::vector<double> numbers;
  numbers.reserve(count * std::size_t(components));
  for (std::size_t i = 0; i < count; ++i)
    for (int c = 0; c < components; ++c)
      numbers.push_back(scale * number_at(bytes.data() + begin + i * stride + std::size_t(c) * size, int(type)));
  return numbers;
}

}  // namespace coracle
