#include "coracle/step/contact/barrier.h"

#include "coracle/solve/symmetric_eigen.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace coracle {

namespace {

constexpr double touching = 1e-100;      // y² below which surfaces touch
constexpr double parallel_sine2 = 1e-3;  // sin² of the angle of edges below which the mollifier acts
// Slides this close to the directions before them, as a sine, are left out: their own direction is rounding.
constexpr double lost_slide = 1e-12;

// The closest feature in coordinates in which the derivatives of s are short (see the header).
struct Frame {
  Weights w;
  Vec3 n;                      // v/d
  double d = 0;                // m
  int slides = 0;              // k
  std::array<Vec3, 2> q;       // unit tangents
  std::array<Weights, 2> w_t;  // ∂w/∂t, per metre along q
};

Frame frame_of(const FourNodes& x, const SimplexDistance& closest) {
  Frame f;
  f.w = closest.weight;
  f.d = std::sqrt(closest.squared);
  f.n = closest.difference / f.d;
  const Slides slides = slides_of(closest.feature);
  for (int k = 0; k < slides.count; ++k) {
    const auto [plus, minus] = slides.slide[k];
    Vec3 e = x[plus] - x[minus];
    Weights w_t = Weights::Zero();
    w_t[plus] = 1, w_t[minus] = -1;
    const double length = e.norm();
    e -= f.n.dot(e) * f.n;
    if (f.slides == 1) {
      const double along = f.q[0].dot(e);
      e -= along * f.q[0];
      w_t -= along * f.w_t[0];
    }
    const double rest = e.norm();
    if (!(rest > lost_slide * length)) continue;
    f.q[f.slides] = e / rest;
    f.w_t[f.slides] = w_t / rest;
    ++f.slides;
  }
  return f;
}

void leave_free(Weights& w, const FreeNodes& free) {
  for (int i = 0; i < 4; ++i)
    if (!free[i]) w[i] = 0;
}

void leave_free(Mat12& matrix, const FreeNodes& free) {
  for (int i = 0; i < 4; ++i)
    if (!free[i]) {
      matrix.middleRows<3>(3 * i).setZero();
      matrix.middleCols<3>(3 * i).setZero();
    }
}

// ∂²b/∂x² with b_dd = 4 s b'' + 2 b' and b_d/d = 2 b':
// block (i, j) = b_dd w_i w_j n nᵀ + 2 b' [w_i w_j T − d (w_i z_j nᵀ + w_j n z_iᵀ) − d² (z_i · z_j) n nᵀ].
Mat12 exact_hessian(const Frame& f, double b_dd, double b_d_over_d) {
  Mat3 t = Mat3::Identity() - f.n * f.n.transpose();
  FourNodes z{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  for (int k = 0; k < f.slides; ++k) {
    t -= f.q[k] * f.q[k].transpose();
    for (int i = 0; i < 4; ++i) z[i] += f.w_t[k][i] * f.q[k];
  }
  Mat12 h;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j <= i; ++j) {
      const double ww = f.w[i] * f.w[j], nn = b_dd * ww - b_d_over_d * f.d * f.d * z[i].dot(z[j]);
      const double turn = -b_d_over_d * f.d;
      const Mat3 block = f.n * (nn * f.n + turn * f.w[j] * z[i]).transpose() + turn * f.w[i] * z[j] * f.n.transpose() +
                         b_d_over_d * ww * t;
      h.block<3, 3>(3 * i, 3 * j) = block;
      h.block<3, 3>(3 * j, 3 * i) = block.transpose();
    }
  return h;
}

// The positive part of a matrix that acts on combinations of the nodes. Left out is 2 b' w wᵀ ⊗ T: it is negative and
// orthogonal to the rest. The rest lives on w ⊗ n, ∂w/∂t_k ⊗ n and w ⊗ q_k. With orthonormal combinations u of w and
// ∂w/∂t, and ω_k the coordinates of ∂w/∂t_k in them, it is over u_0 ⊗ n, …, u_k ⊗ n, u_0 ⊗ q_1, …
//
//   [ b_dd |w|² e_0 e_0ᵀ − 2 b' d² Σ ω_k ω_kᵀ   −2 b' d |w| ω_k ]
//   [                 −2 b' d |w| ω_kᵀ                 0       ]
//
// Its lower right corner is zero, so that each slide brings a negative eigenvalue, unless the slide's nodes are held.
template <int slides>
Mat12 projected_hessian(const Frame& f, double b_dd, double b_d_over_d) {
  constexpr int size = 1 + 2 * slides;
  using Small = Eigen::Matrix<double, size, size>;
  std::array<Weights, 1 + slides> u;
  const double length = f.w.norm();
  if (length == 0) return Mat12::Zero();
  u[0] = f.w / length;
  Eigen::Matrix<double, 1 + slides, slides> omega = Eigen::Matrix<double, 1 + slides, slides>::Zero();
  for (int k = 0; k < slides; ++k) {
    Weights rest = f.w_t[k];
    for (int l = 0; l <= k; ++l) {
      omega(l, k) = u[l].dot(rest);
      rest -= omega(l, k) * u[l];
    }
    const double norm = rest.norm();
    const bool lost = !(norm > lost_slide * f.w_t[k].norm());
    omega(k + 1, k) = lost ? 0 : norm;
    u[k + 1] = lost ? Weights(Weights::Zero()) : Weights(rest / norm);
  }
  const double push = -b_d_over_d * f.d;
  Small m = Small::Zero();
  m.template topLeftCorner<1 + slides, 1 + slides>() = (push * f.d) * omega * omega.transpose();
  m(0, 0) += b_dd * length * length;
  m.template bottomLeftCorner<slides, 1 + slides>() = (push * length) * omega.transpose();
  m.template topRightCorner<1 + slides, slides>() = (push * length) * omega;
  const SymmetricEigen<size> eigen = symmetric_eigen<size>(m);

  Mat12 h = Mat12::Zero();
  for (int e = size - 1; e >= 0 && eigen.values[e] > 0; --e) {
    const auto y = eigen.vectors.col(e);
    Weights along_n = y[0] * u[0];
    Vec3 tangent = Vec3::Zero();
    for (int k = 0; k < slides; ++k) {
      along_n += y[1 + k] * u[1 + k];
      tangent += y[1 + slides + k] * f.q[k];
    }
    Eigen::Matrix<double, 12, 1> z;
    for (int i = 0; i < 4; ++i) z.segment<3>(3 * i) = along_n[i] * f.n + u[0][i] * tangent;
    h.noalias() += (eigen.values[e] * z) * z.transpose();
  }
  return h;
}

template <>
Mat12 projected_hessian<0>(const Frame& f, double b_dd, double) {
  Eigen::Matrix<double, 12, 1> z;
  for (int i = 0; i < 4; ++i) z.segment<3>(3 * i) = f.w[i] * f.n;
  return (std::max(b_dd, 0.0) * z) * z.transpose();
}

Mat12 hessian_of(Frame f, const BarrierValue& b, bool projected, const FreeNodes& free) {
  leave_free(f.w, free);
  for (int k = 0; k < f.slides; ++k) leave_free(f.w_t[k], free);
  const double b_d_over_d = 2 * b.first, b_dd = 4 * f.d * f.d * b.second + b_d_over_d;
  if (!projected) return exact_hessian(f, b_dd, b_d_over_d);
  // Leave out slides between held nodes: w ⊗ q_k is coupled to nothing then.
  int moving = 0;
  for (int k = 0; k < f.slides; ++k)
    if (!f.w_t[k].isZero(0)) f.q[moving] = f.q[k], f.w_t[moving] = f.w_t[k], ++moving;
  switch (moving) {
    case 0:
      return projected_hessian<0>(f, b_dd, b_d_over_d);
    case 1:
      return projected_hessian<1>(f, b_dd, b_d_over_d);
    default:
      return projected_hessian<2>(f, b_dd, b_d_over_d);
  }
}

// b of the closest points, without the mollifier.
ContactTerm plain_term(const FourNodes& x, const SimplexDistance& closest, const BarrierValue& b, Hessian hessian,
                       const FreeNodes& free) {
  ContactTerm term;
  term.energy = b.value;
  if (b.first == 0) return term;
  for (int i = 0; i < 4; ++i) term.gradient[i] = 2 * b.first * closest.weight[i] * closest.difference;
  if (hessian != Hessian::none) term.hessian = hessian_of(frame_of(x, closest), b, hessian == Hessian::projected, free);
  return term;
}

template <int n>
Eigen::Matrix<double, n, n> positive_part(const Eigen::Matrix<double, n, n>& matrix) {
  const SymmetricEigen<n> eigen = symmetric_eigen<n>(matrix);
  if (eigen.values[0] >= 0) return matrix;
  Eigen::Matrix<double, n, n> sum = Eigen::Matrix<double, n, n>::Zero();
  for (int e = n - 1; e >= 0 && eigen.values[e] > 0; --e) {
    const Eigen::Matrix<double, n, 1> y = eigen.vectors.col(e), scaled = eigen.values[e] * y;
    for (int j = 0; j < n; ++j) sum.col(j) += y[j] * scaled;
  }
  return sum;
}

// The same as project_positive if the rows of every axis add up to zero, because translation changes no energy.
void project_relative(Mat12& matrix) {
  const double r = std::sqrt(0.5);
  const double across[3][4] = {{0.5, 0.5, -0.5, -0.5}, {r, -r, 0, 0}, {0, 0, r, -r}};  // orthonormal, sums of zero
  Mat9 relative = Mat9::Zero();
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < 3; ++l)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          relative.block<3, 3>(3 * k, 3 * l) += across[k][i] * across[l][j] * matrix.block<3, 3>(3 * i, 3 * j);
  relative = positive_part<9>(relative);
  matrix.setZero();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          matrix.block<3, 3>(3 * i, 3 * j) += across[k][i] * across[l][j] * relative.block<3, 3>(3 * k, 3 * l);
}

