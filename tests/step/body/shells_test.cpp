// Shells against the theory of membranes and thin plates [Timoshenko and Woinowsky-Krieger 1959].
#include "coracle/step/body/shells.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/dihedral.h"
#include "coracle/step/body/stress.h"
#include "coracle/world/make_shells.h"
#include "tests/step/body/element_checks.h"

#include <numbers>
#include <stdexcept>

namespace coracle {
namespace {

using namespace element_checks;

struct Mesh {
  Nodes x;
  std::vector<Vec3i> tris;
  std::vector<int> clamped;  // nodes
};

enum class Pattern { rising, falling, alternating, irregular };
constexpr Pattern patterns[] = {Pattern::rising, Pattern::falling, Pattern::alternating, Pattern::irregular};

// A strip in the xz-plane from x = −h/2 to `length`; h is the side of `rows` cells. The first two rows of nodes are
// clamped, so the clamp is at x = 0.
Mesh strip(double length, double width, int rows, Pattern pattern, int seed = 1) {
  const double h = length / (rows - 0.5);
  const int across = std::max(1, int(std::lround(width / h)));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> d(-0.3, 0.3);
  Mesh mesh;
  for (int i = 0; i <= rows; ++i)
    for (int j = 0; j <= across; ++j) {
      Vec3 p((i - 0.5) * h, 0, -j * width / across);
      if (pattern == Pattern::irregular && i > 1) {
        if (i < rows) p.x() += h * d(random);
        if (j > 0 && j < across) p.z() += width / across * d(random);
      }
      mesh.x.push_back(p);
      if (i < 2) mesh.clamped.push_back(int(mesh.x.size()) - 1);
    }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < across; ++j) {
      const int a = i * (across + 1) + j, b = a + across + 1, c = b + 1, e = a + 1;
      const bool rising = pattern == Pattern::rising || (pattern == Pattern::alternating && (i + j) % 2 == 0) ||
                          (pattern == Pattern::irregular && d(random) > 0);
      if (rising)
        mesh.tris.insert(mesh.tris.end(), {Vec3i(a, b, c), Vec3i(a, c, e)});
      else
        mesh.tris.insert(mesh.tris.end(), {Vec3i(a, b, e), Vec3i(b, c, e)});
    }
  return mesh;
}

// A disc in the xz-plane of `rings` rings of nodes; the outer two are clamped, and midway between them is radius 1.
Mesh disc(int rings, bool irregular) {
  const double h = 1 / (rings - 0.5);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> d(-0.25 * h, 0.25 * h);
  Mesh mesh;
  mesh.x.emplace_back(0, 0, 0);
  for (int k = 1; k <= rings; ++k)
    for (int i = 0; i < 6 * k; ++i) {
      const double angle = 2 * std::numbers::pi * i / (6 * k);
      Vec3 p(k * h * std::cos(angle), 0, -k * h * std::sin(angle));
      if (irregular && k < rings - 1) p += Vec3(d(random), 0, d(random));
      if (k >= rings - 1) mesh.clamped.push_back(int(mesh.x.size()));
      mesh.x.push_back(p);
    }
  for (int k = 1; k <= rings; ++k) {
    const auto node = [](int ring, int i) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + i % (6 * ring); };
    for (int sixth = 0; sixth < 6; ++sixth)
      for (int i = 0; i < k; ++i) {
        const int in = sixth * (k - 1) + i, out = sixth * k + i;
        mesh.tris.emplace_back(node(k - 1, in), node(k, out), node(k, out + 1));
        if (i + 1 < k) mesh.tris.emplace_back(node(k - 1, in), node(k, out + 1), node(k - 1, in + 1));
      }
  }
  return mesh;
}

// Rolled about the z-axis with the given radius; x is the length of the arc.
Nodes rolled(Nodes x, double radius) {
  for (Vec3& p : x) p = Vec3(radius * std::sin(p.x() / radius), radius * (1 - std::cos(p.x() / radius)), p.z());
  return x;
}

BodyOptions options(double thickness, double poisson) {
  BodyOptions o;
  o.name = "shell";
  o.young = 1e5;
  o.poisson = poisson;
  o.shell_thickness = thickness;
  return o;
}

