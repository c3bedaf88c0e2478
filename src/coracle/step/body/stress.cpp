#include "coracle/step/body/stress.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/quadratic_tet.h"
#include "coracle/shape/tet_mesh.h"
#include "coracle/step/body/quadratic_tets.h"
#include "coracle/step/body/rods.h"
#include "coracle/step/body/shells.h"
#include "coracle/step/body/tets.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace coracle {
namespace {

constexpr std::size_t tet_block = 256;

// The mean over the elements of every node, weighted by their sizes.
template <class Element>
std::vector<double> at_nodes(const std::vector<Element>& elements, const std::vector<double>& size,
                             const std::vector<double>& value, std::size_t nodes) {
  std::vector<double> mean(nodes, 0), sum(nodes, 0);
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const int n : elements[e]) {
      mean[n] += size[e] * value[e];
      sum[n] += size[e];
    }
  for (std::size_t n = 0; n < nodes; ++n)
    if (sum[n] > 0) mean[n] /= sum[n];
  return mean;
}

// S = Σ s f fᵀ of the muscles, per element; empty where none pulls.
std::vector<Mat3> pulls(const Body& body, std::size_t elements) {
  std::vector<Mat3> sum;
  if (body.pull.empty()) return sum;
  sum.assign(elements, Mat3::Zero());
  for (std::size_t i = 0; i < body.pull.size(); ++i) {
    const Fibre& fibre = body.rest->fibres[i];
    sum[fibre.element] += body.pull[i] * fibre.along * fibre.along.transpose();
  }
  return sum;
}

// σ = P Fᵀ / J
Mat3 cauchy(const Mat3& p, const Mat3& f) {
  const double j = std::max(std::abs(f.determinant()), least_cauchy_volume);
  return p * f.transpose() / j;
}

// Of the material and of the muscles: P + F S.
Mat3 whole_stress(const BodyRest& rest, const Lame& l, const std::vector<Mat3>& pulls, std::size_t element,
                  const Mat3& f) {
  Mat3 p = first_piola(rest.options.material, l, f);
  if (!pulls.empty()) p += f * pulls[element];
  return cauchy(p, f);
}

VonMises stress_of(const Body& body, const Tets& tets) {
  const BodyRest& rest = *body.rest;
  const Lame l = lame(rest.options.young, rest.options.poisson);
  VonMises found;
  found.elements.resize(tets.tets.size());
  const std::vector<Mat3> pull = pulls(body, found.elements.size());
  for_each_index(
      found.elements.size(),
      [&](std::size_t t) {
        found.elements[t] = von_mises(whole_stress(rest, l, pull, t, deformation(tets, body.x, t)));
      },
      tet_block);
  found.nodes = at_nodes(tets.tets, tets.volume, found.elements, body.x.size());
  return found;
}

// Of the membrane alone.
VonMises stress_of(const Body& body, const Shells& shells) {
  VonMises found;
  found.elements.resize(shells.tris.size());
  for_each_index(
      found.elements.size(),
      [&](std::size_t t) { found.elements[t] = von_mises(membrane_stress(*body.rest, shells, body.x, t)); }, tet_block);
  found.nodes = at_nodes(shells.tris, shells.area, found.elements, body.x.size());
  return found;
}

// Of the axial force alone.
VonMises stress_of(const Body& body, const Rods& rods) {
  VonMises found{axial_stress(*body.rest, rods, body.x), {}};
  for (double& s : found.elements) s = std::abs(s);
  found.nodes = at_nodes(rods.segments, rods.length, found.elements, body.x.size());
  return found;
}

// A rigid body has none.
VonMises stress_of(const Body& body, const Rigid& rigid) {
  return {std::vector<double>(rigid.frame.tets.size(), 0), std::vector<double>(body.x.size(), 0)};
}

// Per element: of the mean stress. Per node: the stress is linear in each element; the mean over the elements of a
// node.
VonMises stress_of(const Body& body, const QuadraticTets& tets) {
  const BodyRest& rest = *body.rest;
  const std::vector<Vec3>& x = body.x;
  const Lame l = lame(rest.options.young, rest.options.poisson);
  VonMises found;
  found.elements.resize(tets.nodes.size());
  const std::vector<Mat3> pull = pulls(body, found.elements.size());
  std::vector<std::array<Mat3, quadrature_points>> stress(tets.nodes.size());
  for_each_index(
      found.elements.size(),
      [&](std::size_t t) {
        const auto f = deformations(tets, x, t);
        Mat3 mean = Mat3::Zero();
        for (int q = 0; q < quadrature_points; ++q) {
          stress[t][q] = whole_stress(rest, l, pull, t, f[q]);
          mean += stress[t][q] / quadrature_points;
        }
        found.elements[t] = von_mises(mean);
      },
      tet_block);
  std::vector<Mat3> sum(x.size(), Mat3::Zero());
  std::vector<double> volume(x.size(), 0);
  for (std::size_t t = 0; t < stress.size(); ++t)
    for (int a = 0; a < 10; ++a) {
      const Eigen::Vector4d w = from_points(barycentric_of_node(a));
      const int n = tets.nodes[t][a];
      for (int q = 0; q < quadrature_points; ++q) sum[n] += tets.volume[t] * w[q] * stress[t][q];
      volume[n] += tets.volume[t];
    }
  found.nodes.assign(x.size(), 0);
  for (std::size_t n = 0; n < x.size(); ++n)
    if (volume[n] > 0) found.nodes[n] = von_mises(Mat3(sum[n] / volume[n]));
  return found;
}

