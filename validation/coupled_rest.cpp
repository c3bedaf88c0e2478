// Uniform motion and rest, which a coupled projection must not change; and buoyancy.
#include "coracle/step/body/elements.h"
#include "coracle/world/bodies.h"
#include "validation/coupled_setup.h"
#include "validation/figures.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace coracle::validation {
namespace {

// Change the rest shape of the bodies so that in their present shape the elastic force balances their weight and the
// given pressure. X ← X − K⁻¹ (f − grad Ψ) solves grad Ψ = f for the rest positions X; d grad Ψ / dX = −K up to terms
// of the size of the strain. Masses stay the same.
void hold_shape(Snapshot& s, const std::function<double(const Vec3&)>& pressure, const Vec3& gravity) {
  const Surfaces surfaces(s.world);
  assemble_pressure(s.input(), s.flow.u, s.flow.pressure, s.pressure);
  for (std::size_t k = 0; k < s.world.bodies.size(); ++k) {
    Body& body = s.world.bodies[k];
    NodeField load(body.x.size());
    for (std::size_t i = 0; i < load.size(); ++i) load[i] = body.rest->mass[i] * gravity;
    for (const Patch& p : s.field.cut.patches) {
      if (surfaces[p.surface].body != int(k) || !s.pressure.active.data[p.cell]) continue;
      const Vec3 force = pressure(s.flow.grid.center(s.phi.cell(p.cell))) * s.flow.grid.dx * s.flow.grid.dx * p.area;
      for (int c = 0; c < 3; ++c) load[body.rest->skin.tris[p.tri][c]] += p.bary[c] * force;
    }
    BlockSolver matrix;
    NodePairs pairs;
    add_pairs(body, 0, pairs);
    matrix.set_pattern(int(body.x.size()), pairs);
    const ElementSlots slots = element_slots(body, 0, matrix);
    std::vector<BlockSolver::Fixed> fixed;
    for (const Hold& hold : body.rest->holds) fixed.push_back({hold.node, hold.free, Vec3::Zero()});
    NodeField change(body.x.size(), Vec3::Zero()), at = body.x;
    double left = 1;
    for (int iteration = 0; iteration < 60; ++iteration) {
      auto rest = std::make_shared<BodyRest>(*body.rest);
      rest->x = at;
      Tets& tets = std::get<Tets>(rest->elements);
      for (std::size_t t = 0; t < tets.tets.size(); ++t) {
        const Vec4i& n = tets.tets[t];
        Mat3 edges;
        for (int c = 0; c < 3; ++c) edges.col(c) = at[n[c + 1]] - at[n[0]];
        tets.inverse_edges[t] = edges.inverse();
        tets.volume[t] = edges.determinant() / 6;
      }
      body.rest = rest;
      NodeField missing(load.size(), Vec3::Zero());
      add_elastic_gradient(body, body.x, 0, missing);
      double size = 0, error = 0;
      for (std::size_t i = 0; i < load.size(); ++i)
        missing[i] = load[i] - missing[i], size = std::max(size, load[i].norm());
      for (const Hold& hold : body.rest->holds) missing[hold.node] = hold.free * missing[hold.node];
      for (const Vec3& f : missing) error = std::max(error, f.norm() / size);
      if (iteration > 2 && error > 0.5 * left) break;  // round-off
      left = error;
      matrix.clear();
      add_stiffness(body, body.x, Linearisation::warped, 1, 0, slots, matrix);
      if (!matrix.solve(fixed, change, missing)) throw std::runtime_error("no shape at rest");
      for (std::size_t i = 0; i < at.size(); ++i) at[i] -= change[i];
    }
  }
}

// A ball whose nodes are all held; place_ellipsoid() deforms it into a tilted ellipsoid.
Snapshot held_ball(int n) {
  BodyOptions o = ball(Vec3::Zero(), 0.25, 0.05);
  o.holds = {pin(Vec3::Zero(), 1)};
  return make_snapshot(unit_grid(n), {o});
}

void place_ellipsoid(Snapshot& s, const Vec3& center, double size) {
  Body& body = s.world.bodies[0];
  const Mat3 map = size * rotation_xyz(Vec3(25, 40, 10)) * Vec3(1.2, 0.85, 1).asDiagonal();
  for (std::size_t i = 0; i < body.x.size(); ++i) body.x[i] = center + map * body.rest->x[i];
  s.cut();
}

}  // namespace

