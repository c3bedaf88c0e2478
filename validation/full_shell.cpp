// A hollow elastic sphere full of water: the water cannot leave, and there is no air that could be compressed.
#include "coracle/shape/closest.h"
#include "validation/case.h"
#include "validation/setup.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle::validation {
namespace {

std::string scene_text(const std::string& gravity, const std::string& more, int frames) {
  return "gravity = " + gravity + "\n[domain]\nresolution = 48\n[time]\nfps = 24\nframes = " + std::to_string(frames) +
         "\n[[liquid.region]]\nshape = \"sphere\"\ncenter = [0.5, 0.5, 0.5]\nradius = 0.28\n"
         "[[body]]\nname = \"shell\"\nshape = \"hollow_sphere\"\ncenter = [0.5, 0.5, 0.5]\nradius = 0.32\n"
         "thickness = 0.08\nedge = 0.06\nyoung = 2e5\npoisson = 0.4\n" +
         more;
}

// The triangles that face the water inside: all but those of the hull.
std::vector<Vec3i> inner_triangles(const BodyRest& rest) {
  std::vector<Vec3i> inner;
  auto next = rest.skin.hull.begin();  // in the order of skin.tris
  for (const Vec3i& t : rest.skin.tris)
    if (next != rest.skin.hull.end() && t == *next)
      ++next;
    else
      inner.push_back(t);
  return inner;
}

double cavity_volume(const std::vector<Vec3>& x, const std::vector<Vec3i>& inner) {
  double volume = 0;
  for (const Vec3i& t : inner) volume -= x[t[0]].dot(x[t[1]].cross(x[t[2]])) / 6;  // they face inward
  return volume;
}

// Particles that are not in the cavity: inside the wall, or beyond it.
std::size_t strays(const std::vector<Vec3>& x, const std::vector<Vec3i>& inner, const Particles& particles) {
  const TriTree tree(x, inner);
  std::size_t out = 0;
  for (const Vec3& p : particles.x) out += tree.closest(p).distance < 0;  // > 0 is out of the material, into the cavity
  return out;
}

struct Course {
  double volume = 0;       // largest |V / V₀ − 1|
  std::size_t strays = 0;  // largest number at any time
  double fall_error = 0;   // m, largest deviation of the centre from free fall before contact
  double inner_speed = 0;  // m/s, largest velocity of the water relative to the shell before contact
  double lowest = 1;       // m, of the shell's centre
  double contacts = 0;
};

Course follow(const std::string& text) {
  Course course;
  std::vector<Vec3i> inner;
  double start = 0;
  bool touched = false;
  run_text(text, "full_shell", [&](const StepReport& r, const World& w, const Workspace&) {
    const Body& body = w.bodies[0];
    if (inner.empty()) inner = inner_triangles(*body.rest), start = cavity_volume(body.rest->x, inner);
    course.volume = std::max(course.volume, std::abs(cavity_volume(body.x, inner) / start - 1));
    course.strays = std::max(course.strays, strays(body.x, inner, liquid_of(w).particles));
    const BodyReport& report = r.bodies[0];
    course.lowest = std::min(course.lowest, report.center.y());
    course.contacts = std::max(course.contacts, double(report.contacts));
    touched = touched || report.contacts > 0;
    if (touched) return;
    const double falling = 0.5 - 0.5 * g * r.time * r.time;  // m, the height of the centre
    const Vec3 momentum = report.momentum;
    double mass = 0;
    for (double m : body.rest->mass) mass += m;
    // The body has the velocity of the middle of the step, the particles have that of `lag` before its end.
    const Vec3 later(0, -g * (0.5 * r.dt - liquid_of(w).lag), 0);
    for (const Vec3f& v : liquid_of(w).particles.v)
      course.inner_speed = std::max(course.inner_speed, (v.cast<double>() - momentum / mass - later).norm());
    course.fall_error = std::max(course.fall_error, std::abs(report.center.y() - falling));
  });
  return course;
}

}  // namespace

Outcome full_shell() {
  Outcome out;
  const std::string source = "water keeps its volume";
  const Course drop = follow(scene_text("[0, -9.81, 0]", "", 24));
  out.results.push_back(at_most("dropped: largest change of the cavity", drop.volume, 0.005, "of V", source));
  out.results.push_back(at_most("dropped: particles outside the cavity", double(drop.strays), 0, "", source));
  out.results.push_back(at_most("dropped: distance from free fall before it lands", drop.fall_error, 1e-6, "m",
                                "½ g t²; weightless inside"));
  out.results.push_back(at_most("dropped: water's motion inside before it lands", drop.inner_speed, 1e-5, "m/s",
                                "falls with the shell; particles hold floats"));
  out.results.push_back(at_least("dropped: contacts with the floor", drop.contacts, 1, "", "it does land"));
  const Course spin = follow(scene_text("[0, 0, 0]", "spin = [0, 6, 2]\n", 24));
  out.results.push_back(at_most("spinning: largest change of the cavity", spin.volume, 0.005, "of V", source));
  out.results.push_back(at_most("spinning: particles outside the cavity", double(spin.strays), 0, "", source));
  return out;
}

}  // namespace coracle::validation
