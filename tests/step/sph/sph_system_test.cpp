// The energy of smoothed particles: values on the lattice, derivatives, conservation.
#include "coracle/step/sph/sph_system.h"

#include "coracle/base/parallel.h"
#include "coracle/base/random.h"
#include "coracle/scene.h"
#include "coracle/step/sph/kernels.h"

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <functional>

namespace coracle {
namespace {

constexpr double spacing = 0.01, support = 2 * spacing;
constexpr double dt = 2e-3;

// Particles in the order of cells, and what a system needs of them.
struct Cloud {
  Grid grid;
  Bounds domain;  // far away
  std::vector<Vec3> x, v;
  std::vector<std::uint8_t> kind;
  CellStart start;

  void sort() {
    CellOrder sorted = order_by_cell(grid, x);
    reorder(sorted.order, x);
    reorder(sorted.order, v);
    reorder(sorted.order, kind);
    start = sorted.start;
  }
  SphSystem system(const std::vector<SphMaterial>& materials, const SphForm& form) const {
    return make_sph_system(find_pairs(grid, start, x, support), domain, x, v, kind, materials, spacing, form, dt);
  }
  std::size_t nearest(const Vec3& to) const {
    std::size_t best = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if ((x[i] - to).norm() < (x[best] - to).norm()) best = i;
    return best;
  }
};

// n³ particles on a lattice in the middle of an empty domain, each moved by up to `jitter` spacings.
Cloud lattice(int n, double jitter = 0) {
  Cloud c;
  const double side = n * spacing;
  c.grid = {Vec3::Constant(-side), support, Vec3i::Constant(3 * n / 2 + 1)};
  c.domain = {Vec3::Constant(-1), Vec3::Constant(1)};
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const std::uint64_t key = i + std::uint64_t(n) * (j + n * k);
        const Vec3 off(uniform(1, 3 * key) - 0.5, uniform(1, 3 * key + 1) - 0.5, uniform(1, 3 * key + 2) - 0.5);
        c.x.push_back(spacing * (Vec3(i, j, k) + 2 * jitter * off));
        c.v.push_back(Vec3(uniform(2, 3 * key) - 0.5, uniform(2, 3 * key + 1) - 0.5, uniform(2, 3 * key + 2) - 0.5));
        c.kind.push_back(0);
      }
  c.sort();
  return c;
}

// A dense cloud: all particles resist compression.
Cloud crowd(int n = 6) {
  Cloud c = lattice(n, 0.2);
  for (Vec3& x : c.x) x *= 0.9;
  c.sort();
  return c;
}

const SphForm plain{.clamp = false, .release = false, .ghost = 0};
const std::vector<SphMaterial> water = {{.density = 1000, .stiffness = 1e5, .viscosity = 0}};
const std::vector<SphMaterial> honey = {{.density = 1400, .stiffness = 2e5, .viscosity = 10}};

WideField field_of(const std::vector<Vec3>& v) {
  WideField u;
  for (const Vec3& a : v) u.push_back(wide(a));
  return u;
}
WideField sum(const WideField& a, double scale, const WideField& b) {
  WideField c = a;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] += scale * b[i];
  return c;
}

// (A − M) p
WideField curvature(const SphSystem& s, const WideField& p) {
  WideField y(p.size());
  multiply(s, p, y);
  for (std::size_t i = 0; i < p.size(); ++i) y[i] -= s.mass[i] * p[i];
  return y;
}
// ∇P(u) = (A − M) u − (b − M v̂), here with v̂ = 0.
WideField gradient_at(const SphSystem& s, const WideField& u) {
  return sum(curvature(s, u), -1, right_side(s, WideField(u.size())));
}

// u with A u = M v̂ − …, as a step finds it.
WideField solution(const SphSystem& s, const WideField& free, double tolerance = 1e-13) {
  MatrixFreeCg cg;
  cg.tolerance = tolerance;
  WideField u = free;
  EXPECT_TRUE(
      cg.solve([&](const WideField& p, WideField& y) { multiply(s, p, y); }, diagonal(s), right_side(s, free), u));
  return u;
}

