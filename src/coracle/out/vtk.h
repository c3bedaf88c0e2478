// VTK's XML files for ParaView: polygons and points (.vtp), elements of bodies (.vtu), and an index of files over time
// (.pvd).
#pragma once

#include "coracle/types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace coracle {

// One value, or a vector of `components`, per point or cell; the components of a vector are adjacent.
struct VtkArray {
  std::string name;
  int components = 1;
  std::variant<std::vector<float>, std::vector<double>, std::vector<std::int32_t>> values;
};

// Triangles; if there are none, a point cloud (one cell for all points).
struct PolyData {
  std::vector<Vec3f> x;
  std::vector<Vec3i> tris;
  std::vector<VtkArray> point_data, cell_data;
};

// Elements of one kind. Nodes per element: 2 segments, 3 triangles, 4 tets, 10 tets with the middles of the edges.
struct ElementData {
  std::vector<Vec3f> x;
  int nodes = 4;
  std::vector<std::int32_t> elements;  // the nodes of all
  std::vector<VtkArray> point_data, cell_data;
};

std::vector<Vec3f> to_float(const std::vector<Vec3>& x);
VtkArray vector_array(std::string name, const std::vector<Vec3f>& v);
// In single precision.
VtkArray scalar_array(std::string name, const std::vector<double>& values);

void write_vtp(const std::string& path, const PolyData& data);
void write_vtu(const std::string& path, const ElementData& data);

struct PvdEntry {
  double time = 0;   // s
  std::string file;  // relative to the index
};
void write_pvd(const std::string& path, const std::vector<PvdEntry>& entries);

std::string base64(std::string_view bytes);

}  // namespace coracle
