#include "coracle/step/body/measure.h"

#include "coracle/shape/tri_mesh.h"
#include "coracle/step/body/stress.h"
#include "coracle/world/bodies.h"

#include <unistd.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cstdio>

namespace coracle {
namespace {

double memory_mb() {
  long pages = 0, resident = 0;
  if (std::FILE* f = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(f, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(f);
  }
  return double(resident) * double(sysconf(_SC_PAGESIZE)) / 1e6;
}

// Where a solid is now; at rest if the name is empty.
Pose pose_of(const World& world, const std::string& solid) {
  for (const Solid& s : world.solids)
    if (!solid.empty() && !s.inflow && s.name == solid) return pose_at(s.motions, world.clock.time);
  return {};
}

std::vector<double> probe_values(const Scene& scene, const World& world, StepWork& work, const FluidProbes& fluid,
                                 const StepReport& report) {
  std::vector<double> values;
  std::size_t place = 0;  // of displacement probes
  for (const ProbeOptions& probe : scene.probes) {
    const auto body =
        std::find_if(world.bodies.begin(), world.bodies.end(), [&](const Body& b) { return b.name == probe.body; });
    const Pose pose = pose_of(world, probe.moves_with);
    const bool inside = probe.moves_with.empty() || world.domain.contains(pose(probe.point));
    switch (probe.kind) {
      case ProbeKind::pressure:
        values.push_back(fluid.pressure && inside ? fluid.pressure(pose(probe.point)) : 0);
        break;
      case ProbeKind::height: {
        Vec3 from = pose(probe.from), to = pose(probe.to);
        if (!probe.moves_with.empty()) clip_line(world.domain, from, to);
        values.push_back(fluid.height ? fluid.height(from, to) : 0);
        break;
      }
      case ProbeKind::velocity: {
        const Vec3 v = fluid.velocity && inside ? fluid.velocity(pose(probe.point)) : Vec3::Zero();
        values.insert(values.end(), v.begin(), v.end());
        break;
      }
      case ProbeKind::volume:
        values.push_back(fluid.volume ? fluid.volume({{probe.min, probe.max}, pose}) : 0);
        break;
      case ProbeKind::outside:
        values.push_back(fluid.outside ? fluid.outside(*body) : 0);
        break;
      case ProbeKind::displacement: {
        if (work.probe_places.size() == place) work.probe_places.push_back(embed(*body->rest, {probe.point}));
        const Embedding& at = work.probe_places[place++];
        const Vec3 moved = embedded(at, *body->rest, body->x)[0] - embedded(at, *body->rest, body->rest->x)[0];
        values.insert(values.end(), moved.begin(), moved.end());
        break;
      }
      case ProbeKind::force: {
        Vec3 force = Vec3::Zero();
        for (const BodyReport& b : report.bodies)
          if (b.name == probe.solid) force = b.fluid_force;
        values.insert(values.end(), force.begin(), force.end());
        break;
      }
    }
  }
  return values;
}

void measure_solid(const World& world, BodyReport& report) {
  const auto solid = std::find_if(world.solids.begin(), world.solids.end(),
                                  [&](const Solid& s) { return s.name == report.name && !s.inflow; });
  Vec3 moment = Vec3::Zero();
  for (const Vec3i& t : solid->rest->tris) {
    const double v = cone_volume(solid->x[t[0]], solid->x[t[1]], solid->x[t[2]]);
    report.volume += v;
    moment += v * (solid->x[t[0]] + solid->x[t[1]] + solid->x[t[2]]) / 4;
  }
  report.center = moment / report.volume;
}

void measure_body(const World& world, BodyReport& report) {
  const Body& body =
      *std::find_if(world.bodies.begin(), world.bodies.end(), [&](const Body& b) { return b.name == report.name; });
  report.volume = body_volume(body);
  if (has_inside(body)) report.cavity = enclosed_volume(body.x, body.rest->skin.hull) - report.volume;
  report.center = center_of_mass(body);
  report.min_element_quality = least_quality(body);
  if (!std::holds_alternative<Rigid>(body.rest->elements)) report.elastic_energy = elastic_energy(body, body.x);
  for (std::size_t i = 0; i < body.x.size(); ++i) {
    const Vec3 momentum = body.rest->mass[i] * body.v[i];
    report.kinetic_energy += 0.5 * momentum.dot(body.v[i]);
    report.momentum += momentum;
    report.angular_momentum += body.x[i].cross(momentum);
  }
}

}  // namespace

std::vector<std::string> probe_columns(const Scene& scene) {
  std::vector<std::string> columns;
  for (const ProbeOptions& probe : scene.probes) {
    if (probe.kind == ProbeKind::force || probe.kind == ProbeKind::displacement || probe.kind == ProbeKind::velocity)
      for (const char* axis : {"_x", "_y", "_z"}) columns.push_back(probe.name + axis);
    else
      columns.push_back(probe.name);
  }
  return columns;
}

void report_bodies(const World& world, const BodySolve& solve, StepReport& report) {
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    auto body = std::find_if(report.bodies.begin(), report.bodies.end(),
                             [&](const BodyReport& r) { return r.name == world.bodies[b].name; });
    if (body == report.bodies.end()) body = report.bodies.insert(body, BodyReport{});
    body->name = world.bodies[b].name;
    body->is_body = true;
    body->deepest_penetration = solve.penetration[b];
    body->contacts = int(solve.contacts_of[b]);
  }
  report.contact = solve.contact;
  report.notes.insert(report.notes.end(), solve.notes.begin(), solve.notes.end());
}

SolveReport solver_report(const World& world, const BodySolve& solve) {
  SolveReport report;
  report.form = "bodies";
  for (const Body& body : world.bodies) report.unknowns += 3 * body.x.size();
  report.iterations = solve.iterations;
  report.setup_s = solve.assembly_s;
  report.solve_s = solve.factor_s;
  return report;
}

void measure_world(const Scene& scene, const World& world, StepWork& work, const FluidProbes& probes,
                   StepReport& report) {
  for (BodyReport& body : report.bodies) body.is_body ? measure_body(world, body) : measure_solid(world, body);
  report.probes = probe_values(scene, world, work, probes, report);
  report.step = world.clock.step;
  report.time = world.clock.time;
  report.memory_mb = memory_mb();
}

}  // namespace coracle