Body shell(const BodyOptions& o, const Nodes& x, const std::vector<Vec3i>& tris) {
  Shells shells = make_shells(x, tris, o.poisson);
  std::vector<double> mass = lumped_mass(shells, x.size(), o);
  return make_body(o, x, std::move(shells), std::move(mass));
}

double plate_stiffness(const BodyOptions& o) {
  return o.young * std::pow(o.shell_thickness, 3) / (12 * (1 - o.poisson * o.poisson));
}

// Nodes that are no neighbours of the rim, `rings` times.
std::vector<int> inner_nodes(const Shells& shells, std::size_t nodes, int rings) {
  std::vector<char> outside(nodes, 0);
  for (const Vec3i& t : shells.tris)
    for (int c = 0; c < 3; ++c) {
      const int a = t[c], b = t[(c + 1) % 3];
      const auto is_ab = [&](const Vec4i& h) { return (h[0] == a && h[1] == b) || (h[0] == b && h[1] == a); };
      if (std::none_of(shells.hinges.begin(), shells.hinges.end(), is_ab)) outside[a] = outside[b] = 1;
    }
  for (int i = 0; i < rings; ++i) {
    const std::vector<char> before = outside;
    for (const Vec3i& t : shells.tris)
      if (before[t[0]] || before[t[1]] || before[t[2]])
        for (const int n : t) outside[n] = 1;
  }
  std::vector<int> inner;
  for (std::size_t n = 0; n < nodes; ++n)
    if (!outside[n]) inner.push_back(int(n));
  return inner;
}

TEST(Shells, the_gradient_of_the_angle_is_exact_for_every_fold) {
  for (int seed = 1; seed <= 20; ++seed) {
    const Nodes p = random_nodes(4, seed), way = random_nodes(4, 100 + seed);
    const auto angle = [&](double by) {
      const Nodes q = moved(p, by, way);
      return dihedral_angle(q[0], q[1], q[2], q[3]);
    };
    const Eigen::Matrix<double, 3, 4> g = dihedral_gradient(p[0], p[1], p[2], p[3]);
    double slope = 0;
    for (int c = 0; c < 4; ++c) slope += g.col(c).dot(way[c]);
    const double h = 1e-4;
    EXPECT_NEAR((8 * (angle(h) - angle(-h)) - (angle(2 * h) - angle(-2 * h))) / (12 * h), slope, 1e-7 * g.norm());
  }
}

TEST(Shells, forces_are_the_gradient_of_the_energy_and_rigid_motion_changes_nothing) {
  // Thick triangles: membrane and plate have about the same energy.
  const Mesh mesh = strip(0.5, 0.4, 6, Pattern::irregular);
  for (const Nodes& rest : {mesh.x, rolled(mesh.x, 0.3)})
    for (const double poisson : {0.0, 0.3, 0.45}) {
      const Body body = shell(options(0.1, poisson), rest, mesh.tris);
      const Nodes x = moved(rest, 0.02, random_nodes(rest.size()));
      check_gradient(body, x, 1e-5);
      check_rigid_motion(body, x);
    }
}

TEST(Shells, the_stiffness_is_the_gradient_of_the_forces_at_rest_and_positive_everywhere) {
  const Mesh mesh = strip(0.5, 0.4, 5, Pattern::irregular);
  for (const Nodes& rest : {mesh.x, rolled(mesh.x, 0.3)})
    for (const double thickness : {0.1, 0.01}) {
      const Body body = shell(options(thickness, 0.3), rest, mesh.tris);
      check_stiffness(body, rest, random_nodes(rest.size()), 1e-7);
      Nodes out(rest.size(), Vec3::Zero());  // out of the plane, the plate alone resists
      for (std::size_t n = 0; n < out.size(); ++n) out[n].y() = random_nodes(rest.size())[n].y();
      check_stiffness(body, rest, out, 1e-7);
      check_matrix(body, rest);
      check_matrix(body, moved(rest, 0.03, random_nodes(rest.size())));
    }
}

