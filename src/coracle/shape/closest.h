// Closest point and signed distance to a closed triangle mesh, by a tree of boxes.
// The sign comes from the angle-weighted pseudonormal of the closest feature, which gives the correct sign for every
// closed manifold mesh [BaerentzenAanaes05].
#pragma once

#include "coracle/types.h"

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace coracle {

struct ClosestPoint {
  double distance = std::numeric_limits<double>::infinity();  // m, < 0 inside
  Vec3 point = Vec3::Zero();
  int tri = -1;
  Vec3 bary = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();  // pseudonormal of the closest feature, unit length
};

class TriTree {
 public:
  TriTree() = default;
  TriTree(std::span<const Vec3> x, std::span<const Vec3i> tris);

  // The closest point of the surface; tri is -1 if no point is nearer than `within`.
  ClosestPoint closest(const Vec3& q, double within = std::numeric_limits<double>::infinity()) const;
  // visit(ClosestPoint) for every triangle nearer than `within`; these distances are not signed.
  template <class Visit>
  void visit(const Vec3& q, double within, Visit&& visit) const;
  const Vec3& lower() const { return nodes_.front().lo; }
  const Vec3& upper() const { return nodes_.front().hi; }

 private:
  struct Node {
    Vec3 lo, hi;
    int first = 0;  // leaf: first triangle in tris_; inner: right child (the left child is the next node)
    int count = 0;  // > 0: leaf
  };
  struct Tri {
    std::array<Vec3, 3> x;
    std::array<Vec3, 7> normal;  // face, three corners, three edges opposite the corners
    int id;
  };
  int build(int first, int last, std::vector<Vec3>& centers, std::vector<int>& order, const std::vector<Tri>& tris);

  std::vector<Node> nodes_;
  std::vector<Tri> tris_;
};

// Closest point of triangle abc to q: barycentrics, and the feature that it lies on (0 face, 1..3 corner a..c, 4..6
// edge opposite a..c).
Vec3 closest_on_triangle(const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c, int& feature);

template <class Visit>
void TriTree::visit(const Vec3& q, double within, Visit&& visit) const {
  if (nodes_.empty()) return;
  std::array<int, 64> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int id = stack[--top];
    const Node& node = nodes_[id];
    if ((node.lo - q).cwiseMax(q - node.hi).cwiseMax(0.0).squaredNorm() >= within * within) continue;
    for (int i = node.first; i < node.first + node.count; ++i) {
      const Tri& t = tris_[i];
      ClosestPoint p;
      int feature = 0;
      p.bary = closest_on_triangle(q, t.x[0], t.x[1], t.x[2], feature);
      p.point = p.bary[0] * t.x[0] + p.bary[1] * t.x[1] + p.bary[2] * t.x[2];
      p.distance = (q - p.point).norm();
      p.tri = t.id;
      p.normal = t.normal[0];
      if (p.distance < within) visit(p);
    }
    if (node.count == 0) stack[top++] = node.first, stack[top++] = id + 1;
  }
}

}  // namespace coracle