Outcome coupled_free_stream() {
  const Vec3 velocity(0.7, -0.4, 0.5);
  MotionOptions motion;
  motion.velocity = velocity;
  Outcome out;
  for (const bool air : {true, false})
    for (const auto& [form, form_name] : forms) {
      double worst_u = 0, worst_v = 0;
      for (int pose = 0; pose < 3; ++pose) {
        const Grid grid = unit_grid(20);
        const Vec3 shift = 0.03 * Vec3{uniform(pose, 7), uniform(pose, 8), uniform(pose, 9)};
        BodyOptions driven = block(Vec3(0.62, 0.62, 0.42) + shift, {0.16, 0.2, 0.16}, {2, 2, 2}, {20, 30, 40});
        driven.holds = {pin(Vec3(0.62, 0.62, 0.42) + shift, 0.14)};
        driven.holds[0].motions = {motion};
        std::vector<BodyOptions> bodies{shell(Vec3(0.4, 0.45, 0.6) + shift, 0.2, 0.11, 0.07), driven};
        for (BodyOptions& b : bodies) {
          b.velocity = velocity;
          b.element = (pose + air) % 2 ? ElementOrder::quadratic : ElementOrder::linear;
        }
        Snapshot s = make_snapshot(
            grid, bodies,
            {make_solid(random_mesh(100 + pose, Vec3::Constant(0.5) + shift, 0.32, grid.dx), true, velocity),
             make_solid(random_mesh(200 + pose, Vec3(0.6, 0.33, 0.38) + shift, 0.08, grid.dx), false, velocity)});
        const Vec3 normal = random_unit(300 + pose);
        if (air) s.phi = plane_phi(grid, Vec3::Constant(0.5) + 0.05 * normal, normal);
        s.flow.u = uniform_velocity(grid, velocity);
        for (std::size_t i = 0; i < s.flow.pressure.size(); ++i)  // a wrong initial guess
          s.flow.pressure.data[i] = 100 * std::sin(0.1 * double(i));
        s.contact.kind = ContactKind::none;
        s.solver.form = form;
        s.elastic.integrator = rules[pose % 3].integrator;
        projected(s);
        worst_u = std::max(worst_u, largest_deviation(grid, s.flow.u, s.valid, velocity) / velocity.norm());
        for (const Body& b : s.world.bodies)
          for (const Vec3& v : b.v) worst_v = std::max(worst_v, (v - velocity).norm() / velocity.norm());
      }
      const std::string where = fmt::format("{}, {}", air ? "under a surface" : "no air", form_name);
      out.results.push_back(at_most("|u − V| / |V|, " + where, worst_u, 1e-10, "", "uniform motion is a solution"));
      out.results.push_back(at_most("|v − V| / |V|, " + where, worst_v, 1e-10, "", "uniform motion is a solution"));
    }
  return out;
}

