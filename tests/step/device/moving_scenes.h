// Liquid with solids of every kind: at rest and moving, soft, containers, inflows that open late, outflows.
#pragma once

#include "coracle/step/advance.h"
#include "coracle/step/workspace.h"
#include "coracle/world/build.h"

#include <ostream>
#include <string>
#include <variant>
#include <vector>

namespace coracle {

struct MovingScene {
  const char* name;
  std::string toml;
};
inline void PrintTo(const MovingScene& s, std::ostream* out) { *out << s.name; }

inline std::string tank(const std::string& method) {
  return "method = \"" + method + R"("
[domain]
resolution = 24
[time]
frames = 10
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [1, 0.4, 1]
velocity = [0.8, 0, 0.3]
[[liquid.region]]
shape = "sphere"
center = [0.75, 0.6, 0.3]
radius = 0.08
velocity = [0, -2, 0]
[[solid]]
name = "ball"
shape = "sphere"
center = [0.3, 0.2, 0.7]
radius = 0.12
[[solid]]
name = "blade"
shape = "box"
center = [0.65, 0.3, 0.5]
size = [0.08, 0.3, 0.3]
[[solid.motion]]
type = "rotation"
axis = [0, 1, 0.2]
pivot = [0.5, 0.3, 0.5]
rate = 5
[[body]]
name = "block"
mesh = "grid6"
shape = "box"
center = [0.25, 0.52, 0.3]
size = [0.3, 0.2, 0.25]
cells = [2, 2, 2]
young = 1e4
velocity = [0.2, -1, 0]
[[inflow]]
name = "tap"
shape = "box"
min = [0.4, 0.8, 0.4]
max = [0.6, 0.95, 0.6]
velocity = [0, -1.5, 0]
[[inflow]]
name = "late"
shape = "sphere"
center = [0.8, 0.4, 0.8]
radius = 0.1
velocity = [0, 0, -1]
start = 0.03
[[outflow]]
name = "drain"
shape = "box"
min = [0.9, 0, 0.9]
max = [1, 0.2, 1]
)";
}

inline std::string bowl() {
  return R"(
[domain]
resolution = 20
[time]
frames = 10
[[liquid.region]]
shape = "sphere"
center = [0.5, 0.45, 0.5]
radius = 0.25
velocity = [1.5, 0, 0]
[[solid]]
name = "bowl"
shape = "sphere"
center = [0.5, 0.5, 0.5]
radius = 0.41
container = true
[[solid.motion]]
type = "oscillation"
amplitude = [0.03, 0, 0]
frequency = 4
)";
}

inline std::string empty_tank() {
  return R"(
[domain]
resolution = 16
[time]
frames = 10
[[liquid.region]]
shape = "box"
min = [0, 0, 0]
max = [0.4, 0.7, 1]
)";
}

inline std::vector<MovingScene> moving_scenes() {
  return {{"cut_cells", tank("cutcell")},
          {"whole_faces", tank("simultaneous")},
          {"container", bowl()},
          {"no_solids", empty_tank()}};
}

// A scene with its world and its workspace.
struct MovingRun {
  Scene scene;
  World world;
  Workspace work;

  explicit MovingRun(const MovingScene& from)
      : scene(parse_scene(from.toml, "moving.toml")), world(build_world(scene)) {
    start(scene, world, work);
  }
  void step() { advance_step(scene, world, work); }
  Liquid& liquid() { return liquid_of(world); }
  LiquidWork& liquid_work() { return std::get<LiquidWork>(work.fluid); }
};

}  // namespace coracle
