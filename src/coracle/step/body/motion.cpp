#include "coracle/step/body/motion.h"

#include "coracle/world/motion.h"

#include "coracle/step/body/elements.h"
#include "coracle/world/bodies.h"

#include <fmt/format.h>

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

std::string inversion_trouble(const std::vector<Body>& bodies, const std::vector<NodeField>& motion, double dt) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].rest->options.material != MaterialModel::neo_hookean) continue;
    NodeField x = bodies[b].x;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * motion[b][i];
    if (!std::isfinite(elastic_energy(bodies[b], x)))  // inverted: infinite energy
      return fmt::format(
          "bodies: an element of '{}' is inverted, which neo-Hookean material does not allow; elastic.newton = true "
          "prevents this",
          bodies[b].name);
  }
  return "";
}

namespace {

// The largest speed by which holds will move nodes of a body within the next `ahead` seconds, m/s.
double hold_speed(const Body& body, double time, double ahead) {
  double speed = 0;
  std::vector<Vec3> x, v;
  for (const std::vector<MotionOptions>& motions : body.rest->motions) {
    if (motions.empty()) continue;
    for (const double later : {0.0, 0.5, 1.0}) {
      apply_motions(motions, time + later * ahead, body.rest->x, x, v);
      for (const Hold& hold : body.rest->holds) speed = std::max(speed, v[hold.node].norm());
    }
  }
  return speed;
}

}  // namespace

double bodies_dt(const Scene& scene, const World& world) {
  double dt = std::numeric_limits<double>::infinity();
  const double edges = 0.5 * std::max(1.0, 0.5 * scene.time.cfl);
  for (const Body& body : world.bodies) {
    const double ahead = std::min(scene.time.max_dt, 1 / scene.time.fps);
    const double speed = std::max(
        {scene.gravity.norm() * world.clock.last_dt, max_speed(body), hold_speed(body, world.clock.time, ahead)});
    if (speed > 0) dt = std::min(dt, edges * body.rest->skin.edge / speed);
  }
  return dt;
}

double fastest_solid(const World& world) {
  double speed = 0;
  for (const Solid& s : world.solids)
    if (s.moving)
      for (const Vec3& v : s.v) speed = std::max(speed, v.norm());
  for (const Body& b : world.bodies) speed = std::max(speed, max_speed(b));
  return speed;
}

}  // namespace coracle
