// A woman, 1.7 m tall, with long hair in a tail. She stands and looks along +x.
#include "tools/characters/cast.h"

#include <cmath>
#include <numbers>

namespace coracle::characters {
namespace {

Vec3 mirrored(const Vec3& x, double side) { return {x.x(), x.y(), side * x.z()}; }
std::string sided(const std::string& name, double side) { return name + (side < 0 ? "_left" : "_right"); }

// Joints at rest, right side, m.
const Vec3 shoulder(-0.01, 1.395, 0.165), elbow(-0.02, 1.145, 0.265), wrist(0.01, 0.925, 0.335),
    palm(0.02, 0.855, 0.355);
const Vec3 hip(0, 0.90, 0.085), knee(0.030, 0.495, 0.095), ankle(-0.02, 0.085, 0.10);
const Vec3 hair[] = {
    {-0.095, 1.615, 0}, {-0.170, 1.535, 0}, {-0.195, 1.415, 0}, {-0.200, 1.285, 0}, {-0.195, 1.155, 0}};

void add_trunk(Character& c) {
  const int pelvis = c.add_bone("pelvis", -1, {0, 0.93, 0});
  const int spine = c.add_bone("spine", pelvis, {0, 1.04, 0});
  const int chest = c.add_bone("chest", spine, {0, 1.17, 0});
  const int neck = c.add_bone("neck", chest, {-0.01, 1.44, 0});
  const int head = c.add_bone("head", neck, {0.005, 1.53, 0});
  const Vec3 z = Vec3::UnitZ(), x = Vec3::UnitX();
  c.body.push_back({.bone = pelvis,
                    .a = {0, 0.945, -0.055},
                    .b = {0, 0.945, 0.055},
                    .ra = 0.112,
                    .rb = 0.112,
                    .blend = 0.03,
                    .flat = 0.92,
                    .across = x});
  c.body.push_back({.bone = spine,
                    .a = {0.005, 1.03, 0},
                    .b = {0.005, 1.17, 0},
                    .ra = 0.125,
                    .rb = 0.122,
                    .blend = 0.06,
                    .flat = 0.76,
                    .across = x});
  c.body.push_back({.bone = chest,
                    .a = {0, 1.19, 0},
                    .b = {-0.01, 1.335, 0},
                    .ra = 0.132,
                    .rb = 0.138,
                    .blend = 0.05,
                    .flat = 0.74,
                    .across = x});
  c.body.push_back({.bone = chest,
                    .a = {-0.012, 1.395, -0.135},
                    .b = {-0.012, 1.395, 0.135},
                    .ra = 0.05,
                    .rb = 0.05,
                    .blend = 0.06});
  c.body.push_back(
      {.bone = neck, .a = {-0.012, 1.42, 0}, .b = {0.005, 1.54, 0}, .ra = 0.052, .rb = 0.047, .blend = 0.045});
  for (const double side : {-1.0, 1.0}) {
    c.body.push_back({.bone = chest,
                      .a = mirrored({0.055, 1.265, 0.068}, side),
                      .b = mirrored({0.078, 1.255, 0.074}, side),
                      .ra = 0.056,
                      .rb = 0.046,
                      .blend = 0.04});
    c.body.push_back({.bone = pelvis,
                      .a = mirrored({-0.055, 0.895, 0.062}, side),
                      .b = mirrored({-0.05, 0.925, 0.065}, side),
                      .ra = 0.085,
                      .rb = 0.085,
                      .blend = 0.04});
  }
  // Skull under hair, face, jaw, nose.
  c.body.push_back({.bone = head,
                    .a = {-0.005, 1.612, 0},
                    .b = {0.015, 1.618, 0},
                    .ra = 0.095,
                    .rb = 0.086,
                    .blend = 0.03,
                    .flat = 0.88,
                    .across = z});
  c.body.push_back({.bone = head,
                    .a = {0.035, 1.585, 0},
                    .b = {0.052, 1.532, 0},
                    .ra = 0.068,
                    .rb = 0.040,
                    .blend = 0.02,
                    .flat = 0.9,
                    .across = z});
  c.body.push_back(
      {.bone = head, .a = {0.096, 1.600, 0}, .b = {0.106, 1.575, 0}, .ra = 0.010, .rb = 0.013, .blend = 0.02});
  const double radius[] = {0.034, 0.040, 0.041, 0.036, 0.020};
  int parent = head;
  for (int k = 0; k < 4; ++k) {
    parent = c.add_bone("hair_" + std::to_string(k + 1), parent, hair[k]);
    c.body.push_back({.bone = parent,
                      .a = hair[k],
                      .b = hair[k + 1],
                      .ra = radius[k],
                      .rb = radius[k + 1],
                      .blend = k == 0 ? 0.02 : 0.0});
  }
}

void add_arm(Character& c, double side) {
  const int upper = c.add_bone(sided("upper_arm", side), c.bone("chest"), mirrored(shoulder, side));
  const int fore = c.add_bone(sided("forearm", side), upper, mirrored(elbow, side));
  const int hand = c.add_bone(sided("hand", side), fore, mirrored(wrist, side));
  c.body.push_back({.bone = upper,
                    .a = mirrored(shoulder, side),
                    .b = mirrored(elbow, side),
                    .ra = 0.050,
                    .rb = 0.037,
                    .blend = 0.035});
  c.body.push_back({.bone = fore, .a = mirrored(elbow, side), .b = mirrored(wrist, side), .ra = 0.037, .rb = 0.025});
  const Vec3 tips(0.03, 0.765, 0.375);
  const Vec3 across = mirrored(Vec3(0.15, 0.25, -1).normalized(), side);
  c.body.push_back({.bone = hand,
                    .a = mirrored(wrist, side),
                    .b = mirrored(palm, side),
                    .ra = 0.027,
                    .rb = 0.042,
                    .blend = 0.012,
                    .flat = 0.55,
                    .across = across});
  c.body.push_back({.bone = hand,
                    .a = mirrored(palm, side),
                    .b = mirrored(tips, side),
                    .ra = 0.041,
                    .rb = 0.027,
                    .flat = 0.52,
                    .across = across});
  c.body.push_back({.bone = hand,
                    .a = mirrored({0.035, 0.885, 0.345}, side),
                    .b = mirrored({0.078, 0.825, 0.345}, side),
                    .ra = 0.018,
                    .rb = 0.0145,
                    .blend = 0.012});
}

void add_leg(Character& c, double side) {
  const int thigh = c.add_bone(sided("thigh", side), c.bone("pelvis"), mirrored(hip, side));
  const int shin = c.add_bone(sided("shin", side), thigh, mirrored(knee, side));
  const int foot = c.add_bone(sided("foot", side), shin, mirrored(ankle, side));
  c.body.push_back({.bone = thigh,
                    .a = mirrored({0.005, 0.84, 0.09}, side),
                    .b = mirrored(knee, side),
                    .ra = 0.090,
                    .rb = 0.054,
                    .blend = 0.04});
  c.body.push_back({.bone = shin, .a = mirrored(knee, side), .b = mirrored(ankle, side), .ra = 0.053, .rb = 0.036});
  c.body.push_back({.bone = shin,
                    .a = mirrored({-0.018, 0.40, 0.097}, side),
                    .b = mirrored({-0.022, 0.26, 0.098}, side),
                    .ra = 0.047,
                    .rb = 0.042,
                    .blend = 0.02});
  c.body.push_back({.bone = foot,
                    .a = mirrored({-0.045, 0.040, 0.10}, side),
                    .b = mirrored({0.07, 0.038, 0.107}, side),
                    .ra = 0.036,
                    .rb = 0.037,
                    .blend = 0.02});
  c.body.push_back({.bone = foot,
                    .a = mirrored({0.07, 0.038, 0.107}, side),
                    .b = mirrored({0.145, 0.024, 0.110}, side),
                    .ra = 0.037,
                    .rb = 0.024});
}

// The pelvis at `place`, the feet where they stand, the trunk turned forward by `lean` degrees, half of it in the
// spine.
Pose standing(const Character& c, const Vec3& place, double lean) {
  Pose pose = c.rest();
  pose.shift[0] = place;
  pose.turn[c.bone("pelvis")] = turn(-0.45 * lean, Vec3::UnitZ());
  pose.turn[c.bone("spine")] = turn(-0.3 * lean, Vec3::UnitZ());
  pose.turn[c.bone("chest")] = turn(-0.25 * lean, Vec3::UnitZ());
  pose.turn[c.bone("neck")] = turn(0.35 * lean, Vec3::UnitZ());
  pose.turn[c.bone("head")] = turn(0.35 * lean, Vec3::UnitZ());
  for (const double side : {-1.0, 1.0}) {
    const int foot = c.bone(sided("foot", side));
    reach(c, pose, c.bone(sided("thigh", side)), c.bone(sided("shin", side)), foot, mirrored(ankle, side),
          Vec3(1, 0, 0.4 * side));
    turn_in_world(c, pose, foot, Quat::Identity());
  }
  // The tail of hair lies along the back.
  turn_in_world(c, pose, c.bone("hair_1"), turn(-0.9 * lean, Vec3::UnitZ()));
  return pose;
}

// A wrist at `target`, the elbow towards a side.
void wrist_to(const Character& c, Pose& pose, double side, const Vec3& target, const Vec3& towards) {
  reach(c, pose, c.bone(sided("upper_arm", side)), c.bone(sided("forearm", side)), c.bone(sided("hand", side)), target,
        towards);
}

// The fingers point to `target`, as far as `share` says.
void fingers_to(const Character& c, Pose& pose, double side, const Vec3& target, double share) {
  const int hand = c.bone(sided("hand", side));
  point(c, pose, hand, mirrored(palm - wrist, side), target - frames_of(c.bones, pose).place[hand]);
  pose.turn[hand] = Quat::Identity().slerp(share, pose.turn[hand]);
}

Vec3 mix(const Vec3& a, const Vec3& b, double share) { return a + share * (b - a); }

// From a squat, under water to the neck where that is 0.9 m deep, to standing.
Pose rise(const Character& c, double t) {
  const double up = curve({{0.2, 0}, {1.7, 1}}, t);
  Pose pose = standing(c, mix({-0.20, -0.40, 0}, {0, 0, 0}, up), 26 * (1 - up) + 8 * std::sin(std::numbers::pi * up));
  const Vec3 squat(0.38, 0.52, 0.30);
  for (const double side : {-1.0, 1.0})
    wrist_to(c, pose, side, mirrored(mix(squat, wrist, up) + Vec3(0.05 * std::sin(std::numbers::pi * up), 0, 0), side),
             mirrored({-0.6, -0.2, 1}, side));
  return pose;
}

// Onto a seat 0.45 m high, whose edge is 0.15 m behind the heels.
Pose sit(const Character& c, double t) {
  const double down = curve({{0.2, 0}, {1.8, 1}}, t), middle = std::sin(std::numbers::pi * down);
  Pose pose = standing(c, {-0.40 * down, -0.365 * down - 0.03 * middle, 0}, 30 * middle + 4 * down);
  for (const double side : {-1.0, 1.0})
    wrist_to(c, pose, side,
             mirrored(mix(wrist, {-0.10, 0.70, 0.19}, down) + Vec3(0.12 * middle, 0.05 * middle, 0.04 * middle), side),
             mirrored({-1, -0.2, 0.8}, side));
  return pose;
}

// The head tilts, the hair comes over the right shoulder, both hands take it and turn against each other.
Pose wring(const Character& c, double t) {
  const double aside = curve({{0.0, 0}, {1.2, 1}, {3.8, 1}, {5.0, 0}}, t);
  const double twist = curve({{1.3, 0}, {2.3, 1}, {2.7, 1}, {3.6, 0}}, t);
  Pose pose = standing(c, Vec3::Zero(), 8 * aside);
  pose.turn[c.bone("neck")] = pose.turn[c.bone("neck")] * turn(12 * aside, Vec3::UnitX());
  pose.turn[c.bone("head")] = pose.turn[c.bone("head")] * turn(14 * aside, Vec3::UnitX());
  // The hair swings round behind the neck to the right, then forward and down.
  const Vec3 ways[] = {{-0.30, -0.10, 0.95}, {0.45, -0.15, 0.88}, {0.70, -0.35, 0.60}, {0.70, -0.60, 0.40}};
  for (int k = 0; k < 4; ++k) {
    const Vec3 now = hair[k + 1] - hair[k];
    const Quat there = Quat::FromTwoVectors(now, ways[k]), held = frames_of(c.bones, pose).turn[c.bone("head")];
    turn_in_world(c, pose, c.bone("hair_" + std::to_string(k + 1)),
                  held.slerp(aside, there * turn((k - 1) * 45 * twist, now)));
  }
  const Frames frames = frames_of(c.bones, pose);
  const Vec3 upper_grip = frames.place[c.bone("hair_3")], lower_grip = frames.place[c.bone("hair_4")];
  const Vec3 left = mirrored(wrist, -1), around(0.25 * std::sin(std::numbers::pi * aside), 0, 0);
  wrist_to(c, pose, 1, mix(wrist, lower_grip + Vec3(0.09, -0.09, 0.12), aside), {-0.3, -1, 0.4});
  fingers_to(c, pose, 1, lower_grip + Vec3(0.10, 0.03, 0.06), aside);
  wrist_to(c, pose, -1, mix(left, upper_grip + Vec3(0.15, -0.04, -0.06), aside) + around, {1, -0.25, -0.6});
  fingers_to(c, pose, -1, upper_grip + Vec3(0.12, 0.04, 0.05), aside);
  return pose;
}

}  // namespace

Character bather() {
  Character c{.name = "bather", .edge = 0.0145, .longest = 0.032};
  add_trunk(c);
  for (const double side : {-1.0, 1.0}) add_arm(c, side), add_leg(c, side);
  const Character still = c;
  c.clips.push_back({.name = "rise", .duration = 2, .pose = [still](double t) { return rise(still, t); }});
  c.clips.push_back({.name = "sit", .duration = 2, .pose = [still](double t) { return sit(still, t); }});
  c.clips.push_back(
      {.name = "wring", .duration = 5, .rate = 40, .pose = [still](double t) { return wring(still, t); }});
  return c;
}

}  // namespace coracle::characters
