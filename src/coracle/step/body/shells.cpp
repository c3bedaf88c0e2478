#include "coracle/step/body/shells.h"

#include "coracle/shape/dihedral.h"
#include "coracle/step/body/element_loop.h"
#include "coracle/step/body/stress.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace coracle {
namespace {

using Plate = Shells::Plate;
using Corners = Eigen::Matrix<double, 3, 3>;  // one column per corner of a triangle
using HingeGradient = Eigen::Matrix<double, 3, 4>;

constexpr int nodes = Plate::most_nodes, pairs = nodes * (nodes - 1) / 2;

// Place of the pair a < b among 01 02 … of twelve nodes.
constexpr int pair_at(int a, int b) { return a * (2 * nodes - a - 1) / 2 + b - a - 1; }

PlaneLame lame_of(const BodyRest& rest) { return plane_lame(rest.options.young, rest.options.poisson); }

// D: moments from (κ₁₁ κ₂₂ 2κ₁₂).
Mat3 plate_stiffness(const BodyRest& rest) {
  const double nu = rest.options.poisson;
  Mat3 d;
  d << 1, nu, 0, nu, 1, 0, 0, 0, (1 - nu) / 2;
  return rest.options.young * std::pow(rest.options.shell_thickness, 3) / (12 * (1 - nu * nu)) * d;
}

// Gradients of the three shape functions in the plane at rest, as columns.
Eigen::Matrix<double, 2, 3> shape_gradients(const Mat2& inverse_edges) {
  Eigen::Matrix<double, 2, 3> g;
  g.rightCols<2>() = inverse_edges.transpose();
  g.col(0) = -g.rightCols<2>().rowwise().sum();
  return g;
}

// θ − θ̄ of every hinge.
std::vector<double> angle_changes(const Shells& shells, const std::vector<Vec3>& x) {
  std::vector<double> change(shells.hinges.size());
  for_each_index(
      change.size(),
      [&](std::size_t h) {
        const Vec4i& n = shells.hinges[h];
        change[h] = dihedral_angle(x[n[0]], x[n[1]], x[n[2]], x[n[3]]) - shells.angle[h];
      },
      element_block);
  return change;
}

std::vector<HingeGradient> angle_gradients(const Shells& shells, const std::vector<Vec3>& x) {
  std::vector<HingeGradient> gradients(shells.hinges.size());
  for_each_index(
      gradients.size(),
      [&](std::size_t h) {
        const Vec4i& n = shells.hinges[h];
        gradients[h] = dihedral_gradient(x[n[0]], x[n[1]], x[n[2]], x[n[3]]);
      },
      element_block);
  return gradients;
}

Vec3 curvature(const Plate& plate, const std::vector<double>& angles) {
  Vec3 sum = Vec3::Zero();
  for (int h = 0; h < plate.hinges_count; ++h) sum += angles[plate.hinges[h]] * plate.weight[h];
  return sum;
}

// y ← y + scale Σ_T A (∂κ/∂x)ᵀ D κ with κ = Σ w_h angle_h.
void add_plate_forces(const Shells& shells, const Mat3& d, const std::vector<double>& angles,
                      const std::vector<HingeGradient>& gradients, double scale, int first, std::vector<Vec3>& y) {
  std::vector<double> moment(shells.hinges.size(), 0);  // ∂(energy)/∂θ
  using Moments = std::array<double, Plate::most_hinges>;
  in_order<Moments>(
      shells.tris.size(),
      [&](std::size_t t) {
        const Plate& plate = shells.plates[t];
        const Vec3 m = shells.area[t] * (d * curvature(plate, angles));
        Moments moments;
        for (int h = 0; h < plate.hinges_count; ++h) moments[h] = plate.weight[h].dot(m);
        return moments;
      },
      [&](std::size_t t, const Moments& moments) {
        const Plate& plate = shells.plates[t];
        for (int h = 0; h < plate.hinges_count; ++h) moment[plate.hinges[h]] += moments[h];
      });
  for (std::size_t h = 0; h < moment.size(); ++h)
    for (int c = 0; c < 4; ++c) y[first + shells.hinges[h][c]] += scale * moment[h] * gradients[h].col(c);
}

// The 3×3 blocks of an element's stiffness: diagonal 0 … 11, then pairs 01 02 …; those of missing nodes are unused.
using ElementBlocks = std::array<Mat3, nodes + pairs>;

// A t ∇N_aᵀ (∂P/∂F) ∇N_b for the corners a, b.
Mat3 membrane_block(const Mat6& h, const Eigen::Matrix<double, 2, 3>& g, int a, int b) {
  Mat3 k = Mat3::Zero();
  for (int p = 0; p < 2; ++p)
    for (int q = 0; q < 2; ++q) k += g(p, a) * g(q, b) * h.block<3, 3>(3 * p, 3 * q);
  return k;
}

ElementBlocks element_blocks(const BodyRest& rest, const Shells& shells, const PlaneLame& l, const Mat3& d,
                             const std::vector<HingeGradient>& gradients, const std::vector<Vec3>& x, std::size_t t) {
  const Plate& plate = shells.plates[t];
  // ∂κ/∂x_a = Σ_h w_h (∂θ_h/∂x_a)ᵀ
  std::array<Mat3, nodes> by_node, moment;
  for (int a = 0; a < plate.nodes_count; ++a) by_node[a].setZero();
  for (int h = 0; h < plate.hinges_count; ++h)
    for (int c = 0; c < 4; ++c)
      by_node[plate.places[h][c]] += plate.weight[h] * gradients[plate.hinges[h]].col(c).transpose();
  for (int a = 0; a < plate.nodes_count; ++a) moment[a] = shells.area[t] * (d * by_node[a]);
  ElementBlocks blocks;
  for (int a = 0; a < plate.nodes_count; ++a) {
    const Mat3 k = by_node[a].transpose() * moment[a];
    blocks[a] = 0.5 * (k + k.transpose());
    for (int b = a + 1; b < plate.nodes_count; ++b) blocks[nodes + pair_at(a, b)] = by_node[a].transpose() * moment[b];
  }
  const Mat6 h = shells.area[t] * rest.options.shell_thickness * piola_derivative(l, deformation(shells, x, t));
  const Eigen::Matrix<double, 2, 3> g = shape_gradients(shells.inverse_edges[t]);
  for (int a = 0; a < 3; ++a) {
    blocks[a] += membrane_block(h, g, a, a);
    for (int b = a + 1; b < 3; ++b) blocks[nodes + pair_at(a, b)] += membrane_block(h, g, a, b);
  }
  return blocks;
}

}  // namespace

