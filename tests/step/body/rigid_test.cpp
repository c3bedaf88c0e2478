// Rigid bodies through whole steps, against the laws of rigid bodies.
#include "coracle/step/body/rigid.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/step/body/body_solve.h"
#include "coracle/world/make_rigid.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>

#include <cmath>
#include <memory>

namespace coracle {
namespace {

constexpr double density = 1000;

// A box with different moments of inertia: the least about x, the middle one about y, the largest about z.
const Vec3 box_size(0.2, 0.12, 0.06);

// One rigid body, stepped by itself.
struct Bench {
  World world;
  ElasticOptions options;
  BodySystem system;
  std::vector<NodeField> motion;
  Moments at_rest;

  explicit Bench(const std::vector<int>& held = {}, double young = 1e9) {
    const TriMesh box = box_mesh(-0.5 * box_size, 0.5 * box_size);
    at_rest = moments(box, density);
    RigidParts parts = make_rigid(box, density, held);
    auto rest = std::make_shared<BodyRest>();
    rest->options.material = MaterialModel::st_venant_kirchhoff;
    rest->options.young = young;
    rest->options.poisson = 0;
    rest->options.density = density;
    rest->x = parts.x;
    rest->mass = parts.mass;
    rest->elements = parts.rigid;
    rest->followers = parts.followers;
    rest->skin.tris = parts.tris;
    rest->skin.edge = 0.1;
    for (int i = mass_points; i < int(parts.x.size()); ++i) rest->skin.nodes.push_back(i);
    for (const int i : held) rest->holds.push_back({.node = mass_points + i, .free = Mat3::Zero(), .directions = {}});
    Body body{.name = "box", .rest = rest, .x = parts.x, .v = NodeField(parts.x.size(), Vec3::Zero()), .energy = {}};
    world.bodies.push_back(std::move(body));
    options.integrator = Integrator::midpoint;
    options.newton = true;
  }
  const Body& body() const { return world.bodies[0]; }
  const std::vector<double>& mass() const { return body().rest->mass; }

