#include "coracle/shape/covers.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <utility>

namespace coracle {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double least_cosine = 0.5;  // points at a fold or bend move out by at most 1 / least_cosine

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

// Per node: from the middle of the sheet to a side at distance 1. The direction is the mean normal of the triangles,
// weighted by their angles; the length makes the side parallel to the triangles, in the mean.
std::vector<Vec3> offsets(const std::vector<Vec3>& x, const std::vector<Vec3i>& tris) {
  std::vector<Vec3> sum(x.size(), Vec3::Zero());
  std::vector<double> angles(x.size(), 0);
  for (const Vec3i& t : tris) {
    const Vec3 normal = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]).normalized();
    for (int c = 0; c < 3; ++c) {
      const Vec3& at = x[t[c]];
      const double angle = angle_between(x[t[(c + 1) % 3]] - at, x[t[(c + 2) % 3]] - at);
      sum[t[c]] += angle * normal;
      angles[t[c]] += angle;
    }
  }
  for (std::size_t n = 0; n < x.size(); ++n) {
    // ‖sum‖ / angles is the mean cosine between the direction and the normals.
    const double length = sum[n].norm();
    if (length > 0) sum[n] /= length * std::max(least_cosine, length / angles[n]);
  }
  return sum;
}

// The tangents of the segments of a path. One of no length takes that of its neighbour.
std::vector<Vec3> tangents(const std::vector<Vec3>& x, const std::vector<int>& path) {
  std::vector<Vec3> along;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Vec3 d = x[path[i + 1]] - x[path[i]];
    along.push_back(d.norm() > 0 ? Vec3(d.normalized()) : along.empty() ? Vec3::UnitX() : along.back());
  }
  return along;
}

Vec3 carried(const Vec3& u, const Vec3& from, const Vec3& to) {
  return Eigen::Quaterniond::FromTwoVectors(from, to) * u;
}

// Builds the tube of one path.
class Tube {
 public:
  Tube(double radius, int sides, Cover& cover) : radius_(radius), sides_(sides), cover_(cover) {}

  void add(const std::vector<Vec3>& rest, const std::vector<Vec3>& x, const std::vector<int>& path) {
    const bool loop = path.front() == path.back();
    const std::vector<Vec3> along = tangents(x, path);
    const int segments = int(along.size());

    // A direction across every segment, carried from one to the next.
    const Vec3 start = (rest[path[1]] - rest[path[0]]).normalized();
    std::vector<Vec3> across{carried(start.unitOrthogonal(), start, along[0])};
    for (int s = 1; s < segments; ++s) across.push_back(carried(across.back(), along[s - 1], along[s]));
    // Around a loop it comes back turned. That turn is shared by all segments.
    double turn = 0;
    if (loop) {
      const Vec3 back = carried(across.back(), along.back(), along[0]);
      turn = std::atan2(across[0].cross(back).dot(along[0]), across[0].dot(back)) / segments;
    }
    for (int s = 0; s < segments; ++s) across[s] = Eigen::AngleAxisd(-turn * s, along[s]) * across[s];

    std::vector<int> rings;
    int tip = -1;
    if (!loop) {
      tip = add_point(x[path[0]] - radius_ * along[0], path[0]);
      for (int k = end_rings - 1; k > 0; --k)
        rings.push_back(add_round(x[path[0]], path[0], -along[0], across[0], along[0].cross(across[0]), k));
    }
    for (int i = 0; i < segments + (loop ? 0 : 1); ++i) {
      const int before = i > 0 ? i - 1 : loop ? segments - 1 : 0, after = std::min(i, segments - 1);
      rings.push_back(add_bend(x[path[i]], path[i], along[before], along[after], across[after]));
    }
    if (!loop)
      for (int k = 1; k < end_rings; ++k)
        rings.push_back(
            add_round(x[path.back()], path.back(), along.back(), across.back(), along.back().cross(across.back()), k));

    for (std::size_t r = 0; r + 1 < rings.size(); ++r) join(rings[r], rings[r + 1]);
    if (loop) {
      join(rings.back(), rings.front());
    } else {
      close(tip, rings.front(), true);
      close(add_point(x[path.back()] + radius_ * along.back(), path.back()), rings.back(), false);
    }
  }

 private:
  static constexpr int end_rings = 3;  // of a round end, its tip included

  int add_point(const Vec3& x, int node) {
    cover_.mesh.x.push_back(x);
    cover_.node.push_back(node);
    return int(cover_.mesh.x.size()) - 1;
  }

  int add_ring(const Vec3& center, int node, const Vec3& u, const Vec3& v) {
    const int first = int(cover_.mesh.x.size());
    for (int i = 0; i < sides_; ++i) {
      const double angle = 2 * pi * i / sides_;
      add_point(center + std::cos(angle) * u + std::sin(angle) * v, node);
    }
    return first;
  }

