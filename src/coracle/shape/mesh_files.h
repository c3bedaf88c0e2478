#pragma once

#include <string>
#include <vector>

namespace coracle {

// The files that are read for the mesh `path`: itself first; the other half of a .node and .ele pair; the buffers of a
// glTF file. Of a sequence: its files.
std::vector<std::string> files_of_mesh(const std::string& path);

}  // namespace coracle
