// A humpback whale, 13 m long, that swims along +x at the height y = 0.
#include "tools/characters/cast.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coracle::characters {
namespace {

Character build() {
  Character c{.name = "whale", .edge = 0.1, .longest = 0.35};
  const int body = c.add_bone("body", -1, {1.0, 0, 0});
  const int head = c.add_bone("head", body, {3.2, 0, 0});
  const int tail1 = c.add_bone("tail_1", body, {-1.2, 0, 0});
  const int tail2 = c.add_bone("tail_2", tail1, {-3.0, 0.05, 0});
  const int tail3 = c.add_bone("tail_3", tail2, {-4.7, 0.1, 0});
  const int fluke = c.add_bone("fluke", tail3, {-6.0, 0.1, 0});
  struct Ring {
    int bone;
    double x, y, radius;
  };
  const Ring rings[] = {{head, 5.9, 0.05, 0.38},  {head, 4.7, 0.02, 0.76},   {head, 3.2, -0.05, 1.12},
                        {body, 1.4, -0.05, 1.30}, {body, 0.0, 0, 1.25},      {tail1, -1.4, 0.05, 1.02},
                        {tail2, -3.0, 0.1, 0.67}, {tail3, -4.7, 0.12, 0.36}, {tail3, -6.1, 0.1, 0.24}};
  for (std::size_t i = 0; i + 1 < std::size(rings); ++i) {
    const Ring &p = rings[i], &q = rings[i + 1];
    c.body.push_back({.bone = p.bone, .a = {p.x, p.y, 0}, .b = {q.x, q.y, 0}, .ra = p.radius, .rb = q.radius});
  }
  // The broad lower jaw, and the small fin on the back.
  c.body.push_back({.bone = head, .a = {5.6, -0.30, 0}, .b = {3.4, -0.45, 0}, .ra = 0.36, .rb = 0.88, .blend = 0.5});
  c.body.push_back({.bone = tail1,
                    .a = {-1.6, 0.85, 0},
                    .b = {-2.25, 1.18, 0},
                    .ra = 0.55,
                    .rb = 0.24,
                    .blend = 0.5,
                    .flat = 0.5,
                    .across = Vec3::UnitZ()});
  for (const double side : {-1.0, 1.0}) {
    const std::string end = side < 0 ? "_left" : "_right";
    // Long fins, a third of the body.
    const Vec3 shoulder(2.7, -0.60, 0.95 * side), middle(1.85, -0.95, 2.6 * side), tip(0.85, -1.15, 4.2 * side);
    const Vec3 across = (middle - shoulder).cross(Vec3(1, 0, 0.35 * side)).normalized();
    const int fin1 = c.add_bone("fin_1" + end, body, shoulder), fin2 = c.add_bone("fin_2" + end, fin1, middle);
    c.body.push_back({.bone = fin1,
                      .a = shoulder,
                      .b = middle,
                      .ra = 0.42,
                      .rb = 0.52,
                      .blend = 0.35,
                      .flat = 0.36,
                      .across = across});
    c.body.push_back({.bone = fin2, .a = middle, .b = tip, .ra = 0.52, .rb = 0.20, .flat = 0.36, .across = across});
    const int lobe = c.add_bone("fluke" + end, fluke, {-6.3, 0.1, 0.4 * side});
    c.body.push_back({.bone = fluke,
                      .a = {-5.9, 0.1, 0},
                      .b = {-6.35, 0.1, 0.55 * side},
                      .ra = 0.35,
                      .rb = 0.62,
                      .blend = 0.3,
                      .flat = 0.32});
    c.body.push_back({.bone = lobe,
                      .a = {-6.35, 0.1, 0.55 * side},
                      .b = {-7.15, 0.1, 2.15 * side},
                      .ra = 0.62,
                      .rb = 0.18,
                      .flat = 0.32});
  }
  return c;
}

constexpr double length = 13, breach_time = 5, dt = 1.0 / 240;

// Pitch of the long axis, degrees: steeply up, then over.
double pitch(double t) { return curve({{0.0, 62}, {1.2, 64}, {2.4, 42}, {3.6, -8}, {5.0, -22}}, t); }

// Height of the middle, with the water's surface at y = 0. Buoyancy balances the weight of what is under water, so only
// what is above falls: y'' = −g s, s the share of the long axis above the surface.
std::vector<double> heights() {
  double y = -10, v = 8.5;
  std::vector<double> all{y};
  for (double t = 0; t < breach_time - dt / 2; t += dt) {
    const double reach = 0.5 * length * std::max(std::abs(std::sin(pitch(t) * std::numbers::pi / 180)), 0.12);
    v -= dt * 9.81 * std::clamp((y + reach) / (2 * reach), 0.0, 1.0);
    all.push_back(y += dt * v);
  }
  return all;
}

// Out of the water along an arc, once round its long axis by half a turn, and back onto its back. It beats its tail
// while that is under water, and spreads its fins in the air.
Pose breach(const Character& c, const std::vector<double>& y, double t) {
  Pose pose = c.rest();
  const std::size_t k = std::min<std::size_t>(std::size_t(t / dt), y.size() - 2);
  pose.shift[0] = {2.2 * (t - 0.5 * breach_time), y[k] + (t / dt - double(k)) * (y[k + 1] - y[k]), 0};
  pose.turn[0] =
      turn(pitch(t), Vec3::UnitZ()) * turn(curve({{0.7, 0}, {2.4, 90}, {3.6, 165}, {4.4, 175}}, t), Vec3::UnitX());
  const double under = curve({{0.9, 1}, {2.0, 0}, {3.6, 0}, {4.6, 0.5}}, t), phase = 2 * std::numbers::pi * 0.6 * t;
  const char* spine[] = {"tail_1", "tail_2", "tail_3", "fluke"};
  const double beat[] = {4, 7, 10, 13}, arch = curve({{1.0, 0}, {2.2, 5}, {3.4, -6}, {4.6, 0}}, t);
  for (int i = 0; i < 4; ++i)
    pose.turn[c.bone(spine[i])] = turn(under * beat[i] * std::sin(phase - 0.6 * i) - arch, Vec3::UnitZ());
  pose.turn[c.bone("head")] = turn(arch, Vec3::UnitZ());
  const double spread = curve({{0.6, -28}, {2.0, 30}, {3.2, 38}, {4.4, 0}}, t);
  for (const double side : {-1.0, 1.0}) {
    const std::string end = side < 0 ? "_left" : "_right";
    pose.turn[c.bone("fin_1" + end)] = turn(-side * spread, Vec3::UnitX());
    pose.turn[c.bone("fin_2" + end)] = turn(-side * 0.5 * spread, Vec3::UnitX());
    pose.turn[c.bone("fluke" + end)] = turn(-side * under * 10 * std::sin(phase - 2.6), Vec3::UnitX());
  }
  return pose;
}

}  // namespace

Character whale() {
  Character c = build();
  const Character still = c;
  c.clips.push_back({.name = "breach", .duration = breach_time, .pose = [still, y = heights()](double t) {
                       return breach(still, y, t);
                     }});
  return c;
}

}  // namespace coracle::characters
