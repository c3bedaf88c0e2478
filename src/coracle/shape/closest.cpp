#include "coracle/shape/closest.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace coracle {

Vec3 closest_on_triangle(const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c, int& feature) {
  const Vec3 ab = b - a, ac = c - a, aq = q - a;
  const double d1 = ab.dot(aq), d2 = ac.dot(aq);
  if (d1 <= 0 && d2 <= 0) return feature = 1, Vec3(1, 0, 0);
  const Vec3 bq = q - b;
  const double d3 = ab.dot(bq), d4 = ac.dot(bq);
  if (d3 >= 0 && d4 <= d3) return feature = 2, Vec3(0, 1, 0);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    const double t = d1 / (d1 - d3);
    return feature = 6, Vec3(1 - t, t, 0);
  }
  const Vec3 cq = q - c;
  const double d5 = ab.dot(cq), d6 = ac.dot(cq);
  if (d6 >= 0 && d5 <= d6) return feature = 3, Vec3(0, 0, 1);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    const double t = d2 / (d2 - d6);
    return feature = 5, Vec3(1 - t, 0, t);
  }
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return feature = 4, Vec3(0, 1 - t, t);
  }
  const double s = va + vb + vc;
  feature = 0;
  return s > 0 ? Vec3(va / s, vb / s, vc / s) : Vec3(1, 0, 0);
}

namespace {

constexpr int leaf_size = 4;

double box_distance2(const Vec3& q, const Vec3& lo, const Vec3& hi) {
  return (lo - q).cwiseMax(q - hi).cwiseMax(0.0).squaredNorm();
}

}  // namespace

TriTree::TriTree(std::span<const Vec3> x, std::span<const Vec3i> tris) {
  // Pseudonormals: faces, corners weighted by angle, edges as the sum of their two faces.
  std::vector<Vec3> corner_normal(x.size(), Vec3::Zero());
  std::unordered_map<std::uint64_t, Vec3> edge_normal;
  edge_normal.reserve(tris.size() * 2);
  const auto edge = [](int a, int b) { return std::uint64_t(std::min(a, b)) << 32 | std::uint32_t(std::max(a, b)); };
  std::vector<Tri> all(tris.size());
  for (std::size_t t = 0; t < tris.size(); ++t) {
    Tri& tri = all[t];
    tri.id = int(t);
    for (int c = 0; c < 3; ++c) tri.x[c] = x[tris[t][c]];
    const Vec3 n = (tri.x[1] - tri.x[0]).cross(tri.x[2] - tri.x[0]);
    tri.normal[0] = n.norm() > 0 ? n.normalized() : Vec3(Vec3::Zero());
    for (int c = 0; c < 3; ++c) {
      const Vec3 e1 = tri.x[(c + 1) % 3] - tri.x[c], e2 = tri.x[(c + 2) % 3] - tri.x[c];
      corner_normal[tris[t][c]] += std::atan2(e1.cross(e2).norm(), e1.dot(e2)) * tri.normal[0];
      edge_normal.try_emplace(edge(tris[t][(c + 1) % 3], tris[t][(c + 2) % 3]), Vec3::Zero()).first->second +=
          tri.normal[0];
    }
  }
  for (std::size_t t = 0; t < tris.size(); ++t)
    for (int c = 0; c < 3; ++c) {
      all[t].normal[1 + c] = corner_normal[tris[t][c]].normalized();
      all[t].normal[4 + c] = edge_normal[edge(tris[t][(c + 1) % 3], tris[t][(c + 2) % 3])].normalized();
    }

  std::vector<Vec3> centers(tris.size());
  for (std::size_t t = 0; t < tris.size(); ++t) centers[t] = (all[t].x[0] + all[t].x[1] + all[t].x[2]) / 3;
  std::vector<int> order(tris.size());
  std::iota(order.begin(), order.end(), 0);
  nodes_.reserve(tris.size());
  if (!tris.empty()) build(0, int(tris.size()), centers, order, all);
  tris_.reserve(tris.size());
  for (int t : order) tris_.push_back(all[t]);
}

int TriTree::build(int first, int last, std::vector<Vec3>& centers, std::vector<int>& order,
                   const std::vector<Tri>& tris) {
  const int id = int(nodes_.size());
  nodes_.emplace_back();
  Vec3 lo = tris[order[first]].x[0], hi = lo, clo = centers[order[first]], chi = clo;
  for (int i = first; i < last; ++i) {
    for (const Vec3& p : tris[order[i]].x) lo = lo.cwiseMin(p), hi = hi.cwiseMax(p);
    clo = clo.cwiseMin(centers[order[i]]), chi = chi.cwiseMax(centers[order[i]]);
  }
  nodes_[id].lo = lo, nodes_[id].hi = hi;
  if (last - first <= leaf_size) {
    nodes_[id].first = first, nodes_[id].count = last - first;
    return id;
  }
  int axis = 0;
  (chi - clo).maxCoeff(&axis);
  const int middle = (first + last) / 2;
  std::nth_element(order.begin() + first, order.begin() + middle, order.begin() + last, [&](int a, int b) {
    return centers[a][axis] != centers[b][axis] ? centers[a][axis] < centers[b][axis] : a < b;
  });
  build(first, middle, centers, order, tris);
  const int right = build(middle, last, centers, order, tris);
  nodes_[id].first = right;
  return id;
}

ClosestPoint TriTree::closest(const Vec3& q, double within) const {
  ClosestPoint best;
  if (nodes_.empty()) return best;
  double best2 = within * within;
  const Vec3* normal = nullptr;
  std::array<int, 64> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int id = stack[--top];
    const Node& node = nodes_[id];
    if (box_distance2(q, node.lo, node.hi) >= best2) continue;
    if (node.count > 0) {
      for (int i = node.first; i < node.first + node.count; ++i) {
        const Tri& t = tris_[i];
        int feature = 0;
        const Vec3 bary = closest_on_triangle(q, t.x[0], t.x[1], t.x[2], feature);
        const Vec3 point = bary[0] * t.x[0] + bary[1] * t.x[1] + bary[2] * t.x[2];
        const double d2 = (q - point).squaredNorm();
        if (d2 < best2) {
          best2 = d2;
          best.point = point, best.bary = bary, best.tri = t.id;
          normal = &t.normal[feature];
        }
      }
      continue;
    }
    const int left = id + 1, right = node.first;
    const double dl = box_distance2(q, nodes_[left].lo, nodes_[left].hi);
    const double dr = box_distance2(q, nodes_[right].lo, nodes_[right].hi);
    stack[top++] = dl < dr ? right : left;
    stack[top++] = dl < dr ? left : right;
  }
  if (best.tri < 0) return best;
  best.normal = *normal;
  const double distance = std::sqrt(best2);
  best.distance = (q - best.point).dot(*normal) < 0 ? -distance : distance;
  return best;
}

}  // namespace coracle
