// Linear blend skinning: with the map G of each bone to the world at rest and now, and the weights w of a vertex,
//   x = M x₀,   v = Ṁ x₀,   F = the linear part of M,   M = Σ w G inverse_bind.
#include "coracle/shape/character.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/keys.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

MovingAffine at_rest(const Affine& map) { return {.a = map.a, .b = map.b}; }

// Where in the clip a time is, and how fast the clip runs then.
struct Moment {
  double time = 0, rate = 0;
};

Moment moment_of(const Character& character, const Playback& playback, double time) {
  const double length = character.clip.length, at = playback.start + playback.speed * time;
  if (at < 0 || !(length > 0)) return {};
  if (playback.loop) return {std::fmod(at, length), playback.speed};
  return at < length ? Moment{at, playback.speed} : Moment{length, 0};
}

std::vector<MovingAffine> joint_maps(const Character& character, double time) {
  std::vector<MovingAffine> local(character.bones.size());
  for (std::size_t b = 0; b < local.size(); ++b) local[b] = at_rest(character.bones[b].local);
  for (const Track& track : character.clip.tracks) local[track.bone] = track_at(track, time);
  const MovingAffine root = at_rest(character.root);
  for (std::size_t b = 0; b < local.size(); ++b) {
    const int parent = character.bones[b].parent;
    local[b] = (parent < 0 ? root : local[parent]) * local[b];
  }
  std::vector<MovingAffine> maps;
  for (const Character::Joint& joint : character.joints)
    maps.push_back(local[joint.bone] * at_rest(joint.inverse_bind));
  return maps;
}

void pose_skin(const Character& character, Moment moment, std::vector<Vec3>& x, std::vector<Vec3>& v,
               std::vector<Mat3>* frames) {
  const std::vector<MovingAffine> maps = joint_maps(character, moment.time);
  for_each_index(x.size(), [&](std::size_t i) {
    const Vec3& rest = character.rest.x[i];
    Vec3 here = Vec3::Zero(), rate = Vec3::Zero();
    Mat3 frame = Mat3::Zero();
    for (int k = character.first[i]; k < character.first[i + 1]; ++k) {
      const auto& [joint, weight] = character.influences[k];
      const MovingAffine& m = maps[joint];
      here += weight * (m.a * rest + m.b);
      rate += weight * (m.a_rate * rest + m.b_rate);
      if (frames) frame += weight * m.a;
    }
    x[i] = here;
    v[i] = moment.rate * rate;
    if (frames) (*frames)[i] = frame;
  });
}

void pose_shots(const Character& character, Moment moment, std::vector<Vec3>& x, std::vector<Vec3>& v) {
  const int last = int(character.shots.size()) - 1;
  const double rate = last > 0 ? last / character.clip.length : 0;  // shots per second
  const int from = std::clamp(int(std::floor(moment.time * rate)), 0, std::max(0, last - 1)),
            to = std::min(from + 1, last);
  const double s = moment.time * rate - from;
  for_each_index(x.size(), [&](std::size_t i) {
    const Vec3 step = character.shots[to][i] - character.shots[from][i];
    x[i] = character.shots[from][i] + s * step;
    v[i] = moment.rate * rate * step;
  });
}

// Of a triangle: two edges and the unit normal.
Mat3 triad(const std::vector<Vec3>& x, const Vec3i& t) {
  Mat3 m;
  m.col(0) = x[t[1]] - x[t[0]];
  m.col(1) = x[t[2]] - x[t[0]];
  m.col(2) = m.col(0).cross(m.col(1)).normalized();
  return m;
}

void pose_any(const Character& character, const Playback& playback, double time, std::vector<Vec3>& x,
              std::vector<Vec3>& v, std::vector<Mat3>* frames) {
  const Moment moment = moment_of(character, playback, time);
  x.resize(character.rest.x.size());
  v.resize(x.size());
  if (frames) frames->resize(x.size());
  if (character.shots.empty()) return pose_skin(character, moment, x, v, frames);
  pose_shots(character, moment, x, v);
  if (frames) fit_frames(character.rest, x, *frames);
}

}  // namespace

void fit_frames(const TriMesh& rest, const std::vector<Vec3>& x, std::vector<Mat3>& frames) {
  frames.assign(x.size(), Mat3::Zero());
  std::vector<double> area(x.size(), 0);
  for (const Vec3i& t : rest.tris) {
    const Mat3 before = triad(rest.x, t);
    const double weight = before.determinant();  // twice the area
    if (!(weight > 0)) continue;
    const Mat3 weighted = weight * triad(x, t) * before.inverse();
    for (const int i : t) frames[i] += weighted, area[i] += weight;
  }
  for (std::size_t i = 0; i < x.size(); ++i) frames[i] = area[i] > 0 ? Mat3(frames[i] / area[i]) : Mat3::Identity();
}

void pose(const Character& character, const Playback& playback, double time, std::vector<Vec3>& x, std::vector<Vec3>& v,
          std::vector<Mat3>& frames) {
  pose_any(character, playback, time, x, v, &frames);
}

void pose(const Character& character, const Playback& playback, double time, std::vector<Vec3>& x,
          std::vector<Vec3>& v) {
  pose_any(character, playback, time, x, v, nullptr);
}

void place(Character& character, double scale, const Mat3& rotation, const Vec3& translate) {
  const auto moved = [&](const Vec3& x) { return Vec3(translate + rotation * (scale * x)); };
  for (Vec3& x : character.rest.x) x = moved(x);
  for (std::vector<Vec3>& shot : character.shots)
    for (Vec3& x : shot) x = moved(x);
  character.root = {.a = scale * rotation * character.root.a, .b = moved(character.root.b)};
  for (Character::Joint& joint :
       character.joints) {  // what was placed goes back first: x₀ = Rᵀ (x − translate) / scale
    Affine& map = joint.inverse_bind;
    map.a = map.a * rotation.transpose() / scale;
    map.b -= map.a * translate;
  }
}

double key_spacing(const Character& character, const Playback& playback) {
  if (!(playback.speed > 0)) return 0;
  double longest = character.shots.size() > 1 ? character.clip.length / double(character.shots.size() - 1) : 0;
  for (const Track& track : character.clip.tracks)
    for (const Keys* keys : {&track.translation, &track.rotation, &track.scale})
      if (keys->interpolation == Interpolation::linear && keys->times.size() > 1)
        longest = std::max(longest, (keys->times.back() - keys->times.front()) / double(keys->times.size() - 1));
  return longest / playback.speed;
}

std::vector<double> sampled_times(const Character& character, const Playback& playback, int most) {
  const double length = character.clip.length;
  if (!(length > 0) || !(playback.speed > 0)) return {0};
  const double begin = playback.loop ? 0 : std::clamp(playback.start, 0.0, length);
  std::vector<double> times;
  for (int i = 0; i < most; ++i) {
    const double time = (begin + (length - begin) * i / std::max(1, most - 1) - playback.start) / playback.speed;
    times.push_back(time < 0 ? time + length / playback.speed : time);  // of the next round
  }
  return times;
}

}  // namespace coracle