TEST(SphLattice, is_full_inside_and_less_so_at_faces_and_corners) {
  const Cloud c = lattice(7);
  const SphSystem s = c.system(water, plain);
  const auto density = [&](const Vec3& at) { return 1 / s.ratio[c.nearest(spacing * at)]; };
  EXPECT_NEAR(density({3, 3, 3}), 0.999972, 1e-6);
  EXPECT_NEAR(density({3, 0, 3}), 0.850288, 1e-6);
  EXPECT_NEAR(density({0, 0, 0}), 0.606561, 1e-6);
}

// Sums over the 32 neighbours within two spacings, exact to the rounding of floats.
TEST(SphLattice, sees_a_known_part_of_an_expansion_and_of_a_shear) {
  const Cloud c = lattice(7);
  const std::size_t middle = c.nearest(spacing * Vec3(3, 3, 3));
  const SphForm clamped{.clamp = true, .release = false, .ghost = 0};  // so that J is 1
  WideField expanding(c.x.size()), shearing(c.x.size());
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    const Vec3 d = c.x[i] - c.x[middle];
    expanding[i] = wide(Vec3(d.x(), 0, 0));
    shearing[i] = wide(Vec3(0.5 * d.y() * d.y(), 0, 0));
  }
  EXPECT_NEAR(divergence(c.system(water, clamped), expanding)[middle], 0.956289, 1e-6);
  SphForm ours = clamped;
  ours.gradient = ProxyOptions{}.gradient_scale;
  EXPECT_NEAR(divergence(c.system(water, ours), expanding)[middle], 1, 1e-4);
  // A shear u = ½ y² is slowed by μ ∇²u = μ per volume; the form of the energy has h of it.
  const SphSystem viscous = c.system({{.density = 1000, .stiffness = 0, .viscosity = 3}}, plain);
  const double force = -curvature(viscous, shearing)[middle][0] / dt / viscous.volume;
  EXPECT_NEAR(force / 3, 0.654499, 1e-6);
  const SphSystem scaled = c.system({{.density = 1000, .stiffness = 0, .viscosity = 3}}, ours);
  EXPECT_NEAR(-curvature(scaled, shearing)[middle][0] / dt / scaled.volume / force, 1, 1e-4);
}

TEST(SphPairs, hold_every_neighbour_once_and_slopes_that_are_the_same_from_both_sides_in_every_bit) {
  const Cloud c = crowd();
  const SphPairs pairs = find_pairs(c.grid, c.start, c.x, support);
  std::size_t count = 0;
  for (std::size_t i = 0; i < c.x.size(); ++i) {
    double density = 0;
    for (std::size_t j = 0; j < c.x.size(); ++j) {
      const double r = (c.x[i] - c.x[j]).norm();
      density += cubic_kernel(r, support);
      count += i != j && r < support;
    }
    EXPECT_NEAR(pairs.number_density[i] / density, 1, 1e-12);
    for (std::size_t k = pairs.start[i]; k < pairs.start[i + 1]; ++k) {
      const std::size_t j = pairs.other[k];
      std::size_t back = pairs.start[j];
      while (pairs.other[back] != i) ++back;
      EXPECT_EQ(pairs.slope[k], pairs.slope[back]);
      EXPECT_NEAR(pairs.unit * pairs.slope[k] / -spiky_slope((c.x[i] - c.x[j]).norm(), support), 1, 1e-7);
    }
  }
  EXPECT_EQ(count, pairs.other.size());
}

// P is quadratic: central differences are exact but for rounding.
TEST(SphSystem, the_gradient_of_the_energy_is_that_of_finite_differences) {
  const Cloud c = crowd();
  for (const auto& materials : {water, honey}) {
    const SphSystem s = c.system(materials, plain);
    const WideField u = field_of(c.v), g = gradient_at(s, u);
    for (int direction = 0; direction < 5; ++direction) {
      WideField p(u.size());
      for (std::size_t i = 0; i < p.size(); ++i)
        for (int a = 0; a < 3; ++a) p[i][a] = uniform(3 + std::uint64_t(direction), 3 * i + std::uint64_t(a)) - 0.5;
      const double step = 1e-2, ahead = energy(s, sum(u, step, p)), behind = energy(s, sum(u, -step, p));
      EXPECT_NEAR((ahead - behind) / (2 * step) / dot(g, p), 1, 1e-7) << direction;
      const double second = (ahead + behind - 2 * energy(s, u)) / (step * step);
      EXPECT_NEAR(second / dot(p, curvature(s, p)), 1, 1e-5) << direction;
    }
  }
}

