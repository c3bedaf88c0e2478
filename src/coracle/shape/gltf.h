// glTF 2.0 files: their JSON, and the numbers in their buffers. Assimp reads the surfaces of such files (mesh_io.cpp);
// of animations it drops how keys are interpolated, so those are read from here.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace coracle {

struct Gltf {
  nlohmann::json json;
  std::vector<std::string> buffers;  // bytes
};

bool is_gltf(const std::string& file);  // by its ending

// Only the JSON, or with the buffers. Throw std::runtime_error with a reason.
nlohmann::json read_gltf_json(const std::string& file);
Gltf read_gltf(const std::string& file);

// The entry of a list of the file; none: throws.
const nlohmann::json& gltf_entry(const nlohmann::json& json, const char* list, std::size_t index);

// All numbers of an accessor, element after element, each of `components` numbers; integers that are marked as
// normalised become fractions.
std::vector<double> gltf_numbers(const Gltf& gltf, std::size_t accessor, int components);

}  // namespace coracle
