#include "coracle/step/body/rods.h"

#include "coracle/shape/curvature_binormal.h"
#include "coracle/step/body/element_loop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace coracle {
namespace {

// E π r², N, and E I, N m².
struct Section {
  double stretch, bend;
};
Section section(const BodyRest& rest) {
  const double square = rest.options.rod_radius * rest.options.rod_radius;
  const double stretch = rest.options.young * std::numbers::pi * square;
  return {stretch, stretch * square / 4};
}

// One segment at given positions.
struct Segment {
  Vec3 tangent;
  double length, strain;  // m; ℓ/L − 1
};
Segment segment(const Rods& rods, const std::vector<Vec3>& x, std::size_t s) {
  const Vec3 d = x[rods.segments[s][1]] - x[rods.segments[s][0]];
  const double length = d.norm();
  return {d / std::max(length, std::numeric_limits<double>::min()), length, length / rods.length[s] - 1};
}

// g = |b|² + b̄² − 2 b̄ s(|b|) as a function of Q = |b|², with its derivatives by Q.
struct BendEnergy {
  double value, first, second;
};
BendEnergy bend_energy(double natural, double square) {
  if (natural == 0) return {square, 1, 0};
  const double delta = 0.5 * natural;
  if (square > delta * delta) {
    const double b = std::sqrt(square);
    return {(b - natural) * (b - natural), 1 - natural / b, 0.5 * natural / (b * square)};
  }
  const double q = square / (delta * delta);
  return {square + natural * natural - 2 * natural * delta * (0.375 + q * (0.75 - 0.125 * q)),
          1 - 2 * natural / delta * (0.75 - 0.25 * q), 0.5 * natural / (delta * delta * delta)};
}

// One bend at given positions.
Bend bend(const Rods& rods, const std::vector<Vec3>& x, std::size_t i) {
  const Vec3i& n = rods.bends[i];
  return bend_of(x[n[1]] - x[n[0]], x[n[2]] - x[n[1]]);
}

// ∂b/∂x of the three nodes.
std::array<Mat3, 3> by_nodes(const Bend& bend) { return {-bend.by_e, bend.by_e - bend.by_f, bend.by_f}; }

// Stretch of segment s: force on its second node is −K w for a relative motion w of its ends.
// K = E π r² [ t tᵀ / L + strain / ℓ (1 − t tᵀ) ], the second term where it is positive.
Mat3 segment_stiffness(const Rods& rods, const Section& stiff, const std::vector<Vec3>& x, std::size_t s) {
  const Segment at = segment(rods, x, s);
  const Mat3 along = at.tangent * at.tangent.transpose();
  Mat3 k = stiff.stretch / rods.length[s] * along;
  if (at.strain > 0) k += stiff.stretch * at.strain / at.length * (Mat3::Identity() - along);
  return k;
}

// The positive part of the second derivative of the energy by b: E I / L̄ (g' 1 + 2 g'' b bᵀ).
Mat3 bend_stiffness(const Rods& rods, const Section& stiff, const Vec3& b, std::size_t i) {
  const double square = b.squaredNorm();
  const BendEnergy g = bend_energy(rods.natural_bend[i], square);
  const double across = std::max(g.first, 0.0), along = std::max(g.first + 2 * g.second * square, 0.0);
  Mat3 h = across * Mat3::Identity();
  if (square > 0) h += (along - across) / square * b * b.transpose();
  return stiff.bend / rods.reach[i] * h;
}

// The 3×3 blocks of a bend: diagonal 0 1 2, then pairs 01 02 12.
using BendBlocks = std::array<Mat3, 6>;
constexpr int pair_of[3][2] = {{0, 1}, {0, 2}, {1, 2}};

BendBlocks bend_blocks(const Rods& rods, const Section& stiff, const std::vector<Vec3>& x, std::size_t i) {
  const Bend at = bend(rods, x, i);
  const std::array<Mat3, 3> d = by_nodes(at);
  const Mat3 h = bend_stiffness(rods, stiff, at.b, i);
  BendBlocks blocks;
  for (int a = 0; a < 3; ++a) {
    const Mat3 k = d[a].transpose() * h * d[a];
    blocks[a] = 0.5 * (k + k.transpose());
  }
  for (int p = 0; p < 3; ++p) blocks[3 + p] = d[pair_of[p][0]].transpose() * h * d[pair_of[p][1]];
  return blocks;
}

}  // namespace

std::vector<double> axial_stress(const BodyRest& rest, const Rods& rods, const std::vector<Vec3>& x) {
  std::vector<double> stress(rods.segments.size());
  for (std::size_t s = 0; s < stress.size(); ++s) stress[s] = rest.options.young * segment(rods, x, s).strain;
  return stress;
}

