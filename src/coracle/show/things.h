// What a run shows, one by one: its water, smoke, solids, bodies and particles, each from its own files.
#pragma once

#include "coracle/out/replay.h"

#include <string>
#include <vector>

namespace coracle {

enum class ThingKind { water, drops, smoke, solid, body, particles };

struct Thing {
  ThingKind kind = ThingKind::water;
  std::string name;        // the scene's; "water", "drops", "smoke", "particles"
  std::string file;        // how its frames' files begin: surface, drops, smoke, solid_post, body_beam, particles
  bool moves = true;       // else frame 0 holds for all
  bool container = false;  // a solid around what is to be seen
};

// Points, not a surface.
inline bool is_cloud(const Thing& thing) {
  return thing.kind == ThingKind::particles || thing.kind == ThingKind::drops;
}

// What the files of its frames are.
inline const char* extension_of(const Thing& thing) { return thing.kind == ThingKind::smoke ? "nrrd" : "ply"; }

// As far as the scene's [output] asked for them.
std::vector<Thing> things_of(const Scene& scene);

// Not of smoke. RunError names the file that is missing or broken, and what to do.
PlyMesh read_thing(const Replay& replay, const Thing& thing, int frame);

// `path`, which must exist; else RunError says what may help.
std::string existing(const std::string& path);

// The numbers of the frames that have such a file, increasing.
std::vector<int> frames_with(const Replay& replay, const std::string& file, const std::string& extension);

}  // namespace coracle
