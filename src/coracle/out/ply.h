// Binary little-endian PLY: triangles or points, with velocities and fields. Blender, MeshLab and others open it.
#pragma once

#include "coracle/types.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle {

struct PlyField {
  std::string name;  // of the property: von_mises, pressure
  std::vector<float> values;
};

struct PlyMesh {
  std::vector<Vec3f> x;             // m
  std::vector<Vec3i> tris;          // none: a point cloud
  std::vector<Vec3f> normals = {};  // nx ny nz; this and v have one entry per point, or none
  std::vector<Vec3f> v = {};        // vx vy vz, m/s
  std::vector<PlyField> fields = {};

  const PlyField* field(const std::string& name) const {
    for (const PlyField& f : fields)
      if (f.name == name) return &f;
    return nullptr;
  }
};

// Colours as the fields red, green, blue, from 0 to 1, sRGB; empty if the mesh has none.
void set_colors(PlyMesh& mesh, const std::vector<Vec3f>& colors);
std::vector<Vec3f> colors_of(const PlyMesh& mesh);

void write_ply(const std::string& path, const PlyMesh& mesh);
// Reads a file of write_ply; RunError names a file in another format.
PlyMesh read_ply(const std::string& path);
// What is wrong with a file of this beginning and size: "is cut short ..."; empty if nothing is.
std::string ply_damage(std::string_view head, std::uintmax_t size);

// Unit normal per point: the mean over the triangles around it, weighted by their angles there.
std::vector<Vec3f> point_normals(const std::vector<Vec3f>& x, const std::vector<Vec3i>& tris);

}  // namespace coracle