  // The section in the plane between two segments. It is an ellipse: across the bend it is longer by 1 / cos(φ/2), with
  // φ the angle of the bend, so that both tubes have their radius.
  int add_bend(const Vec3& center, int node, const Vec3& before, const Vec3& after, const Vec3& across) {
    const Vec3 sum = before + after, toward = after - before;
    const Vec3 normal = sum.norm() > 1e-6 ? Vec3(sum.normalized()) : after;
    const Vec3 bend = toward.norm() > 1e-6 ? Vec3(toward.normalized()) : Vec3::Zero();
    const double longer = 1 / std::max(least_cosine, 0.5 * sum.norm());
    const auto stretched = [&](const Vec3& d) { return Vec3(radius_ * (d + (longer - 1) * d.dot(bend) * bend)); };
    const Vec3 u = carried(across, after, normal);
    return add_ring(center, node, stretched(u), stretched(normal.cross(u)));
  }

  // Circle k of half a ball that points out of an end, at k / end_rings of 90° above the last section.
  int add_round(const Vec3& center, int node, const Vec3& out, const Vec3& u, const Vec3& v, int k) {
    const double latitude = 0.5 * pi * k / end_rings, r = radius_ * std::cos(latitude);
    return add_ring(center + radius_ * std::sin(latitude) * out, node, r * u, r * v);
  }

  void join(int ring, int next) {
    for (int i = 0; i < sides_; ++i) {
      const int j = (i + 1) % sides_;
      cover_.mesh.tris.emplace_back(ring + i, ring + j, next + j);
      cover_.mesh.tris.emplace_back(ring + i, next + j, next + i);
    }
  }

  void close(int tip, int ring, bool at_start) {
    for (int i = 0; i < sides_; ++i) {
      const int a = ring + i, b = ring + (i + 1) % sides_;
      cover_.mesh.tris.emplace_back(tip, at_start ? b : a, at_start ? a : b);
    }
  }

  double radius_;
  int sides_;
  Cover& cover_;
};

}  // namespace

Cover sheet_cover(const std::vector<Vec3>& x, const std::vector<Vec3i>& tris, double thickness) {
  const int n = int(x.size());
  const std::vector<Vec3> out = offsets(x, tris);
  Cover cover;
  for (const double side : {0.5, -0.5})
    for (int i = 0; i < n; ++i) {
      cover.mesh.x.push_back(x[i] + side * thickness * out[i]);
      cover.node.push_back(i);
    }
  std::set<std::pair<int, int>> directed;
  for (const Vec3i& t : tris) {
    cover.mesh.tris.push_back(t);
    cover.mesh.tris.emplace_back(n + t[0], n + t[2], n + t[1]);
    for (int c = 0; c < 3; ++c) directed.emplace(t[c], t[(c + 1) % 3]);
  }
  for (const auto& [a, b] : directed) {
    if (directed.contains({b, a})) continue;  // not at the border
    cover.mesh.tris.emplace_back(b, a, n + a);
    cover.mesh.tris.emplace_back(b, n + a, n + b);
  }
  return cover;
}

Paths rod_paths(const std::vector<std::array<int, 2>>& segments, const std::vector<Vec3i>& bends) {
  // The segment that continues each end of each segment; −1: none.
  std::map<std::pair<int, int>, int> number;
  for (int s = 0; s < int(segments.size()); ++s) number[std::minmax(segments[s][0], segments[s][1])] = s;
  std::vector<std::array<int, 2>> next(segments.size(), {-1, -1});
  for (const Vec3i& n : bends) {
    const int s = number.at(std::minmax(n[0], n[1])), t = number.at(std::minmax(n[1], n[2]));
    next[s][segments[s][1] == n[1]] = t;
    next[t][segments[t][1] == n[1]] = s;
  }
  Paths paths;
  std::vector<char> used(segments.size(), 0);
  const auto follow = [&](int s, int start) {  // from the end `start` of segment s
    std::vector<int> path{segments[s][start]};
    for (int end = 1 - start; s >= 0 && !used[s];) {
      used[s] = 1;
      const int node = segments[s][end];
      path.push_back(node);
      s = next[s][end];
      if (s >= 0) end = segments[s][0] == node ? 1 : 0;
    }
    paths.push_back(std::move(path));
  };
  for (int s = 0; s < int(segments.size()); ++s)
    for (int end = 0; end < 2; ++end)
      if (!used[s] && next[s][end] < 0) follow(s, end);
  for (int s = 0; s < int(segments.size()); ++s)
    if (!used[s]) follow(s, 0);  // a loop
  return paths;
}

Cover tube_cover(const std::vector<Vec3>& rest, const std::vector<Vec3>& x, const Paths& paths, double radius,
                 int sides) {
  Cover cover;
  Tube tube(radius, sides, cover);
  for (const std::vector<int>& path : paths) tube.add(rest, x, path);
  return cover;
}

}  // namespace coracle
