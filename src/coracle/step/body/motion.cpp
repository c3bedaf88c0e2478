#include "coracle/step/body/motion.h"

#include "coracle/step/body/elements.h"
#include "coracle/step/body/stress.h"
#include "coracle/world/bodies.h"
#include "coracle/world/motion.h"

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
          "bodies: {} is inverted, which neo_hookean does not allow; elastic.newton = true prevents this, and "
          "material = 'stable_neo_hookean' recovers from it",
          name_worst_element(bodies[b], x));
  }
  return "";
}

namespace {

constexpr int looks_ahead = 8;  // at the motion of holds, within the longest step

// The largest speed by which holds will move nodes of a body within the next `ahead` seconds, m/s.
double hold_speed(const Body& body, double time, double ahead) {
  double speed = 0;
  std::vector<Vec3> x, v;
  for (const std::vector<MotionOptions>& motions : body.rest->motions) {
    if (motions.empty()) continue;
    for (int i = 0; i <= looks_ahead; ++i) {
      apply_motions(motions, time + i * ahead / looks_ahead, body.rest->x, x, v);
      for (const Hold& hold : body.rest->holds) speed = std::max(speed, v[hold.node].norm());
    }
  }
  return speed;
}

// The largest speed of a body now, or that its holds will give within the next step, m/s.
double speed_ahead(const Scene& scene, const World& world, const Body& body) {
  return std::max(max_speed(body), hold_speed(body, world.clock.time, std::min(scene.time.max_dt, 1 / scene.time.fps)));
}

}  // namespace

double bodies_dt(const Scene& scene, const World& world) {
  double dt = std::numeric_limits<double>::infinity();
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
