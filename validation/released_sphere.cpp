#include "validation/released_sphere.h"

#include "validation/coupled_setup.h"

namespace coracle::validation {
namespace {

constexpr double radius = 0.23, container = 0.46;  // m

}  // namespace

double released_in_theory(double s) {
  const double a3 = std::pow(radius, 3), b3 = std::pow(container, 3);
  return (1 - s) / (s + (b3 + 2 * a3) / (2 * (b3 - a3)));
}

double released_in_projection(double s, int n, const Vec3& center, double edge, double crossings,
                              const ReleaseRun& run) {
  const Grid grid = unit_grid(n);
  constexpr double dt = 1e-3;
  BodyOptions o = ball(center, radius, edge);
  o.density = s * water;
  const double sound = crossings * 2 * radius / dt;
  o.young = o.density * sound * sound;
  if (run.rigid) o.kind = BodyKind::rigid;
  Snapshot state = make_snapshot(grid, {o}, {make_solid(sphere_mesh(center, container, grid.dx), true)});
  state.use(run.method);
  state.dt = dt;
  state.contact.kind = ContactKind::none;
  const double angle = run.degrees * M_PI / 180;
  const Vec3 up(-std::sin(angle), std::cos(angle), 0);
  state.gravity_dv = -g * dt * up;
  state.set_velocity([&](const Vec3&) { return state.gravity_dv; });
  projected(state);
  const Body& body = state.world.bodies[0];
  double momentum = 0, mass = 0;
  for (std::size_t i = 0; i < body.v.size(); ++i)
    momentum += body.rest->mass[i] * body.v[i].dot(up), mass += body.rest->mass[i];
  return momentum / mass / (g * dt);
}

Outcome released_sphere() {
  Outcome out;
  Curve curve{"Released spheres: first acceleration", "ρs / ρf", "of g", {}, {}};
  for (const double s : {0.2, 0.5, 2.0}) {
    const double expected = released_in_theory(s);
    out.results.push_back(within(fmt::format("acceleration over g, s = {}", s),
                                 released_in_projection(s, 64, Vec3::Constant(0.5), 0.06, 30), expected,
                                 0.03 * std::abs(expected), "", "(1 − s) / (s + C), potential flow"));
    curve.measured.push_back({s, out.results.back().measured});
    curve.reference.push_back({s, expected});
  }
  out.curves = {curve};
  return out;
}

}  // namespace coracle::validation
