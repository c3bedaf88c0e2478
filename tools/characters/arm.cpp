// A right arm with its hand, as long as that of an adult: it hangs down, fingertips at the ground, palm to +x.
#include "tools/characters/cast.h"

#include <cmath>
#include <numbers>

namespace coracle::characters {
namespace {

struct Finger {
  const char* name;
  Vec3 knuckle;           // m
  Vec3 along;             // direction
  double length, radius;  // m
};

const Vec3 elbow(0, 0.45, 0), wrist(0, 0.19, 0);

Character build() {
  Character c{.name = "arm", .edge = 0.0045, .longest = 0.012};
  const int upper = c.add_bone("upper_arm", -1, {0, 0.57, 0});
  const int fore = c.add_bone("forearm", upper, elbow);
  const int hand = c.add_bone("hand", fore, wrist);
  c.body.push_back({.bone = upper, .a = {0, 0.57, 0}, .b = elbow, .ra = 0.046, .rb = 0.041});
  c.body.push_back({.bone = fore, .a = {0, 0.44, 0}, .b = {0, 0.36, 0}, .ra = 0.041, .rb = 0.043, .blend = 0.002});
  c.body.push_back({.bone = fore, .a = {0, 0.36, 0}, .b = wrist, .ra = 0.043, .rb = 0.029, .blend = 0.004});
  // The palm: four bones side by side, and the balls of thumb and little finger.
  const Finger fingers[] = {
      {"index", {0.001, 0.108, -0.030}, {0.02, -1, -0.13}, 0.083, 0.0094},
      {"middle", {0.002, 0.103, -0.0095}, {0.02, -1, -0.02}, 0.092, 0.0096},
      {"ring", {0.001, 0.107, 0.0115}, {0.02, -1, 0.09}, 0.085, 0.0092},
      {"little", {0.000, 0.115, 0.0305}, {0.02, -1, 0.24}, 0.066, 0.0082},
  };
  for (const Finger& f : fingers)
    c.body.push_back({.bone = hand,
                      .a = wrist + Vec3(0, -0.012, 0.35 * f.knuckle.z()),
                      .b = f.knuckle,
                      .ra = 0.0165,
                      .rb = 0.0118,
                      .blend = 0.014});
  c.body.push_back(
      {.bone = hand, .a = {0.010, 0.165, 0.020}, .b = {0.007, 0.120, 0.027}, .ra = 0.013, .rb = 0.010, .blend = 0.012});
  for (const Finger& f : fingers) {
    const Vec3 along = f.along.normalized();
    // Phalanges take 0.45, 0.3 and 0.25 of a finger.
    const double shares[] = {0, 0.45, 0.75, 1};
    int parent = hand;
    for (int k = 0; k < 3; ++k) {
      const Vec3 a = f.knuckle + shares[k] * f.length * along;
      const Vec3 b = f.knuckle + (shares[k + 1] * f.length - (k == 2 ? 0.9 * f.radius : 0)) * along;
      parent = c.add_bone(std::string(f.name) + "_" + std::to_string(k + 1), parent, a);
      c.body.push_back({.bone = parent,
                        .a = a,
                        .b = b,
                        .ra = f.radius * (1.04 - 0.08 * k),
                        .rb = f.radius * (0.96 - 0.07 * k),
                        .blend = k == 0 ? 0.006 : 0.0});
    }
  }
  // The thumb stands off to the side of the index finger, in front of the palm.
  const Vec3 thumb[] = {{0.008, 0.168, -0.020}, {0.020, 0.132, -0.046}, {0.026, 0.100, -0.062}, {0.029, 0.078, -0.070}};
  const double radii[] = {0.0165, 0.0125, 0.0105, 0.0088};
  int parent = hand;
  for (int k = 0; k < 3; ++k) {
    parent = c.add_bone("thumb_" + std::to_string(k + 1), parent, thumb[k]);
    c.body.push_back({.bone = parent,
                      .a = thumb[k],
                      .b = thumb[k + 1],
                      .ra = radii[k],
                      .rb = radii[k + 1],
                      .blend = k == 0 ? 0.014 : 0.0});
  }
  return c;
}

// Fingers curled by this angle at each joint, the thumb by less.
void curl(const Character& c, Pose& pose, double degrees) {
  for (const char* finger : {"index", "middle", "ring", "little"})
    for (int k = 1; k <= 3; ++k)
      pose.turn[c.bone(finger + std::string("_") + std::to_string(k))] =
          turn((k == 1 ? 0.8 : 1) * degrees, Vec3::UnitZ());
  for (int k = 2; k <= 3; ++k) pose.turn[c.bone("thumb_" + std::to_string(k))] = turn(0.5 * degrees, Vec3(0, 0.4, 1));
}

// The hand goes round a circle of radius 0.12 m once a second, the forearm like a spoon about its elbow.
Pose stir(const Character& c, double t) {
  Pose pose = c.rest();
  const double phase = 2 * std::numbers::pi * t, lean = 12;
  pose.shift[0] = 0.045 * Vec3(std::cos(phase), 0, std::sin(phase));
  pose.turn[1] = turn(lean * std::cos(phase), Vec3::UnitZ()) * turn(-lean * std::sin(phase), Vec3::UnitX());
  pose.turn[2] = turn(8 * std::cos(phase - 0.6), Vec3::UnitZ());
  curl(c, pose, 12);
  return pose;
}

// From above: down into water whose surface is at y = 0.25 m, forward through it with a hollow hand, and out again; at
// the end the hand hangs 0.35 m higher than at rest and drips.
Pose dip(const Character& c, double t) {
  Pose pose = c.rest();
  pose.shift[0] = {curve({{0.0, -0.10}, {0.7, -0.10}, {1.7, 0.10}, {2.4, 0.12}}, t),
                   curve({{0.0, 0.35}, {0.8, 0.02}, {1.5, 0.02}, {2.4, 0.35}}, t), 0};
  pose.turn[1] = turn(curve({{0.0, -15}, {0.7, -20}, {1.6, 25}, {2.2, 20}, {3.0, 12}}, t), Vec3::UnitZ());
  pose.turn[2] = turn(curve({{0.0, 0}, {0.8, -12}, {1.6, 30}, {2.2, 25}, {3.0, 8}}, t), Vec3::UnitZ());
  curl(c, pose, curve({{0.0, 5}, {0.8, 12}, {1.5, 28}, {2.2, 25}, {3.0, 12}}, t));
  return pose;
}

}  // namespace

Character arm() {
  Character c = build();
  const Character still = c;
  c.clips.push_back({.name = "stir", .duration = 1, .pose = [still](double t) { return stir(still, t); }});
  c.clips.push_back({.name = "dip", .duration = 3, .pose = [still](double t) { return dip(still, t); }});
  return c;
}

}  // namespace coracle::characters
