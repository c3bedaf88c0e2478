// An animated mesh as plain data: a skin that follows bones, or positions of its vertices for given times.
#pragma once

#include "coracle/mesh.h"
#include "coracle/types.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace coracle {

// x ↦ a x + b.
struct Affine {
  Mat3 a = Mat3::Identity();
  Vec3 b = Vec3::Zero();
};

enum class Interpolation { linear, step, cubic };

// What one quantity of a bone is at given times; constant before the first and after the last. Translations and scales
// have three numbers; rotations are unit quaternions x, y, z, w, and linear ones turn at a constant rate the short way.
struct Keys {
  Interpolation interpolation = Interpolation::linear;
  std::vector<double> times;            // s, increasing
  std::vector<Eigen::Vector4d> values;  // one per time; cubic: the slope before, the value, the slope after
};

// How a clip moves one bone: x ↦ translation + rotation (scale x), to the parent.
struct Track {
  int bone = 0;
  Keys translation, rotation, scale;
};

struct Clip {
  std::string name;
  double length = 0;  // s
  std::vector<Track> tracks;
};

// Either joints or shots are there, never both.
struct Character {
  struct Bone {
    std::string name;
    int parent = -1;  // it comes before its children
    Affine local;     // to the parent, where no clip moves the bone
  };
  // The skin may follow a bone in several ways, for parts of it may have been drawn in different places.
  struct Joint {
    int bone = 0;
    Affine inverse_bind;  // from the mesh at rest to the bone
  };
  struct Influence {
    int joint = 0;
    double weight = 0;  // those of a vertex add up to one
  };

  TriMesh rest;  // the bones in the pose in which they were bound to the skin; of a sequence, its first mesh
  Clip clip;
  Affine root;  // from the bones without a parent to the world
  std::vector<Bone> bones;
  std::vector<Joint> joints;
  std::vector<Influence> influences;     // vertex after vertex
  std::vector<int> first;                // of a vertex's influences; one more at the end
  std::vector<std::vector<Vec3>> shots;  // m, of all vertices, equally spaced over the clip, linear in between
};

// Which part of the clip is seen when: at time t, the clip is at start + speed t.
struct Playback {
  double start = 0;   // s of the clip; negative: it waits in its first pose
  double speed = 1;   // s of the clip per second
  bool loop = false;  // false: it stays in its last pose
};

}  // namespace coracle