// A = M + h² Dᵀ K D + h V, put together from the pairs as dense matrices.
TEST(SphSystem, the_product_without_a_matrix_is_that_with_the_assembled_one) {
  Cloud c = crowd(4);
  c.domain = {Vec3::Constant(-0.8 * spacing), Vec3::Constant(1)};  // three sides fill kernels
  const SphSystem s = c.system(honey, {.clamp = true, .release = true, .ghost = 0.8});
  const int n = int(s.size());
  Eigen::MatrixXd d = Eigen::MatrixXd::Zero(n, 3 * n), a = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i) {
    a.block<3, 3>(3 * i, 3 * i) += s.mass[i] * Mat3::Identity();
    d.block<1, 3>(i, 3 * i) -= vec3(s.closing[i]).transpose();
    for (std::size_t k = s.pairs.start[i]; k < s.pairs.start[i + 1]; ++k) {
      const int j = int(s.pairs.other[k]);
      const Vec3 along = c.x[i] - c.x[j];
      d.block<1, 3>(i, 3 * j) += s.share(j) * s.pairs.unit * double(s.pairs.slope[k]) * along.transpose();
      const Mat3 v = dt * s.viscous_unit * double(s.viscous[k]) * along * along.transpose();
      a.block<3, 3>(3 * i, 3 * i) += v;
      a.block<3, 3>(3 * i, 3 * j) -= v;
    }
  }
  for (int i = 0; i < n; ++i)
    a += dt * dt * s.stiffness[i] * s.volume * s.ratio[i] * s.ratio[i] * d.row(i).transpose() * d.row(i);
  EXPECT_LT((a - a.transpose()).norm(), 1e-12 * a.norm());
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a).eigenvalues().minCoeff(), 0);

  const WideField p = field_of(c.v);
  WideField y(p.size());
  multiply(s, p, y);
  Eigen::VectorXd flat(3 * n);
  for (int i = 0; i < n; ++i) flat.segment<3>(3 * i) = vec3(p[i]);
  const Eigen::VectorXd expected = a * flat;
  const std::vector<Mat3> blocks = diagonal(s);
  for (int i = 0; i < n; ++i) {
    EXPECT_LT((vec3(y[i]) - expected.segment<3>(3 * i)).norm(), 1e-12 * expected.norm()) << i;
    EXPECT_LT((blocks[i] - a.block<3, 3>(3 * i, 3 * i)).norm(), 1e-12 * blocks[i].norm()) << i;
  }
  // Symmetric as an operator, and not only as assembled.
  WideField q(p.size()), aq(p.size());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = wide(Vec3(double(i % 5), -1, double(i % 3)));
  multiply(s, q, aq);
  EXPECT_NEAR(dot(q, y) / dot(p, aq), 1, 1e-12);
}

// Where sound passes 45 particles in a step.
TEST(SphSystem, the_uniform_preconditioner_finds_the_same_flow_of_a_stiff_liquid_in_fewer_iterations) {
  const Cloud c = crowd(12);
  const std::vector<SphMaterial> stiff = {{.density = 1000, .stiffness = 5e7, .viscosity = 0}};
  const WideField free = field_of(c.v);
  WideField found[2];
  int iterations[2];
  for (const bool uniform : {false, true}) {
    const SphSystem s = c.system(stiff, {.clamp = true, .release = true, .ghost = 0, .uniform = uniform});
    MatrixFreeCg cg;
    cg.tolerance = 1e-8;
    WideField& u = found[uniform];
    u = free;
    ASSERT_TRUE(cg.solve([&](const WideField& p, WideField& y) { multiply(s, p, y); }, preconditioner(s),
                         right_side(s, free), u));
    iterations[uniform] = cg.iterations;
  }
  EXPECT_LT(iterations[1], 0.8 * iterations[0]);
  const WideField differ = sum(found[0], -1, found[1]);
  EXPECT_LT(std::sqrt(dot(differ, differ) / dot(found[0], found[0])), 1e-4) << "to the tolerance times √condition";
}

