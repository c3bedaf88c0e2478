// The solid field (solid_field.h) and the surfaces where kernels can read them.
//
// The processor makes the field. Of its dense arrays only boxes around what moves are sent, as runs of equal values;
// the joint distances are taken at the place.
#pragma once

#include "coracle/base/place/fields.h"
#include "coracle/step/grid/runs.h"
#include "coracle/step/grid/solids_view.h"

#include <algorithm>
#include <span>
#include <utility>
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
  CellBox box;  // beyond it the distances are clamped and positive
};

template <class Place>
struct PlacedSolids {
  std::vector<PlacedSolid<Place>> each;
  typename Place::template Array<SolidView> views;
  PlacedArray3<Place, double> phi;
  PlacedFaces<Place, double> open;
  PlacedArray3<Place, double> volume;
  int updates = -1;  // the update of the solid field that this is a copy of
  // Memory of place_solids and of constrain (walls.h).
  Runs runs;
  typename Place::template Array<Run> placed_runs;
  std::vector<CellBox> changed;
  std::vector<SolidView> host_views;
  PlacedArray3<Place, Vec3f> velocity;           // m/s, of the surfaces, in cells
  typename Place::template Array<double> walls;  // m/s, at the faces of the band's cells

  SolidsView view() const { return {views.data(), int(each.size()), phi.view()}; }
};

template <class Place>
void write_runs(Place& place, const Runs& runs, typename Place::template Array<Run>& placed, double* to) {
  place.upload(runs.all.data(), runs.all.size(), placed);
  const Run* const all = placed.data();
  place.for_each(runs.all.size(), [=] CORACLE_KERNEL(std::size_t r) {
    const Run run = all[r];
    for (std::uint32_t i = 0; i < run.count; ++i) to[run.first + i] = run.value;
  });
}

// The values of `from` in the boxes.
template <class Place>
void place_boxes(Place& place, const Array3<double>& from, std::span<const CellBox> boxes, PlacedSolids<Place>& solids,
                 PlacedArray3<Place, double>& to) {
  find_runs(from, boxes, solids.runs);
  write_runs(place, solids.runs, solids.placed_runs, to.data.data());
}

// The geometry of one solid; adds to `changed` the boxes in which it may differ from what stood there.
template <class Place>
void place_solid(Place& place, const Grid& grid, const Surface& surface, const SolidGeometry& g, bool first,
                 PlacedSolids<Place>& solids, PlacedSolid<Place>& to) {
  place.upload(g.tree.nodes().data(), g.tree.nodes().size(), to.nodes);
  place.upload(g.tree.tris().data(), g.tree.tris().size(), to.tris);
  if (first) place.upload(surface.tris.data(), surface.tris.size(), to.corners);
  place.upload(g.band.data(), g.band.size(), to.band);
  place.upload(g.nearest.data(), g.nearest.size(), to.nearest);
  const CellBox box = box_around(grid, g);
  const CellBox boxes[] = {first ? CellBox{Vec3i::Zero(), grid.n} : to.box, box};
  to.phi.resize(grid.n);
  place_boxes(place, g.phi, std::span(boxes), solids, to.phi);
  solids.changed.insert(solids.changed.end(), std::begin(boxes), std::end(boxes));
  to.box = box;
  to.view.tree = {to.nodes.data(), to.tris.data(), int(to.nodes.size())};
  to.view.phi = std::as_const(to.phi).view();
  to.view.tris = to.corners.data();
  to.view.lower = g.tree.lower(), to.view.upper = g.tree.upper();
  to.view.container = surface.container, to.view.inflow = surface.inflow;
}

// Copy the velocities of the surfaces, which change within a step.
template <class Place>
void place_velocities(Place& place, const Surfaces& surfaces, PlacedSolids<Place>& solids) {
  solids.host_views.clear();
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    PlacedSolid<Place>& to = solids.each[s];
    if (surfaces[s].moving || to.v.size() != surfaces[s].v.size())
      place.upload(surfaces[s].v.data(), surfaces[s].v.size(), to.v);
    to.view.v = to.v.data();
    to.view.flow = surfaces[s].flow;
    solids.host_views.push_back(to.view);
  }
  place.upload(solids.host_views.data(), solids.host_views.size(), solids.views);
}

// The smallest distance of all solids in a box.
template <class Place>
void join_distances(Place& place, const Grid& grid, const CellBox& box, PlacedSolids<Place>& solids) {
  const SolidView* const each = solids.views.data();
  const int count = int(solids.each.size());
  const View3<double> phi = solids.phi.view();
  const double far = distance_band * grid.dx;
  place.for_each(box.count(), [=] CORACLE_KERNEL(std::size_t i) {
    const Vec3i c = box.cell(i);
    double least = far;
    for (int s = 0; s < count; ++s)
      if (each[s].present) least = std::min(least, each[s].phi[c]);
    phi[c] = least;
  });
}

// Copy what has changed since the last call. The field must be that of the surfaces (update_solid_field).
template <class Place>
void place_solids(Place& place, const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                  PlacedSolids<Place>& solids) {
  const bool first = solids.updates < 0, anew = solids.updates != field.updates;
  solids.updates = -1;  // until all of it has arrived
  const CellBox whole{Vec3i::Zero(), grid.n};
  solids.each.resize(surfaces.size());
  solids.changed.clear();
  for (std::size_t s = 0; s < surfaces.size() && anew; ++s) {
    PlacedSolid<Place>& to = solids.each[s];
    if (first || surfaces[s].moving) place_solid(place, grid, surfaces[s], field.each[s], first, solids, to);
    if (to.view.present != field.present[s]) solids.changed.push_back(to.box);
    to.view.present = field.present[s];
  }
  if (first) {
    solids.phi.resize(grid.n), solids.volume.resize(grid.n), solids.open.resize(grid);
    solids.changed.assign(1, whole);
  }
  place_velocities(place, surfaces, solids);
  if (!anew) {
    solids.updates = field.updates;
    return;
  }
  for (const CellBox& box : solids.changed) join_distances(place, grid, box, solids);
  place_boxes(place, field.cut.volume, std::span<const CellBox>(solids.changed), solids, solids.volume);
  for (int a = 0; a < 3; ++a) {
    for (CellBox& box : solids.changed) box.hi[a] += 1;
    place_boxes(place, field.cut.open[a], std::span<const CellBox>(solids.changed), solids, solids.open[a]);
    for (CellBox& box : solids.changed) box.hi[a] -= 1;
  }
  solids.updates = field.updates;
}

}  // namespace coracle
