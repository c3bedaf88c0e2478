// What a run shows, item by item: the layers of its fluid, its solids and its bodies, each with its own files.
#pragma once

#include "coracle/out/replay.h"

#include <string>
#include <vector>

namespace coracle {

enum class ThingKind { water, drops, smoke, solid, body, particles };

struct Thing {
  ThingKind kind = ThingKind::water;
  std::string name;  // the scene's; "water", "drops", "smoke", "particles"
  std::string file;  // first part of its frame files: surface, drops, smoke, solid_post, body_beam, particles
  std::string extension = "ply";
  bool moves = true;       // or its fields change; if not, the file of frame 0 is valid for all frames
  bool container = false;  // a solid around the rest
};

// Points without triangles.
inline bool is_cloud(const Thing& thing) {
  return thing.kind == ThingKind::particles || thing.kind == ThingKind::drops;
}

// Those that [output] asks for. Particles are last, as a frame writes them last.
std::vector<Thing> things_of(const Scene& scene);

// Not for smoke. RunError names the missing or damaged file and the remedy.
PlyMesh read_thing(const Replay& replay, const Thing& thing, int frame);

// A copy that exists only when complete.
void copy_file(const std::string& from, const std::string& to);

// Numbers of the frames that have such a file, increasing.
std::vector<int> frames_with(const Replay& replay, const std::string& file, const std::string& extension);

}  // namespace coracle
