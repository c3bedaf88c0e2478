// The solid field (solid_field.h) and the surfaces where kernels can read them.
#pragma once

#include "coracle/base/place/fields.h"
#include "coracle/step/grid/solid_field.h"

#include <vector>

namespace coracle {

// One surface (world/surface.h) with its tree and its distance field.
struct SolidView {
  TreeView tree;
  View3<const double> phi;  // m
  const Vec3i* tris = nullptr;
  const Vec3* v = nullptr;  // m/s, per vertex
  Vec3 lower, upper;        // m, of the tree
  Vec3 flow;                // m/s, of an inflow
  bool container = false, inflow = false, present = true;

  CORACLE_BOTH Vec3 velocity(int tri, const Vec3& bary) const {
    const Vec3i& t = tris[tri];
    return bary[0] * v[t[0]] + bary[1] * v[t[1]] + bary[2] * v[t[2]];
  }
};

// All surfaces, in their order.
struct SolidsView {
  const SolidView* each = nullptr;
  int count = 0;
  View3<const double> phi;  // m, < 0 in any solid
};

template <class Place>
struct PlacedSolid {
  typename Place::template Array<TreeNode> nodes;
  typename Place::template Array<TreeTri> tris;
  PlacedArray3<Place, double> phi;
  typename Place::template Array<Vec3i> corners;
  typename Place::template Array<Vec3> v;
  typename Place::template Array<int> band;
  typename Place::template Array<SurfacePoint> nearest;
  SolidView view;
};

template <class Place>
struct PlacedSolids {
  std::vector<PlacedSolid<Place>> each;
  typename Place::template Array<SolidView> views;
  PlacedArray3<Place, double> phi;
  PlacedFaces<Place, double> open;
  PlacedArray3<Place, double> volume;
  int updates = -1;  // the update of the solid field that this is a copy of

  SolidsView view() const { return {views.data(), int(each.size()), phi.view()}; }
};

}  // namespace coracle
