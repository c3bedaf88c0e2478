// A character: a closed skin that bones carry, and clips that move the bones.
#pragma once

#include "tools/characters/flesh.h"

#include "coracle/mesh.h"

#include <Eigen/Geometry>

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace coracle::characters {

using Quat = Eigen::Quaterniond;

// At rest no bone is turned: its frame is the world's, moved to its joint.
struct Bone {
  std::string name;
  int parent = -1;            // −1: a root; parents stand before their children
  Vec3 joint = Vec3::Zero();  // m: where it turns, at rest
};

// What a pose does to each bone, in the frame of its parent.
struct Pose {
  std::vector<Quat> turn;
  std::vector<Vec3> shift;  // m, beyond the joint at rest
};

struct Clip {
  std::string name;
  double duration = 1;  // s
  double rate = 60;     // keys a second
  std::function<Pose(double)> pose;
};

struct SkinWeights {
  std::array<int, 4> bone = {0, 0, 0, 0};
  std::array<double, 4> weight = {0, 0, 0, 0};  // their sum is 1
};

struct Character {
  std::string name;
  double edge = 0.01;     // m, of the lattice that makes the skin: about its shortest edges
  double longest = 0.02;  // m: about its longest edges
  int spread = 14;        // how far weights spread along the skin: rounds of averages
  std::vector<Bone> bones = {};
  std::vector<Flesh> body = {};
  std::vector<Clip> clips = {};
  TriMesh skin = {};
  std::vector<SkinWeights> weights = {};

  int add_bone(const std::string& name, int parent, const Vec3& joint);
  int bone(const std::string& name) const;
  Pose rest() const;
};

// The skin of the body, and the share of each bone in moving it.
void grow_skin(Character& character);

// The world's frame of each bone: x ← turn x + place.
struct Frames {
  std::vector<Quat> turn;
  std::vector<Vec3> place;
};
Frames frames_of(const std::vector<Bone>& bones, const Pose& pose);

// The skin in a pose: x = Σ w (R (x₀ − joint) + place), linear blend skinning.
std::vector<Vec3> posed_skin(const Character& character, const Pose& pose);

// Turns a bone to a direction that is fixed in the world: its rest is turned by `turn`, whatever its parents do.
void turn_in_world(const Character& character, Pose& pose, int bone, const Quat& turn);
// Turns a bone without a twist, so that what points along `rest` at rest points along `direction` in the world.
void point(const Character& character, Pose& pose, int bone, const Vec3& rest, const Vec3& direction);
// Turns an upper and a lower bone so that the joint after them, `end`, comes to `target` (or as near as they reach),
// with the middle joint on the side of `towards`.
void reach(const Character& character, Pose& pose, int upper, int lower, int end, const Vec3& target,
           const Vec3& towards);

// Turns by degrees about an axis.
Quat turn(double degrees, const Vec3& axis);
// A curve through knots {t, value}, smooth (cubic, flat at both ends); constant before the first and after the last.
double curve(const std::vector<std::array<double, 2>>& knots, double t);

// A binary glTF file.
std::string to_glb(const Character& character);

}  // namespace coracle::characters
