// Momentum and energy that a coupled projection exchanges, for any shapes.
//
// A face of the liquid has mass ρ A θ dx³. With u − u* = −(Δt / ρ dx) (p₊ − p₋) / θ and every cell closed, summing over
// faces leaves only the pressure on the liquid's boundary:
//     Σ ρ A θ dx³ (u − u*) = −Δt Σ p a dx²,    a: areas of patches and wet walls, out of the liquid
// The equation of the bodies (step/body/body_problem.h) contains the pressure on their patches; its inner forces add up
// to zero. So momentum is conserved.
//
// Energy: nodes move with v̄ = c₀ vⁿ + c v, the elastic force acts at x + θ_e Δt v̄, and E = ½ u·M_f u + ½ v·M v + Ψ. Ψ
// is quadratic about x, with the gradient and the stiffness K there. The work of pressure cancels, which leaves
//     E⁺ − E = −½ |u − u*|²_Mf − (c − ½) |v − vⁿ|²_M − (θ_e − ½) Δt² v̄·K v̄ − Δt v̄·D w
// where θ_e = 1 for backward Euler and trapezoidal, ½ for midpoint. For angular momentum see coupled_rotation().
#include "coracle/step/body/elements.h"
#include "coracle/world/bodies.h"
#include "validation/coupled_setup.h"
#include "validation/figures.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <memory>

