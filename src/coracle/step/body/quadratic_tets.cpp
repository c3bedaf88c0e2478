#include "coracle/step/body/quadratic_tets.h"

#include "coracle/shape/quadratic_tet.h"
#include "coracle/step/body/element_loop.h"
#include "coracle/step/body/material.h"
#include "coracle/step/body/polar.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr int nodes = 10, pairs = 45;

// Points of the quadrature: barycentric coordinates `near` of one corner and `far` of the others.
constexpr double far = 0.1381966011250105, near = 1 - 3 * far;  // (5 − √5) / 20

using Gradients = Eigen::Matrix<double, 3, nodes>;

// ∇N at a point, as columns.
Gradients shape_gradients(const QuadraticTets& tets, std::size_t t, int q) {
  Eigen::Matrix<double, 3, 4> g;  // ∇λ
  g.rightCols<3>() = tets.inverse_edges[t].transpose();
  g.col(0) = -g.rightCols<3>().rowwise().sum();
  return g * barycentric_slopes()[q];
}

Gradients positions(const QuadraticTets& tets, const std::vector<Vec3>& x, std::size_t t) {
  Gradients p;
  for (int a = 0; a < nodes; ++a) p.col(a) = x[tets.nodes[t][a]];
  return p;
}

// The parts of Lamé's λ: `points` in ψ, `mean` in U.
struct Split {
  Lame points;
  double mean;
};
Split split(const BodyRest& rest) {
  constexpr double most = 4;  // λ / μ at the points
  Lame l = lame(rest.options.young, rest.options.poisson);
  const double whole = l.lambda;
  l.lambda = std::min(whole, most * l.mu);
  return {l, whole - l.lambda};
}

// One element at given positions.
struct Element {
  std::array<Gradients, quadrature_points> g;
  std::array<Mat3, quadrature_points> f;
  MeanVolume mean;  // U and its derivatives, by θ̄

  Element(const BodyRest& rest, const QuadraticTets& tets, const Split& l, const std::vector<Vec3>& x, std::size_t t) {
    const Gradients p = positions(tets, x, t);
    double dilatation = 0;
    for (int q = 0; q < quadrature_points; ++q) {
      g[q] = shape_gradients(tets, t, q);
      f[q] = p * g[q].transpose();
      if (l.mean > 0) dilatation += coracle::dilatation(rest.options.material, f[q]) / quadrature_points;
    }
    if (l.mean > 0) mean = mean_volume(rest.options.material, l.mean, dilatation);
  }
};

// The 3×3 blocks of an element's stiffness: the diagonal, then pairs 01 02 … 89.
using ElementBlocks = std::array<Mat3, nodes + pairs>;

ElementBlocks element_blocks(const BodyRest& rest, const QuadraticTets& tets, const Split& l,
                             const std::vector<Vec3>& x, std::size_t t, Linearisation how) {
  const MaterialModel material = rest.options.material;
  const Element element(rest, tets, l, x, t);
  const double weight = tets.volume[t] / quadrature_points;
  ElementBlocks blocks;
  for (Mat3& b : blocks) b.setZero();
  Gradients mean = Gradients::Zero();  // ∂θ̄/∂x
  for (int q = 0; q < quadrature_points; ++q) {
    const Gradients& g = element.g[q];
    const bool warped = how == Linearisation::warped;
    const Mat9 h = weight * (warped ? warped_stiffness(l.points, polar(element.f[q]).r)
                                    : piola_derivative(material, l.points, element.f[q], true, element.mean.first));
    for (int b = 0; b < nodes; ++b) {
      Eigen::Matrix<double, 9, 3> column = g(0, b) * h.leftCols<3>();
      column += g(1, b) * h.middleCols<3>(3);
      column += g(2, b) * h.rightCols<3>();
      for (int a = 0, pair = nodes + b - 1; a <= b; ++a) {
        // Pair (a, b), a < b, stands at nodes + a (2 nodes − a − 1) / 2 + b − a − 1.
        Mat3& block = a == b ? blocks[a] : blocks[pair];
        block += g(0, a) * column.topRows<3>();
        block += g(1, a) * column.middleRows<3>(3);
        block += g(2, a) * column.bottomRows<3>();
        pair += nodes - a - 2;
      }
    }
    if (l.mean > 0) mean += dilatation_gradient(material, element.f[q]) * g / quadrature_points;
  }
  if (l.mean > 0) {
    const double stiff = tets.volume[t] * std::max(how == Linearisation::warped ? l.mean : element.mean.second, 0.0);
    for (int a = 0, pair = nodes; a < nodes; ++a) {
      blocks[a] += stiff * mean.col(a) * mean.col(a).transpose();
      for (int b = a + 1; b < nodes; ++b, ++pair) blocks[pair] += stiff * mean.col(a) * mean.col(b).transpose();
    }
  }
  return blocks;
}

}  // namespace