// c = |e_a × e_b|² = |e_a|² |e_b|² − (e_a · e_b)²
double parallel_measure(const FourNodes& x) { return (x[1] - x[0]).cross(x[3] - x[2]).squaredNorm(); }

// Derivatives of c over the nodes: those over e_a and e_b, with signs.
struct ParallelMeasure {
  Eigen::Matrix<double, 12, 1> gradient;
  Mat12 hessian;
};

ParallelMeasure parallel_derivatives(const FourNodes& x) {
  const Vec3 a = x[1] - x[0], b = x[3] - x[2];
  const double aa = a.squaredNorm(), bb = b.squaredNorm(), ab = a.dot(b);
  const Vec3 n = a.cross(b), by_a = 2 * b.cross(n), by_b = 2 * n.cross(a);
  const Mat3 by_aa = 2 * (bb * Mat3::Identity() - b * b.transpose());
  const Mat3 by_bb = 2 * (aa * Mat3::Identity() - a * a.transpose());
  const Mat3 by_ab = 4 * a * b.transpose() - 2 * b * a.transpose() - 2 * ab * Mat3::Identity();
  ParallelMeasure c;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const double sign = i == j ? 1 : -1;
      c.hessian.block<3, 3>(3 * i, 3 * j) = sign * by_aa;
      c.hessian.block<3, 3>(6 + 3 * i, 6 + 3 * j) = sign * by_bb;
      c.hessian.block<3, 3>(3 * i, 6 + 3 * j) = sign * by_ab;
      c.hessian.block<3, 3>(6 + 3 * j, 3 * i) = sign * by_ab.transpose();
    }
  c.gradient << -by_a, by_a, -by_b, by_b;
  return c;
}

}  // namespace

