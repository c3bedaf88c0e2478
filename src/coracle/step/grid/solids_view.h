// The surfaces with their trees and distances, in memory that somebody else owns: for what the processor and a GPU both
// do.
#pragma once

#include "coracle/base/view3.h"
#include "coracle/step/grid/solid_field.h"

#include <limits>
#include <vector>

namespace coracle {

// Whether x lies inside a surface with these bounds.
CORACLE_BOTH inline bool enclosed(const TreeView& tree, const Vec3& lower, const Vec3& upper, const Vec3& x) {
  if ((x.array() < lower.array()).any() || (x.array() > upper.array()).any()) return false;
  return tree.closest(x, std::numeric_limits<double>::infinity()).distance < 0;
}

// One surface (world/surface.h) with its tree and its distance field.
struct SolidView {
  TreeView tree;
  View3<const double> phi;  // m
  const Vec3i* tris = nullptr;
  const Vec3* v = nullptr;                          // m/s, per vertex
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();  // m, of the tree
  Vec3 flow = Vec3::Zero();                         // m/s, of an inflow
  bool container = false, inflow = false, present = true;

  CORACLE_BOTH Vec3 velocity(int tri, const Vec3& bary) const {
    const Vec3i& t = tris[tri];
    return bary[0] * v[t[0]] + bary[1] * v[t[1]] + bary[2] * v[t[2]];
  }
  CORACLE_BOTH bool encloses(const Vec3& x) const { return enclosed(tree, lower, upper, x); }
};

// All surfaces, in their order.
struct SolidsView {
  const SolidView* each = nullptr;
  int count = 0;
  View3<const double> phi;  // m, < 0 in any solid
};

// Of what lies on the processor. The surfaces and the field must outlive it.
struct SolidViews {
  std::vector<SolidView> each;
  View3<const double> phi;

  SolidViews(const Surfaces& surfaces, const SolidField& field);
  SolidsView view() const { return {each.data(), int(each.size()), phi}; }
};

}  // namespace coracle
