// A bar that swims by waves of its muscles, the same to the front and to the back.
#pragma once

#include "coracle/scene.h"

#include <fmt/format.h>

#include <string>

namespace coracle::validation {

inline constexpr double beats_per_s = 3;  // as in scenes/swimmer

// A bar in a full tank, its wave along `way`. Bar, tank and grid are their own mirror images across x = 0, unless tank
// and grid stand `aside`, m.
inline Scene swimming_bar(double way, const std::string& advection, int seed = 1, double aside = 0) {
  return parse_scene(fmt::format(R"(
gravity = [0, 0, 0]
[domain]
min = [{5}, -0.18, -0.2]
max = [{6}, 0.18, 0.2]
resolution = 60
[time]
frames = 48
fps = 24
cfl = 4
max_dt = {2}
[liquid]
advection = "{4}"
seed = {1}
[[liquid.region]]
shape = "box"
min = [{5}, -0.18, -0.2]
max = [{6}, 0.18, 0.2]
[[body]]
name = "bar"
shape = "box"
center = [0, 0, 0]
size = [0.39, 0.1, 0.066]
mesh = "grid5"
element = "linear"
cells = [16, 4, 4]
young = 1.5e5
poisson = 0.35
[[body.muscle]]
name = "left"
stress = 9e4
frequency = {3}
wavelength = 0.45
along = [{0}, 0, 0]
ramp = 0.3
[[body.muscle.region]]
shape = "half_space"
point = [0, 0, 0]
normal = [0, 0, 1]
[[body.muscle]]
name = "right"
stress = 9e4
frequency = {3}
phase = "=pi"
wavelength = 0.45
along = [{0}, 0, 0]
ramp = 0.3
[[body.muscle.region]]
shape = "half_space"
point = [0, 0, 0]
normal = [0, 0, -1]
)",
                                 way, seed, 0.05 / beats_per_s, beats_per_s, advection, aside - 0.6, aside + 0.6),
                     "bar.toml");
}

}  // namespace coracle::validation
