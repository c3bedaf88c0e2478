// Kernels of smoothed particles, of support ℏ [Xie23 ch. 6]: the cubic spline for densities, the spiky one for
// gradients. With q = r/ℏ:
//     W = 8/(πℏ³) (6 (q³ − q²) + 1) for q ≤ ½,   8/(πℏ³) 2 (1 − q)³ for q ≤ 1
//     ∇W = −45/(πℏ⁶) (ℏ − r)² x/r
// A plane at a distance d cuts off a part of a kernel: its share beyond the plane, from 0 at d = ℏ to ½ at d = 0. With
// a = d/ℏ and the height z over the particle:
//     cubic   S(d) = ∫_{z>d} W = 16 ∫_a¹ w(q) q (q − a) dq,   w = πℏ³W/8
//     spiky   −S'(d) = ∫_{z=d} W = 30/ℏ⁶ (ℏ T⁴/4 − T⁵/5),   T = ℏ − d
#pragma once

#include <algorithm>
#include <cmath>

namespace coracle {

// In m⁻³. Both branches are polynomials: 2 (1 − q)³ − 8 (½ − q)³ where q ≤ ½.
inline double cubic_kernel(double r, double support) {
  const double q = r / support, scale = 8 / (M_PI * support * support * support);
  const double outer = std::max(1 - q, 0.0), inner = std::max(0.5 - q, 0.0);
  return scale * (2 * outer * outer * outer - 8 * inner * inner * inner);
}

// −(dW/dr) / r in m⁻⁵, so that ∇W = −slope × x. Where two particles all but coincide, the direction is lost: there ∇W
// falls to zero.
inline double spiky_slope(double r, double support) {
  constexpr double coincide = 1e-6;  // of the support
  const double t = std::max(support - r, 0.0), cube = support * support * support;
  return 45 / (M_PI * cube * cube) * t * t / std::max(r, coincide * support);
}

// S(d) of the cubic kernel, d ≥ 0.
inline double cubic_share(double d, double support) {
  const double a = d / support;
  if (a >= 1) return 0;
  const double u = 1 - std::max(a, 0.5), u4 = u * u * u * u;
  double sum = 2 * u4 * ((1 - a) / 4 - (2 - a) * u / 5 + u * u / 6);  // of q ≥ ½
  const auto inner = [a](double q) {
    return q * q * (q * q * q * q - 1.2 * (1 + a) * q * q * q + 1.5 * a * q * q + q / 3 - a / 2);
  };
  if (a < 0.5) sum += inner(0.5) - inner(a);
  return 16 * sum;
}

// −S'(d) of the spiky kernel, in m⁻¹.
inline double spiky_share_slope(double d, double support) {
  if (d >= support) return 0;
  const double t = support - d, cube = support * support * support;
  return 30 / (cube * cube) * t * t * t * t * (support / 4 - t / 5);
}

}  // namespace coracle
