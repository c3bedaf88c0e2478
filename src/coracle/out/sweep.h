// A sweep: one scene, run with every combination of the values that some of its settings take.
#pragma once

#include "coracle/scene.h"

#include <string>
#include <vector>

namespace coracle {

// A path of the scene and the values that it takes, as TOML. One value: the same for all runs.
struct SweepSetting {
  std::string path;
  std::vector<std::string> values;
  bool swept() const { return values.size() > 1; }
  bool operator==(const SweepSetting&) const = default;
};

// Every value is a list "1,2,3"; an entry LOW:HIGH:COUNT stands for COUNT evenly spaced numbers, ends included. A comma
// within brackets, parentheses or quotes does not split. Throws SceneError with every problem found.
std::vector<SweepSetting> parse_settings(const std::vector<Override>& set);

// One run of a sweep.
struct SweepRun {
  std::string name;                 // of its folder: "resolution=16,radius=0.1", safe for file systems
  std::vector<Override> overrides;  // all settings, in order
  std::vector<std::string> swept;   // the values of the swept settings alone, in order
};

// All combinations; the last setting changes first. Names stay as they are when values are added behind the others.
// SceneError if there are more than anybody can want.
std::vector<SweepRun> sweep_runs(const std::vector<SweepSetting>& settings);

// The shortest end of each swept path that no other swept path has: "radius" for "solid.ball.radius".
std::vector<std::string> short_labels(const std::vector<SweepSetting>& settings);

}  // namespace coracle
