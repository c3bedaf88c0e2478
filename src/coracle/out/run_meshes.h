// Copies of the meshes that a scene names, in the run's folder: meshes/<hash>/<name>. The hash is that of the bytes, so
// a changed mesh has another path, and a damaged copy does not match its own.
#pragma once

#include "coracle/scene.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace coracle {

struct MeshCopy {
  std::string path;                                        // in the run's folder: meshes/<hash>/bunny.obj
  std::vector<std::pair<std::string, std::string>> files;  // name and bytes: the mesh, then the files that it names
};
using MeshCopies = std::map<std::string, MeshCopy>;  // by the path that the scene gives

// Reads all meshes of the scene. RunError if a copy in a run's folder does not match its hash.
MeshCopies read_meshes(const Scene& scene);
void write_meshes(const std::string& dir, const MeshCopies& meshes);

// The scene with the paths of the copies, each after `up`: "../" for a reader one folder deeper.
Scene with_copies(Scene scene, const MeshCopies& meshes, const std::string& up = "");

// RunError if a mesh of the resumed run in `dir` has changed. `restart`: how to run it anew, for the message.
void check_same_meshes(const std::string& dir, const MeshCopies& before, const MeshCopies& now,
                       const std::string& restart);

}  // namespace coracle
