// Wavefront OBJ: points, normals and triangles as text; every program reads it. Metres, y up.
#pragma once

#include "coracle/out/ply.h"

#include <string>

namespace coracle {

// Floats as the shortest text that reads back as the same bits. The format has no velocities or fields.
void write_obj(const std::string& path, const PlyMesh& mesh, const std::string& name);

}  // namespace coracle
