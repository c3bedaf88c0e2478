// A run read back from its files: what pictures, exports and plots are made of. The run may still be going.
#pragma once

#include "coracle/out/nrrd.h"
#include "coracle/out/ply.h"
#include "coracle/scene.h"

#include <string>
#include <vector>

namespace coracle {

struct Replay {
  std::string dir;
  Scene scene;
  std::vector<int> frames;  // those on disk, increasing
};

// RunError where `dir` holds no run. The overrides may change how it is shown: camera and look.
Replay open_replay(const std::string& dir, const std::vector<Override>& overrides = {});

struct ReplayFrame {
  int number = 0;
  double time = 0;              // s
  PlyMesh liquid;               // its surface, with velocity; empty where there is none
  PlyMesh drops;                // that fly alone: points with velocity
  std::vector<PlyMesh> solids;  // in the scene's order
  std::vector<PlyMesh> bodies;  // in the scene's order; with velocity, von_mises and pressure
  Volume smoke;                 // of gas; empty where there is none
};

// RunError names the file that is missing or broken, and what to do.
ReplayFrame read_frame(const Replay& replay, int frame);

// Of one frame, where the scene asked for output.particles: velocity and pressure; RunError says so where it did not.
PlyMesh read_particles(const Replay& replay, int frame);

// Where a frame's file of this kind lies: "surface", "body_beam", "smoke"; "solid_post" where it stands still: its
// first.
std::string frame_path(const Replay& replay, const std::string& what, int frame, const std::string& extension);

}  // namespace coracle
