#include "coracle/shape/embed.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/closest.h"
#include "coracle/shape/tet_topology.h"

#include <Eigen/LU>

#include <algorithm>
#include <limits>
#include <numeric>

namespace coracle {
namespace {

constexpr int leaf_size = 4;
constexpr double inside = -1e-9;  // a point counts as inside if all weights exceed this; allows for round-off on faces

Eigen::Vector4d barycentric(const TetMesh& mesh, int tet, const Vec3& p) {
  const Vec4i& t = mesh.tets[tet];
  Mat3 edges;
  for (int a = 0; a < 3; ++a) edges.col(a) = mesh.x[t[a + 1]] - mesh.x[t[0]];
  const Vec3 w = edges.inverse() * (p - mesh.x[t[0]]);
  return {1 - w.sum(), w[0], w[1], w[2]};
}

// A tree of boxes around tets; each box is split at the median tet along its longest side.
class TetTree {
 public:
  explicit TetTree(const TetMesh& mesh) : mesh_(mesh), order_(mesh.tets.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    build(0, int(order_.size()));
  }

  // The tet in which p lies deepest; −1 if p lies in none.
  int find(const Vec3& p) const {
    int best = -1;
    double depth = inside;
    std::vector<int> open = {0};
    while (!open.empty()) {
      const int n = open.back();
      open.pop_back();
      const Node& node = nodes_[n];
      if ((p.array() < node.lo.array()).any() || (p.array() > node.hi.array()).any()) continue;
      if (node.count == 0) {
        open.push_back(node.first);
        open.push_back(n + 1);
      }
      for (int i = node.first; i < node.first + node.count; ++i) {
        const double least = barycentric(mesh_, order_[i], p).minCoeff();
        if (least > depth || (least == depth && order_[i] < best)) {
          depth = least;
          best = order_[i];
        }
      }
    }
    return best;
  }

 private:
  struct Node {
    Vec3 lo, hi;
    int first = 0;  // leaf: first in order_; inner: right child (the left child is the next node)
    int count = 0;  // > 0: leaf
  };

  int build(int first, int last) {
    const int n = int(nodes_.size());
    nodes_.emplace_back();
    Vec3 lo = mesh_.x[mesh_.tets[order_[first]][0]], hi = lo;
    for (int i = first; i < last; ++i)
      for (const int v : mesh_.tets[order_[i]]) {
        lo = lo.cwiseMin(mesh_.x[v]);
        hi = hi.cwiseMax(mesh_.x[v]);
      }
    const Vec3 slack = Vec3::Constant(1e-9 * (hi - lo).maxCoeff());
    nodes_[n].lo = lo - slack;
    nodes_[n].hi = hi + slack;
    if (last - first <= leaf_size) {
      nodes_[n].first = first;
      nodes_[n].count = last - first;
      return n;
    }
    int axis = 0;
    (hi - lo).maxCoeff(&axis);
    const auto center = [&](int tet) {
      double sum = 0;
      for (const int v : mesh_.tets[tet]) sum += mesh_.x[v][axis];
      return sum;
    };
    const int middle = (first + last) / 2;
    std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + last, [&](int a, int b) {
      const double ca = center(a), cb = center(b);
      return ca != cb ? ca < cb : a < b;
    });
    build(first, middle);
    nodes_[n].first = build(middle, last);
    return n;
  }

  const TetMesh& mesh_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace

Embedding embed(const TetMesh& mesh, const std::vector<Vec3>& points) {
  Embedding result{std::vector<int>(points.size()), std::vector<Eigen::Vector4d>(points.size())};
  if (points.empty()) return result;
  const TetTree tree(mesh);
  const std::vector<BoundaryFace> surface = boundary_faces(mesh.tets);
  std::vector<Vec3i> tris;
  tris.reserve(surface.size());
  for (const BoundaryFace& face : surface) tris.push_back(face.tri);
  const TriTree surface_tree(mesh.x, tris);
  const auto place = [&](std::size_t i) {
    int tet = tree.find(points[i]);
    if (tet < 0) tet = surface[surface_tree.closest(points[i]).tri].tet;
    result.element[i] = tet;
    result.weights[i] = barycentric(mesh, tet, points[i]);
  };
  for_each_index(points.size(), place, 256);
  return result;
}

Embedding embed(const TriMesh& mesh, const std::vector<Vec3>& points) {
  Embedding result{std::vector<int>(points.size()), std::vector<Eigen::Vector4d>(points.size())};
  const TriTree tree(mesh.x, mesh.tris);
  for_each_index(points.size(), [&](std::size_t i) {
    const ClosestPoint nearest = tree.closest(points[i]);
    result.element[i] = nearest.tri;
    result.weights[i] << nearest.bary, 0;
  });
  return result;
}

Embedding embed(const LineMesh& mesh, const std::vector<Vec3>& points) {
  Embedding result{std::vector<int>(points.size()), std::vector<Eigen::Vector4d>(points.size())};
  for_each_index(points.size(), [&](std::size_t i) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t s = 0; s < mesh.segments.size(); ++s) {
      const Vec3 &a = mesh.x[mesh.segments[s][0]], along = mesh.x[mesh.segments[s][1]] - a;
      const double share = std::clamp((points[i] - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
      const double distance = (points[i] - a - share * along).squaredNorm();
      if (distance >= least) continue;
      least = distance;
      result.element[i] = int(s);
      result.weights[i] << 1 - share, share, 0, 0;
    }
  });
  return result;
}

}  // namespace coracle