// At no stiffness nothing but inertia and viscosity is left, and both forms have it exactly.
TEST(SphSystem, the_preconditioners_agree_on_viscosity) {
  const Cloud c = crowd(5);
  const std::vector<SphMaterial> soft = {{.density = 1000, .stiffness = 0, .viscosity = 10}};
  const std::vector<Mat3> block = preconditioner(c.system(soft, plain));
  SphForm form = plain;
  form.uniform = true;
  const std::vector<Mat3> uniform = preconditioner(c.system(soft, form));
  for (std::size_t i = 0; i < block.size(); ++i) EXPECT_LT((block[i] - uniform[i]).norm(), 1e-12 * block[i].norm());
}

TEST(SphSystem, a_step_without_walls_keeps_momentum) {
  const Cloud c = crowd();
  for (const auto& materials : {water, honey}) {
    const SphSystem s = c.system(materials, plain);
    const WideField free = field_of(c.v), u = solution(s, free);
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    double size = 0, moment = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const Vec3 change = s.mass[i] * vec3(u[i] - free[i]);
      linear += change, angular += c.x[i].cross(change);
      size += change.norm(), moment += c.x[i].norm() * change.norm();
    }
    EXPECT_LT(linear.norm(), 1e-10 * size);
    EXPECT_LT(angular.norm(), 1e-10 * moment);
  }
}

// K(u) + P(u) + ½‖u − v̂‖²_M + ½ uᵀ(A − M)u = K(v̂) + P(0)
TEST(SphSystem, a_step_loses_the_energy_that_backward_euler_loses) {
  const Cloud c = crowd();
  for (const auto& materials : {water, honey}) {
    const SphSystem s = c.system(materials, plain);
    const WideField free = field_of(c.v), u = solution(s, free);
    const auto kinetic = [&](const WideField& w) {
      double e = 0;
      for (std::size_t i = 0; i < w.size(); ++i) e += 0.5 * s.mass[i] * vec3(w[i]).squaredNorm();
      return e;
    };
    const double after = kinetic(u) + energy(s, u) + kinetic(sum(u, -1, free)) + 0.5 * dot(u, curvature(s, u));
    const double before = kinetic(free) + energy(s, WideField(u.size()));
    EXPECT_NEAR(after / before, 1, 1e-9);
  }
}

TEST(SphSystem, is_not_under_tension_where_kernels_are_not_full) {
  const Cloud c = lattice(6);
  const auto most = [](const SphSystem& s) { return *std::max_element(s.ratio.begin(), s.ratio.end()); };
  EXPECT_GT(most(c.system(water, plain)), 1.6);
  const SphSystem clamped = c.system(water, {.clamp = true, .release = false, .ghost = 0});
  EXPECT_EQ(most(clamped), 1);
  // At rest no force is left: the lattice is not fuller than full.
  const WideField b = right_side(clamped, WideField(c.x.size()));
  EXPECT_EQ(dot(b, b), 0);
}

TEST(SphSystem, releases_what_would_only_expand) {
  Cloud c = lattice(6);
  for (const double sign : {1.0, -1.0}) {
    for (std::size_t i = 0; i < c.x.size(); ++i) c.v[i] = sign * (c.x[i] - spacing * Vec3::Constant(2.5));
    const SphSystem s = c.system(water, {.clamp = true, .release = true, .ghost = 0});
    const auto free = std::count(s.stiffness.begin(), s.stiffness.end(), 0.0);
    EXPECT_EQ(free, sign > 0 ? long(c.x.size()) : 0);
  }
}

TEST(SphSystem, a_wall_fills_the_kernel_of_the_layer_beside_it) {
  Cloud c = lattice(7);
  c.domain.lo.y() = -0.5 * spacing;  // the lowest layer is at y = 0
  const std::size_t low = c.nearest(spacing * Vec3(3, 0, 3));
  const double open = 1 / c.system(water, plain).ratio[low];
  const double walled = 1 / c.system(water, {.clamp = false, .release = false, .ghost = 0.8}).ratio[low];
  EXPECT_NEAR(walled - open, 0.8 * cubic_share(0.5 * spacing, support), 1e-12);
  EXPECT_NEAR(walled, 1, 2e-3) << "0.8 is the share that the lattice needs";
}

