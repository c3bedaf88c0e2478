// Binary little-endian PLY of triangles, for Blender, MeshLab and the like.
#pragma once

#include "coracle/base/types.h"

#include <string>
#include <vector>

namespace coracle {

// `normals` is empty or holds one a point.
void write_ply(const std::string& path, const std::vector<Vec3f>& x, const std::vector<Vec3i>& tris,
               const std::vector<Vec3f>& normals = {});

}  // namespace coracle
