// A run read back from its files, for pictures, exports and plots. The run may still be going.
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
  std::vector<int> frames;  // on disk with all their files, increasing
};

// RunError if `dir` holds no run. Overrides may change only [camera] and [look].
Replay open_replay(const std::string& dir, const std::vector<Override>& overrides = {});

// A file of a frame: frames/<file>.<frame>.<extension>.
struct FrameFile {
  std::string file, extension = "ply";
  int frame = 0;
};
// The files that show a frame. A solid at rest without a film has a file for frame 0 only.
std::vector<FrameFile> frame_files(const Scene& scene, int frame);

struct ReplayFrame {
  int number = 0;
  double time = 0;                   // s
  PlyMesh liquid = {};               // its surface, with velocity; empty if there is none
  PlyMesh drops = {};                // points with velocity, outside the surface
  std::vector<PlyMesh> solids = {};  // in the scene's order; with velocity and, where liquid is held, film
  std::vector<PlyMesh> bodies = {};  // in the scene's order; with velocity, von_mises and pressure
  Volume smoke = {};                 // empty if there is none
};

// RunError names the missing or damaged file and the remedy.
ReplayFrame read_frame(const Replay& replay, int frame);

// One part of it. Solids and bodies: RunError if the scene has output.solids = false.
PlyMesh read_liquid(const Replay& replay, int frame);
PlyMesh read_drops(const Replay& replay, int frame);
PlyMesh read_solid(const Replay& replay, const SolidOptions& solid, int frame);
PlyMesh read_body(const Replay& replay, const BodyOptions& body, int frame);
Volume read_smoke(const Replay& replay, int frame);

// Points with velocity and pressure. RunError if the scene did not ask for output.particles.
PlyMesh read_particles(const Replay& replay, int frame);

// Path of a frame's file: `file` is "surface", "body_beam" or "smoke".
std::string frame_path(const Replay& replay, const std::string& file, int frame, const std::string& extension);

}  // namespace coracle
