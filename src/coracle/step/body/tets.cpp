#include "coracle/step/body/tets.h"

#include "coracle/step/body/element_loop.h"
#include "coracle/step/body/material.h"
#include "coracle/step/body/polar.h"

#include <array>

namespace coracle {
namespace {

// Gradients of the four shape functions at rest, as columns.
Eigen::Matrix<double, 3, 4> shape_gradients(const Mat3& inverse_edges) {
  Eigen::Matrix<double, 3, 4> g;
  g.rightCols<3>() = inverse_edges.transpose();
  g.col(0) = -g.rightCols<3>().rowwise().sum();
  return g;
}

Lame lame_of(const BodyRest& rest) { return lame(rest.options.young, rest.options.poisson); }

// The 3×3 blocks of an element's stiffness: diagonal 0..3, then pairs 01 02 03 12 13 23.
using ElementBlocks = std::array<Mat3, 10>;
constexpr int pair_of[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// V ∇N_aᵀ (∂P/∂F) ∇N_b.
ElementBlocks element_blocks(const BodyRest& rest, const Tets& tets, const Lame& l, const std::vector<Vec3>& x,
                             std::size_t t, Linearisation how) {
  const Eigen::Matrix<double, 3, 4> g = shape_gradients(tets.inverse_edges[t]);
  const Mat3 f = deformation(tets, x, t);
  ElementBlocks blocks;
  if (how == Linearisation::warped) {
    // dP = R (2μ sym(RᵀdF) + λ tr(RᵀdF)), dF = d ∇N_bᵀ: block = V R (μ (∇N_a·∇N_b 1 + ∇N_b ∇N_aᵀ) + λ ∇N_a ∇N_bᵀ) Rᵀ
    const Mat3 r = polar(f).r;
    const Eigen::Matrix<double, 3, 4> h = r * g;
    const auto block = [&](int a, int b) -> Mat3 {
      const double same = l.mu * g.col(a).dot(g.col(b));
      Mat3 k = l.mu * h.col(b) * h.col(a).transpose() + l.lambda * h.col(a) * h.col(b).transpose();
      k.diagonal().array() += same;
      return tets.volume[t] * k;
    };
    for (int a = 0; a < 4; ++a) blocks[a] = block(a, a);
    for (int p = 0; p < 6; ++p) blocks[4 + p] = block(pair_of[p][0], pair_of[p][1]);
    return blocks;
  }
  const Mat9 h = piola_derivative(rest.options.material, l, f, true);
  // vec(dF) for d at node b: column c of F gets g(c, b) d.
  const auto block = [&](int a, int b) -> Mat3 {
    Mat3 k = Mat3::Zero();
    for (int p = 0; p < 3; ++p)
      for (int q = 0; q < 3; ++q) k += g(p, a) * g(q, b) * h.block<3, 3>(3 * p, 3 * q);
    return tets.volume[t] * k;
  };
  for (int a = 0; a < 4; ++a) blocks[a] = block(a, a);
  for (int p = 0; p < 6; ++p) blocks[4 + p] = block(pair_of[p][0], pair_of[p][1]);
  return blocks;
}

}  // namespace

Mat3 deformation(const Tets& tets, const std::vector<Vec3>& x, std::size_t t) {
  const Vec4i& n = tets.tets[t];
  Mat3 edges;
  for (int c = 0; c < 3; ++c) edges.col(c) = x[n[c + 1]] - x[n[0]];
  return edges * tets.inverse_edges[t];
}

double elastic_energy(const BodyRest& rest, const Tets& tets, const std::vector<Vec3>& x) {
  const Lame l = lame_of(rest);
  return sum_blocks(
      tets.tets.size(),
      [&](std::size_t begin, std::size_t end) {
        double e = 0;
        for (std::size_t t = begin; t < end; ++t)
          e += tets.volume[t] * energy_density(rest.options.material, l, deformation(tets, x, t));
        return e;
      },
      element_block);
}

void add_elastic_gradient(const BodyRest& rest, const Tets& tets, const std::vector<Vec3>& x, int first,
                          std::vector<Vec3>& gradient) {
  const Lame l = lame_of(rest);
  using Forces = Eigen::Matrix<double, 3, 4>;
  in_order<Forces>(
      tets.tets.size(),
      [&](std::size_t t) -> Forces {
        return tets.volume[t] * first_piola(rest.options.material, l, deformation(tets, x, t)) *
               shape_gradients(tets.inverse_edges[t]);
      },
      [&](std::size_t t, const Forces& f) {
        for (int a = 0; a < 4; ++a) gradient[first + tets.tets[t][a]] += f.col(a);
      });
}

void add_pairs(const Tets& tets, int first, NodePairs& pairs) {
  for (const Vec4i& t : tets.tets)
    for (int p = 0; p < 4; ++p)
      for (int q = p + 1; q < 4; ++q) pairs.emplace_back(first + t[p], first + t[q]);
}

ElementSlots element_slots(const Tets& tets, int first, const BlockSolver& matrix) {
  ElementSlots slots;
  slots.reserve(6 * tets.tets.size());
  for (const Vec4i& t : tets.tets)
    for (const auto& [a, b] : pair_of) slots.push_back(matrix.slot(first + t[a], first + t[b]));
  return slots;
}

void add_stiffness(const BodyRest& rest, const Tets& tets, const std::vector<Vec3>& x, Linearisation how, double scale,
                   int first, const ElementSlots& slots, BlockSolver& matrix) {
  const Lame l = lame_of(rest);
  in_order<ElementBlocks>(
      tets.tets.size(), [&](std::size_t t) { return element_blocks(rest, tets, l, x, t, how); },
      [&](std::size_t t, const ElementBlocks& blocks) {
        for (int a = 0; a < 4; ++a) matrix.add_diagonal(first + tets.tets[t][a], scale * blocks[a]);
        for (int p = 0; p < 6; ++p) matrix.add(slots[6 * t + p], scale * blocks[4 + p]);
      });
}

void add_stiffness_times(const BodyRest& rest, const Tets& tets, const std::vector<Vec3>& x, Linearisation how,
                         double scale, int first, const std::vector<Vec3>& w, std::vector<Vec3>& y) {
  const Lame l = lame_of(rest);
  using Forces = Eigen::Matrix<double, 3, 4>;
  in_order<Forces>(
      tets.tets.size(),
      [&](std::size_t t) -> Forces {
        const ElementBlocks blocks = element_blocks(rest, tets, l, x, t, how);
        const Vec4i& n = tets.tets[t];
        Forces f;
        for (int a = 0; a < 4; ++a) f.col(a) = blocks[a] * w[first + n[a]];
        for (int p = 0; p < 6; ++p) {
          const auto [a, b] = pair_of[p];
          f.col(a) += blocks[4 + p] * w[first + n[b]];
          f.col(b) += blocks[4 + p].transpose() * w[first + n[a]];
        }
        return scale * f;
      },
      [&](std::size_t t, const Forces& f) {
        for (int a = 0; a < 4; ++a) y[first + tets.tets[t][a]] += f.col(a);
      });
}

}  // namespace coracle
