// Binary little-endian PLY: triangles, or points alone, with what they carry. Blender, MeshLab and the like open it.
#pragma once

#include "coracle/types.h"

#include <string>
#include <vector>

namespace coracle {

struct PlyField {
  std::string name;  // a property's: von_mises, pressure
  std::vector<float> values;
};

struct PlyMesh {
  std::vector<Vec3f> x;        // m
  std::vector<Vec3i> tris;     // none: a cloud of points
  std::vector<Vec3f> normals;  // nx ny nz; this and v are empty or hold one a point
  std::vector<Vec3f> v;        // vx vy vz, m/s
  std::vector<PlyField> fields;

  const PlyField* field(const std::string& name) const {
    for (const PlyField& f : fields)
      if (f.name == name) return &f;
    return nullptr;
  }
};

void write_ply(const std::string& path, const PlyMesh& mesh);
// What write_ply wrote; RunError names the file where it is something else.
PlyMesh read_ply(const std::string& path);

// Of unit length, the mean of the triangles around a point weighted by their angles there.
std::vector<Vec3f> point_normals(const std::vector<Vec3f>& x, const std::vector<Vec3i>& tris);

}  // namespace coracle