// For a quadratic tet, of the worst of the four tets at its corners, each with the middles of its edges; or the least
// det F at the points of the quadrature, where that is negative.
double quality_of(const QuadraticTets& tets, std::size_t t, const std::vector<Vec3>& x) {
  constexpr int at_corner[4][4] = {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3}};
  const auto& n = tets.nodes[t];
  double least = 1;
  for (const auto& c : at_corner) least = std::min(least, tet_quality(x[n[c[0]]], x[n[c[1]]], x[n[c[2]]], x[n[c[3]]]));
  for (const Mat3& f : deformations(tets, x, t))
    if (const double j = f.determinant(); j <= 0) least = std::min(least, j);
  return least;
}
Vec3 center_of(const QuadraticTets& tets, std::size_t t, const std::vector<Vec3>& x) {
  const auto& n = tets.nodes[t];
  return 0.25 * (x[n[0]] + x[n[1]] + x[n[2]] + x[n[3]]);
}
std::size_t count_of(const QuadraticTets& tets) { return tets.nodes.size(); }

double quality_of(const Tets& tets, std::size_t t, const std::vector<Vec3>& x) {
  const Vec4i& n = tets.tets[t];
  return tet_quality(x[n[0]], x[n[1]], x[n[2]], x[n[3]]);
}
Vec3 center_of(const Tets& tets, std::size_t t, const std::vector<Vec3>& x) {
  const Vec4i& n = tets.tets[t];
  return 0.25 * (x[n[0]] + x[n[1]] + x[n[2]] + x[n[3]]);
}
std::size_t count_of(const Tets& tets) { return tets.tets.size(); }

// A rigid body is as good as it was.
double quality_of(const Rigid&, std::size_t, const std::vector<Vec3>&) { return 1; }
Vec3 center_of(const Rigid& rigid, std::size_t t, const std::vector<Vec3>& x) { return center_of(rigid.frame, t, x); }
std::size_t count_of(const Rigid& rigid) { return count_of(rigid.frame); }

// 4√3 A / Σ l²: 1 for the equilateral triangle, 0 for a flat one.
double quality_of(const Shells& shells, std::size_t t, const std::vector<Vec3>& x) {
  const Vec3i& n = shells.tris[t];
  const Vec3 u = x[n[1]] - x[n[0]], v = x[n[2]] - x[n[0]];
  const double squares = u.squaredNorm() + v.squaredNorm() + (v - u).squaredNorm();
  return squares > 0 ? 2 * std::sqrt(3.0) * u.cross(v).norm() / squares : 0;
}
Vec3 center_of(const Shells& shells, std::size_t t, const std::vector<Vec3>& x) {
  const Vec3i& n = shells.tris[t];
  return (x[n[0]] + x[n[1]] + x[n[2]]) / 3;
}
std::size_t count_of(const Shells& shells) { return shells.tris.size(); }

// A segment has no shape: its length over that at rest, at most 1.
double quality_of(const Rods& rods, std::size_t s, const std::vector<Vec3>& x) {
  return std::min(1.0, (x[rods.segments[s][1]] - x[rods.segments[s][0]]).norm() / rods.length[s]);
}
Vec3 center_of(const Rods& rods, std::size_t s, const std::vector<Vec3>& x) {
  return 0.5 * (x[rods.segments[s][0]] + x[rods.segments[s][1]]);
}
std::size_t count_of(const Rods& rods) { return rods.segments.size(); }

}  // namespace

Mat3 cauchy_stress(MaterialModel model, const Lame& lame, const Mat3& f) {
  return cauchy(first_piola(model, lame, f), f);
}

double von_mises(const Mat3& stress) {
  const Mat3 deviator = stress - stress.trace() / 3 * Mat3::Identity();
  return std::sqrt(1.5) * deviator.norm();
}

VonMises von_mises(const Body& body) {
  return std::visit([&](const auto& kind) { return stress_of(body, kind); }, body.rest->elements);
}

double tet_quality(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const double squares = (b - a).squaredNorm() + (c - a).squaredNorm() + (d - a).squaredNorm() + (c - b).squaredNorm() +
                         (d - b).squaredNorm() + (d - c).squaredNorm();
  const double edge = std::sqrt(squares / 6);
  return edge > 0 ? 6 * std::numbers::sqrt2 * tet_volume(a, b, c, d) / (edge * edge * edge) : 0;
}

WorstElement worst_element(const Body& body, const std::vector<Vec3>& x) {
  return std::visit(
      [&](const auto& kind) {
        using Found = std::pair<double, std::size_t>;
        const auto less = [](const Found& p, const Found& q) { return q.first < p.first ? q : p; };
        const Found worst = reduce_blocks(
            count_of(kind), tet_block, Found(INFINITY, 0),
            [&](std::size_t begin, std::size_t end) {
              Found least(INFINITY, 0);
              for (std::size_t t = begin; t < end; ++t) least = less(least, {quality_of(kind, t, x), t});
              return least;
            },
            less);
        return WorstElement{worst.first, worst.second, center_of(kind, worst.second, x)};
      },
      body.rest->elements);
}

double least_quality(const Body& body) { return worst_element(body, body.x).quality; }

std::string name_worst_element(const Body& body, const std::vector<Vec3>& x) {
  const WorstElement worst = worst_element(body, x);
  return fmt::format("element {} of '{}' near ({:.4g}, {:.4g}, {:.4g})", worst.element, body.name, worst.center.x(),
                     worst.center.y(), worst.center.z());
}

std::string inversion_text(const Body& body, const std::vector<Vec3>& x, bool newton) {
  return fmt::format(
      "{} is inverted, which neo_hookean does not allow; {} this, and material = 'stable_neo_hookean' recovers from it",
      name_worst_element(body, x),
      newton ? "elastic.integrator = 'backward_euler' prevents" : "elastic.newton = true prevents");
}

}  // namespace coracle
