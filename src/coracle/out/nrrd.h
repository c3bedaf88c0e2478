// Volumes for viewers: NRRD files, a short text header and raw 32-bit numbers, little-endian, x fastest.
#pragma once

#include "coracle/grid.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace coracle {

struct Volume {
  Grid grid;  // values lie at cell centres
  Array3<float> values;
};

void write_nrrd(const std::string& path, const Grid& grid, const Array3<float>& values);
// Reads a file of write_nrrd; RunError names a file that is missing or has another format.
Volume read_nrrd(const std::string& path);
// What is wrong with a file of this beginning and size: "is broken ..."; empty if nothing is.
std::string nrrd_damage(std::string_view head, std::uintmax_t size);

}  // namespace coracle
