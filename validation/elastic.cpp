// Deformable bodies against theory.
#include "coracle/shape/quadratic_tet.h"
#include "coracle/step/body/body_solve.h"
#include "coracle/step/body/elements.h"
#include "coracle/step/body/motion.h"
#include "coracle/step/body/stress.h"
#include "coracle/world/bodies.h"
#include "validation/case.h"
#include "validation/setup.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>

namespace coracle::validation {
namespace {

const std::vector<std::pair<MaterialModel, const char*>> models{
    {MaterialModel::corotational, "corotational"},
    {MaterialModel::st_venant_kirchhoff, "St. Venant–Kirchhoff"},
    {MaterialModel::fixed_corotated, "fixed corotated"},
    {MaterialModel::stable_neo_hookean, "stable neo-Hookean"},
    {MaterialModel::neo_hookean, "neo-Hookean"}};

// Bodies without fluid, stepped one by one.
struct Bench {
  World world;
  ElasticOptions options;
  BodySystem system;
  std::vector<NodeField> motion;

  explicit Bench(const std::vector<BodyOptions>& bodies) {
    world.domain = {Vec3::Constant(-1e3), Vec3::Constant(1e3)};
    for (const BodyOptions& b : bodies) world.bodies.push_back(build_body(b));
  }
  BodySolve step(double dt, const Vec3& gravity = Vec3::Zero()) {
    const BodyStep body_step{
        .options = options, .contact = no_contact, .world = world, .trees = {}, .dt = dt, .gravity_dv = dt * gravity};
    const BodySolve solve = solve_bodies(body_step, system, world.bodies, motion);
    if (!solve.ok) return solve;  // the caller's checks will then fail
    move_bodies(world.bodies, motion, dt);
    world.clock.time += dt;
    return solve;
  }
  const Body& body() const { return world.bodies[0]; }
  Momenta momenta() const { return validation::momenta(world.bodies); }
};

BodyOptions ellipsoid() {
  BodyOptions o;
  o.name = "ball";
  o.shape.kind = ShapeKind::sphere;
  o.shape.radius = 0.1;
  o.edge = 0.045;
  o.young = 1e5;
  o.stretch = Vec3(1.2, 0.95, 0.9);
  o.spin = Vec3(3, 5, 8);
  o.velocity = Vec3(1, 2, -0.5);
  return o;
}

// The plate of the cantilever case, `layers` cubes thick, one deep, held at x_min, rollers on both z sides.
BodyOptions plate(ElementOrder element, int layers) {
  BodyOptions o;
  o.element = element;
  o.name = "plate";
  o.mesh = BodyMesh::grid6;
  o.shape.kind = ShapeKind::box;
  o.shape.size = Vec3(0.2, 0.02, 0.02 / layers);
  o.shape.center = Vec3(0.1, 0, 0);
  o.cells = Vec3i(10 * layers, layers, 1);
  o.young = 2e6;
  o.poisson = 0.3975;
  o.density = 1000;
  HoldOptions hold;
  hold.side = BodySide::x_min;
  o.holds.push_back(hold);
  for (BodySide side : {BodySide::z_min, BodySide::z_max}) {
    hold.kind = HoldKind::roller;
    hold.side = side;
    hold.normal = Vec3::UnitZ();
    o.holds.push_back(hold);
  }
  return o;
}

double tip(const Body& b) {
  return displacement(b, [](const Vec3& x) { return x.x() > 0.2 - 1e-9; }).y();
}

}  // namespace

Outcome cantilever() {
  constexpr double h = 0.02, length = 0.2, young = 2e6, nu = 0.3975, rho = 1000, g = 0.0981;
  const double stiffness = young * h * h * h / 12 / (1 - nu * nu);
  const double sag = rho * g * h * std::pow(length, 4) / 8 / stiffness;
  const double period = 2 * M_PI / (1.8751 * 1.8751) * std::sqrt(rho * h * std::pow(length, 4) / stiffness);
  Outcome out;
  Curve static_curve{"Cantilever: sag over theory, by layers", "layers", "", {}, {}},
      period_curve{"Cantilever: period over theory, by layers", "layers", "", {}, {}};
  const auto swing = [&](ElementOrder element, int layers) {
    Bench bench({plate(element, layers)});
    for (int i = 0; i < 6; ++i) (void)bench.step(10, Vec3(0, -g, 0));  // such a long step is a static solve
    const double sagged = -tip(bench.body()) / sag;
    for (Vec3& v : bench.world.bodies[0].v) v.setZero();
    bench.options.integrator = Integrator::midpoint;
    const double dt = period / 120;
    std::vector<double> crossings;
    double before = tip(bench.body());
    for (int i = 0; i < 320 && crossings.size() < 5; ++i) {
      (void)bench.step(dt);
      const double now = tip(bench.body());
      if (before * now < 0) crossings.push_back((i + before / (before - now)) * dt);
      before = now;
    }
    const double measured =
        crossings.size() < 2 ? 0 : 2 * (crossings.back() - crossings.front()) / double(crossings.size() - 1);
    return std::pair(sagged, measured / period);
  };
  const std::string theory = "Euler–Bernoulli, plane strain";
  for (const int layers : {1, 2}) {
    const auto [sagged, swung] = swing(ElementOrder::quadratic, layers);
    const std::string with = fmt::format("quadratic tets, {} layer{}", layers, layers > 1 ? "s" : "");
    out.results.push_back(layers == 2 ? within("static sag over theory, " + with, sagged, 1, 0.02, "", theory)
                                      : reported("static sag over theory, " + with, sagged, "", theory));
    out.results.push_back(layers == 2 ? within("first period over theory, " + with, swung, 1, 0.02, "", theory)
                                      : reported("first period over theory, " + with, swung, "", theory));
  }
  for (int layers : {1, 2, 4, 8, 12, 16}) {
    const auto [sagged, swung] = swing(ElementOrder::linear, layers);
    static_curve.measured.push_back({layers, sagged});
    period_curve.measured.push_back({layers, swung});
    for (Curve* c : {&static_curve, &period_curve}) c->reference.push_back({layers, 1});
    if (layers < 16) continue;
    out.results.push_back(within("static sag over theory, 16 layers", sagged, 1, 0.03, "", theory));
    out.results.push_back(within("first period over theory, 16 layers", swung, 1, 0.03, "", theory));
  }
  for (const auto& [layers, ratio] : static_curve.measured)
    if (layers < 16)
      out.results.push_back(
          reported(fmt::format("static sag over theory, {} layers", layers), ratio, "", "linear tets lock"));
  out.curves = {static_curve, period_curve};
  return out;
}

namespace {

// A cube between two plates that hold its faces, squeezed by a hundredth: its elastic energy, J.
double squeezed_energy(ElementOrder element, int cells, double nu) {
  constexpr double by = 0.01, seconds = 10;
  BodyOptions o;
  o.name = "block";
  o.mesh = BodyMesh::grid5;
  o.element = element;
  o.shape.kind = ShapeKind::box;
  o.shape.size = Vec3::Ones();
  o.cells = Vec3i::Constant(cells);
  o.young = 1e6;
  o.poisson = nu;
  HoldOptions hold;
  hold.side = BodySide::y_min;
  o.holds.push_back(hold);
  hold.side = BodySide::y_max;
  MotionOptions motion;
  motion.velocity = Vec3(0, -by / seconds, 0);
  motion.end = seconds;
  hold.motions.push_back(motion);
  o.holds.push_back(hold);
  Bench bench({o});
  bench.options.newton = true;
  for (int i = 0; i < 3; ++i) (void)bench.step(seconds);
  return elastic_energy(bench.body(), bench.body().x);
}

}  // namespace

Outcome squeezed_block() {
  Outcome out;
  constexpr double nu = 0.4999;
  const double fine = squeezed_energy(ElementOrder::quadratic, 10, nu);
  for (const int cells : {2, 4, 6})
    out.results.push_back(
        cells == 4 ? within(fmt::format("stiffness over that of 10³ cells, quadratic, {}³", cells),
                            squeezed_energy(ElementOrder::quadratic, cells, nu) / fine, 1, 0.03, "", "ν = 0.4999")
                   : reported(fmt::format("the same, {}³", cells),
                              squeezed_energy(ElementOrder::quadratic, cells, nu) / fine, "", "ν = 0.4999"));
  out.results.push_back(
      reported("the same, linear, 8³", squeezed_energy(ElementOrder::linear, 8, nu) / fine, "", "linear tets lock"));
  return out;
}

namespace {

// ∫ tr ε dV of quadratic tets, m³: the gradients of the corners' shape functions have no mean, those of the middles of
// edges have ∇λᵢ + ∇λⱼ.
double dilatation(const Body& body) {
  const auto& tets = std::get<QuadraticTets>(body.rest->elements);
  double sum = 0;
  for (std::size_t e = 0; e < tets.nodes.size(); ++e) {
    std::array<Vec3, 4> slope;
    for (int c = 0; c < 3; ++c) slope[c + 1] = tets.inverse_edges[e].row(c);
    slope[0] = -slope[1] - slope[2] - slope[3];
    for (int m = 0; m < 6; ++m) {
      const int node = tets.nodes[e][4 + m];
      const auto& [a, b] = quadratic_edges[m];
      sum += tets.volume[e] * (body.x[node] - body.rest->x[node]).dot(slope[a] + slope[b]);
    }
  }
  return sum;
}

}  // namespace

Outcome pressed_block() {
  // A pressure of 1e-4 of the bulk modulus on all sides of a free block, through the four triangles of every face.
  constexpr double young = 1e6, nu = 0.3, bulk = young / 3 / (1 - 2 * nu), p = 1e-4 * bulk;
  Outcome out;
  for (const int fine : {1, 2, 4}) {
    BodyOptions o;
    o.name = "block";
    o.mesh = BodyMesh::grid5;
    o.element = ElementOrder::quadratic;
    o.shape.kind = ShapeKind::box;
    o.shape.size = Vec3(0.3, 0.2, 0.25);
    o.cells = fine * Vec3i(3, 2, 3);
    o.young = young;
    o.poisson = nu;
    Bench bench({o});
    const Body& body = bench.body();
    NodeField force(body.x.size(), Vec3::Zero());
    for (const Vec3i& t : body.rest->skin.tris) {
      const Vec3 area = 0.5 * (body.x[t[1]] - body.x[t[0]]).cross(body.x[t[2]] - body.x[t[0]]);
      for (int c = 0; c < 3; ++c) force[t[c]] -= p / 3 * area;
    }
    const double volume = body_volume(body);
    const BodyStep step{.options = bench.options,
                        .contact = no_contact,
                        .world = bench.world,
                        .trees = {},
                        .dt = 10,
                        .gravity_dv = Vec3::Zero()};
    (void)solve_bodies(step, bench.system, bench.world.bodies, bench.motion, &force);
    move_bodies(bench.world.bodies, bench.motion, 10);
    const std::string cells = fmt::format("{}×{}×{} cells", o.cells.x(), o.cells.y(), o.cells.z());
    out.results.push_back(within("change of the elements' volume over −p V / K, " + cells,
                                 dilatation(body) / volume / (-p / bulk), 1, 0.01, "", "Hooke"));
    // A quadratic face would take its load in the middles of its edges alone; four triangles give a quarter of it to
    // the corners, which dent.
    out.results.push_back(reported("change of the volume inside the skin, over that, " + cells,
                                   (body_volume(body) / volume - 1) / (-p / bulk), "", "1, and dents"));
    const auto& tets = std::get<QuadraticTets>(body.rest->elements);
    double worst = 0;
    for (std::size_t e = 0; e < tets.nodes.size(); ++e) {
      const auto& n = tets.nodes[e];
      Mat3 edges;
      for (int c = 0; c < 3; ++c) edges.col(c) = body.x[n[c + 1]] - body.x[n[0]];
      const Mat3 f = edges * tets.inverse_edges[e];
      const double error = ((f - Mat3::Identity()).trace() + p / bulk) / (p / bulk);
      worst = std::max(worst, std::abs(error));
    }
    out.results.push_back(reported("largest error of the pressure between an element's corners, " + cells, worst,
                                   "of p", "at the surface: the corners' load"));
  }
  return out;
}

Outcome elastic_patch() {
  Outcome out;
  Mat3 f;
  f << 1.1, 0.2, -0.1, 0.05, 0.9, 0.15, -0.2, 0.1, 1.05;
  for (const ElementOrder element : {ElementOrder::linear, ElementOrder::quadratic}) {
    double patch = 0, rotation = 0;
    for (const auto& [model, name] : models) {
      BodyOptions o = ellipsoid();
      o.material = model;
      o.element = element;
      const Body body = build_body(o);
      const double scale = o.young * body.rest->skin.edge * body.rest->skin.edge;
      const auto worst = [&](const Mat3& map, bool surface_too) {
        std::vector<Vec3> x = body.rest->x, force(x.size(), Vec3::Zero());
        for (Vec3& p : x) p = map * p;
        add_elastic_gradient(body, x, 0, force);
        double most = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
          if (surface_too || !std::binary_search(body.rest->skin.nodes.begin(), body.rest->skin.nodes.end(), int(i)))
            most = std::max(most, force[i].norm() / scale);
        return most;
      };
      patch = std::max(patch, worst(f, false));
      for (double degrees : {10.0, 90.0, 180.0, 271.0})
        rotation = std::max(rotation, worst(rotation_xyz(Vec3(degrees, 0.7 * degrees, -degrees)), true));
    }
    const char* tets = element == ElementOrder::linear ? "linear" : "quadratic";
    out.results.push_back(at_most(fmt::format("force inside under a uniform strain, over E edge², {} tets", tets),
                                  patch, 1e-12, "", "patch test"));
    out.results.push_back(at_most(fmt::format("force under rotations, over E edge², {} tets", tets), rotation, 1e-12,
                                  "", "rigid motion costs nothing"));
  }
  return out;
}

Outcome free_flight() {
  Outcome out;
  constexpr double dt = 0.002;
  constexpr int steps = 100;
  const auto fly = [&](Integrator integrator, ElementOrder element) {
    const bool midpoint = integrator == Integrator::midpoint;
    BodyOptions o = ellipsoid();
    o.material = MaterialModel::stable_neo_hookean;
    o.element = element;
    if (element == ElementOrder::quadratic) o.edge *= 2;
    if (!midpoint) o.stretch = Vec3::Ones();  // ringing would add losses to (ω Δt)²
    Bench bench({o});
    bench.options.integrator = integrator;
    bench.options.newton = true;
    bench.options.tolerance = 1e-13;
    double linear = 0, angular = 0;
    for (int i = 0; i < steps && !midpoint; ++i) (void)bench.step(dt);  // let the ringing of the sudden start decay
    for (int i = 0; i < steps; ++i) {
      const Momenta before = bench.momenta();
      (void)bench.step(dt);
      const Momenta now = bench.momenta();
      linear = std::max(linear, (now.linear - before.linear).norm() / before.linear.norm());
      angular = std::max(angular, (now.angular - before.angular).norm() / before.angular.norm());
    }
    const double turn = o.spin.norm() * dt;
    const std::string name = fmt::format("{}, {} tets", midpoint ? "midpoint" : "backward Euler",
                                         element == ElementOrder::linear ? "linear" : "quadratic");
    out.results.push_back(at_most(fmt::format("change of linear momentum a step, {}", name), linear, 1e-12, "",
                                  "inner forces add up to nothing"));
    out.results.push_back(at_most(fmt::format("change of angular momentum a step, {}", name), angular,
                                  midpoint ? 1e-9 : turn * turn, "",
                                  midpoint ? "conserved by the midpoint rule" : "(ω Δt)²"));
  };
  for (const ElementOrder element : {ElementOrder::linear, ElementOrder::quadratic})
    for (const Integrator integrator : {Integrator::backward_euler, Integrator::midpoint}) fly(integrator, element);
  return out;
}

Outcome elastic_energy_decay() {
  Outcome out;
  // Frozen stiffness: v' = B⁻¹ (M v / dt − K (x − X)), energy ½ v M v + ½ (x − X) K (x − X).
  {
    BodyOptions o = ellipsoid();
    const Body body = build_body(o);
    const std::vector<Vec3>& rest = body.rest->x;
    std::vector<Vec3> x = body.x, v = body.v;
    const double dt = 0.01;
    BlockSolver matrix;
    NodePairs pairs;
    add_pairs(body, 0, pairs);
    matrix.set_pattern(int(x.size()), pairs);
    const ElementSlots slots = element_slots(body, 0, matrix);
    const auto strain_force = [&](const std::vector<Vec3>& at) {
      std::vector<Vec3> d(at.size()), f(at.size(), Vec3::Zero());
      for (std::size_t i = 0; i < at.size(); ++i) d[i] = at[i] - rest[i];
      add_stiffness_times(body, rest, Linearisation::warped, 1, 0, d, f);
      return f;
    };
    const auto energy = [&] {
      const std::vector<Vec3> f = strain_force(x);
      double e = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        e += 0.5 * body.rest->mass[i] * v[i].squaredNorm() + 0.5 * f[i].dot(x[i] - rest[i]);
      return e;
    };
    double worst = -INFINITY, before = energy();
    for (int step = 0; step < 50; ++step) {
      std::vector<Vec3> rhs = strain_force(x);
      matrix.clear();
      add_stiffness(body, rest, Linearisation::warped, dt, 0, slots, matrix);
      for (std::size_t i = 0; i < x.size(); ++i) {
        matrix.add_diagonal(int(i), body.rest->mass[i] / dt * Mat3::Identity());
        rhs[i] = body.rest->mass[i] / dt * v[i] - rhs[i];
      }
      if (!matrix.solve({}, v, rhs)) return {};
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * v[i];
      const double now = energy();
      worst = std::max(worst, (now - before) / before);
      before = now;
    }
    out.results.push_back(at_most("largest gain a step, frozen stiffness, backward Euler", worst, 1e-12, "of E",
                                  "backward Euler dissipates; round-off of the sums"));
  }
  for (const auto& [model, name] : models)
    for (const bool newton : {false, true}) {
      BodyOptions o = ellipsoid();
      o.material = model;
      Bench bench({o});
      bench.options.newton = newton;
      const auto energy = [&] { return bench.momenta().energy + elastic_energy(bench.body(), bench.body().x); };
      double worst = -INFINITY, before = energy();
      for (int i = 0; i < 60; ++i) {
        (void)bench.step(0.005);
        const double now = energy();
        worst = std::max(worst, (now - before) / before);
        before = now;
      }
      out.results.push_back(reported(fmt::format("largest gain a step, {}, {}", name, newton ? "Newton" : "one solve"),
                                     worst, "of E", "backward Euler"));
    }
  return out;
}

Outcome squeezed_cube() {
  BodyOptions o;
  o.name = "cube";
  o.mesh = BodyMesh::grid6;
  o.shape.kind = ShapeKind::box;
  o.shape.size = Vec3::Constant(0.2);
  o.cells = Vec3i::Constant(6);
  o.stretch = Vec3::Constant(0.5);
  Bench bench({o});
  for (int i = 0; i < 200; ++i) (void)bench.step(0.01);
  return {{at_least("volume recovered from an eighth", body_volume(bench.body()) / 0.008, 0.99, "of V", "elasticity"),
           at_most("recovered, no more", body_volume(bench.body()) / 0.008, 1.01, "of V", "elasticity")},
          {}};
}

Outcome scrambled_body() {
  Outcome out;
  for (const auto& [model, name] : {models[0], models[3]}) {
    BodyOptions o;
    o.name = "cube";
    o.mesh = BodyMesh::grid6;
    o.shape.kind = ShapeKind::box;
    o.shape.size = Vec3::Constant(0.2);
    o.cells = Vec3i::Constant(4);
    o.material = model;
    o.damping_mass = 2;
    Bench bench({o});
    bench.options.newton = true;
    bench.options.max_iterations = 300;
    Body& body = bench.world.bodies[0];
    for (std::size_t i = 0; i < body.x.size(); ++i)
      body.x[i] = 0.2 * Vec3(uniform(i, 0) - 0.5, uniform(i, 1) - 0.5, uniform(i, 2) - 0.5);
    const double before = elastic_energy(body, body.x);
    for (int i = 0; i < 400; ++i) (void)bench.step(0.01);
    out.results.push_back(at_most(fmt::format("elastic energy left, {}", name), elastic_energy(body, body.x) / before,
                                  1e-6, "", "only the rest shape has none"));
    out.results.push_back(at_least(fmt::format("worst element, {}", name), least_quality(body),
                                   0.99 * least_quality(build_body(o)), "", "as at rest"));
  }
  return out;
}

Outcome bouncing_ball() {
  double highest_after = 0, speed = 0, drop = 0, first = -1, slide = 0;
  int bounces = 0;
  double deepest = 0, vy_before = 0;
  run_text(R"(
[domain]
min = [0, 0, 0]
max = [2, 1, 1]
resolution = 20
[time]
fps = 25
frames = 150
max_dt = 0.005
[[body]]
name = "ball"
shape = "sphere"
center = [0.4, 0.6, 0.5]
radius = 0.12
edge = 0.05
young = 2e5
damping_mass = 1
damping_stiffness = 0.001
velocity = [0.6, 0, 0]
)",
           "bouncing_ball", [&](const StepReport& r, const World& w, const Workspace&) {
             const BodyReport& b = r.bodies[0];
             const double vy = b.momentum.y();
             if (vy_before < 0 && vy > 0) ++bounces;
             vy_before = vy;
             if (first < 0) first = b.center.y();
             if (bounces > 0) highest_after = std::max(highest_after, b.center.y());
             speed = std::sqrt(2 * b.kinetic_energy / (1000 * b.volume));
             deepest = std::max(deepest, b.deepest_penetration / w.bodies[0].rest->skin.edge);
             drop = b.center.y(), slide = b.center.x();
           });
  return {
      {at_least("bounces", bounces, 2, "", "rubber"),
       at_most("height of the first bounce over the drop", (highest_after - 0.12) / (first - 0.12), 1, "", "energy"),
       at_most("speed after 6 s", speed, 0.01, "m/s", "it comes to rest"),
       within("rests at its radius, less its sag", drop, 0.115, 0.01, "m", "geometry"),
       at_least("has gone along before friction held it", slide, 0.5, "m", "it was thrown"),
       at_most("deepest penetration", deepest, 0.01, "edges", "non-penetration")},
      {}};
}

