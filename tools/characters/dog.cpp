// A dog of a Labrador's size that looks along +x: 0.57 m high at the withers.
#include "tools/characters/cast.h"

#include <array>
#include <cmath>
#include <numbers>

namespace coracle::characters {
namespace {

constexpr double pi = std::numbers::pi;

// The torso's skin slides around the spine, so each ring of it turns by itself. From the rump to the breast.
constexpr int rings = 11;
double station(double ring) { return -0.275 + 0.5 / rings * ring; }  // m, along x
double radius_at(double x) {
  return curve({{-0.275, 0.092}, {-0.19, 0.099}, {-0.10, 0.100}, {0.08, 0.127}, {0.16, 0.130}, {0.225, 0.105}}, x);
}
constexpr double back = 0.565;  // m, height

struct Leg {
  const char* name;
  Vec3 top, middle, ankle, paw;  // m, right side; the paw at its ball
  double bend;                   // side to which the middle joint points, along x
};
const Leg legs[] = {
    {"fore", {0.185, 0.405, 0.088}, {0.125, 0.290, 0.102}, {0.150, 0.100, 0.090}, {0.168, 0.027, 0.090}, -1},
    {"hind", {-0.240, 0.435, 0.078}, {-0.165, 0.305, 0.112}, {-0.300, 0.150, 0.092}, {-0.272, 0.027, 0.092}, 1},
};

const Vec3 toe(0.043, -0.011, 0);  // from the ball of a paw
constexpr double toe_radius = 0.0155;

Vec3 mirrored(const Vec3& x, double side) { return {x.x(), x.y(), side * x.z()}; }
std::string sided(const std::string& name, double side) { return name + (side < 0 ? "_left" : "_right"); }

void add_torso(Character& c, int root) {
  const auto centre = [](double ring) { return Vec3(station(ring), back - radius_at(station(ring)), 0); };
  for (int i = 0; i < rings; ++i) {
    const int ring = c.add_bone("ring_" + std::to_string(i + 1), root, centre(i + 0.5));
    c.body.push_back({.bone = ring,
                      .a = centre(i),
                      .b = centre(i + 1),
                      .ra = radius_at(station(i)),
                      .rb = radius_at(station(i + 1)),
                      .flat = 0.84,
                      .across = Vec3::UnitZ()});
  }
}

void add_head(Character& c, int root) {
  const int neck1 = c.add_bone("neck_1", root, {0.235, 0.485, 0});
  const int neck2 = c.add_bone("neck_2", neck1, {0.31, 0.575, 0});
  const int head = c.add_bone("head", neck2, {0.385, 0.655, 0});
  c.body.push_back({.bone = neck1,
                    .a = {0.215, 0.475, 0},
                    .b = {0.31, 0.575, 0},
                    .ra = 0.098,
                    .rb = 0.073,
                    .blend = 0.06,
                    .flat = 0.85,
                    .across = Vec3::UnitZ()});
  c.body.push_back({.bone = neck2,
                    .a = {0.31, 0.575, 0},
                    .b = {0.385, 0.655, 0},
                    .ra = 0.072,
                    .rb = 0.062,
                    .flat = 0.9,
                    .across = Vec3::UnitZ()});
  // Skull, cheeks, muzzle with chin, nose.
  c.body.push_back(
      {.bone = head, .a = {0.400, 0.692, 0}, .b = {0.440, 0.700, 0}, .ra = 0.066, .rb = 0.062, .blend = 0.03});
  c.body.push_back(
      {.bone = head, .a = {0.420, 0.668, 0}, .b = {0.470, 0.660, 0}, .ra = 0.060, .rb = 0.050, .blend = 0.03});
  c.body.push_back({.bone = head,
                    .a = {0.480, 0.670, 0},
                    .b = {0.570, 0.656, 0},
                    .ra = 0.040,
                    .rb = 0.031,
                    .blend = 0.03,
                    .flat = 0.9,
                    .across = Vec3::UnitY()});
  c.body.push_back(
      {.bone = head, .a = {0.480, 0.640, 0}, .b = {0.555, 0.633, 0}, .ra = 0.030, .rb = 0.020, .blend = 0.015});
  c.body.push_back({.bone = head,
                    .a = {0.590, 0.665, -0.004},
                    .b = {0.590, 0.665, 0.004},
                    .ra = 0.016,
                    .rb = 0.016,
                    .blend = 0.012});
  for (const double side : {-1.0, 1.0}) {
    // Brows, and ears that hang.
    c.body.push_back({.bone = head,
                      .a = mirrored({0.466, 0.712, 0.026}, side),
                      .b = mirrored({0.476, 0.708, 0.03}, side),
                      .ra = 0.018,
                      .rb = 0.014,
                      .blend = 0.02});
    const Vec3 root_of(0.396, 0.738, 0.047), fold(0.398, 0.731, 0.074), tip(0.418, 0.650, 0.108);
    const int ear = c.add_bone(sided("ear", side), head, mirrored(root_of, side));
    const Vec3 across = mirrored((tip - fold).cross(Vec3::UnitX()).normalized(), side);
    c.body.push_back({.bone = ear,
                      .a = mirrored(root_of, side),
                      .b = mirrored(fold, side),
                      .ra = 0.019,
                      .rb = 0.018,
                      .blend = 0.018,
                      .flat = 0.7,
                      .across = Vec3::UnitY()});
    c.body.push_back({.bone = ear,
                      .a = mirrored(fold, side),
                      .b = mirrored(tip, side),
                      .ra = 0.029,
                      .rb = 0.026,
                      .blend = 0.008,
                      .flat = 0.36,
                      .across = across});
  }
}

void add_tail(Character& c, int root) {
  const Vec3 x[] = {{-0.335, 0.515, 0}, {-0.425, 0.470, 0}, {-0.515, 0.430, 0}, {-0.60, 0.425, 0}};
  const double radius[] = {0.034, 0.028, 0.023, 0.014};
  int parent = root;
  for (int k = 0; k < 3; ++k) {
    parent = c.add_bone("tail_" + std::to_string(k + 1), parent, x[k]);
    c.body.push_back(
        {.bone = parent, .a = x[k], .b = x[k + 1], .ra = radius[k], .rb = radius[k + 1], .blend = k == 0 ? 0.04 : 0.0});
  }
}

void add_leg(Character& c, int root, const Leg& leg, double side) {
  const bool fore = leg.bend < 0;
  const Vec3 top = mirrored(leg.top, side), middle = mirrored(leg.middle, side), ankle = mirrored(leg.ankle, side),
             paw = mirrored(leg.paw, side);
  const std::string name = sided(leg.name, side);
  const int upper = c.add_bone(name + "_upper", root, top);
  const int lower = c.add_bone(name + "_lower", upper, middle);
  const int foot = c.add_bone(name + "_foot", lower, ankle);
  c.body.push_back({.bone = upper,
                    .a = top,
                    .b = middle,
                    .ra = fore ? 0.062 : 0.086,
                    .rb = fore ? 0.044 : 0.055,
                    .blend = 0.035,
                    .flat = fore ? 0.7 : 0.62,
                    .across = Vec3::UnitZ()});
  c.body.push_back({.bone = lower,
                    .a = middle,
                    .b = ankle,
                    .ra = fore ? 0.038 : 0.045,
                    .rb = fore ? 0.0245 : 0.0235,
                    .blend = 0.008});
  c.body.push_back({.bone = foot, .a = ankle, .b = paw + Vec3(-0.004, 0.012, 0), .ra = 0.0245, .rb = 0.023});
  // The paw, and its toes.
  c.body.push_back(
      {.bone = foot, .a = paw, .b = paw + Vec3(0.022, -0.002, 0), .ra = 0.027, .rb = 0.0245, .blend = 0.012});
  for (const double z : {-0.013, 0.013})
    c.body.push_back({.bone = foot,
                      .a = paw + Vec3(0.02, -0.006, z),
                      .b = paw + toe + Vec3(0, 0, z),
                      .ra = 0.018,
                      .rb = toe_radius,
                      .blend = 0.008});
}

// ---- Walk: 0.7 m/s on the spot, the ground passes to −x

constexpr double stride_time = 0.8, speed = 0.7, on_ground = 0.65;  // s, m/s, share of the stride

// Where a paw is, from its place at rest. It follows the ground, then comes forward with the same speed at both ends.
Vec3 step_at(double phase, double lift) {
  const double far = 0.5 * speed * stride_time * on_ground;
  const double air = 1 - on_ground;
  if (phase < on_ground) return {far - speed * stride_time * phase, 0, 0};
  const double u = (phase - on_ground) / air, slope = -speed * stride_time * air, p = u * u * (3 - 2 * u);
  const double x = (2 * p - 1) * far + slope * u * (1 - u) * (1 - 2 * u);
  return {x, lift * std::pow(std::sin(pi * u), 2), 0};
}

Pose walk(const Character& c, double t) {
  Pose pose = c.rest();
  const double phase = t / stride_time, wave = 2 * pi * phase;
  pose.shift[0] = {0, -0.016 + 0.006 * std::cos(2 * wave), 0};
  const double start[] = {0.0, 0.5, 0.75, 0.25};  // fore left, fore right, hind left, hind right
  int k = 0;
  for (const Leg& leg : legs)
    for (const double side : {-1.0, 1.0}) {
      const double own = phase + start[k++], here = own - std::floor(own);
      const std::string name = sided(leg.name, side);
      const bool fore = leg.bend < 0;
      // The foot tips forward before it leaves the ground, and folds back in the air.
      const double tip = fore ? curve({{0, 4}, {0.4, 0}, {0.65, -32}, {0.80, -70}, {0.95, 4}, {1, 4}}, here)
                              : curve({{0, 8}, {0.35, 4}, {0.68, -26}, {0.95, 8}, {1, 8}}, here);
      const Quat roll = turn(tip, Vec3::UnitZ());
      const Vec3 step = step_at(here, fore ? 0.06 : 0.045);
      Vec3 paw = mirrored(leg.paw, side) + step;
      if (!fore) paw.x() -= 0.02;                                     // room between knee and belly
      paw.y() += std::max(0.0, toe_radius - (paw + roll * toe).y());  // toes stay above the ground
      const int upper = c.bone(name + "_upper"), lower = c.bone(name + "_lower"), foot = c.bone(name + "_foot");
      if (fore) pose.shift[upper].x() = 0.25 * step.x();  // the shoulder blade swings along
      reach(c, pose, upper, lower, foot, paw + roll * mirrored(leg.ankle - leg.paw, side), leg.bend * Vec3::UnitX());
      turn_in_world(c, pose, foot, roll);
    }
  for (int i = 0; i < 3; ++i)
    pose.turn[c.bone("tail_" + std::to_string(i + 1))] = turn(9 * std::sin(wave - 0.7 * i), Vec3::UnitY());
  pose.turn[c.bone("neck_1")] = turn(-8 + 2.5 * std::cos(2 * wave), Vec3::UnitZ());
  pose.turn[c.bone("head")] = turn(4 - 2.5 * std::cos(2 * wave - 0.5), Vec3::UnitZ());
  for (const double side : {-1.0, 1.0})
    pose.turn[c.bone(sided("ear", side))] = turn(side * 4 * std::sin(2 * wave), Vec3::UnitX());
  return pose;
}

// ---- Shake: the skin swings about the long axis at 4 Hz, the head first; the paws stay

constexpr double shake_rate = 4, shake_time = 2;  // Hz, s

Pose shake(const Character& c, double t) {
  Pose pose = c.rest();
  const double strength = curve({{0.0, 0}, {0.5, 1}, {1.5, 1}, {2.0, 0}}, t);
  const double lower = curve({{0.0, 0}, {0.4, 1}, {1.6, 1}, {2.0, 0}}, t);
  // An angle that begins and ends at zero; `lag` in periods.
  const auto swing = [&](double degrees, double lag) {
    return degrees * strength * std::sin(2 * pi * (shake_rate * t - lag));
  };
  for (int i = 0; i < rings; ++i) {
    const double x = station(i + 0.5);
    const double degrees =
        curve({{-0.275, 18}, {-0.20, 34}, {-0.11, 70}, {-0.02, 87}, {0.06, 70}, {0.15, 34}, {0.225, 25}}, x);
    pose.turn[c.bone("ring_" + std::to_string(i + 1))] = turn(swing(degrees, 0.25 * (0.225 - x)), Vec3::UnitX());
  }
  // Neck and head come down into the line of the back and turn about it.
  const auto about_neck = [&](const char* bone, double down, double degrees, double lag) {
    pose.turn[c.bone(bone)] = turn(-down * lower, Vec3::UnitZ()) * turn(swing(degrees, lag), Vec3(1, 0.9, 0));
  };
  about_neck("neck_1", 22, 14, 0);
  about_neck("neck_2", 6, 24, 0);
  pose.turn[c.bone("head")] = turn(14 * lower, Vec3::UnitZ()) * turn(swing(52, 0), Vec3(1, 0.1, 0));
  // Ears fly out, and the tail follows.
  for (const double side : {-1.0, 1.0})
    pose.turn[c.bone(sided("ear", side))] = turn(-side * 38 * strength + swing(16, 0.2), Vec3::UnitX());
  for (int i = 0; i < 3; ++i)
    pose.turn[c.bone("tail_" + std::to_string(i + 1))] = turn(swing(14, 0.3 + 0.06 * i), Vec3::UnitY());
  return pose;
}

}  // namespace

Character dog() {
  Character c{.name = "dog", .edge = 0.0105, .longest = 0.026, .spread = 5};
  const int root = c.add_bone("body", -1, {-0.05, 0.45, 0});
  add_torso(c, root);
  add_head(c, root);
  add_tail(c, root);
  for (const Leg& leg : legs)
    for (const double side : {-1.0, 1.0}) add_leg(c, root, leg, side);
  const Character still = c;
  c.clips.push_back({.name = "walk", .duration = stride_time, .pose = [still](double t) { return walk(still, t); }});
  // 48 keys a swing: linear keys then change the velocity by an eighth of its largest value.
  c.clips.push_back({.name = "shake", .duration = shake_time, .rate = 48 * shake_rate, .pose = [still](double t) {
                       return shake(still, t);
                     }});
  return c;
}

}  // namespace coracle::characters
