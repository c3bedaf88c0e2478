#include "coracle/world/make_rods.h"

#include "coracle/base/point_text.h"
#include "coracle/shape/curvature_binormal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace coracle {

std::vector<Vec3i> continuing_segments(const std::vector<Vec3>& x, const std::vector<std::array<int, 2>>& segments) {
  std::vector<std::vector<int>> neighbours(x.size());
  for (const auto& [a, b] : segments) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  std::vector<Vec3i> bends;
  for (int node = 0; node < int(x.size()); ++node) {
    std::vector<int>& around = neighbours[node];
    std::sort(around.begin(), around.end());
    std::vector<std::tuple<double, int, int>> turns;  // angle, the two ends
    for (std::size_t i = 0; i < around.size(); ++i)
      for (std::size_t j = i + 1; j < around.size(); ++j) {
        const Vec3 before = x[node] - x[around[i]], after = x[around[j]] - x[node];
        turns.emplace_back(std::atan2(before.cross(after).norm(), before.dot(after)), around[i], around[j]);
      }
    std::sort(turns.begin(), turns.end());
    std::vector<int> used;
    for (const auto& [turn, i, j] : turns) {
      const auto is_used = [&](int n) { return std::find(used.begin(), used.end(), n) != used.end(); };
      if ((around.size() > 2 && turn > most_turn) || is_used(i) || is_used(j)) continue;
      used.insert(used.end(), {i, j});
      bends.emplace_back(i, node, j);
    }
  }
  return bends;
}

Rods make_rods(const std::vector<Vec3>& x, const std::vector<std::array<int, 2>>& segments,
               const std::vector<Vec3i>& bends) {
  Rods rods;
  rods.segments = segments;
  rods.bends = bends;
  std::map<std::pair<int, int>, double> length;
  for (const auto& [a, b] : segments) {
    rods.length.push_back((x[b] - x[a]).norm());
    if (!(rods.length.back() > 0))
      throw std::runtime_error(fmt::format("a segment at {} has no length; leave it out", point_text(x[a])));
    if (!length.try_emplace(std::minmax(a, b), rods.length.back()).second)
      throw std::runtime_error(
          fmt::format("the segment from {} to {} is there twice; leave one out", point_text(x[a]), point_text(x[b])));
  }
  for (const Vec3i& n : bends) {
    const auto before = length.find(std::minmax(n[0], n[1])), after = length.find(std::minmax(n[1], n[2]));
    if (before == length.end() || after == length.end() || n[0] == n[2])
      throw std::runtime_error(fmt::format("nodes {}, {} and {} are not those of two segments", n[0], n[1], n[2]));
    rods.reach.push_back(0.5 * (before->second + after->second));
    const Vec3 e = x[n[1]] - x[n[0]], f = x[n[2]] - x[n[1]];
    if (e.dot(f) < -0.9999 * e.norm() * f.norm())
      throw std::runtime_error(
          fmt::format("the rod is folded onto itself at {}; open the fold by another point", point_text(x[n[1]])));
    constexpr double straight = 1e-5;  // less is noise of a mesh file; a straight rod must be stiff in all directions
    const double bend = bend_of(e, f).b.norm();
    rods.natural_bend.push_back(bend < straight ? 0 : bend);
  }
  return rods;
}

Rods make_rods(const std::vector<Vec3>& x, const std::vector<std::array<int, 2>>& segments) {
  return make_rods(x, segments, continuing_segments(x, segments));
}

std::vector<double> lumped_mass(const Rods& rods, std::size_t nodes, const BodyOptions& options) {
  std::vector<double> mass(nodes, 0);
  const double section = std::numbers::pi * options.rod_radius * options.rod_radius;
  for (std::size_t s = 0; s < rods.segments.size(); ++s)
    for (const int n : rods.segments[s]) mass[n] += options.density * section * rods.length[s] / 2;
  return mass;
}

}  // namespace coracle