Mat32 deformation(const Shells& shells, const std::vector<Vec3>& x, std::size_t t) {
  const Vec3i& n = shells.tris[t];
  Mat32 edges;
  for (int c = 0; c < 2; ++c) edges.col(c) = x[n[c + 1]] - x[n[0]];
  return edges * shells.inverse_edges[t];
}

std::vector<Vec3> curvature_change(const Shells& shells, const std::vector<Vec3>& x) {
  const std::vector<double> angles = angle_changes(shells, x);
  std::vector<Vec3> change;
  for (const Plate& plate : shells.plates) change.push_back(curvature(plate, angles));
  return change;
}

Mat3 membrane_stress(const BodyRest& rest, const Shells& shells, const std::vector<Vec3>& x, std::size_t t) {
  const Mat32 f = deformation(shells, x, t);
  const Stretches s = stretches(f);
  const double j = std::max(s.sigma[0] * s.sigma[1], least_cauchy_volume);
  return first_piola(lame_of(rest), f) * f.transpose() / j;  // σ = P Fᵀ / J
}

double elastic_energy(const BodyRest& rest, const Shells& shells, const std::vector<Vec3>& x) {
  const PlaneLame l = lame_of(rest);
  const Mat3 d = plate_stiffness(rest);
  const std::vector<double> angles = angle_changes(shells, x);
  return sum_blocks(
      shells.tris.size(),
      [&](std::size_t begin, std::size_t end) {
        double e = 0;
        for (std::size_t t = begin; t < end; ++t) {
          const Vec3 k = curvature(shells.plates[t], angles);
          e += shells.area[t] *
               (rest.options.shell_thickness * energy_density(l, deformation(shells, x, t)) + 0.5 * k.dot(d * k));
        }
        return e;
      },
      element_block);
}

