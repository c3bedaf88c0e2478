#include "coracle/step/body/muscles.h"

#include "coracle/step/body/quadratic_tets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace coracle {
namespace {

// ∇λ · f of the four barycentric coordinates.
Eigen::Vector4d slopes(const Mat3& inverse_edges, const Vec3& f) {
  Eigen::Vector4d s;
  s.tail<3>() = inverse_edges * f;
  s[0] = -s.tail<3>().sum();
  return s;
}

// g_q of one fibre: a column per point of the quadrature, each with the same weight.
template <int nodes, int points>
struct Element {
  const int* node;
  Eigen::Matrix<double, nodes, points> g;
  double weight;  // Pa m³, per point

  // F f √V at the points, as columns.
  Eigen::Matrix<double, 3, points> stretched(const std::vector<Vec3>& x, int first) const {
    Eigen::Matrix<double, 3, nodes> p;
    for (int a = 0; a < nodes; ++a) p.col(a) = x[first + node[a]];
    return p * g;
  }
};

Element<4, 1> element(const Tets& tets, const Fibre& fibre, double pull) {
  return {tets.tets[fibre.element].data(), slopes(tets.inverse_edges[fibre.element], fibre.along),
          pull * tets.volume[fibre.element]};
}

Element<10, quadrature_points> element(const QuadraticTets& tets, const Fibre& fibre, double pull) {
  Element<10, quadrature_points> e{
      tets.nodes[fibre.element].data(), {}, pull * tets.volume[fibre.element] / quadrature_points};
  const Eigen::Vector4d s = slopes(tets.inverse_edges[fibre.element], fibre.along);
  for (int q = 0; q < quadrature_points; ++q) e.g.col(q) = barycentric_slopes()[q].transpose() * s;
  return e;
}

// Call f(element, its number) for every fibre that pulls, in order.
template <class F>
void for_each_pulling(const Body& body, F&& f) {
  if (body.pull.empty()) return;
  std::visit(
      [&](const auto& kind) {
        if constexpr (requires { element(kind, Fibre{}, 0.0); })
          for (std::size_t i = 0; i < body.pull.size(); ++i)
            if (body.pull[i] > 0) f(element(kind, body.rest->fibres[i], body.pull[i]), body.rest->fibres[i].element);
      },
      body.rest->elements);
}

void add_forces(const Body& body, double scale, const std::vector<Vec3>& x, int first_x, int first,
                std::vector<Vec3>& y) {
  for_each_pulling(body, [&](const auto& e, int) {
    const auto force = (scale * e.weight * e.stretched(x, first_x) * e.g.transpose()).eval();
    for (int a = 0; a < int(force.cols()); ++a) y[first + e.node[a]] += force.col(a);
  });
}

}  // namespace

double activation(const MuscleOptions& muscle, double place, double time) {
  if (time < muscle.start || time > muscle.end) return 0;
  const double since = time - muscle.start;
  const double waves = muscle.frequency * since - (muscle.wavelength > 0 ? place / muscle.wavelength : 0);
  const double wave = muscle.level + muscle.swing * std::sin(2 * std::numbers::pi * waves + muscle.phase);
  return std::clamp(wave, 0.0, 1.0) * (muscle.ramp > 0 ? std::min(1.0, since / muscle.ramp) : 1.0);
}

void tense_muscles(std::vector<Body>& bodies, double time) {
  for (Body& body : bodies) {
    const std::vector<Fibre>& fibres = body.rest->fibres;
    const std::vector<double>& given = body.controls.activation;
    body.pull.resize(fibres.size());
    for (std::size_t i = 0; i < fibres.size(); ++i) {
      const Fibre& fibre = fibres[i];
      const MuscleOptions& muscle = body.rest->options.muscles[fibre.muscle];
      const bool is_given = !given.empty() && !std::isnan(given[fibre.muscle]);
      body.pull[i] = muscle.stress * (is_given ? given[fibre.muscle] : activation(muscle, fibre.place, time));
    }
  }
}

double pull_energy(const Body& body, const std::vector<Vec3>& x) {
  double sum = 0;
  for_each_pulling(body, [&](const auto& e, int) { sum += 0.5 * e.weight * e.stretched(x, 0).squaredNorm(); });
  return sum;
}

void add_pull_gradient(const Body& body, const std::vector<Vec3>& x, int first, std::vector<Vec3>& gradient) {
  add_forces(body, 1, x, 0, first, gradient);
}

void add_pull_stiffness_times(const Body& body, double scale, int first, const std::vector<Vec3>& w,
                              std::vector<Vec3>& y) {
  add_forces(body, scale, w, first, first, y);
}

void add_pull_stiffness(const Body& body, double scale, int first, const ElementSlots& slots, BlockSolver& matrix) {
  for_each_pulling(body, [&](const auto& e, int number) {
    const auto a = (scale * e.weight * e.g * e.g.transpose()).eval();
    const int nodes = int(a.rows()), pairs = nodes * (nodes - 1) / 2;
    for (int p = 0, pair = 0; p < nodes; ++p) {
      matrix.add_diagonal(first + e.node[p], a(p, p) * Mat3::Identity());
      for (int q = p + 1; q < nodes; ++q, ++pair)
        matrix.add(slots[std::size_t(pairs) * number + pair], a(p, q) * Mat3::Identity());
    }
  });
}

}  // namespace coracle