namespace coracle::validation {
namespace {

NodeField joined(const std::vector<NodeField>& parts) {
  NodeField all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

double product(const NodeField& a, const NodeField& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
  return sum;
}

// A projection and the state before it. Node fields contain the nodes of all bodies.
struct Projected {
  Snapshot s;
  Rule rule;
  FaceField<double> u_star;
  NodeField x, v_n, v, moving, kept;                        // v solves the equation; `kept`: the bodies' final v
  NodeField gradient, elastic, damping, pressure, stretch;  // N; stretch: K v̄, N/s
  std::vector<double> mass;

  Projected(Snapshot before, const Rule& how) : s(std::move(before)), rule(how), u_star(s.flow.u) {
    s.elastic.integrator = rule.integrator;
    for (const Body& b : s.world.bodies) {
      x.insert(x.end(), b.x.begin(), b.x.end());
      v_n.insert(v_n.end(), b.v.begin(), b.v.end());
      mass.insert(mass.end(), b.rest->mass.begin(), b.rest->mass.end());
    }
    projected(s);
    moving = joined(s.motion);
    v = moving;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = (moving[i] - rule.c0 * v_n[i]) / rule.c;
    for (const Body& b : s.world.bodies) kept.insert(kept.end(), b.v.begin(), b.v.end());
    find_forces();
  }

  // Calls f(axis, face, mass) for the faces that the projection has set, without those on the domain's sides.
  template <class F>
  void for_faces(F&& f) const {
    const auto& active = s.pressure.active;
    for (int a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < s.flow.u[a].size(); ++i) {
        const Vec3i hi = s.flow.u[a].cell(i), lo = hi - Vec3i::Unit(a);
        if (lo[a] < 0 || hi[a] >= s.flow.grid.n[a] || !s.valid[a].data[i]) continue;
        double theta = 1;
        if (!active[hi]) theta = surface_fraction(s.phi[lo], s.phi[hi]);
        if (!active[lo]) theta = surface_fraction(s.phi[hi], s.phi[lo]);
        f(a, i, s.density * s.field.cut.open[a].data[i] * theta * s.flow.grid.cell_volume());
      }
  }

  // Calls f(cell, force, at, surface) for every area that the pressure acts on; surface −1: the domain's walls.
  template <class F>
  void for_loads(F&& f) const {
    const Grid& grid = s.flow.grid;
    const Surfaces surfaces(s.world);
    for (const Patch& p : s.field.cut.patches)
      if (s.pressure.active.data[p.cell])
        f(p.cell, Vec3(s.flow.pressure.data[p.cell] * grid.dx * grid.dx * p.area), patch_center(p, surfaces),
          p.surface);
    for (std::size_t i = 0; i < s.pressure.active.size(); ++i) {
      if (!s.pressure.active.data[i]) continue;
      const Vec3i c = s.pressure.active.cell(i);
      for (int a = 0; a < 3; ++a)
        for (int end : {0, 1}) {
          if (end ? c[a] + 1 < grid.n[a] : c[a] > 0) continue;
          const Vec3i face = c + end * Vec3i::Unit(a);
          const double size = s.flow.pressure.data[i] * grid.dx * grid.dx * s.field.cut.open[a][face];
          f(int(i), Vec3((end ? size : -size) * Vec3::Unit(a)), grid.face_center(a, face), -1);
        }
    }
  }

  // The residual of the bodies' equation per node: the force of the holds plus the solver's error.
  NodeField residual() const {
    NodeField r(x.size());
    for (std::size_t i = 0; i < r.size(); ++i)
      r[i] = mass[i] / s.dt * (v[i] - v_n[i] - s.gravity_dv) + elastic[i] + damping[i] - pressure[i];
    return r;
  }

 private:
  void find_forces() {
    gradient.assign(x.size(), Vec3::Zero());
    stretch = pressure = damping = gradient;
    NodeField w(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) w[i] = rule.d0 * v_n[i] + rule.d * v[i];
    int first = 0;
    const Surfaces surfaces(s.world);
    std::vector<int> firsts;
    for (const Body& b : s.world.bodies) {
      const BodyOptions& o = b.rest->options;
      add_elastic_gradient(b, b.x, first, gradient);
      add_stiffness_times(b, b.x, Linearisation::warped, 1, first, moving, stretch);
      add_stiffness_times(b, b.x, Linearisation::warped, o.damping_stiffness, first, w, damping);
      for (std::size_t i = 0; i < b.x.size(); ++i)
        damping[first + i] += o.damping_mass * mass[first + i] * w[first + i];
      firsts.push_back(first);
      first += int(b.x.size());
    }
    elastic = gradient;
    for (std::size_t i = 0; i < x.size(); ++i) elastic[i] += rule.at * s.dt * stretch[i];
    for (const Patch& p : s.field.cut.patches) {
      const Surface& on = surfaces[p.surface];
      if (on.body < 0 || !s.pressure.active.data[p.cell]) continue;
      for (int c = 0; c < 3; ++c)
        pressure[firsts[on.body] + on.tris[p.tri][c]] +=
            s.flow.pressure.data[p.cell] * s.flow.grid.dx * s.flow.grid.dx * p.bary[c] * p.area;
    }
  }
};

// Sets a smooth velocity, which includes gravity's part; stretches, spins and throws the bodies.
void stir(Snapshot& s) {
  s.set_velocity([&](const Vec3& x) {
    return Vec3(s.gravity_dv + Vec3(std::sin(3 * x.x()) * std::cos(4 * x.y()) + x.z(),
                                    std::cos(5 * x.x() + 1) - 0.3 * x.y(), std::sin(4 * x.y() + 2 * x.x())));
  });
  for (Body& b : s.world.bodies) {
    const Vec3 center = center_of_mass(b);
    for (std::size_t i = 0; i < b.x.size(); ++i) {
      const Vec3 d = b.x[i] - center;
      b.v[i] += Vec3(0.4, -0.7, 0.2) + Vec3(1, 3, -2).cross(d);
      b.x[i] = center + Vec3(1.1 * d.x() + 0.5 * d.y() * d.y(), 0.93 * d.y(), d.z() + 0.2 * d.x());
    }
  }
  s.cut();
}

// Bodies and liquid with every kind of boundary.
struct SetUp {
  std::string name;
  std::function<Snapshot(const Grid&)> build;
  double level = 1;      // m, of the surface; the box's height: no surface
  bool holds = false;    // their force is known only for one linear solve
  bool contact = false;  // stiff, and squared in the form spd: 10⁴ iterations
};

std::vector<SetUp> set_ups(ElementOrder element) {
  const auto snapshot = [element](const Grid& grid, std::vector<BodyOptions> bodies, std::vector<Solid> solids) {
    for (BodyOptions& body : bodies) {
      body.element = element;
      if (element == ElementOrder::quadratic && body.mesh == BodyMesh::stuffed) body.edge *= 1.5;
    }
    return make_snapshot(grid, bodies, std::move(solids));
  };
  const BodyOptions one = ball({0.47, 0.52, 0.49}, 0.21, 0.12);
  BodyOptions damped = one;
  damped.damping_mass = 0.7;
  damped.damping_stiffness = 2e-3;
  BodyOptions held = block({0.45, 0.5, 0.52}, {0.22, 0.6, 0.2}, {2, 4, 2}, {7, 15, 11});
  held.holds = {pin({0.45, 0.8, 0.52}, 0.2)};
  BodyOptions rolling = block({0.75, 0.35, 0.25}, {0.2, 0.3, 0.22}, {2, 2, 2});
  rolling.holds = {roller(BodySide::y_min, {0.1, 1, 0.2}), roller(BodySide::z_max, Vec3::UnitZ())};
  const std::vector<BodyOptions> three{ball({0.27, 0.3, 0.3}, 0.16, 0.1),
                                       block({0.7, 0.66, 0.7}, {0.25, 0.3, 0.25}, {2, 2, 2}, {20, 30, 40}), held};
  BodyOptions left = block({0.39, 0.5, 0.5}, {0.2, 0.3, 0.3}, {2, 3, 3}), right = left;
  left.velocity.x() = 4;
  const BodyOptions across = block({0.75, 0.3, 0.6}, {0.6, 0.7, 0.25}, {3, 3, 2}, {10, 20, 30});
  right.shape.center.x() = 0.62;
  return {{"free body, no air", [=](const Grid& grid) { return snapshot(grid, {one}, {}); }, 1},
          {"free body half out", [=](const Grid& grid) { return snapshot(grid, {damped}, {}); }, 0.51},
          {"pinned and on rollers",
           [=](const Grid& grid) {
             return snapshot(grid, {held, rolling}, {});
           },
           0.72, true},
          {"three bodies and a solid",
           [=](const Grid& grid) {
             Snapshot s = snapshot(grid, three, {make_solid(random_mesh(5, {0.72, 0.25, 0.3}, 0.14, 0.06))});
             s.contact.kind = ContactKind::none;  // the contact force on solids is not stored
             return s;
           },
           0.66, true},
          {"shell full of water, half out",
           [=](const Grid& grid) { return snapshot(grid, {shell(Vec3::Constant(0.5), 0.36, 0.15, 0.09)}, {}); }, 0.45},
          {"bodies across each other, a solid and the walls",
           [=](const Grid& grid) {
             Snapshot s = snapshot(grid, {across, one}, {make_solid(random_mesh(6, {0.3, 0.4, 0.3}, 0.14, 0.06))});
             s.contact.kind = ContactKind::none;
             return s;
           },
           0.57},
          {"two bodies that meet",
           [=](const Grid& grid) {
             return snapshot(grid, {left, right}, {});
           },
           0.61, false, true}};
}

Snapshot build(const SetUp& set_up, int n) {
  Snapshot s = set_up.build(unit_grid(n));
  s.gravity_dv = Vec3(0.3, -g, 0.1) * s.dt;
  const BodyOptions& first = s.world.bodies[0].rest->options;
  const double inside =
      first.shape.kind == ShapeKind::hollow_sphere ? first.shape.radius - 0.5 * first.shape.thickness : 0;
  if (set_up.level < 1)
    s.set_surface([&](const Vec3& x) {
      return (x - first.shape.center).norm() < inside ? -s.flow.grid.dx : x.y() - set_up.level;
    });
  stir(s);
  return s;
}

double momentum_error(const Projected& p) {
  Vec3 liquid = Vec3::Zero(), bodies = liquid, holds = liquid, drag = liquid, bounds = liquid;
  p.for_faces([&](int a, std::size_t i, double m) { liquid[a] += m * (p.s.flow.u[a].data[i] - p.u_star[a].data[i]); });
  p.for_loads([&](int, const Vec3& force, const Vec3&, int surface) {
    if (surface < int(p.s.world.solids.size())) bounds += p.s.dt * force;
  });
  const NodeField r = p.residual();
  std::size_t first = 0;
  for (const Body& b : p.s.world.bodies) {
    for (const Hold& hold : b.rest->holds) {
      const std::size_t i = first + hold.node;
      holds += p.s.dt * (r[i] - hold.free * r[i]) + p.mass[i] * (p.kept[i] - p.v[i]);
    }
    for (std::size_t i = first; i < first + b.x.size(); ++i) {
      bodies += p.mass[i] * (p.kept[i] - p.v_n[i] - p.s.gravity_dv);
      drag -= p.s.dt * b.rest->options.damping_mass * p.mass[i] * (p.rule.d0 * p.v_n[i] + p.rule.d * p.v[i]);
    }
    first += b.x.size();
  }
  const double size = std::max({liquid.norm(), bodies.norm(), holds.norm(), drag.norm(), bounds.norm()});
  return (liquid + bodies + bounds - holds - drag).norm() / size;
}

// (E⁺ − E) / E, and its difference from the equation above, over E.
std::pair<double, double> energy_change(const Projected& p) {
  double before = 0, after = 0, loss = 0, stored = 0;
  p.for_faces([&](int a, std::size_t i, double m) {
    const double u = p.s.flow.u[a].data[i], u_star = p.u_star[a].data[i];
    before += 0.5 * m * u_star * u_star;
    after += 0.5 * m * u * u;
    loss += 0.5 * m * (u - u_star) * (u - u_star);
  });
  double by_holds = 0;  // energy change when holds set the final velocity
  for (std::size_t i = 0; i < p.v.size(); ++i) {
    before += 0.5 * p.mass[i] * p.v_n[i].squaredNorm();
    after += 0.5 * p.mass[i] * p.v[i].squaredNorm();
    by_holds += 0.5 * p.mass[i] * (p.kept[i].squaredNorm() - p.v[i].squaredNorm());
    loss += (p.rule.c - 0.5) * p.mass[i] * (p.v[i] - p.v_n[i]).squaredNorm();
  }
  for (const Body& b : p.s.world.bodies) stored += elastic_energy(b, b.x);
  const double bend = p.s.dt * p.s.dt * product(p.moving, p.stretch);
  after += p.s.dt * product(p.gradient, p.moving) + 0.5 * bend;
  loss += (p.rule.at - 0.5) * bend + p.s.dt * product(p.damping, p.moving);
  const double scale = before + stored;
  return {(after + by_holds - before) / scale, std::abs(after - before + loss) / scale};
}

// A random state: two deformed bodies of random materials, one of them held in every third state; liquid with or
// without air.
Snapshot random_state(int key, bool damped) {
  std::uint64_t next = 0;
  const auto random = [&](double lo, double hi) { return lo + (hi - lo) * uniform(1000 + key, next++); };
  const auto magnitude = [&](double lo, double hi) { return std::exp(random(std::log(lo), std::log(hi))); };
  const auto vector = [&](double most) { return Vec3{random(-most, most), random(-most, most), random(-most, most)}; };
  BodyOptions first = ball({0.3, 0.4, 0.45}, 0.17, 0.1),
              second = block({0.7, 0.5, 0.55}, {0.22, 0.36, 0.22}, {2, 3, 2}, vector(90));
  if (key % 3 == 0) second.holds = {pin({0.7, 0.7, 0.55}, 0.17)};
  for (BodyOptions* o : {&first, &second}) {
    o->density = magnitude(50, 5000);
    o->young = magnitude(1e3, 1e8);
    o->poisson = random(0, 0.45);
    o->element = key % 5 < 2 ? ElementOrder::quadratic : ElementOrder::linear;
    if (damped) o->damping_mass = magnitude(0.01, 10), o->damping_stiffness = magnitude(1e-4, 1e-1);
  }
  std::vector<Solid> solids;
  if (key % 2) solids.push_back(make_solid(random_mesh(key, {0.5, 0.12, 0.5}, 0.12, 0.05)));
  Snapshot s = make_snapshot(unit_grid(12), {first, second}, std::move(solids));
  s.dt = magnitude(1e-3, 1e-1);
  s.contact.kind = ContactKind::none;
  for (Body& b : s.world.bodies) {
    const Vec3 center = center_of_mass(b);
    Mat3 map = b.rest->holds.empty() ? rotation_xyz(vector(180)) : Mat3::Identity();
    for (int c = 0; c < 3; ++c) map.col(c) *= random(0.75, 1.2);
    // Nodes of quadratic tets are half as far from each other; a linearised step may gain energy where elements turn
    // far.
    const double shake = b.rest->options.element == ElementOrder::linear ? 0.015 : 0.004;
    for (std::size_t i = 0; i < b.x.size(); ++i) {
      b.x[i] = center + map * (b.x[i] - center) + vector(shake);
      b.v[i] = vector(1);
    }
  }
  s.cut();
  if (key % 4 != 1) {
    const Vec3 normal = random_unit(key + 77);
    s.phi = plane_phi(s.flow.grid, Vec3::Constant(0.5) + random(-0.1, 0.3) * normal, normal);
  }
  s.set_velocity([&](const Vec3&) { return vector(1); });
  return s;
}

}  // namespace

Outcome coupled_momentum() {
  Outcome out;
  const double tolerance = SolverOptions().tolerance;
  const auto measure = [&](const SetUp& set_up, CoupledForm form, const std::string& name, bool newton) {
    double worst = 0;
    for (const Rule& rule : rules) {
      Snapshot s = build(set_up, 14);
      s.solver.form = form;
      s.solver.tolerance = tolerance;
      s.elastic.newton = newton;
      worst = std::max(worst, momentum_error(Projected(std::move(s), rule)));
    }
    out.results.push_back(
        at_most(fmt::format("{}, {}", set_up.name, name), worst, 1e-12, "", "action equals reaction"));
  };
  for (const SetUp& set_up : set_ups(ElementOrder::linear)) {
    for (const auto& [form, name] : forms)
      if (form != CoupledForm::spd || !set_up.contact) measure(set_up, form, name, false);
    if (!set_up.holds) measure(set_up, CoupledForm::schur, "schur, Newton", true);
  }
  for (const SetUp& set_up : set_ups(ElementOrder::quadratic)) {
    measure(set_up, CoupledForm::schur, "schur, quadratic tets", false);
    if (!set_up.holds) measure(set_up, CoupledForm::schur, "schur, Newton, quadratic tets", true);
  }
  return out;
}

// The liquid loses angular momentum at cell centres x_i: a face is offset from the centres of its cells only along its
// normal, so the lever arm is the same. Bodies gain it at the patches' centroids x_c. The difference
// Σ p (x_c − x_i) × a dx² Δt is the error.
Outcome coupled_rotation() {
  Outcome out;
  Curve curve{"Angular momentum out of nothing in a projection, of the body's change", "dx", "", {}, {}, {}, true};
  double differs = 0;
  constexpr int poses = 10;
  for (int n : {12, 16, 24, 32, 48}) {
    double sum = 0, exchanged = 0;
    for (int pose = 0; pose < poses; ++pose) {
      const Vec3 center = Vec3(0.45, 0.52, 0.48) + 0.05 * random_unit(pose);
      Snapshot s = make_snapshot(unit_grid(n), {ball(center, 0.22, 0.1)});
      s.set_velocity([](const Vec3& x) {
        return Vec3(std::sin(3 * x.x()) * std::cos(4 * x.y()) + x.z(), std::cos(5 * x.x() + 1) - 0.3 * x.y(),
                    std::sin(4 * x.y() + 2 * x.x()));
      });
      const Projected p(std::move(s), rules[0]);
      const Vec3 about = Vec3::Constant(0.5);
      Vec3 total = Vec3::Zero(), body = total, offset = total;
      p.for_faces([&](int a, std::size_t i, double m) {
        const Vec3 arm = p.s.flow.grid.face_center(a, p.s.flow.u[a].cell(i)) - about;
        total += arm.cross(m * (p.s.flow.u[a].data[i] - p.u_star[a].data[i]) * Vec3::Unit(a));
      });
      for (std::size_t i = 0; i < p.x.size(); ++i) body += (p.x[i] - about).cross(p.mass[i] * (p.v[i] - p.v_n[i]));
      total += body;
      p.for_loads([&](int cell, const Vec3& force, const Vec3& at, int surface) {
        if (surface < 0) total += p.s.dt * (at - about).cross(force);
        if (surface >= 0) offset += p.s.dt * (at - p.s.flow.grid.center(p.s.phi.cell(cell))).cross(force);
      });
      sum += total.squaredNorm();
      exchanged += body.squaredNorm();
      differs = std::max(differs, (total - offset).norm() / body.norm());
    }
    curve.measured.push_back({1.0 / n, std::sqrt(sum / exchanged)});
  }
  out.results = {
      reported("slope of angular momentum out of nothing over dx", slope(curve.measured), "", "conserved in the limit"),
      reported("the same at 48³, of the body's change", curve.measured.back().second, "", "conserved in the limit"),
      at_most("its distance from Σ p (x_c − x_i) × a, of the body's change", differs, 1e-9, "", "summation by parts")};
  out.curves.push_back(std::move(curve));
  return out;
}

Outcome coupled_energy() {
  Outcome out;
  constexpr int states = 24;
  for (const bool damped : {false, true})
    for (const Rule& rule : rules) {
      double gain = -INFINITY, differs = 0;
      for (int key = 0; key < states; ++key) {
        const auto [change, difference] = energy_change(Projected(random_state(key, damped), rule));
        gain = std::max(gain, change);
        differs = std::max(differs, difference);
      }
      const std::string which = fmt::format("{}, {}", rule.name, damped ? "damped" : "no damping");
      const bool bound = rule.integrator != Integrator::trapezoidal || !damped;  // its damping may add energy
      out.results.push_back(bound ? at_most("largest gain, " + which, gain, 0, "of E", "a projection")
                                  : reported("largest gain, " + which, gain, "of E", "a projection"));
      out.results.push_back(at_most("distance from the loss that the equations say, " + which, differs, 1e-9, "of E",
                                    "work of pressure cancels"));
    }
  return out;
}

}  // namespace coracle::validation
