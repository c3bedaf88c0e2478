// Rods against the theory of beams and chains.
#include "coracle/step/body/rods.h"

#include "coracle/base/parallel.h"
#include "coracle/step/body/stress.h"
#include "coracle/world/make_rods.h"
#include "tests/step/body/element_checks.h"

#include <numbers>
#include <stdexcept>

namespace coracle {
namespace {

using namespace element_checks;
using Segments = std::vector<std::array<int, 2>>;
constexpr double pi = std::numbers::pi;

BodyOptions options(double radius) {
  BodyOptions o;
  o.name = "rod";
  o.young = 1e7;
  o.rod_radius = radius;
  return o;
}

Body rod(const BodyOptions& o, const Nodes& x, const Segments& segments) {
  Rods rods = make_rods(x, segments);
  std::vector<double> mass = lumped_mass(rods, x.size(), o);
  return make_body(o, x, std::move(rods), std::move(mass));
}

// One node after the other.
Segments chain(std::size_t nodes) {
  Segments segments;
  for (int n = 0; n + 1 < int(nodes); ++n) segments.push_back({n, n + 1});
  return segments;
}

// Along x from −h/2 to 1, with `count` segments of length h; with the first two nodes clamped the clamp is at x = 0.
Nodes straight(int count, bool uneven = false) {
  const double h = 1 / (count - 0.5);
  Nodes x;
  for (int n = 0; n <= count; ++n)
    x.emplace_back((n - 0.5) * h + (uneven && n > 1 && n < count ? 0.3 * h * std::sin(7.0 * n) : 0), 0, 0);
  return x;
}

// An arc in the xy-plane that starts at the origin along x.
Nodes arc(int count, double radius, double angle) {
  Nodes x;
  for (int n = 0; n <= count; ++n) {
    const double a = angle * n / count;
    x.emplace_back(radius * std::sin(a), radius * (1 - std::cos(a)), 0);
  }
  return x;
}

double bending_stiffness(const BodyOptions& o) { return o.young * pi * std::pow(o.rod_radius, 4) / 4; }

// A net of crossing rods, n × n nodes.
std::pair<Nodes, Segments> net(int n) {
  Nodes x;
  Segments segments;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      x.emplace_back(0.1 * i, 0.02 * std::sin(2.0 * i + 3.0 * j), 0.1 * j);
      if (i + 1 < n) segments.push_back({i * n + j, (i + 1) * n + j});
      if (j + 1 < n) segments.push_back({i * n + j, i * n + j + 1});
    }
  return {x, segments};
}

TEST(Rods, forces_are_the_gradient_of_the_energy_and_rigid_motion_changes_nothing) {
  const auto [net_x, net_segments] = net(4);
  const std::pair<Nodes, Segments> cases[] = {
      {straight(8, true), chain(9)}, {arc(8, 0.3, pi), chain(9)}, {net_x, net_segments}};
  // Thick rods: stretch and bending have about the same energy. The second state is nearly straight, where the energy
  // of a rod with natural bend is smoothed.
  for (const auto& [rest, segments] : cases) {
    const Body body = rod(options(0.05), rest, segments);
    for (const double by : {0.003, 0.02}) {
      const Nodes x = moved(rest, by, random_nodes(rest.size()));
      check_gradient(body, x, 1e-5);
      check_rigid_motion(body, x);
    }
  }
  const Body body = rod(options(0.05), arc(8, 0.3, pi), chain(9));
  const Nodes x = moved(straight(8), 0.001, random_nodes(9));
  check_gradient(body, x, 1e-5);
  check_rigid_motion(body, x);
}

TEST(Rods, the_stiffness_is_the_gradient_of_the_forces_at_rest_and_positive_everywhere) {
  const auto [net_x, net_segments] = net(4);
  const std::pair<Nodes, Segments> cases[] = {
      {straight(8, true), chain(9)}, {arc(8, 0.3, pi), chain(9)}, {net_x, net_segments}};
  for (const auto& [rest, segments] : cases)
    for (const double radius : {0.05, 0.01}) {
      const Body body = rod(options(radius), rest, segments);
      check_stiffness(body, rest, random_nodes(rest.size()), 1e-7);
      Nodes out(rest.size(), Vec3::Zero());  // across a straight rod, bending alone resists
      for (std::size_t n = 0; n < out.size(); ++n) out[n].y() = random_nodes(rest.size())[n].y();
      check_stiffness(body, rest, out, 1e-7);
      check_matrix(body, rest);
      for (const double by : {0.01, 0.1}) check_matrix(body, moved(rest, by, random_nodes(rest.size())));
    }
}

TEST(Rods, sums_are_the_same_bits_on_any_number_of_threads) {
  const auto [rest, segments] = net(30);
  const Body body = rod(options(0.005), rest, segments);
  const Nodes x = moved(rest, 0.01, random_nodes(rest.size()));
  Nodes g[2], k[2];
  double e[2];
  for (int i = 0; i < 2; ++i) {
    const ThreadLimit limit(i + 1);
    g[i] = gradient(body, x), k[i] = stiffness_times(body, x, x), e[i] = elastic_energy(body, x);
  }
  EXPECT_EQ(e[0], e[1]);
  EXPECT_TRUE(g[0] == g[1]);
  EXPECT_TRUE(k[0] == k[1]);
}

TEST(Rods, folded_rods_and_segments_without_length_have_finite_forces) {
  for (const Nodes& rest : {straight(4), arc(4, 0.3, pi)}) {
    const Body body = rod(options(0.01), rest, chain(5));
    Nodes folded = rest, point(5, Vec3(1, 2, 3));
    folded[3] = folded[1];
    for (const Nodes& x : {folded, point}) {
      EXPECT_TRUE(std::isfinite(elastic_energy(body, x)));
      for (const Vec3& g : gradient(body, x)) EXPECT_TRUE(g.allFinite());
      for (const Vec3& y : stiffness_times(body, x, random_nodes(5))) EXPECT_TRUE(y.allFinite());
    }
  }
}

TEST(Rods, a_uniform_stretch_has_the_energy_and_stress_of_a_bar) {
  const BodyOptions o = options(0.01);
  Body body = rod(o, straight(10, true), chain(11));
  for (Vec3& p : body.x) p *= 1.1;
  const double length = 10 / 9.5, section = pi * 1e-4;
  EXPECT_NEAR(elastic_energy(body, body.x), 0.5 * o.young * section * 0.01 * length, 1e-9);
  for (const double s : axial_stress(*body.rest, std::get<Rods>(body.rest->elements), body.x))
    EXPECT_NEAR(s, 0.1 * o.young, 1e-6 * o.young);
  for (Vec3& p : body.x) p *= 0.9 / 1.1;
  for (const double s : von_mises(body).nodes) EXPECT_NEAR(s, 0.1 * o.young, 1e-6 * o.young);
  double mass = 0;
  for (const double m : body.rest->mass) mass += m;
  EXPECT_NEAR(mass, o.density * section * length, 1e-12);
}

TEST(Rods, a_bent_rod_has_the_energy_of_its_curvature) {
  // Bent to a half circle, energy E I / (2 R²) per length; of order h². The end nodes carry no bend.
  const BodyOptions o = options(1e-3);
  for (const int count : {10, 20, 40}) {
    const double radius = 0.4, chord = 2 * radius * std::sin(pi / (2 * count));
    Nodes rest;
    for (int n = 0; n <= count; ++n) rest.emplace_back(n * chord, 0, 0);
    const Body body = rod(o, rest, chain(rest.size()));
    const double energy = elastic_energy(body, arc(count, radius, pi));
    const double theory = bending_stiffness(o) / (2 * radius * radius) * chord * (count - 1);
    EXPECT_NEAR(energy / theory, 1, 1.0 / (count * count) * pi * pi);
  }
}

// Deflection of the tip of a clamped rod under its weight, over ρ g A L⁴ / (8 E I).
double tip_ratio(int count, bool uneven) {
  const BodyOptions o = options(0.01);
  const Nodes rest = straight(count, uneven);
  const Body body = rod(o, rest, chain(rest.size()));
  const Nodes u = linear_answer(body, {0, 1}, weight(body, Vec3(0, -9.81, 0)));
  return -u.back().y() / (o.density * 9.81 * pi * 1e-4 / (8 * bending_stiffness(o)));
}

TEST(Rods, the_tip_of_a_clamped_rod_sinks_as_that_of_a_beam) {
  for (const bool uneven : {false, true}) {
    const double coarse = tip_ratio(10, uneven), fine = tip_ratio(20, uneven);
    EXPECT_NEAR(coarse, 1, 0.02);
    EXPECT_NEAR(fine, 1, 0.005);
  }
  EXPECT_LT(std::abs(tip_ratio(20, false) - 1), std::abs(tip_ratio(10, false) - 1) / 3);
}

// First frequency of a clamped rod, over 3.516 √(E I / (ρ A L⁴)) / 2π; by inverse iteration.
double frequency_ratio(int count) {
  const BodyOptions o = options(0.01);
  const Nodes rest = straight(count);
  const Body body = rod(o, rest, chain(rest.size()));
  BlockSolver matrix;
  assemble(body, rest, matrix);
  EXPECT_TRUE(matrix.factor(held({0, 1})));
  Nodes shape = weight(body, Vec3(0, 1, 0)), next(rest.size());
  double square = 0;  // ω²
  for (int i = 0; i < 20; ++i) {
    matrix.solve_free(next, shape);
    Nodes heavy = next;
    for (std::size_t n = 0; n < next.size(); ++n) heavy[n] *= body.rest->mass[n];
    square = dot(next, shape) / dot(next, heavy);  // uᵀKu / uᵀMu, K u = shape
    const double size = std::sqrt(dot(heavy, heavy));
    for (std::size_t n = 0; n < next.size(); ++n) shape[n] = heavy[n] / size;
  }
  return std::sqrt(square) / (3.516 * std::sqrt(bending_stiffness(o) / (o.density * pi * 1e-4)));
}

TEST(Rods, a_clamped_rod_swings_with_the_frequency_of_a_beam) {
  EXPECT_NEAR(frequency_ratio(10), 1, 0.03);
  EXPECT_NEAR(frequency_ratio(20), 1, 0.005);
}

TEST(Rods, a_heavy_rod_hangs_as_the_elastica) {
  const double load = 10;
  const Eigen::Vector2d tip = heavy_elastica_tip(load);
  BodyOptions o = options(0.01);
  o.young = 4 * o.density * 9.81 / (o.rod_radius * o.rod_radius * load);  // ρ g A L³ / (E I) = load
  const Nodes rest = straight(20);
  Body body = rod(o, rest, chain(rest.size()));
  const int iterations = equilibrium(body, {0, 1}, weight(body, Vec3(0, -9.81, 0)), 0.2);
  EXPECT_LT(iterations, 100);
  EXPECT_NEAR(body.x.back().x(), tip[0], 0.005);
  EXPECT_NEAR(-body.x.back().y(), tip[1], 0.005);
}

TEST(Rods, a_hanging_chain_is_a_catenary) {
  // Length 1.3 between two points at distance 1: y = a cosh(x/a), 2 a sinh(1/(2a)) = length. The rod stretches by 1e-4,
  // and its bending stiffness matters only over √(E I / tension) = √(E / (ρ g a)) r / 2 = 1 mm.
  const double length = 1.3;
  double low = 0.05, high = 10;  // a
  for (int i = 0; i < 100; ++i) {
    const double a = 0.5 * (low + high);
    (2 * a * std::sinh(0.5 / a) > length ? low : high) = a;
  }
  const int count = 60;
  BodyOptions o = options(2e-5);
  o.young = 1e4 * o.density * 9.81 * low;
  Nodes rest;
  for (int n = 0; n <= count; ++n) rest.emplace_back(length * n / count, 0, 0);
  Body body = rod(o, rest, chain(rest.size()));
  for (int n = 0; n <= count; ++n) {  // start: a parabola
    const double t = 2.0 * n / count - 1;
    body.x[n] = Vec3(0.5 * t, 0.4 * (t * t - 1), 0);
  }
  const int iterations = equilibrium(body, {0, count}, weight(body, Vec3(0, -9.81, 0)), 0.1, 400);
  EXPECT_LT(iterations, 400);
  double error = 0;
  for (const Vec3& p : body.x)
    error = std::max(error, std::abs(p.y() - low * (std::cosh(p.x() / low) - std::cosh(0.5 / low))));
  EXPECT_LT(error, 0.002);
  const std::vector<double> stress = axial_stress(*body.rest, std::get<Rods>(body.rest->elements), body.x);
  EXPECT_NEAR(stress[count / 2] / (o.density * 9.81 * low), 1, 0.01);  // tension at the lowest point: ρ g A a
}

TEST(Rods, an_arc_keeps_its_bend_and_resists_opening) {
  const BodyOptions o = options(0.005);
  const int count = 16;
  const double radius = 0.3;
  const Nodes rest = arc(count, radius, pi);
  const Body body = rod(o, rest, chain(rest.size()));
  EXPECT_LT(largest_node(gradient(body, rest)), 1e-12 * o.young * o.rod_radius * o.rod_radius);
  // Open to radius R' with segments of the same length: energy E I / 2 (1/R − 1/R')² per length.
  const double other = 1.2 * radius;
  const Nodes open = arc(count, other, 2 * count * std::asin(radius / other * std::sin(pi / (2 * count))));
  const double length = 2 * radius * std::sin(pi / (2 * count)) * (count - 1), change = 1 / radius - 1 / other;
  EXPECT_NEAR(elastic_energy(body, open) / (0.5 * bending_stiffness(o) * change * change * length), 1, 0.03);
  EXPECT_GT(dot(gradient(body, open), moved(open, -1, rest)), 0);
  // It returns from the opened shape, held at one end.
  Body released = body;
  released.x = open;
  released.x[0] = rest[0], released.x[1] = rest[1];
  EXPECT_LT(equilibrium(released, {0, 1}, Nodes(rest.size(), Vec3::Zero()), 0.1), 60);
  EXPECT_LT(elastic_energy(released, released.x), 1e-12 * elastic_energy(body, open));
  // The amount of bend has no direction: an arc whose second half bends the other way is at rest, too.
  Nodes other_way = rest;
  const Vec3 middle = rest[count / 2], along = rest[count / 2 + 1] - middle;
  for (int n = count / 2 + 2; n <= count; ++n)
    other_way[n] = middle + Eigen::AngleAxisd(pi, along.normalized()) * (rest[n] - middle);
  EXPECT_LT(elastic_energy(body, other_way), 1e-20);
}

TEST(Rods, segments_of_a_net_continue_those_ahead) {
  const auto [x, segments] = net(3);
  // In the middle of a net two rods cross, at a corner one bends, at the sides two go on and one ends.
  const std::vector<Vec3i> bends = continuing_segments(x, segments);
  EXPECT_EQ(bends.size(), 2u + 4u + 4u);
  int at_middle = 0;
  for (const Vec3i& b : bends)
    if (b[1] == 4) {
      ++at_middle;
      EXPECT_EQ(b[0] + b[2], 8);  // 1 and 7, or 3 and 5
    }
  EXPECT_EQ(at_middle, 2);
  const Segments star{{0, 1}, {0, 2}, {0, 3}};
  const Nodes flat{{0, 0, 0}, {1, 0, 0}, {-0.5, 0.87, 0}, {-0.5, -0.87, 0}};
  EXPECT_EQ(continuing_segments(flat, star).size(), 0u);  // 60° each: hinged
  EXPECT_EQ(make_rods(flat, star, {{1, 0, 2}}).bends.size(), 1u);
  EXPECT_THROW(make_rods(flat, star, {{1, 2, 3}}), std::runtime_error);
  EXPECT_THROW(make_rods(flat, {{0, 1}, {1, 0}}), std::runtime_error);
  EXPECT_THROW(make_rods({{0, 0, 0}, {0, 0, 0}}, {{0, 1}}), std::runtime_error);
  EXPECT_THROW(make_rods({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, 1}, {1, 2}}), std::runtime_error);
}

}  // namespace
}  // namespace coracle
