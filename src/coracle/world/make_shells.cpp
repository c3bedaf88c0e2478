#include "coracle/world/make_shells.h"

#include "coracle/base/point_text.h"
#include "coracle/shape/dihedral.h"
#include "coracle/solve/symmetric_eigen.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

namespace coracle {
namespace {

using Vec2 = Eigen::Vector2d;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 5, 3>;

Vec2 left_of(const Vec2& along) { return {-along.y(), along.x()}; }

// Side c of a triangle is opposite to its corner c.
int from(const Vec3i& t, int side) { return t[(side + 1) % 3]; }
int to(const Vec3i& t, int side) { return t[(side + 2) % 3]; }

std::string edge_text(const Vec3& a, const Vec3& b) {
  return fmt::format("the edge from {} to {}", point_text(a), point_text(b));
}

// Triangles and hinges by index.
struct Topology {
  std::vector<std::array<int, 3>> hinge_of;  // per triangle and side; −1: none
  std::vector<std::array<int, 2>> tris_of;   // per hinge: abc, bad
};

Topology find_hinges(const std::vector<Vec3>& x, const std::vector<Vec3i>& tris, std::vector<Vec4i>& hinges) {
  Topology found;
  found.hinge_of.assign(tris.size(), {-1, -1, -1});
  std::map<std::pair<int, int>, std::pair<int, int>> sides;  // nodes → triangle, side
  std::map<std::pair<int, int>, int> count;                  // of triangles at an edge
  for (const Vec3i& t : tris)
    for (int side = 0; side < 3; ++side) ++count[std::minmax(from(t, side), to(t, side))];
  for (int t = 0; t < int(tris.size()); ++t)
    for (int side = 0; side < 3; ++side) {
      const int a = from(tris[t], side), b = to(tris[t], side);
      if (const int here = count.at(std::minmax(a, b)); here > 2)
        throw std::runtime_error(fmt::format(
            "{} has {} triangles, and a shell can have two; make two bodies of it, and tie them by an attachment",
            edge_text(x[a], x[b]), here));
      if (!sides.try_emplace({a, b}, t, side).second)
        throw std::runtime_error(fmt::format(
            "the two triangles at {} are turned opposite ways; turn one of them round in the file (a band with one "
            "twist has no two sides: cut it)",
            edge_text(x[a], x[b])));
    }
  for (const auto& [nodes, first] : sides) {
    const auto other = sides.find({nodes.second, nodes.first});
    if (nodes.first > nodes.second || other == sides.end()) continue;
    const auto [t, side] = first;
    const auto [u, its_side] = other->second;
    found.hinge_of[t][side] = found.hinge_of[u][its_side] = int(hinges.size());
    found.tris_of.push_back({t, u});
    hinges.emplace_back(nodes.first, nodes.second, tris[t][side], tris[u][its_side]);
  }
  return found;
}

// Where point o lies in the plane in which p and q lie at p2 and q2, to the left of pq (side 1) or the right (−1).
Vec2 unfold(const Vec3& p, const Vec3& q, const Vec3& o, const Vec2& p2, const Vec2& q2, int side) {
  const double length = (q - p).norm(), along = (o - p).dot(q - p) / length;
  const double height = (q - p).cross(o - p).norm() / length;
  const Vec2 unit = (q2 - p2).normalized();
  return p2 + along * unit + side * height * left_of(unit);
}

// Height of the plate ½ xᵀ κ x at x, as a linear function of (κ₁₁ κ₂₂ 2κ₁₂).
Vec3 bulge(const Vec2& x) { return 0.5 * Vec3(x.x() * x.x(), x.y() * x.y(), x.x() * x.y()); }

// φ of a triangle with the side pq and the tip o: the plate's slope across the middle of the side beyond that of the
// flat triangle, as a linear function of (κ₁₁ κ₂₂ 2κ₁₂).
Vec3 slope_beyond(const Vec2& p, const Vec2& q, const Vec2& o) {
  const Vec2 side = q - p, tip = o - 0.5 * (p + q);
  const double height = std::abs(left_of(side).dot(tip)) / side.norm();
  return (bulge(tip) - bulge(0.5 * side)) / height;
}

// φ_e of the first triangle of a hinge, as weights of angles of hinges.
using Shares = std::vector<std::pair<int, double>>;

Shares share_of_first(const std::vector<Vec3>& x, const Shells& shells, const Topology& topology, int hinge) {
  // Unfold the two triangles, with the edge along the first axis, and the triangles beyond them.
  const Vec4i& n = shells.hinges[hinge];
  const double length = (x[n[1]] - x[n[0]]).norm();
  const Vec2 a(0, 0), b(length, 0);
  const Vec2 c = unfold(x[n[0]], x[n[1]], x[n[2]], a, b, 1), d = unfold(x[n[0]], x[n[1]], x[n[3]], a, b, -1);
  const Vec3 first = slope_beyond(a, b, c);
  std::vector<int> hinges{hinge};
  Matrix angles(1, 3);  // of the hinges, as functions of the curvature
  angles.row(0) = first + slope_beyond(a, b, d);
  for (int of = 0; of < 2; ++of) {
    const int t = topology.tris_of[hinge][of];
    const auto flat = [&](int node) -> Vec2 { return node == n[0] ? a : node == n[1] ? b : of ? d : c; };
    for (int side = 0; side < 3; ++side) {
      const int f = topology.hinge_of[t][side];
      if (f < 0 || f == hinge) continue;
      const int p = from(shells.tris[t], side), q = to(shells.tris[t], side);
      const Vec4i& m = shells.hinges[f];
      const int beyond = topology.tris_of[f][0] == t ? m[3] : m[2];
      hinges.push_back(f);
      angles.conservativeResize(angles.rows() + 1, 3);
      angles.bottomRows<1>() = slope_beyond(flat(p), flat(q), flat(shells.tris[t][side])) +
                               slope_beyond(flat(p), flat(q), unfold(x[p], x[q], x[beyond], flat(p), flat(q), -1));
    }
  }
  // φ = h θ / (h + h') + c·κ̂, κ̂ = angles⁺ θ. Poor fits (too few hinges, or their nodes nearly on a conic) count less.
  constexpr double poor = 0.1;  // singular value, relative to the largest
  const double height = c.y(), share = height / (height - d.y());
  const Vec3 missed = first - share * angles.row(0).transpose();
  const SymmetricEigen<3> squares = symmetric_eigen<3>(angles.transpose() * angles);  // of the singular values
  Shares shares;
  for (std::size_t i = 0; i < hinges.size(); ++i) shares.emplace_back(hinges[i], i == 0 ? share : 0);
  for (int k = 0; k < 3; ++k) {
    const Vec3 v = squares.vectors.col(k);
    const double along = v.dot(missed) / std::max(squares.values[k], poor * poor * squares.values[2]);
    for (std::size_t i = 0; i < hinges.size(); ++i) shares[i].second += along * angles.row(i).dot(v);
  }
  return shares;
}

// The weights of the hinges around a triangle: κ = 1/A Σ_e l_e φ_e n_e n_eᵀ, free sides with the φ_e of least energy.
Shells::Plate make_plate(const Shells& shells, const Topology& topology, const std::vector<Shares>& first_shares, int t,
                         double poisson) {
  const Mat2 edges = shells.inverse_edges[t].inverse();
  const Vec2 corners[3] = {Vec2::Zero(), edges.col(0), edges.col(1)};
  std::vector<std::pair<int, Vec3>> weights;
  const auto add = [&](int hinge, const Vec3& weight) {
    for (auto& [h, w] : weights)
      if (h == hinge) {
        w += weight;
        return;
      }
    weights.emplace_back(hinge, weight);
  };
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> free(3, 0);  // curvature by φ of the free sides
  for (int side = 0; side < 3; ++side) {
    const Vec2 along = corners[(side + 2) % 3] - corners[(side + 1) % 3], n = left_of(along).normalized();
    const Vec3 curvature = along.norm() / shells.area[t] * Vec3(n.x() * n.x(), n.y() * n.y(), 2 * n.x() * n.y());
    const int hinge = topology.hinge_of[t][side];
    if (hinge < 0) {
      free.conservativeResize(3, free.cols() + 1);
      free.rightCols<1>() = curvature;
      continue;
    }
    const bool first = topology.tris_of[hinge][0] == t;
    if (!first) add(hinge, curvature);
    for (const auto& [h, share] : first_shares[hinge]) add(h, (first ? share : -share) * curvature);
  }
  if (free.cols() > 0) {
    // min over φ of ½ (κ + Nφ)ᵀ D (κ + Nφ): κ ← κ − N (NᵀDN)⁻¹ NᵀD κ
    Mat3 d = Mat3::Identity();
    d(0, 1) = d(1, 0) = poisson;
    d(2, 2) = (1 - poisson) / 2;
    const Eigen::MatrixXd solved = (free.transpose() * d * free).inverse() * free.transpose() * d;
    for (auto& [h, w] : weights) w -= Vec3(free * (solved * w));
  }
  double most = 0;
  for (const auto& [h, w] : weights) most = std::max(most, w.norm());
  Shells::Plate plate;
  for (const int node : shells.tris[t]) plate.nodes[plate.nodes_count++] = node;
  for (const auto& [h, w] : weights) {
    constexpr double negligible = 1e-9;  // on regular meshes many weights are zero but for round-off
    if (w.norm() <= negligible * most) continue;
    const int at = plate.hinges_count++;
    plate.hinges[at] = h;
    plate.weight[at] = w;
    for (int c = 0; c < 4; ++c) {
      const auto end = plate.nodes.begin() + plate.nodes_count;
      const auto found = std::find(plate.nodes.begin(), end, shells.hinges[h][c]);
      plate.places[at][c] = int(found - plate.nodes.begin());
      if (found == end) plate.nodes[plate.nodes_count++] = shells.hinges[h][c];
    }
  }
  return plate;
}

}  // namespace

Shells make_shells(const std::vector<Vec3>& x, const std::vector<Vec3i>& tris, double poisson) {
  Shells shells;
  shells.tris = tris;
  for (std::size_t t = 0; t < tris.size(); ++t) {
    const Vec3 u = x[tris[t][1]] - x[tris[t][0]], v = x[tris[t][2]] - x[tris[t][0]];
    const double along = u.norm(), across = u.cross(v).norm() / along;
    constexpr double least_height = 1e-6;  // of the longest side
    if (!(across * along > least_height * std::max({u.squaredNorm(), v.squaredNorm(), (u - v).squaredNorm()})))
      throw std::runtime_error(
          fmt::format("triangle {} at {} has no area; leave it out of the file, or join its vertices", t + 1,
                      point_text(x[tris[t][0]])));
    Mat2 edges;
    edges << along, u.dot(v) / along, 0, across;
    shells.inverse_edges.push_back(edges.inverse());
    shells.area.push_back(0.5 * along * across);
  }
  const Topology topology = find_hinges(x, tris, shells.hinges);
  std::vector<Shares> first_shares;
  for (int h = 0; h < int(shells.hinges.size()); ++h) {
    const Vec4i& n = shells.hinges[h];
    shells.angle.push_back(dihedral_angle(x[n[0]], x[n[1]], x[n[2]], x[n[3]]));
    constexpr double most_angle = 3.13;  // at π the angle jumps
    if (std::abs(shells.angle.back()) > most_angle)
      throw std::runtime_error(fmt::format("the triangles at {} are folded onto each other; open the fold a little",
                                           edge_text(x[n[0]], x[n[1]])));
    first_shares.push_back(share_of_first(x, shells, topology, h));
  }
  for (int t = 0; t < int(tris.size()); ++t)
    shells.plates.push_back(make_plate(shells, topology, first_shares, t, poisson));
  return shells;
}

std::vector<double> lumped_mass(const Shells& shells, std::size_t nodes, const BodyOptions& options) {
  std::vector<double> mass(nodes, 0);
  for (std::size_t t = 0; t < shells.tris.size(); ++t)
    for (const int n : shells.tris[t]) mass[n] += options.density * options.shell_thickness * shells.area[t] / 3;
  return mass;
}

}  // namespace coracle
