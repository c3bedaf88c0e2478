// The animated mesh of include/coracle/character.h in motion.
#pragma once

#include "coracle/character.h"

#include <vector>

namespace coracle {

// Positions, exact velocities and, per vertex, the linear part F of the map from the surroundings of the vertex at rest
// to those now: of a skin, the blend of its joints; of a sequence, fitted to the triangles around the vertex, with
// lengths along the normal kept. All are pure functions of time; at a kink, those just after it.
void pose(const Character& character, const Playback& playback, double time, std::vector<Vec3>& x, std::vector<Vec3>& v,
          std::vector<Mat3>& frames);
void pose(const Character& character, const Playback& playback, double time, std::vector<Vec3>& x,
          std::vector<Vec3>& v);

// The F of a sequence: each triangle carries its edges and its unit normal along; a vertex takes their mean, weighted
// by the area at rest. Rigid motions come out exactly.
void fit_frames(const TriMesh& rest, const std::vector<Vec3>& x, std::vector<Mat3>& frames);

// x ← translate + rotation (scale x) for the mesh at rest and in all its poses.
void place(Character& character, double scale, const Mat3& rotation, const Vec3& translate);

// s between the shots of a sequence, or between linear keys of a clip, where they are farthest apart in the mean; 0: it
// is smooth.
double key_spacing(const Character& character, const Playback& playback);

// Times at which the poses are to be checked: evenly over the clip as it is played, at most `most` of them.
std::vector<double> sampled_times(const Character& character, const Playback& playback, int most);

}  // namespace coracle
