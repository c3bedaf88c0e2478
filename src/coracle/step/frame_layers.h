// What a frame shows of a fluid, as plain data for the writers of files (out/frames.h). A page fills in what the
// scene's [output] asks for; the names of the files are those of scene/layers.h.
#pragma once

#include "coracle/grid.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace coracle {

// A surface φ = 0, as triangles with velocity.
struct SurfaceLayer {
  std::string file;
  Grid grid;
  Array3<float> phi;                          // m, < 0 inside, at cell centres
  std::function<Vec3(const Vec3&)> velocity;  // m/s at a point; used while the layers are gathered
  std::function<Vec3(const Vec3&)> color;     // sRGB at a point, likewise; empty: that of the scene's look
};

struct PointLayer {
  std::string file;
  bool indexed;  // also for ParaView, with an index over time
  std::vector<Vec3f> x, v;
  std::vector<std::pair<std::string, std::vector<float>>> fields;  // per point
};

// Volumes for other programs.
struct VolumeLayer {
  std::string file;
  Grid grid;
  Array3<double> surface;  // m, a distance field; empty: none
  struct Fog {
    std::string name;
    Array3<float> values;
    float least;  // smaller values count as zero
  };
  std::vector<Fog> fogs;
  FaceField<double> u;   // m/s
  bool picture = false;  // the first fog is also kept for pictures and the viewer
};

// A field on the surface of a solid, per vertex. A solid with one is written in every frame.
struct SolidLayer {
  std::size_t solid = 0;  // its number
  std::string field;
  std::vector<float> values;
};

struct FrameLayers {
  std::vector<SurfaceLayer> surfaces;
  std::vector<VolumeLayer> volumes;
  std::vector<PointLayer> points;
  std::vector<SolidLayer> solids;
  std::vector<std::vector<double>> skin_pressure;  // Pa per node, per body; empty: no fluid
};

}  // namespace coracle