TEST(Shells, sums_are_the_same_bits_on_any_number_of_threads) {
  const Mesh mesh = strip(1, 0.6, 30, Pattern::irregular);
  const Body body = shell(options(0.01, 0.3), mesh.x, mesh.tris);
  const Nodes x = moved(mesh.x, 0.01, random_nodes(mesh.x.size()));
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

TEST(Shells, a_uniform_strain_is_that_of_plane_stress_and_leaves_no_force_inside) {
  const Mesh mesh = strip(0.5, 0.4, 8, Pattern::irregular);
  const BodyOptions o = options(0.01, 0.3);
  const Body body = shell(o, mesh.x, mesh.tris);
  const auto& shells = std::get<Shells>(body.rest->elements);
  double area = 0;
  for (const double a : shells.area) area += a;
  // Tension along x, free across: energy ½ E ε² and stress E ε. The rest is of order ε.
  const double strain = 1e-4;
  Nodes x = mesh.x;
  for (Vec3& p : x) p = Vec3((1 + strain) * p.x(), p.y(), (1 - o.poisson * strain) * p.z());
  const double energy = 0.5 * o.young * strain * strain * o.shell_thickness * area;
  EXPECT_NEAR(elastic_energy(body, x), energy, 1e-3 * energy);
  Body stretched = body;
  stretched.x = x;
  const VonMises stress = von_mises(stretched);
  for (const double s : stress.elements) EXPECT_NEAR(s, o.young * strain, 1e-3 * o.young * strain);
  for (const double s : stress.nodes) EXPECT_NEAR(s, o.young * strain, 1e-3 * o.young * strain);
  // Shear: ½ G γ²
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = mesh.x[n] + Vec3(strain * mesh.x[n].z(), 0, 0);
  const double shear = 0.5 * o.young / (2 * (1 + o.poisson)) * strain * strain * o.shell_thickness * area;
  EXPECT_NEAR(elastic_energy(body, x), shear, 1e-3 * shear);
  // Large uniform strain, in any direction.
  Mat3 f;
  f << 1.3, 0.2, 0.1, 0.3, 0.9, -0.2, 0.2, 0, 0.7;
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = f * mesh.x[n];
  const Nodes g = gradient(body, x);
  for (const int n : inner_nodes(shells, x.size(), 0)) EXPECT_LT(g[n].norm(), 1e-12 * largest_node(g));
}

TEST(Shells, a_pulled_strip_has_youngs_modulus) {
  const Mesh mesh = strip(1, 0.3, 10, Pattern::irregular);
  const BodyOptions o = options(0.01, 0.3);
  const Body body = shell(o, mesh.x, mesh.tris);
  // Pull both ends by the tension that gives a strain of 1e-3; the first node and two others carry no force.
  const double tension = 1e-3 * o.young * o.shell_thickness;
  Nodes f(mesh.x.size(), Vec3::Zero());
  std::vector<int> ends[2];
  for (int n = 0; n < int(mesh.x.size()); ++n)
    for (int end = 0; end < 2; ++end)
      if (std::abs(mesh.x[n].x() - (end ? 1 : mesh.x[0].x())) < 1e-9) ends[end].push_back(n);
  for (int end = 0; end < 2; ++end)
    for (std::size_t i = 0; i + 1 < ends[end].size(); ++i) {
      const int p = ends[end][i], q = ends[end][i + 1];
      for (const int n : {p, q}) f[n].x() += (end ? 0.5 : -0.5) * tension * (mesh.x[p] - mesh.x[q]).norm();
    }
  BlockSolver matrix;
  assemble(body, mesh.x, matrix);
  std::vector<BlockSolver::Fixed> fixed = held({ends[0][0]});
  fixed.push_back({ends[0].back(), Vec3(1, 0, 1).asDiagonal().toDenseMatrix(), Vec3::Zero()});
  fixed.push_back({ends[1][0], Vec3(1, 0, 0).asDiagonal().toDenseMatrix(), Vec3::Zero()});
  std::sort(fixed.begin(), fixed.end(), [](const auto& p, const auto& q) { return p.node < q.node; });
  Nodes u(f.size());
  ASSERT_TRUE(matrix.solve(fixed, u, f));
  const double length = 1 - mesh.x[0].x();
  for (const int n : ends[1]) EXPECT_NEAR(u[n].x() / length, 1e-3, 1e-8);
  EXPECT_NEAR((u[ends[1][0]] - u[ends[1].back()]).z() / 0.3, -0.3 * 1e-3, 1e-8);
}

TEST(Shells, triangles_without_area_and_long_ones_have_finite_forces_that_open_and_close_them) {
  const Nodes rest{{0, 0, 0}, {0.1, 0, 0}, {0, 0, -0.1}, {0.1, 0, -0.1}};
  const Body body = shell(options(0.01, 0.3), rest, {{0, 1, 2}, {1, 3, 2}});
  const auto check = [&](const Nodes& x, const char* what) {
    EXPECT_TRUE(std::isfinite(elastic_energy(body, x))) << what;
    for (const Vec3& g : gradient(body, x)) EXPECT_TRUE(g.allFinite()) << what;
    for (const Vec3& y : stiffness_times(body, x, random_nodes(4))) EXPECT_TRUE(y.allFinite()) << what;
  };
  check(Nodes(4, Vec3(1, 2, 3)), "point");
  Nodes line = rest, thin = rest, flat = rest, large = rest;
  for (Vec3& p : line) p.z() = 0;
  check(line, "line");
  for (Vec3& p : thin) p.z() *= 1e-6;
  check(thin, "thin");
  for (const double height : {1e-1, 1e-3, 1e-5}) {
    for (std::size_t n = 0; n < 4; ++n) flat[n].z() = height * rest[n].z();
    const Nodes g = gradient(body, flat);
    EXPECT_GT(g[2].z(), 0) << height;  // force −g pulls the upper side (z < 0) away from z = 0
    EXPECT_LT(g[0].z(), 0) << height;
  }
  for (Vec3& p : large) p *= 20;
  check(large, "large");
  EXPECT_LT(gradient(body, large)[2].z(), 0);
}

TEST(Shells, a_quadratic_deflection_has_its_curvature_and_no_force_inside_on_every_mesh) {
  for (const Pattern pattern : patterns) {
    const Mesh mesh = strip(1, 1, 12, pattern);
    const Body body = shell(options(0.01, 0.3), mesh.x, mesh.tris);
    const auto& shells = std::get<Shells>(body.rest->elements);
    const std::vector<int> inner = inner_nodes(shells, mesh.x.size(), 3);
    ASSERT_GT(inner.size(), 5);
    Mat2 bend;
    bend << 0.7, -0.4, -0.4, 0.9;
    const double small = 1e-5;
    Nodes x = mesh.x, way(x.size());
    for (std::size_t n = 0; n < x.size(); ++n) {
      const Eigen::Vector2d p(mesh.x[n].x(), -mesh.x[n].z());
      way[n] = Vec3(0, 0.5 * p.dot(bend * p), 0);
    }
    const std::vector<Vec3> found = curvature_change(shells, moved(mesh.x, small, way));
    std::vector<char> is_inner(x.size(), 0);
    for (const int n : inner) is_inner[n] = 1;
    for (std::size_t t = 0; t < shells.tris.size(); ++t) {
      const Vec3i& n = shells.tris[t];
      if (!is_inner[n[0]] || !is_inner[n[1]] || !is_inner[n[2]]) continue;
      const Vec3 along = (mesh.x[n[1]] - mesh.x[n[0]]).normalized();
      const Eigen::Vector2d u(along.x(), -along.z()), v(-u.y(), u.x());
      const Vec3 expected = small * Vec3(u.dot(bend * u), v.dot(bend * v), 2 * u.dot(bend * v));
      EXPECT_LT((found[t] - expected).norm(), 1e-6 * expected.norm()) << int(pattern);
    }
    const Nodes g = stiffness_times(body, mesh.x, way);
    for (const int n : inner) EXPECT_LT(g[n].norm(), 1e-9 * largest_node(g)) << int(pattern);
  }
}

// Mean deflection of the tip of a clamped strip under its weight, over `ρ g t L⁴ / (8 D)`.
double strip_ratio(double width, int rows, Pattern pattern, double poisson, double d_over_plate) {
  const Mesh mesh = strip(1, width, rows, pattern);
  const BodyOptions o = options(1.0 / 50, poisson);
  const Body body = shell(o, mesh.x, mesh.tris);
  const Nodes u = linear_answer(body, mesh.clamped, weight(body, Vec3(0, -9.81, 0)));
  double tip = 0, count = 0;
  for (std::size_t n = 0; n < u.size(); ++n)
    if (std::abs(mesh.x[n].x() - 1) < 1e-9) tip -= u[n].y(), ++count;
  return tip / count / (o.density * 9.81 * o.shell_thickness / (8 * d_over_plate * plate_stiffness(o)));
}

TEST(Shells, a_strip_bends_as_a_plate_on_every_mesh_and_converges_with_second_order) {
  for (const Pattern pattern : patterns) {
    const double coarse = strip_ratio(0.3, 10, pattern, 0, 1), fine = strip_ratio(0.3, 20, pattern, 0, 1);
    EXPECT_NEAR(coarse, 1, 0.01) << int(pattern);
    EXPECT_NEAR(fine, 1, 0.0025) << int(pattern);
    EXPECT_LT(std::abs(fine - 1), std::abs(coarse - 1) / 3) << int(pattern);
    // Poisson's ratio 0.3. A square is near cylindrical bending, D_b; the rest, 2.7 %, is the effect of its free sides.
    // A narrow strip is a beam: the sides curl, and D_b (1 − ν²) resists.
    EXPECT_NEAR(strip_ratio(1, 20, pattern, 0.3, 1), 1.025, 0.005) << int(pattern);
    EXPECT_NEAR(strip_ratio(0.1, 20, pattern, 0.3, 1 - 0.09), 1, 0.02) << int(pattern);
  }
}

// Deflection of the middle of a clamped disc under its weight, over w₀ = q R⁴ / (64 D_b).
double disc_ratio(int rings, bool irregular) {
  const Mesh mesh = disc(rings, irregular);
  const BodyOptions o = options(1.0 / 50, 0.3);
  const Body body = shell(o, mesh.x, mesh.tris);
  const Nodes u = linear_answer(body, mesh.clamped, weight(body, Vec3(0, -9.81, 0)));
  return -u[0].y() / (o.density * 9.81 * o.shell_thickness / (64 * plate_stiffness(o)));
}

TEST(Shells, a_clamped_disc_bends_as_a_plate) {
  for (const bool irregular : {false, true}) {
    const double coarse = disc_ratio(6, irregular), fine = disc_ratio(12, irregular);
    EXPECT_NEAR(coarse, 1, 0.03);
    EXPECT_NEAR(fine, 1, 0.01);
    EXPECT_LT(std::abs(fine - 1), std::abs(coarse - 1) / 2.8);
  }
}

TEST(Shells, a_half_cylinder_keeps_its_shape_and_resists_opening) {
  for (const Pattern pattern : patterns) {
    const Mesh mesh = strip(1, 0.5, 16, pattern);
    const BodyOptions o = options(0.01, 0.3);
    const double radius = 1 / std::numbers::pi, other = 1.1 * radius, change = 1 / radius - 1 / other;
    const Nodes curved = rolled(mesh.x, radius), open = rolled(mesh.x, other);
    const Body body = shell(o, curved, mesh.tris);
    const auto& shells = std::get<Shells>(body.rest->elements);
    EXPECT_LT(largest_node(gradient(body, curved)), 1e-12 * o.young * o.shell_thickness) << int(pattern);
    // Open, the curvature is less by 1/R − 1/R' around the axis, and the same along it. Angles are those of chords, so
    // the error is of second order in their turn, h/R = 0.2.
    const std::vector<Vec3> found = curvature_change(shells, open);
    std::vector<char> is_inner(curved.size(), 0);
    for (const int n : inner_nodes(shells, curved.size(), 1)) is_inner[n] = 1;
    int checked = 0;
    for (std::size_t t = 0; t < shells.tris.size(); ++t) {
      const Vec3i& n = shells.tris[t];
      if (!is_inner[n[0]] || !is_inner[n[1]] || !is_inner[n[2]]) continue;
      const Vec3 along = (mesh.x[n[1]] - mesh.x[n[0]]).normalized();  // of the flat strip: x around, z along the axis
      const Vec3 expected = -change * Vec3(along.x() * along.x(), along.z() * along.z(), 2 * along.x() * along.z());
      EXPECT_LT((found[t] - expected).norm(), 0.02 * change) << int(pattern);
      ++checked;
    }
    EXPECT_GT(checked, 30);
    // The ends pull back: the force on them points the way from open to closed.
    const Nodes g = gradient(body, open);
    EXPECT_GT(dot(g, moved(open, -1, curved)), 0);
  }
}

TEST(Shells, a_half_cylinder_that_was_rolled_flat_returns_to_its_shape) {
  const Mesh mesh = strip(1, 0.3, 10, Pattern::irregular);
  const Nodes curved = rolled(mesh.x, 1 / std::numbers::pi);
  Body body = shell(options(0.03, 0.3), curved, mesh.tris);
  for (std::size_t n = mesh.clamped.size(); n < curved.size(); ++n) body.x[n] = mesh.x[n];
  const double flat = elastic_energy(body, body.x);
  const int iterations = equilibrium(body, mesh.clamped, Nodes(curved.size(), Vec3::Zero()), 0.1);
  EXPECT_LT(iterations, 60);
  EXPECT_LT(elastic_energy(body, body.x), 1e-12 * flat);
  EXPECT_LT(largest_node(moved(body.x, -1, curved)), 1e-6);
}

TEST(Shells, a_heavy_strip_hangs_as_the_elastica) {
  const double load = 10;
  const Eigen::Vector2d tip = heavy_elastica_tip(load);
  for (const Pattern pattern : {Pattern::alternating, Pattern::irregular}) {
    const Mesh mesh = strip(1, 0.2, 12, pattern);
    BodyOptions o = options(0.03, 0);
    o.young = 12 * o.density * 9.81 / (o.shell_thickness * o.shell_thickness * load);
    Body body = shell(o, mesh.x, mesh.tris);
    const int iterations = equilibrium(body, mesh.clamped, weight(body, Vec3(0, -9.81, 0)), 0.2);
    EXPECT_LT(iterations, 60);
    Vec3 mean = Vec3::Zero();
    double count = 0;
    for (std::size_t n = 0; n < mesh.x.size(); ++n)
      if (std::abs(mesh.x[n].x() - 1) < 1e-9) mean += body.x[n], ++count;
    EXPECT_NEAR(mean.x() / count, tip[0], 0.005);
    EXPECT_NEAR(-mean.y() / count, tip[1], 0.005);
  }
}

TEST(Shells, masses_add_up_and_bad_meshes_are_refused) {
  const Mesh mesh = strip(1, 0.3, 10, Pattern::irregular);
  const Body body = shell(options(0.02, 0.3), mesh.x, mesh.tris);
  double mass = 0;
  for (const double m : body.rest->mass) {
    EXPECT_GT(m, 0);
    mass += m;
  }
  EXPECT_NEAR(mass, 1000 * 0.02 * 0.3 * 10 / 9.5, 1e-12);
  const Nodes x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {2, 0, 0}};
  EXPECT_THROW(make_shells(x, {{0, 1, 2}, {0, 1, 3}}, 0.3), std::runtime_error);             // opposite ways
  EXPECT_THROW(make_shells(x, {{0, 1, 2}, {1, 0, 3}, {1, 0, 4}}, 0.3), std::runtime_error);  // three at an edge
  EXPECT_THROW(make_shells(x, {{0, 1, 2}, {1, 0, 4}}, 0.3), std::runtime_error);             // folded
  EXPECT_THROW(make_shells(x, {{0, 1, 5}}, 0.3), std::runtime_error);                        // no area
  // A lone triangle, a pair, and a tetrahedron, where neighbours of a triangle share a node.
  EXPECT_EQ(make_shells(x, {{0, 1, 2}}, 0.3).hinges.size(), 0u);
  EXPECT_EQ(make_shells(x, {{0, 1, 2}, {1, 4, 2}}, 0.3).hinges.size(), 1u);
  const Body closed = shell(options(0.1, 0.3), {x[0], x[1], x[2], x[3]}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}});
  check_gradient(closed, moved(closed.x, 0.05, random_nodes(4)), 1e-5);
  check_matrix(closed, moved(closed.x, 0.05, random_nodes(4)));
}

}  // namespace
}  // namespace coracle