BarrierValue barrier(const BarrierLaw& law, double s) {
  const double d = std::sqrt(std::max(s, 0.0)), g = d - law.offset;
  const double y2 = (law.offset > 0 ? std::max(g, 0.0) * g : s) / (law.reach * law.reach);
  if (y2 >= 1) return {};
  if (!(y2 > touching)) return {std::numeric_limits<double>::infinity(), 0, 0};
  const double z = y2 - 1, log = z > -0.5 ? std::log1p(z) : std::log(y2);
  BarrierValue b;
  b.value = -law.kappa * law.reach * z * z * log;                 // −κ d̂ z² ln y²
  b.first = -law.kappa / law.reach * (2 * z * log + z * z / y2);  // β' = −κ/d̂ (2 z ln y² + z²/y²)
  b.second = -law.kappa / (law.reach * law.reach * law.reach) *  // β'' = −κ/d̂³ (2 ln y² + 4 z/y² − z²/y⁴)
             (2 * log + 4 * (z / y2) - (z / y2) * (z / y2));
  if (law.offset > 0) {
    b.second = (g * g * b.second + 0.5 * law.offset / d * b.first) / s;
    b.first *= g / d;
  }
  return b;
}

double barrier_pressure(const BarrierLaw& law, double distance) {
  return -2 * distance * barrier(law, distance * distance).first;
}