Outcome coupled_balance() {
  Outcome out;
  const auto measure = [&](const std::string& name, Snapshot s, double level, double inside, double extra) {
    const Vec3 center = s.world.bodies[0].rest->options.shape.center;
    const Vec3 gravity(0, -g, 0);
    s.gravity_dv = s.dt * gravity;
    s.solver.tolerance = 1e-12;
    s.contact.kind = ContactKind::none;
    for (Body& b : s.world.bodies)
      for (Vec3& v : b.v) v.setZero();
    s.set_surface([&](const Vec3& x) { return (x - center).norm() < inside ? -s.flow.grid.dx : x.y() - level; });
    s.set_velocity([&](const Vec3&) { return s.gravity_dv; });
    hold_shape(
        s, [&](const Vec3& x) { return s.density * g * (level - x.y()) + ((x - center).norm() < inside ? extra : 0); },
        gravity);
    projected(s);
    double fastest = 0;
    for (const Body& b : s.world.bodies)
      for (const Vec3& v : b.v) fastest = std::max(fastest, v.norm());
    const double scale = g * s.dt;
    out.results.push_back(at_most("max |u| / (g Δt), " + name,
                                  largest_deviation(s.flow.grid, s.flow.u, s.valid, Vec3::Zero()) / scale, 1e-8, "",
                                  "forces balance"));
    out.results.push_back(at_most("max |v| / (g Δt), " + name, fastest / scale, 1e-8, "", "forces balance"));
  };
  measure("pinned bent beam", beam_in_tank(24, {2, 14, 2}, 0.6), 0.613, 0, 0);
  BodyOptions standing = block({0.51, 0.42, 0.47}, {0.3, 0.5, 0.27}, {3, 5, 3});
  standing.holds = {roller(BodySide::y_min, Vec3::UnitY()), roller(BodySide::x_min, Vec3::UnitX()),
                    roller(BodySide::z_max, Vec3::UnitZ())};
  standing.young = 1e6;
  measure("block on rollers, half out", make_snapshot(unit_grid(20), {standing}), 0.437, 0, 0);
  BodyOptions full = shell({0.5, 0.48, 0.51}, 0.36, 0.14, 0.08);
  full.holds = {pin({0.5, 0.14, 0.51}, 0.07), pin({0.16, 0.48, 0.51}, 0.07), pin({0.5, 0.48, 0.85}, 0.07)};
  full.young = 1e6;
  measure("shell full of water under pressure, half out", make_snapshot(unit_grid(20), {full}), 0.51, 0.29, 500);
  return out;
}

// Along a column, Σ p a_y = Σ over faces of (p below − p above) times the solid area of the face: ρ g dx³ Σ (1 − A).
Outcome coupled_buoyancy() {
  Outcome out;
  double force_error = 0, sideways = 0;
  for (int pose = 0; pose < 3; ++pose) {
    Snapshot s = held_ball(pose % 2 ? 24 : 17);
    place_ellipsoid(s, Vec3(0.5, 0.45, 0.5) + 0.05 * random_unit(pose), 1);
    s.set_surface([](const Vec3& x) { return x.y() - 0.87; });
    s.gravity_dv = Vec3(0, -g * s.dt, 0);
    s.set_velocity([&](const Vec3&) { return s.gravity_dv; });
    s.solver.tolerance = 1e-13;
    projected(s);
    const Vec3 force = fluid_loads(s.input(), s.pressure, s.flow.pressure)[0].force;
    double filled = 0;
    for (double open : s.field.cut.open[1].data) filled += 1 - open;
    const double expected = s.density * g * filled * s.flow.grid.cell_volume();
    force_error = std::max(force_error, std::abs(force.y() / expected - 1));
    sideways = std::max(sideways, std::hypot(force.x(), force.z()) / expected);
  }
  Curve curve{"Volume that buoyancy sees, error", "dx", "of V", {}, {}, {{"order 2", {}}}, true};
  constexpr int poses = 13;
  for (int n : {16, 24, 32, 48, 64}) {
    Snapshot s = held_ball(n);
    double sum = 0;
    for (int pose = 0; pose < poses; ++pose) {
      // The errors at top and bottom depend on their positions in the cells.
      const double place = (pose + 0.5) / poses, size = std::fmod(pose * 0.618034, 1);
      place_ellipsoid(s, Vec3(0.51, 0.48 + place / n, 0.49), 1 - 0.15 * size);
      double filled = 0;
      for (double open : s.field.cut.open[1].data) filled += 1 - open;
      const double error = filled * s.flow.grid.cell_volume() / body_volume(s.world.bodies[0]) - 1;
      sum += error * error;
    }
    curve.measured.push_back({1.0 / n, std::sqrt(sum / poses)});
    curve.others[0].points.push_back({1.0 / n, curve.measured[0].second * std::pow(16.0 / n, 2)});
  }
  out.results = {at_most("force over ρ g dx³ Σ (1 − A), less 1", force_error, 1e-10, "", "summation by parts"),
                 at_most("sideways force, of it", sideways, 1e-10, "", "summation by parts"),
                 at_least("slope of the volume's error", slope(curve.measured), 1.8, "", "trapezoidal rule in height"),
                 reported("error at 64³", curve.measured.back().second, "of V", "trapezoidal rule in height")};
  out.curves.push_back(std::move(curve));
  return out;
}

}  // namespace coracle::validation
