#include "coracle/step/body/motion.h"

#include "coracle/world/bodies.h"
#include "coracle/world/motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coracle {

void advance_clock(Clock& clock, double dt) {
  clock.time += dt;
  clock.last_dt = dt;
  clock.step += 1;
}

void move_bodies(std::vector<Body>& bodies, const std::vector<NodeField>& motion, double dt) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (std::size_t i = 0; i < bodies[b].x.size(); ++i) bodies[b].x[i] += dt * motion[b][i];
}

namespace {

constexpr int looks_ahead = 8;  // at the motion of holds, within the longest step

// The largest speed by which holds will move nodes of a body within the next `ahead` seconds, m/s.
double hold_speed(const Body& body, double time, double ahead) {
  const BodyRest& rest = *body.rest;
  double speed = 0;
  std::vector<Vec3> x, v;
  for (const Shift& shift : body.controls.shifts)
    if (time < shift.end) speed = std::max(speed, (shift.to - shift.from).norm() / (shift.end - shift.start));
  for (std::size_t m = 0; m < rest.motions.size(); ++m) {
    if (rest.motions[m].empty()) continue;
    for (int i = 0; i <= looks_ahead; ++i) {
      apply_motions(rest.motions[m], time + i * ahead / looks_ahead, rest.x, x, v);
      for (const Hold& hold : rest.holds)
        for (const Hold::Direction& d : hold.directions)
          if (d.motion == int(m)) speed = std::max(speed, std::abs(d.along.dot(v[hold.node])));
    }
  }
  return speed;
}

// The largest speed of a body now, or that its holds will give within the longest possible step, m/s.
double speed_ahead(const Scene& scene, const World& world, const Body& body) {
  return std::max(max_speed(body), hold_speed(body, world.clock.time, std::min(scene.time.max_dt, 1 / scene.time.fps)));
}

}  // namespace

double bodies_dt(const Scene& scene, const World& world) {
  double dt = std::numeric_limits<double>::infinity();
  if (scene.contact.kind == ContactKind::barrier) return dt;  // nothing passes it
  const double edges = 0.5 * std::max(1.0, 0.5 * scene.time.cfl);
  for (const Body& body : world.bodies) {
    const double speed = std::max(scene.gravity.norm() * world.clock.last_dt, speed_ahead(scene, world, body));
    if (speed > 0) dt = std::min(dt, edges * body.rest->skin.edge / speed);
  }
  return dt;
}

double fastest_solid(const Scene& scene, const World& world) {
  double speed = 0;
  for (const Solid& s : world.solids)
    if (s.moving)
      for (const Vec3& v : s.v) speed = std::max(speed, v.norm());
  for (const Body& b : world.bodies) speed = std::max(speed, speed_ahead(scene, world, b));
  return speed;
}

}  // namespace coracle
