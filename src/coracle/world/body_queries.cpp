// What can be asked of a body of any kind of element: its volume, its size in words, points that move with it.
#include "coracle/shape/embed.h"
#include "coracle/shape/quadratic_tet.h"
#include "coracle/shape/tet_mesh.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/world/bodies.h"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace coracle {
namespace {

double present_volume(const Tets& tets, const Body& body) { return volume_of(body.x, tets.tets); }
double present_volume(const QuadraticTets&, const Body& body) {
  return enclosed_volume(body.x, body.rest->skin.tris);  // what a fluid sees
}
double present_volume(const Shells& shells, const Body& body) {
  double area = 0;
  for (const Vec3i& t : shells.tris)
    area += 0.5 * (body.x[t[1]] - body.x[t[0]]).cross(body.x[t[2]] - body.x[t[0]]).norm();
  return body.rest->options.shell_thickness * area;
}
double present_volume(const Rods& rods, const Body& body) {
  double length = 0;
  for (const auto& [a, b] : rods.segments) length += (body.x[b] - body.x[a]).norm();
  const double radius = body.rest->options.rod_radius;
  return std::numbers::pi * radius * radius * length;
}
double present_volume(const Rigid&, const Body& body) { return enclosed_volume(body.x, body.rest->skin.tris); }

std::string count_of(const Tets& tets, const BodyRest&) { return fmt::format("{} tetrahedra", tets.tets.size()); }
std::string count_of(const QuadraticTets& tets, const BodyRest&) {
  return fmt::format("{} quadratic tetrahedra", tets.nodes.size());
}
std::string count_of(const Shells& shells, const BodyRest&) { return fmt::format("{} triangles", shells.tris.size()); }
std::string count_of(const Rods& rods, const BodyRest&) { return fmt::format("{} segments", rods.segments.size()); }
std::string count_of(const Rigid&, const BodyRest& rest) {
  return fmt::format("rigid, {} triangles", rest.skin.tris.size());
}

std::vector<Vec4i> corners_of(const QuadraticTets& tets) {
  std::vector<Vec4i> corners;
  for (const auto& n : tets.nodes) corners.emplace_back(n[0], n[1], n[2], n[3]);
  return corners;
}

Embedding places_in(const Tets& tets, const std::vector<Vec3>& x, const std::vector<Vec3>& points) {
  return embed(TetMesh{x, tets.tets}, points);
}
Embedding places_in(const QuadraticTets& tets, const std::vector<Vec3>& x, const std::vector<Vec3>& points) {
  return embed(TetMesh{x, corners_of(tets)}, points);
}
Embedding places_in(const Shells& shells, const std::vector<Vec3>& x, const std::vector<Vec3>& points) {
  return embed(TriMesh{x, shells.tris}, points);
}
Embedding places_in(const Rods& rods, const std::vector<Vec3>& x, const std::vector<Vec3>& points) {
  return embed(LineMesh{x, rods.segments}, points);
}
// All points of a rigid body follow its leading nodes, wherever they are.
Embedding places_in(const Rigid& rigid, const std::vector<Vec3>& x, const std::vector<Vec3>& points) {
  return places_in(rigid.frame, x, points);
}

// The corners by which points are interpolated.
const std::vector<Vec4i>& corners_of(const Tets& tets) { return tets.tets; }
const std::vector<Vec3i>& corners_of(const Shells& shells) { return shells.tris; }
const std::vector<std::array<int, 2>>& corners_of(const Rods& rods) { return rods.segments; }
const std::vector<Vec4i>& corners_of(const Rigid& rigid) { return rigid.frame.tets; }

template <class Kind>
void add_weights(const Embedding& place, const Kind& kind, Follower& at) {
  const auto& nodes = corners_of(kind)[place.element[0]];
  at.leaders.assign(nodes.begin(), nodes.end());
  for (int a = 0; a < int(nodes.size()); ++a) at.weights.push_back(place.weights[0][a]);
}
void add_weights(const Embedding& place, const QuadraticTets& tets, Follower& at) {
  const auto& nodes = tets.nodes[place.element[0]];
  const std::array<double, 10> shape = quadratic_shape(place.weights[0]);
  at.leaders.assign(nodes.begin(), nodes.end());
  at.weights.assign(shape.begin(), shape.end());
}

template <class Kind, class T>
std::vector<T> at_places(const Embedding& places, const Kind& kind, const std::vector<T>& values) {
  return embedded(places, corners_of(kind), values);
}
template <class T>
std::vector<T> at_places(const Embedding& places, const QuadraticTets& tets, const std::vector<T>& values) {
  std::vector<T> found;
  for (std::size_t i = 0; i < places.element.size(); ++i) {
    const std::array<double, 10> shape = quadratic_shape(places.weights[i]);
    const auto& nodes = tets.nodes[places.element[i]];
    T sum = shape[0] * values[nodes[0]];
    for (int a = 1; a < 10; ++a) sum += shape[a] * values[nodes[a]];
    found.push_back(sum);
  }
  return found;
}

}  // namespace

double body_volume(const Body& body) {
  return std::visit([&](const auto& kind) { return present_volume(kind, body); }, body.rest->elements);
}

std::string count_elements(const BodyRest& rest) {
  return std::visit([&](const auto& kind) { return count_of(kind, rest); }, rest.elements);
}

Embedding embed(const BodyRest& rest, const std::vector<Vec3>& points) {
  return std::visit([&](const auto& kind) { return places_in(kind, rest.x, points); }, rest.elements);
}

Follower weights_at(const BodyRest& rest, const Vec3& point) {
  constexpr double none = 1e-12;  // round-off
  Follower all, at;
  const Embedding place = embed(rest, {point});
  std::visit([&](const auto& kind) { add_weights(place, kind, all); }, rest.elements);
  double sum = 0;
  for (std::size_t a = 0; a < all.leaders.size(); ++a) {
    if (std::abs(all.weights[a]) < none) continue;
    at.leaders.push_back(all.leaders[a]);
    at.weights.push_back(all.weights[a]);
    sum += all.weights[a];
  }
  for (double& w : at.weights) w /= sum;
  return at;
}

std::vector<Vec3> embedded(const Embedding& places, const BodyRest& rest, const std::vector<Vec3>& values) {
  return std::visit([&](const auto& kind) { return at_places(places, kind, values); }, rest.elements);
}

std::vector<double> embedded(const Embedding& places, const BodyRest& rest, const std::vector<double>& values) {
  return std::visit([&](const auto& kind) { return at_places(places, kind, values); }, rest.elements);
}

}  // namespace coracle