  void spin(const Vec3& omega, const Vec3& velocity = Vec3::Zero()) {
    Body& b = world.bodies[0];
    for (std::size_t i = 0; i < b.x.size(); ++i) b.v[i] = velocity + omega.cross(b.x[i]);
  }
  void step(double dt, const Vec3& gravity = Vec3::Zero(), const NodeField* force = nullptr) {
    const BodyStep step{
        .options = options, .contact = no_contact, .world = world, .trees = {}, .dt = dt, .gravity_dv = dt * gravity};
    const BodySolve solve = solve_bodies(step, system, world.bodies, motion, force);
    ASSERT_TRUE(solve.ok) << solve.trouble;
    for (std::size_t i = 0; i < body().x.size(); ++i) world.bodies[0].x[i] += dt * motion[0][i];
  }
  Vec3 center() const {
    Vec3 c = Vec3::Zero();
    for (std::size_t i = 0; i < body().x.size(); ++i) c += mass()[i] / at_rest.mass * body().x[i];
    return c;
  }
  Vec3 momentum() const {
    Vec3 p = Vec3::Zero();
    for (std::size_t i = 0; i < body().x.size(); ++i) p += mass()[i] * body().v[i];
    return p;
  }
  Vec3 angular_momentum() const {
    Vec3 l = Vec3::Zero();
    for (std::size_t i = 0; i < body().x.size(); ++i) l += mass()[i] * body().x[i].cross(body().v[i]);
    return l;
  }
  double kinetic() const {
    double e = 0;
    for (std::size_t i = 0; i < body().x.size(); ++i) e += 0.5 * mass()[i] * body().v[i].squaredNorm();
    return e;
  }
  Mat3 f() const { return deformation(std::get<Rigid>(body().rest->elements).frame, body().x, 0); }
  double strain() const { return (Eigen::JacobiSVD<Mat3>(f()).singularValues() - Vec3::Ones()).cwiseAbs().maxCoeff(); }
  Mat3 inertia() const { return at_rest.second.trace() * Mat3::Identity() - at_rest.second; }
};

// The rotation of a free body by Euler's equations, in steps so short that their error does not count.
Mat3 euler_rotation(const Mat3& inertia, const Vec3& spin, double time) {
  struct State {
    Eigen::Quaterniond q;
    Vec3 w;  // in the axes of the body
  };
  const auto rate = [&](const State& s) {
    const Eigen::Quaterniond w(0, s.w.x(), s.w.y(), s.w.z());
    return State{Eigen::Quaterniond(0.5 * (s.q * w).coeffs()), inertia.inverse() * (inertia * s.w).cross(s.w)};
  };
  const auto moved = [](const State& s, const State& by, double dt) {
    return State{Eigen::Quaterniond(s.q.coeffs() + dt * by.q.coeffs()), s.w + dt * by.w};
  };
  State s{Eigen::Quaterniond::Identity(), spin};
  constexpr int steps = 20000;
  const double dt = time / steps;
  for (int i = 0; i < steps; ++i) {  // Runge–Kutta of fourth order
    const State a = rate(s), b = rate(moved(s, a, dt / 2)), c = rate(moved(s, b, dt / 2)), d = rate(moved(s, c, dt));
    s = moved(moved(moved(moved(s, a, dt / 6), b, dt / 3), c, dt / 3), d, dt / 6);
  }
  return s.q.normalized().toRotationMatrix();
}

TEST(Rigid, falls_freely_as_galileo_says_while_it_tumbles) {
  Bench b;
  const Vec3 g(0, -9.81, 0), v(1, 2, 3);
  b.spin(Vec3(3, 8, 5), v);
  constexpr double dt = 0.01;
  for (int i = 0; i < 50; ++i) b.step(dt, g);
  const double t = 50 * dt;
  EXPECT_LT((b.center() - v * t - 0.5 * t * t * g).norm(), 1e-12 * (v * t).norm());
  EXPECT_LT((b.momentum() / b.at_rest.mass - v - t * g).norm(), 1e-12 * v.norm());
}

TEST(Rigid, turns_as_eulers_equations_say_with_second_order) {
  const Vec3 spin(2, 10, 1);
  const double time = 1.6;  // about three turns
  const Mat3 exact = euler_rotation(Bench().inertia(), spin, time);
  double error[2];
  for (int i = 0; i < 2; ++i) {
    Bench b;
    b.spin(spin);
    const int steps = 200 << i;
    for (int s = 0; s < steps; ++s) b.step(time / steps);
    error[i] = (b.f() - exact).norm();
  }
  EXPECT_LT(error[1], 0.02);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.2);
}

// The theorem of the intermediate axis. Energy: kinetic, for strains are no part of a rigid body's.
TEST(Rigid, flips_about_the_middle_axis_and_keeps_energy_and_angular_momentum) {
  for (const double young : {1e7, 1e9, 1e11}) {
    Bench b({}, young);
    b.spin(Vec3(0.01, 10, 0));
    const double energy = b.kinetic();
    const Vec3 l = b.angular_momentum();
    constexpr double dt = 0.01;  // it turns by 0.1 in a step
    int flips = 0;
    double strain = 0;
    for (int i = 0; i < 2500 && flips < 10; ++i) {
      b.step(dt);
      const double up = b.f().col(1).dot(l.normalized());
      if (flips % 2 ? up > 0.5 : up < -0.5) ++flips;
      EXPECT_NEAR(b.kinetic(), energy, 0.01 * energy);
      strain = std::max(strain, b.strain());
    }
    EXPECT_EQ(flips, 10) << young;
    EXPECT_LT((b.angular_momentum() - l).norm(), 1e-11 * l.norm());
    // ρ ω² ℓ² / E by centrifugal force, and less than φ³/100, as the spin changes within a step.
    EXPECT_LT(strain, density * 100 * 0.01 / young + 1e-5) << young;
  }
}

// The force acts at the end of the step, so that angular momentum loses h m v_n × v_{n+1}, its share (ωh)² a step:
// dω/dt = −h ω³, E = E₀ / (1 + 2 h ω₀² t).
TEST(Rigid, backward_euler_loses_energy_at_the_rate_that_theory_gives) {
  for (const double dt : {0.001, 0.005}) {
    Bench b;
    b.options.integrator = Integrator::backward_euler;
    b.spin(Vec3(0, 0, 10));
    const double energy = b.kinetic();
    const int steps = int(1 / dt);
    for (int i = 0; i < steps; ++i) b.step(dt);
    EXPECT_NEAR(b.kinetic() / energy, 1 / (1 + 2 * dt * 100 * dt * steps), 0.01);
    EXPECT_LT(b.strain(), 1e-6);
  }
}

// A blow J at a corner r: v = J/m, ω = I⁻¹ (r × J). The corner alone would move by J over its share of the mass.
TEST(Rigid, a_blow_at_a_corner_sets_the_whole_body_in_motion_at_once) {
  for (const Integrator integrator : {Integrator::backward_euler, Integrator::trapezoidal, Integrator::midpoint}) {
    // Sound crosses it in 1e-5 s. In a step of 1e-3 s vibrations keep less than (1e-5/1e-3)² of the velocity.
    Bench b({}, 1e11);
    b.options.integrator = integrator;
    const int corner = mass_points + 6;
    const Vec3 r = b.body().x[corner];
    constexpr double dt = 1e-3;
    const Vec3 blow = b.at_rest.mass * Vec3(0.01, -0.02, 0.05);
    NodeField force(b.body().x.size(), Vec3::Zero());
    force[corner] = blow / dt;
    b.step(dt, Vec3::Zero(), &force);
    const Vec3 spin = b.inertia().inverse() * r.cross(blow);
    // Within the step it turns by about ω dt, which changes the arm.
    const double turn = spin.norm() * dt;
    for (std::size_t i = 0; i < b.body().x.size(); ++i) {
      const Vec3 expected = blow / b.at_rest.mass + spin.cross(b.body().rest->x[i]);
      EXPECT_LT((b.body().v[i] - expected).norm(), 2 * turn * expected.norm()) << int(integrator);
    }
    EXPECT_LT((b.momentum() - blow).norm(), 1e-11 * blow.norm());
    EXPECT_LT(b.strain(), 1e-5);
  }
}

// Two vertices of an edge held: a hinge. Small swings have the period 2π √(I / m g d) of a physical pendulum.
TEST(Rigid, held_at_two_corners_it_swings_as_a_physical_pendulum) {
  const TriMesh box = box_mesh(-0.5 * box_size, 0.5 * box_size);
  std::vector<int> top;  // the edge along z with the largest x and y
  for (int i = 0; i < 8; ++i)
    if (box.x[i].x() > 0 && box.x[i].y() > 0) top.push_back(i);
  ASSERT_EQ(top.size(), 2u);
  Bench b(top);
  const Vec3 hinge = 0.5 * (box.x[top[0]] + box.x[top[1]]);
  const double d = hinge.norm(), m = b.at_rest.mass, inertia = b.inertia()(2, 2) + m * d * d;
  const double period = 2 * M_PI * std::sqrt(inertia / (m * 9.81 * d));
  // Gravity towards the centre from the hinge, turned by a small angle: the body starts at rest off its equilibrium.
  constexpr double angle = 0.05;
  const Vec3 down = Eigen::AngleAxisd(angle, Vec3::UnitZ()) * (-hinge / d);
  constexpr double dt = 0.002;
  const auto off = [&] { return (b.center() - hinge).cross(down).z(); };
  double last = off(), crossed[2] = {0, 0};
  int crossings = 0;
  for (int i = 1; crossings < 2 && i < 2000; ++i) {
    b.step(dt, 9.81 * down);
    if (off() * last < 0) crossed[crossings++] = dt * (i - 1 + last / (last - off()));
    last = off();
    for (const int held : top) EXPECT_LT((b.body().x[mass_points + held] - box.x[held]).norm(), 1e-10);
  }
  // Longer by angle²/16 for a finite swing; by (ω dt)²/12 for the midpoint rule.
  EXPECT_NEAR(2 * (crossed[1] - crossed[0]), period, 1e-3 * period);
  EXPECT_LT(b.strain(), 1e-5);
}

}  // namespace
}  // namespace coracle
