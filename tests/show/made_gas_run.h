// A run's directory with made-up smoke: frames 0, 2 and 3, of as much smoke as their number says, and a solid.
#pragma once

#include "../out/temporary_directory.h"
#include "coracle/base/files.h"
#include "coracle/out/replay.h"
#include "coracle/world.h"
#include "coracle/world/build.h"

#include <fmt/format.h>

namespace coracle {

const inline std::string made_gas_scene = R"([domain]
max = [1.0, 2.0, 1.0]
resolution = 16
[time]
frames = 4
fps = 10
[[jet]]
name = "vent"
shape = "sphere"
center = [0.5, 0.2, 0.5]
radius = 0.15
[[solid]]
name = "post"
shape = "box"
center = [0.8, 0.2, 0.5]
size = [0.1, 0.3, 0.1]
)";

struct MadeGasRun {
  TemporaryDirectory dir;
  std::string at = dir / "run";
  Replay replay;

  explicit MadeGasRun(const std::string& more = "") {
    make_directories(at + "/frames");
    write_atomically(at + "/scene.toml", made_gas_scene + more);
    write_atomically(at + "/stats.jsonl", "");
    PlyMesh post;
    post.x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, post.tris = {{0, 1, 2}};
    write_ply(at + "/frames/solid_post.0000.ply", post);
    const Grid grid = scene_grid(parse_scene(made_gas_scene, "scene.toml").domain);
    for (const int f : {0, 2, 3}) {
      write_nrrd(fmt::format("{}/frames/smoke.{:04}.nrrd", at, f), grid, Array3<float>(grid.n, float(f)));
      write_atomically(fmt::format("{}/frames/smoke.{:04}.vdb", at, f), fmt::format("volume {}", f));
    }
    replay = open_replay(at);
  }
};

}  // namespace coracle