void add_elastic_gradient(const BodyRest& rest, const Shells& shells, const std::vector<Vec3>& x, int first,
                          std::vector<Vec3>& gradient) {
  const PlaneLame l = lame_of(rest);
  in_order<Corners>(
      shells.tris.size(),
      [&](std::size_t t) -> Corners {
        return shells.area[t] * rest.options.shell_thickness * first_piola(l, deformation(shells, x, t)) *
               shape_gradients(shells.inverse_edges[t]);
      },
      [&](std::size_t t, const Corners& f) {
        for (int a = 0; a < 3; ++a) gradient[first + shells.tris[t][a]] += f.col(a);
      });
  add_plate_forces(shells, plate_stiffness(rest), angle_changes(shells, x), angle_gradients(shells, x), 1, first,
                   gradient);
}

void add_pairs(const Shells& shells, int first, NodePairs& list) {
  for (const Plate& s : shells.plates)
    for (int a = 0; a < s.nodes_count; ++a)
      for (int b = a + 1; b < s.nodes_count; ++b) list.emplace_back(first + s.nodes[a], first + s.nodes[b]);
}

ElementSlots element_slots(const Shells& shells, int first, const BlockSolver& matrix) {
  ElementSlots slots(pairs * shells.tris.size());
  for (std::size_t t = 0; t < shells.tris.size(); ++t) {
    const Plate& s = shells.plates[t];
    for (int a = 0; a < s.nodes_count; ++a)
      for (int b = a + 1; b < s.nodes_count; ++b)
        slots[pairs * t + pair_at(a, b)] = matrix.slot(first + s.nodes[a], first + s.nodes[b]);
  }
  return slots;
}

void add_stiffness(const BodyRest& rest, const Shells& shells, const std::vector<Vec3>& x, Linearisation, double scale,
                   int first, const ElementSlots& slots, BlockSolver& matrix) {
  const PlaneLame l = lame_of(rest);
  const Mat3 d = plate_stiffness(rest);
  const std::vector<HingeGradient> gradients = angle_gradients(shells, x);
  in_order<ElementBlocks>(
      shells.tris.size(), [&](std::size_t t) { return element_blocks(rest, shells, l, d, gradients, x, t); },
      [&](std::size_t t, const ElementBlocks& blocks) {
        const Plate& s = shells.plates[t];
        for (int a = 0; a < s.nodes_count; ++a) {
          matrix.add_diagonal(first + s.nodes[a], scale * blocks[a]);
          for (int b = a + 1; b < s.nodes_count; ++b)
            matrix.add(slots[pairs * t + pair_at(a, b)], scale * blocks[nodes + pair_at(a, b)]);
        }
      });
}

void add_stiffness_times(const BodyRest& rest, const Shells& shells, const std::vector<Vec3>& x, Linearisation,
                         double scale, int first, const std::vector<Vec3>& w, std::vector<Vec3>& y) {
  const PlaneLame l = lame_of(rest);
  in_order<Corners>(
      shells.tris.size(),
      [&](std::size_t t) -> Corners {
        // dP = ∂P/∂F dF, dF = Σ w_a ∇N_aᵀ
        const Eigen::Matrix<double, 2, 3> g = shape_gradients(shells.inverse_edges[t]);
        Corners moved;
        for (int a = 0; a < 3; ++a) moved.col(a) = w[first + shells.tris[t][a]];
        const Mat32 df = moved * g.transpose();
        const Eigen::Matrix<double, 6, 1> dp =
            piola_derivative(l, deformation(shells, x, t)) * Eigen::Map<const Eigen::Matrix<double, 6, 1>>(df.data());
        return scale * shells.area[t] * rest.options.shell_thickness * Eigen::Map<const Mat32>(dp.data()) * g;
      },
      [&](std::size_t t, const Corners& f) {
        for (int a = 0; a < 3; ++a) y[first + shells.tris[t][a]] += f.col(a);
      });
  const std::vector<HingeGradient> gradients = angle_gradients(shells, x);
  std::vector<double> turned(shells.hinges.size(), 0);  // dθ = Σ ∂θ/∂x_c · w_c
  for_each_index(
      turned.size(),
      [&](std::size_t h) {
        for (int c = 0; c < 4; ++c) turned[h] += gradients[h].col(c).dot(w[first + shells.hinges[h][c]]);
      },
      element_block);
  add_plate_forces(shells, plate_stiffness(rest), turned, gradients, scale, first, y);
}

}  // namespace coracle
