// How far the surfaces of two runs are apart, frame by frame: liquid, bodies, solids.
#pragma once

#include "coracle/out/replay.h"
#include "coracle/shape/surface_distance.h"

#include <optional>
#include <string>
#include <vector>

namespace coracle {

// Frames of the two runs that show the same time.
struct FramePair {
  int a = 0, b = 0;
};
std::vector<FramePair> common_frames(const Replay& a, const Replay& b);

enum class OnlyIn { neither, a, b };

struct FileDifference {
  std::string file;  // "surface", "body_beam", "solid_door"; also "drops" and "smoke", whose distance is not measured
  FramePair frame;
  bool same_bits = false;
  OnlyIn only = OnlyIn::neither;                 // has such a file, or any triangle in it
  std::optional<SurfaceDistance> distance = {};  // zero for the same points and triangles, whatever their fields
};

// Every file of the frames' surfaces. Those of a solid at rest in both are compared once.
// Samples are as far apart as the smaller cells of the two. RunError names a file that is missing, damaged, or has a
// point that is not finite.
std::vector<FileDifference> compare_surfaces(const Replay& a, const Replay& b, const std::vector<FramePair>& frames);

}  // namespace coracle
