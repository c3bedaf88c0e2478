#include "coracle/shape/closest.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace coracle {

namespace {

constexpr int leaf_size = 4;

}  // namespace

TriTree::TriTree(std::span<const Vec3> x, std::span<const Vec3i> tris) {
  // Pseudonormals: faces, corners weighted by angle, edges as the sum of their two faces.
  std::vector<Vec3> corner_normal(x.size(), Vec3::Zero());
  std::unordered_map<std::uint64_t, Vec3> edge_normal;
  edge_normal.reserve(tris.size() * 2);
  const auto edge = [](int a, int b) { return std::uint64_t(std::min(a, b)) << 32 | std::uint32_t(std::max(a, b)); };
  std::vector<TreeTri> all(tris.size());
  for (std::size_t t = 0; t < tris.size(); ++t) {
    TreeTri& tri = all[t];
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
                   const std::vector<TreeTri>& tris) {
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

}  // namespace coracle
