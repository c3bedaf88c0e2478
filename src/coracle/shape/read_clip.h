// Clips of glTF files.
#pragma once

#include "coracle/character.h"
#include "coracle/shape/gltf.h"

namespace coracle {

// The map of a node: x ↦ translation + rotation (scale x).
struct NodePieces {
  Eigen::Vector4d translation, rotation, scale;
};
NodePieces pieces_of(const nlohmann::json& node);

// `bone`: per node of the file. Throws std::runtime_error with a reason.
Clip read_clip(const Gltf& gltf, const nlohmann::json& animation, const std::string& name,
               const std::vector<int>& bone);

}  // namespace coracle