// Full where a lattice fills the corner of a tank: in the middle, beside one side, two and three.
TEST(SphSystem, the_corner_of_a_tank_is_as_full_as_its_middle) {
  Cloud c = lattice(7);
  c.domain.lo = Vec3::Constant(-0.5 * spacing);
  const SphSystem s = c.system(water, {.clamp = false, .release = false, .ghost = 0.8});
  for (const Vec3& at : {Vec3(3, 3, 3), Vec3(3, 0, 3), Vec3(0, 0, 3), Vec3(0, 0, 0)})
    EXPECT_NEAR(s.ratio[c.nearest(spacing * at)], 1, 0.01) << at.transpose();
}

// What a particle sees of its own motion is how its kernel's share beyond the sides changes, the neighbours' share
// being that of the spiky kernel.
TEST(SphSystem, moving_into_an_edge_compresses_by_what_both_sides_add) {
  Cloud c = lattice(3);
  c.domain = {Vec3(-0.7 * spacing, -0.4 * spacing, -1), Vec3::Constant(1)};
  const std::size_t low = c.nearest(Vec3::Zero());
  const double ghost = 0.8;
  const SphSystem s = c.system(water, {.clamp = false, .release = false, .ghost = ghost});
  const SphSystem open = c.system(water, plain);
  const auto inside = [&](double d) { return 1 - ghost * cubic_share(d, support); };
  const Vec3 from_sides = ghost * Vec3(spiky_share_slope(0.7 * spacing, support) * inside(0.4 * spacing),
                                       spiky_share_slope(0.4 * spacing, support) * inside(0.7 * spacing), 0);
  Vec3 neighbours = Vec3::Zero();
  for (std::size_t k = s.pairs.start[low]; k < s.pairs.start[low + 1]; ++k)
    neighbours +=
        s.share(s.pairs.other[k]) * s.pairs.unit * double(s.pairs.slope[k]) * (c.x[low] - c.x[s.pairs.other[k]]);
  EXPECT_LT((vec3(s.closing[low]) - neighbours + from_sides).norm(), 1e-9 * from_sides.norm());
  EXPECT_NE(open.ratio[low], s.ratio[low]);
}

TEST(SphSystem, a_jump_of_density_between_two_liquids_at_rest_is_no_jump_of_volume) {
  Cloud one = lattice(6), two = one;
  for (std::size_t i = 0; i < two.x.size(); ++i) two.kind[i] = two.x[i].y() > 2.5 * spacing;
  const std::vector<SphMaterial> liquids = {{.density = 1000}, {.density = 100}};
  const SphSystem a = one.system(water, plain), b = two.system(liquids, plain);
  EXPECT_EQ(a.ratio, b.ratio);
  const std::size_t low = two.nearest(spacing * Vec3(2, 2, 2)), high = two.nearest(spacing * Vec3(2, 3, 2));
  EXPECT_NEAR(b.mass[low] / b.mass[high], 10, 1e-12);
  EXPECT_NEAR(b.ratio[low], b.ratio[high], 1e-14) << "the order of their neighbours differs";
}

TEST(SphSystem, two_liquids_keep_their_common_momentum) {
  Cloud c = crowd();
  for (std::size_t i = 0; i < c.x.size(); ++i) c.kind[i] = i % 3 == 0;
  const SphSystem s = c.system({water[0], honey[0]}, plain);
  const WideField free = field_of(c.v), u = solution(s, free);
  Vec3 change = Vec3::Zero();
  double size = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    change += s.mass[i] * vec3(u[i] - free[i]);
    size += s.mass[i] * vec3(u[i] - free[i]).norm();
  }
  EXPECT_LT(change.norm(), 1e-10 * size);
}

TEST(SphSystem, has_the_same_bits_on_one_thread_and_two) {
  const Cloud c = crowd(14);
  const auto on = [&](int threads) {
    const ThreadLimit limit(threads);
    return solution(c.system(honey, {}), field_of(c.v), 1e-4);
  };
  const WideField one = on(1), two = on(2);
  for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(vec3(one[i]), vec3(two[i])) << i;
}

}  // namespace
}  // namespace coracle
