// A run's directory whose frames are made up: water whose triangles change and that is gone in the last frame, a body
// that rises, a solid that stands, particles, drops.
#pragma once

#include "../out/temporary_directory.h"
#include "coracle/out/replay.h"

#include <fmt/format.h>

namespace coracle {

const inline std::string made_scene = R"(title = 'a "made" run'
[domain]
resolution = 8
[time]
frames = 3
fps = 25
[liquid]
[[liquid.region]]
shape = "box"
center = [0.2, 0.2, 0.5]
size = [0.3, 0.3, 0.3]
[[solid]]
name = "2nd-post"
shape = "box"
center = [0.8, 0.2, 0.5]
size = [0.1, 0.3, 0.1]
[[body]]
name = "water"
shape = "box"
center = [0.5, 0.6, 0.5]
size = [0.3, 0.3, 0.3]
mesh = "grid6"
[output]
particles = true
)";

// `points` around a cone's tip; its height tells the frame.
inline PlyMesh made_mesh(int points, float height) {
  PlyMesh mesh;
  for (int i = 0; i < points; ++i) {
    mesh.x.emplace_back(0.1f * float(i) + 1.0f / 3, height, 0.01f * float(i * i));
    mesh.v.emplace_back(0.0f, height, -1.0f);
  }
  for (int i = 0; i + 2 < points; ++i) mesh.tris.emplace_back(0, i + 1, i + 2);
  mesh.normals = point_normals(mesh.x, mesh.tris);
  return mesh;
}

struct MadeRun {
  TemporaryDirectory dir;
  std::string at = dir / "run";
  Replay replay;

  static int water_points(int frame) { return frame == 3 ? 0 : 4 + frame; }

  MadeRun() {
    make_directories(at + "/frames");
    write_atomically(at + "/scene.toml", made_scene);
    write_atomically(at + "/stats.jsonl", "");
    const auto file = [&](const char* what, int f) { return fmt::format("{}/frames/{}.{:04}.ply", at, what, f); };
    write_ply(file("solid_2nd-post", 0), made_mesh(5, 0));
    for (int f = 0; f <= 3; ++f) {
      write_ply(file("surface", f), made_mesh(water_points(f), 0.1f * float(f)));
      PlyMesh body = made_mesh(6, 0.2f * float(f));
      body.fields = {{"von_mises", std::vector<float>(6, 1e5f * float(f))}, {"pressure", std::vector<float>(6, 7)}};
      write_ply(file("body_water", f), body);
      PlyMesh cloud = made_mesh(3 + f, 0.3f);
      cloud.tris.clear();
      cloud.normals.clear();
      write_ply(file("particles", f), cloud);
      write_ply(file("drops", f), cloud);
    }
    replay = open_replay(at);
  }
};

}  // namespace coracle
