// The solid field (solid_field.h) and the surfaces where kernels can read them.
#pragma once

#include "coracle/base/place/fields.h"
#include "coracle/step/grid/solids_view.h"

#include <vector>

namespace coracle {

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
