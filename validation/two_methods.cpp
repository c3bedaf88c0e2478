// Comparison of two boundary conditions between solids and fluid: exact cut cells [ZarifiBatty17] and whole faces
// [Chentanez06], with set-ups that are aligned with the grid and rotated relative to it.
#include "coracle/world/bodies.h"
#include "validation/column.h"
#include "validation/coupled_setup.h"
#include "validation/figures.h"
#include "validation/released_sphere.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace coracle::validation {
namespace {

constexpr std::pair<Method, const char*> methods[] = {{Method::cutcell, "cutcell"},
                                                      {Method::simultaneous, "simultaneous"}};

Vec3 upward(double degrees) {
  const double angle = degrees * M_PI / 180;
  return {-std::sin(angle), std::cos(angle), 0};
}

std::string pose(double degrees) { return degrees == 0 ? "aligned" : fmt::format("turned {}°", degrees); }

// The force of a constant pressure on a body whose whole surface is wet, over pressure × area.
double force_of_constant_pressure(Snapshot& s) {
  assemble_pressure(s.input(), s.flow.u, s.flow.pressure, s.pressure);
  Array3<double> p(s.flow.grid.n, 1);
  const FluidLoad load = fluid_loads(s.input(), s.pressure, p)[0];
  return load.force.norm() / load.wet_area;
}

// A ball is released in stirred water: compares the momentum that it gains with the momentum that the water loses
// through its faces.
struct Exchange {
  double mismatch;  // Σ |got − given| / Σ |given|
  Vec3 got;         // N, in the last of the streams
};
Exchange exchange(Method method, int n) {
  double off = 0, all = 0;
  Vec3 got = Vec3::Zero();
  for (int k = 0; k < 4; ++k) {
    const Vec3 center = Vec3::Constant(0.5) + 0.06 * random_unit(k);
    Snapshot s = make_snapshot(unit_grid(n), {ball(center, 0.22, 0.07)});
    s.use(method);
    s.contact.kind = ContactKind::none;
    const Vec3 wave = 4 * random_unit(10 + k), swing = random_unit(20 + k);
    s.set_surface([](const Vec3& x) { return x.y() - 0.9; });
    s.set_velocity([&](const Vec3& x) { return Vec3(std::sin(wave.dot(x)) * swing + Vec3(0, -0.08, 0)); });
    projected(s);
    Vec3 given = Vec3::Zero();
    const double face = s.flow.grid.dx * s.flow.grid.dx;
    for (const Patch& p : s.field.cut.patches)
      if (s.pressure.active.data[p.cell]) given += s.flow.pressure.data[p.cell] * face * p.area;
    got = fluid_loads(s.input(), s.pressure, s.flow.pressure)[0].force;
    off += (got - given).norm();
    all += given.norm();
  }
  return {off / all, got};
}

// Still water around a held cube or ball, rotated relative to the grid: |buoyancy / (ρ g V) − 1|, and the water's
// speed.
struct Still {
  double buoyancy, sideways, speed;
};
enum class Held { cube, ball };
Still still_body(Held held, Method method, double degrees, int n) {
  Still worst{0, 0, 0};
  const Vec3 up = upward(degrees);
  for (int k = 0; k < 5; ++k) {
    const Vec3 center = Vec3(0.5, 0.45, 0.5) + (k + 0.5) / (5.0 * n) * Vec3(0.7, 1, 0.4);
    BodyOptions o =
        held == Held::cube ? block(center, {0.31, 0.31, 0.31}, {3, 3, 3}, {0, 0, degrees}) : ball(center, 0.17, 0.06);
    o.holds = {pin(center, 1)};
    Snapshot s = make_snapshot(unit_grid(n), {o});
    s.use(method);
    s.contact.kind = ContactKind::none;
    s.solver.tolerance = 1e-12;
    s.set_surface([&](const Vec3& x) { return up.dot(x - center) - 0.31; });
    s.gravity_dv = -g * s.dt * up;
    s.set_velocity([&](const Vec3&) { return s.gravity_dv; });
    projected(s);
    const Vec3 force = fluid_loads(s.input(), s.pressure, s.flow.pressure)[0].force;
    const double weight = s.density * g * body_volume(s.world.bodies[0]);
    worst.buoyancy = std::max(worst.buoyancy, std::abs(force.dot(up) / weight - 1));
    worst.sideways = std::max(worst.sideways, (force - force.dot(up) * up).norm() / weight);
    worst.speed = std::max(worst.speed, largest_deviation(s.flow.grid, s.flow.u, s.valid, Vec3::Zero()) / (g * s.dt));
  }
  return worst;
}

}  // namespace