MollifierValue parallel_mollifier(double c, double epsilon) {
  if (!(c < epsilon)) return {};
  const double r = c / epsilon;
  return {(2 - r) * r, 2 * (1 - r) / epsilon, -2 / (epsilon * epsilon)};
}

double mollifier_threshold(double rest_a, double rest_b) { return parallel_sine2 * rest_a * rest_a * rest_b * rest_b; }

double barrier_energy(const FourNodes& x, const SimplexDistance& closest, const BarrierLaw& law) {
  const double b = barrier(law, closest.squared).value;
  const bool finite = std::isfinite(b) && b > 0;
  return finite && law.epsilon > 0 ? parallel_mollifier(parallel_measure(x), law.epsilon).value * b : b;
}

double barrier_force(const FourNodes& x, const SimplexDistance& closest, const BarrierLaw& law) {
  const double pressure = barrier_pressure(law, std::sqrt(closest.squared));
  return law.epsilon > 0 ? parallel_mollifier(parallel_measure(x), law.epsilon).value * pressure : pressure;
}

ContactTerm barrier_term(const FourNodes& x, const SimplexDistance& closest, const BarrierLaw& law, Hessian hessian,
                         const FreeNodes& free) {
  const BarrierValue b = barrier(law, closest.squared);
  const double c = law.epsilon > 0 ? parallel_measure(x) : 0;
  if (b.first == 0 || !(c < law.epsilon)) return plain_term(x, closest, b, hessian, free);

  // E = e b:  ∂E = e ∂b + b e' ∂c,  ∂²E = e ∂²b + e' (∂b ∂cᵀ + ∂c ∂bᵀ) + b (e'' ∂c ∂cᵀ + e' ∂²c)
  const MollifierValue e = parallel_mollifier(c, law.epsilon);
  const ParallelMeasure by_x = parallel_derivatives(x);
  ContactTerm term = plain_term(x, closest, b, hessian == Hessian::none ? Hessian::none : Hessian::exact, all_free);
  Eigen::Matrix<double, 12, 1> db;
  for (int i = 0; i < 4; ++i) {
    db.segment<3>(3 * i) = term.gradient[i];
    term.gradient[i] = e.value * term.gradient[i] + b.value * e.first * by_x.gradient.segment<3>(3 * i);
  }
  term.energy = e.value * b.value;
  if (hessian == Hessian::none) return term;
  const Eigen::Matrix<double, 12, 1> half = e.first * db + 0.5 * b.value * e.second * by_x.gradient;
  term.hessian = e.value * term.hessian + b.value * e.first * by_x.hessian;
  term.hessian += half * by_x.gradient.transpose() + by_x.gradient * half.transpose();
  if (free == all_free) {
    if (hessian == Hessian::projected) project_relative(term.hessian);
    return term;
  }
  leave_free(term.hessian, free);
  if (hessian == Hessian::projected) {
    project_positive(term.hessian);
    leave_free(term.hessian, free);  // rounding
  }
  return term;
}

void project_positive(Mat12& matrix) { matrix = positive_part<12>(matrix); }

}  // namespace coracle