double elastic_energy(const BodyRest& rest, const Rods& rods, const std::vector<Vec3>& x) {
  const Section stiff = section(rest);
  const auto sum = [](std::size_t count, auto&& term) {
    return sum_blocks(
        count,
        [&](std::size_t begin, std::size_t end) {
          double e = 0;
          for (std::size_t i = begin; i < end; ++i) e += term(i);
          return e;
        },
        element_block);
  };
  return sum(rods.segments.size(),
             [&](std::size_t s) {
               const double strain = segment(rods, x, s).strain;
               return 0.5 * stiff.stretch * rods.length[s] * strain * strain;
             }) +
         sum(rods.bends.size(), [&](std::size_t i) {
           return 0.5 * stiff.bend / rods.reach[i] *
                  bend_energy(rods.natural_bend[i], bend(rods, x, i).b.squaredNorm()).value;
         });
}

void add_elastic_gradient(const BodyRest& rest, const Rods& rods, const std::vector<Vec3>& x, int first,
                          std::vector<Vec3>& gradient) {
  const Section stiff = section(rest);
  in_order<Vec3>(
      rods.segments.size(),
      [&](std::size_t s) -> Vec3 {
        const Segment at = segment(rods, x, s);
        return stiff.stretch * at.strain * at.tangent;
      },
      [&](std::size_t s, const Vec3& f) {
        gradient[first + rods.segments[s][0]] -= f;
        gradient[first + rods.segments[s][1]] += f;
      });
  in_order<Mat3>(
      rods.bends.size(),
      [&](std::size_t i) {
        const Bend at = bend(rods, x, i);
        const std::array<Mat3, 3> d = by_nodes(at);
        // ∂(energy)/∂b = E I / L̄ g' b
        const Vec3 m = stiff.bend / rods.reach[i] * bend_energy(rods.natural_bend[i], at.b.squaredNorm()).first * at.b;
        Mat3 f;
        for (int a = 0; a < 3; ++a) f.col(a) = d[a].transpose() * m;
        return f;
      },
      [&](std::size_t i, const Mat3& f) {
        for (int a = 0; a < 3; ++a) gradient[first + rods.bends[i][a]] += f.col(a);
      });
}

void add_pairs(const Rods& rods, int first, NodePairs& pairs) {
  for (const auto& [a, b] : rods.segments) pairs.emplace_back(first + a, first + b);
  for (const Vec3i& n : rods.bends)
    for (const auto& [a, b] : pair_of) pairs.emplace_back(first + n[a], first + n[b]);
}

ElementSlots element_slots(const Rods& rods, int first, const BlockSolver& matrix) {
  ElementSlots slots;
  slots.reserve(rods.segments.size() + 3 * rods.bends.size());
  for (const auto& [a, b] : rods.segments) slots.push_back(matrix.slot(first + a, first + b));
  for (const Vec3i& n : rods.bends)
    for (const auto& [a, b] : pair_of) slots.push_back(matrix.slot(first + n[a], first + n[b]));
  return slots;
}

void add_stiffness(const BodyRest& rest, const Rods& rods, const std::vector<Vec3>& x, Linearisation, double scale,
                   int first, const ElementSlots& slots, BlockSolver& matrix) {
  const Section stiff = section(rest);
  in_order<Mat3>(
      rods.segments.size(), [&](std::size_t s) { return segment_stiffness(rods, stiff, x, s); },
      [&](std::size_t s, const Mat3& k) {
        for (const int n : rods.segments[s]) matrix.add_diagonal(first + n, scale * k);
        matrix.add(slots[s], -scale * k);
      });
  in_order<BendBlocks>(
      rods.bends.size(), [&](std::size_t i) { return bend_blocks(rods, stiff, x, i); },
      [&](std::size_t i, const BendBlocks& blocks) {
        for (int a = 0; a < 3; ++a) matrix.add_diagonal(first + rods.bends[i][a], scale * blocks[a]);
        for (int p = 0; p < 3; ++p) matrix.add(slots[rods.segments.size() + 3 * i + p], scale * blocks[3 + p]);
      });
}

void add_stiffness_times(const BodyRest& rest, const Rods& rods, const std::vector<Vec3>& x, Linearisation,
                         double scale, int first, const std::vector<Vec3>& w, std::vector<Vec3>& y) {
  const Section stiff = section(rest);
  in_order<Vec3>(
      rods.segments.size(),
      [&](std::size_t s) -> Vec3 {
        const auto [a, b] = rods.segments[s];
        return scale * (segment_stiffness(rods, stiff, x, s) * (w[first + b] - w[first + a]));
      },
      [&](std::size_t s, const Vec3& f) {
        y[first + rods.segments[s][0]] -= f;
        y[first + rods.segments[s][1]] += f;
      });
  in_order<Mat3>(
      rods.bends.size(),
      [&](std::size_t i) {
        const Bend at = bend(rods, x, i);
        const std::array<Mat3, 3> d = by_nodes(at);
        Vec3 change = Vec3::Zero();
        for (int a = 0; a < 3; ++a) change += d[a] * w[first + rods.bends[i][a]];
        const Vec3 m = scale * (bend_stiffness(rods, stiff, at.b, i) * change);
        Mat3 f;
        for (int a = 0; a < 3; ++a) f.col(a) = d[a].transpose() * m;
        return f;
      },
      [&](std::size_t i, const Mat3& f) {
        for (int a = 0; a < 3; ++a) y[first + rods.bends[i][a]] += f.col(a);
      });
}

}  // namespace coracle