Outcome pile() {
  std::string scene =
      "[domain]\nmin = [0, 0, 0]\nmax = [0.6, 1.6, 0.6]\nresolution = 32\n[time]\nfps = 25\nframes = 125\nmax_dt = "
      "0.005\n";
  for (int i = 0; i < 10; ++i)
    scene += fmt::format(
        "[[body]]\nname = \"b{}\"\nshape = \"{}\"\ncenter = [{}, {}, {}]\n{}\nedge = 0.06\nyoung = 1e5\ndensity = "
        "800\ndamping_mass = 0.5\n",
        i, i % 2 ? "sphere" : "box", 0.3 + 0.08 * (uniform(i, 0) - 0.5), 0.14 + 0.15 * i,
        0.3 + 0.08 * (uniform(i, 1) - 0.5),
        i % 2 ? "radius = 0.07" : "size = [0.13, 0.12, 0.14]\nrotate = [10, 25, 5]");
  double deepest = 0, speed = 0;
  run_text(scene, "pile", [&](const StepReport& r, const World& w, const Workspace&) {
    speed = 0;
    for (std::size_t b = 0; b < r.bodies.size(); ++b) {
      deepest = std::max(deepest, r.bodies[b].deepest_penetration / w.bodies[b].rest->skin.edge);
      speed = std::max(speed, std::sqrt(2 * r.bodies[b].kinetic_energy / (800 * r.bodies[b].volume)));
    }
  });
  return {{at_most("deepest penetration over 5 s", deepest, 0.01, "edges", "bodies stay apart"),
           at_most("fastest body after 5 s", speed, 0.1, "m/s", "the pile settles")},
          {}};
}

}  // namespace coracle::validation