Outcome whole_faces() {
  double push = 0, drift = 0, stream = 0;
  for (int k = 0; k < 4; ++k) {
    const Vec3 center = Vec3::Constant(0.5) + 0.05 * random_unit(k);
    std::vector<BodyOptions> shapes{ball(center, 0.25, 0.08), block(center, {0.5, 0.06, 0.4}, {6, 1, 5}, {20, 30, 17})};
    for (const BodyOptions& o : shapes) {
      Snapshot s = make_snapshot(unit_grid(24), {o});
      s.use(Method::simultaneous);
      push = std::max(push, force_of_constant_pressure(s));
      const Vec3 spin = random_unit(30 + k), move = random_unit(40 + k);
      Body& body = s.world.bodies[0];
      const auto rigid = [&](const Vec3& x) { return Vec3(move + spin.cross(x - center)); };
      for (std::size_t i = 0; i < body.x.size(); ++i) body.v[i] = rigid(body.x[i]);
      const Surfaces surfaces(s.world);
      for (const Patch& p : s.field.cut.patches)
        drift = std::max(drift, (patch_velocity(p, surfaces) - rigid(patch_center(p, surfaces))).norm());
    }
    // Water, container and body in the same uniform motion.
    const Vec3 velocity(0.7, -0.4, 0.5);
    BodyOptions o = shapes[0];
    o.velocity = velocity;
    const Grid grid = unit_grid(20);
    Snapshot s = make_snapshot(grid, {o}, {make_solid(sphere_mesh(center, 0.4, grid.dx), true, velocity)});
    s.use(Method::simultaneous);
    s.contact.kind = ContactKind::none;
    s.flow.u = uniform_velocity(grid, velocity);
    projected(s);
    stream = std::max(stream, largest_deviation(grid, s.flow.u, s.valid, velocity) / velocity.norm());
    for (const Vec3& v : s.world.bodies[0].v) stream = std::max(stream, (v - velocity).norm() / velocity.norm());
  }
  Outcome out;
  out.results = {
      at_most("net force of a constant pressure, of p times area", push, 1e-6, "",
              "shares of the cells add up to 1, in single precision; every point of the surface sees water"),
      at_most("velocity of boundary faces of a rigid motion, error", drift, 1e-12, "m/s", "H is linear on triangles"),
      at_most("|u − V| / |V|, all moving as one", stream, 1e-8, "", "uniform motion is a solution")};
  Curve curve{"Momentum that whole faces and surface disagree about", "dx", "of the force", {}, {}, {}, true};
  for (const int n : {16, 24, 32, 48}) curve.measured.push_back({1.0 / n, exchange(Method::simultaneous, n).mismatch});
  out.results.push_back(at_most("momentum, got less given, cutcell", exchange(Method::cutcell, 24).mismatch, 1e-12, "",
                                "one matrix for both"));
  out.results.push_back(reported("momentum, got less given, simultaneous, 24³", curve.measured[1].second, "",
                                 "pressure acts on the surface, flux passes whole faces"));
  out.results.push_back(reported("the same, 48³", curve.measured[3].second, "", ""));
  out.results.push_back(at_least("slope of it in dx", slope(curve.measured), 0.5, "", "first order"));
  const Vec3 exact = exchange(Method::cutcell, 48).got;
  for (const int n : {24, 48})
    out.results.push_back(at_most(fmt::format("force on a ball in a stream, simultaneous, {}³, error", n),
                                  (exchange(Method::simultaneous, n).got - exact).norm() / exact.norm(), 0.05, "",
                                  "cutcell at 48³; the pressure is extrapolated to the surface"));
  out.curves.push_back(curve);
  return out;
}

