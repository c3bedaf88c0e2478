// Closest point and signed distance to a closed triangle mesh, by a tree of boxes.
// The sign comes from the angle-weighted pseudonormal of the closest feature, which gives the correct sign for every
// closed manifold mesh [BaerentzenAanaes05].
#pragma once

#include "coracle/both.h"
#include "coracle/types.h"

#include <array>
#include <cmath>
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

// Closest point of triangle abc to q: barycentrics, and the feature that it lies on (0 face, 1..3 corner a..c, 4..6
// edge opposite a..c).
CORACLE_BOTH inline Vec3 closest_on_triangle(const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c, int& feature) {
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

// A tree of boxes over the triangles of a mesh.
struct TreeNode {
  Vec3 lo, hi;
  int first = 0;  // leaf: its first triangle; inner: its right child (the left child is the next node)
  int count = 0;  // > 0: leaf
};
struct TreeTri {
  Vec3 x[3];
  Vec3 normal[7];  // face, three corners, three edges opposite the corners
  int id;
};

CORACLE_BOTH inline double box_distance2(const Vec3& q, const TreeNode& box) {
  return (box.lo - q).cwiseMax(q - box.hi).cwiseMax(0.0).squaredNorm();
}

// A tree in memory that somebody else owns.
struct TreeView {
  const TreeNode* nodes = nullptr;
  const TreeTri* tris = nullptr;
  int count = 0;  // nodes

  CORACLE_BOTH ClosestPoint closest(const Vec3& q, double within) const;
};

class TriTree {
 public:
  TriTree() = default;
  TriTree(std::span<const Vec3> x, std::span<const Vec3i> tris);

  // The closest point of the surface; tri is -1 if no point is nearer than `within`.
  ClosestPoint closest(const Vec3& q, double within = std::numeric_limits<double>::infinity()) const {
    return view().closest(q, within);
  }
  // visit(ClosestPoint) for every triangle nearer than `within`; these distances are not signed.
  template <class Visit>
  void visit(const Vec3& q, double within, Visit&& visit) const;
  const Vec3& lower() const { return nodes_.front().lo; }
  const Vec3& upper() const { return nodes_.front().hi; }
  std::span<const TreeNode> nodes() const { return nodes_; }
  std::span<const TreeTri> tris() const { return tris_; }
  TreeView view() const { return {nodes_.data(), tris_.data(), int(nodes_.size())}; }

 private:
  int build(int first, int last, std::vector<Vec3>& centers, std::vector<int>& order, const std::vector<TreeTri>& tris);

  std::vector<TreeNode> nodes_;
  std::vector<TreeTri> tris_;
};

CORACLE_BOTH inline ClosestPoint TreeView::closest(const Vec3& q, double within) const {
  ClosestPoint best;
  if (count == 0) return best;
  double best2 = within * within;
  const Vec3* normal = nullptr;
  int stack[64];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int id = stack[--top];
    const TreeNode& node = nodes[id];
    if (box_distance2(q, node) >= best2) continue;
    if (node.count > 0) {
      for (int i = node.first; i < node.first + node.count; ++i) {
        const TreeTri& t = tris[i];
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
    const double dl = box_distance2(q, nodes[left]);
    const double dr = box_distance2(q, nodes[right]);
    stack[top++] = dl < dr ? right : left;
    stack[top++] = dl < dr ? left : right;
  }
  if (best.tri < 0) return best;
  best.normal = *normal;
  const double distance = std::sqrt(best2);
  best.distance = (q - best.point).dot(*normal) < 0 ? -distance : distance;
  return best;
}

template <class Visit>
void TriTree::visit(const Vec3& q, double within, Visit&& visit) const {
  if (nodes_.empty()) return;
  std::array<int, 64> stack;
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int id = stack[--top];
    const TreeNode& node = nodes_[id];
    if (box_distance2(q, node) >= within * within) continue;
    for (int i = node.first; i < node.first + node.count; ++i) {
      const TreeTri& t = tris_[i];
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