const std::array<Eigen::Matrix<double, 4, nodes>, quadrature_points>& barycentric_slopes() {
  static const auto slopes = [] {
    std::array<Eigen::Matrix<double, 4, nodes>, quadrature_points> d;
    for (int q = 0; q < quadrature_points; ++q) {
      Eigen::Vector4d at = Eigen::Vector4d::Constant(far);
      at[q] = near;
      d[q].setZero();
      for (int c = 0; c < 4; ++c) d[q](c, c) = 4 * at[c] - 1;
      for (int e = 0; e < 6; ++e) {
        d[q](quadratic_edges[e][0], 4 + e) = 4 * at[quadratic_edges[e][1]];
        d[q](quadratic_edges[e][1], 4 + e) = 4 * at[quadratic_edges[e][0]];
      }
    }
    return d;
  }();
  return slopes;
}

std::array<Mat3, quadrature_points> deformations(const QuadraticTets& tets, const std::vector<Vec3>& x, std::size_t t) {
  const Gradients p = positions(tets, x, t);
  std::array<Mat3, quadrature_points> f;
  for (int q = 0; q < quadrature_points; ++q) f[q] = p * shape_gradients(tets, t, q).transpose();
  return f;
}

Eigen::Vector4d from_points(const Eigen::Vector4d& at) { return (at.array() - far) / (near - far); }

double elastic_energy(const BodyRest& rest, const QuadraticTets& tets, const std::vector<Vec3>& x) {
  const Split l = split(rest);
  return sum_blocks(
      tets.nodes.size(),
      [&](std::size_t begin, std::size_t end) {
        double e = 0;
        for (std::size_t t = begin; t < end; ++t) {
          const Element element(rest, tets, l, x, t);
          double mean = 0;
          for (const Mat3& f : element.f) mean += energy_density(rest.options.material, l.points, f);
          e += tets.volume[t] * (mean / quadrature_points + element.mean.energy);
        }
        return e;
      },
      element_block);
}

void add_elastic_gradient(const BodyRest& rest, const QuadraticTets& tets, const std::vector<Vec3>& x, int first,
                          std::vector<Vec3>& gradient) {
  const Split l = split(rest);
  in_order<Gradients>(
      tets.nodes.size(),
      [&](std::size_t t) -> Gradients {
        const Element element(rest, tets, l, x, t);
        Gradients sum = Gradients::Zero();
        for (int q = 0; q < quadrature_points; ++q) {
          Mat3 p = first_piola(rest.options.material, l.points, element.f[q]);
          if (l.mean > 0) p += element.mean.first * dilatation_gradient(rest.options.material, element.f[q]);
          sum += p * element.g[q];
        }
        return tets.volume[t] / quadrature_points * sum;
      },
      [&](std::size_t t, const Gradients& f) {
        for (int a = 0; a < nodes; ++a) gradient[first + tets.nodes[t][a]] += f.col(a);
      });
}

void add_pairs(const QuadraticTets& tets, int first, NodePairs& list) {
  for (const auto& t : tets.nodes)
    for (int p = 0; p < nodes; ++p)
      for (int q = p + 1; q < nodes; ++q) list.emplace_back(first + t[p], first + t[q]);
}

ElementSlots element_slots(const QuadraticTets& tets, int first, const BlockSolver& matrix) {
  ElementSlots slots;
  slots.reserve(pairs * tets.nodes.size());
  for (const auto& t : tets.nodes)
    for (int a = 0; a < nodes; ++a)
      for (int b = a + 1; b < nodes; ++b) slots.push_back(matrix.slot(first + t[a], first + t[b]));
  return slots;
}

void add_stiffness(const BodyRest& rest, const QuadraticTets& tets, const std::vector<Vec3>& x, Linearisation how,
                   double scale, int first, const ElementSlots& slots, BlockSolver& matrix) {
  const Split l = split(rest);
  in_order<ElementBlocks>(
      tets.nodes.size(), [&](std::size_t t) { return element_blocks(rest, tets, l, x, t, how); },
      [&](std::size_t t, const ElementBlocks& blocks) {
        for (int a = 0; a < nodes; ++a) matrix.add_diagonal(first + tets.nodes[t][a], scale * blocks[a]);
        for (int p = 0; p < pairs; ++p) matrix.add(slots[pairs * t + p], scale * blocks[nodes + p]);
      });
}

void add_stiffness_times(const BodyRest& rest, const QuadraticTets& tets, const std::vector<Vec3>& x, Linearisation how,
                         double scale, int first, const std::vector<Vec3>& w, std::vector<Vec3>& y) {
  const Split l = split(rest);
  in_order<Gradients>(
      tets.nodes.size(),
      [&](std::size_t t) -> Gradients {
        const ElementBlocks blocks = element_blocks(rest, tets, l, x, t, how);
        const auto& n = tets.nodes[t];
        Gradients f;
        for (int a = 0; a < nodes; ++a) f.col(a) = blocks[a] * w[first + n[a]];
        for (int a = 0, pair = nodes; a < nodes; ++a)
          for (int b = a + 1; b < nodes; ++b, ++pair) {
            f.col(a) += blocks[pair] * w[first + n[b]];
            f.col(b) += blocks[pair].transpose() * w[first + n[a]];
          }
        return scale * f;
      },
      [&](std::size_t t, const Gradients& f) {
        for (int a = 0; a < nodes; ++a) y[first + tets.nodes[t][a]] += f.col(a);
      });
}

}  // namespace coracle