Outcome two_methods() {
  Outcome out;
  constexpr double s = 0.5;
  const double expected = released_in_theory(s);
  for (const auto& [method, name] : methods)
    for (const double degrees : {0.0, 17.0})
      for (const int n : {32, 64}) {
        const double a = released_in_projection(s, n, Vec3(0.513, 0.494, 0.507), 0.06, 30, {method, degrees});
        const std::string what = fmt::format("released sphere, s = 0.5, {}, {}, {}³: error", name, pose(degrees), n);
        const double error = std::abs(a / expected - 1);
        out.results.push_back(method == Method::cutcell
                                  ? at_most(what, error, n == 64 ? 0.03 : 0.06, "", "(1 − s) / (s + C)")
                                  : reported(what, error, "", "(1 − s) / (s + C)"));
      }
  for (const auto& [method, name] : methods)
    for (const double degrees : {0.0, 17.0}) {
      const Still still = still_body(Held::cube, method, degrees, 32);
      const std::string where = fmt::format("{}, {}", name, pose(degrees));
      out.results.push_back(at_most("held cube, 32³, buoyancy over ρ g V less 1, " + where, still.buoyancy, 0.02, "",
                                    "Archimedes; largest of five places in the grid"));
      out.results.push_back(reported("the same, force sideways, " + where, still.sideways, "of ρ g V", "none"));
      out.results.push_back(
          at_most("still water around it, max |u| / (g Δt), " + where, still.speed, 1e-9, "", "every face balances"));
      out.results.push_back(at_most("held ball, 32³, buoyancy over ρ g V less 1, " + where,
                                    still_body(Held::ball, method, degrees, 32).buoyancy, 0.02, "", "Archimedes"));
    }
  return out;
}

Outcome two_columns() {
  Outcome out;
  const ColumnTheory theory(water);
  const double f = 1 / theory.period;
  for (const auto& [method, name] : methods)
    for (const double degrees : {0.0, 17.0}) {
      // Aligned: the domain's sides bound the column. Rotated: a tube bounds it, and the block fits the tube to a
      // hundredth of a cell.
      double frequency = 0, sag = 0;
      bool completed = false;
      if (degrees == 0) {
        const ColumnRun run{.seconds = 1.2, .cells = 64, .method = name};
        const Swing s = swing(run);
        completed = s.completed, frequency = s.frequency, sag = static_sag(run, 0.9);
      } else {
        const TubeResult r = tube({.method = name, .degrees = degrees});
        completed = r.completed, frequency = r.frequency, sag = r.sag;
      }
      const std::string where = fmt::format("{}, {}", name, pose(degrees));
      const bool exact = method == Method::cutcell;
      out.results.push_back(at_least("completed, " + where, completed, 1, "", "it is stable"));
      const double df = frequency / f - 1, ds = sag / theory.sag - 1;
      const std::string source = "β tan β = ρs l / (ρf H)", weight = "weight of water and block over E";
      out.results.push_back(exact ? within("frequency, relative error, " + where, df, 0, 0.03, "", source)
                                  : reported("frequency, relative error, " + where, df, "", source));
      out.results.push_back(exact ? within("static displacement, relative error, " + where, ds, 0, 0.03, "", weight)
                                  : reported("static displacement, relative error, " + where, ds, "", weight));
    }
  return out;
}

}  // namespace coracle::validation
