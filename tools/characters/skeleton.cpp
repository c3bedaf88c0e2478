#include "tools/characters/character.h"

#include "coracle/base/check.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coracle::characters {

int Character::add_bone(const std::string& bone_name, int parent, const Vec3& joint) {
  bones.push_back({.name = bone_name, .parent = parent, .joint = joint});
  return int(bones.size()) - 1;
}

int Character::bone(const std::string& wanted) const {
  const auto it = std::find_if(bones.begin(), bones.end(), [&](const Bone& b) { return b.name == wanted; });
  CHECK(it != bones.end());
  return int(it - bones.begin());
}

Pose Character::rest() const {
  return {.turn = std::vector<Quat>(bones.size(), Quat::Identity()),
          .shift = std::vector<Vec3>(bones.size(), Vec3::Zero())};
}

Frames frames_of(const std::vector<Bone>& bones, const Pose& pose) {
  Frames frames{.turn = pose.turn, .place = std::vector<Vec3>(bones.size())};
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const int p = bones[b].parent;
    if (p < 0) {
      frames.place[b] = bones[b].joint + pose.shift[b];
    } else {
      frames.turn[b] = frames.turn[p] * pose.turn[b];
      frames.place[b] = frames.place[p] + frames.turn[p] * (bones[b].joint - bones[p].joint + pose.shift[b]);
    }
  }
  return frames;
}

std::vector<Vec3> posed_skin(const Character& character, const Pose& pose) {
  const Frames frames = frames_of(character.bones, pose);
  std::vector<Vec3> x(character.skin.x.size(), Vec3::Zero());
  for (std::size_t v = 0; v < x.size(); ++v)
    for (int k = 0; k < 4; ++k) {
      const int b = character.weights[v].bone[k];
      x[v] += character.weights[v].weight[k] *
              (frames.turn[b] * (character.skin.x[v] - character.bones[b].joint) + frames.place[b]);
    }
  return x;
}

namespace {

Quat turn_above(const Character& character, const Pose& pose, int bone) {
  const int parent = character.bones[bone].parent;
  return parent < 0 ? Quat::Identity() : frames_of(character.bones, pose).turn[parent];
}

}  // namespace

void turn_in_world(const Character& character, Pose& pose, int bone, const Quat& turn) {
  pose.turn[bone] = turn_above(character, pose, bone).conjugate() * turn;
}

void point(const Character& character, Pose& pose, int bone, const Vec3& rest, const Vec3& direction) {
  pose.turn[bone] = Quat::FromTwoVectors(rest, turn_above(character, pose, bone).conjugate() * direction);
}

void reach(const Character& character, Pose& pose, int upper, int lower, int end, const Vec3& target,
           const Vec3& towards) {
  const Vec3 upper_rest = character.bones[lower].joint - character.bones[upper].joint;
  const Vec3 lower_rest = character.bones[end].joint - character.bones[lower].joint;
  const double l1 = upper_rest.norm(), l2 = lower_rest.norm();
  const Vec3 start = frames_of(character.bones, pose).place[upper];
  const Vec3 ahead = (target - start).normalized();
  // Limbs that become straight turn infinitely fast: the last 1.5 % are approached, not reached.
  const double easy = 0.985 * (l1 + l2), rest = l1 + l2 - easy;
  double d = std::max((target - start).norm(), 1.05 * std::abs(l1 - l2));
  if (d > easy) d = easy + rest * (1 - std::exp((easy - d) / rest));
  const Vec3 side = (towards - towards.dot(ahead) * ahead).normalized();
  // The triangle of sides l1, l2, d: the middle joint is `along` of the way and `off` to the side.
  const double along = (d * d + l1 * l1 - l2 * l2) / (2 * d);
  const double off = std::sqrt(std::max(l1 * l1 - along * along, 0.0));
  const Vec3 to_middle = along * ahead + off * side, from_middle = d * ahead - to_middle;
  point(character, pose, upper, upper_rest, to_middle);
  point(character, pose, lower, lower_rest, from_middle);
}

Quat turn(double degrees, const Vec3& axis) {
  return Quat(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()));
}

double curve(const std::vector<std::array<double, 2>>& knots, double t) {
  const int n = int(knots.size());
  if (t <= knots.front()[0]) return knots.front()[1];
  if (t >= knots.back()[0]) return knots.back()[1];
  int i = 0;
  while (t > knots[i + 1][0]) ++i;
  // Hermite's cubic. The slope at a knot is that between its neighbours, and zero where the values turn back.
  const auto slope = [&](int k) {
    if (k == 0 || k == n - 1) return 0.0;
    const double before = knots[k][1] - knots[k - 1][1], after = knots[k + 1][1] - knots[k][1];
    return before * after <= 0 ? 0.0 : (before + after) / (knots[k + 1][0] - knots[k - 1][0]);
  };
  const double h = knots[i + 1][0] - knots[i][0], u = (t - knots[i][0]) / h;
  const double p = u * u * (3 - 2 * u);
  return (1 - p) * knots[i][1] + p * knots[i + 1][1] + h * u * (1 - u) * ((1 - u) * slope(i) - u * slope(i + 1));
}

}  // namespace coracle::characters
