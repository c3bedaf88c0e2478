// Components of active cells, connected through open faces, that meet no air, at a place: what closed_components in
// projection.cpp finds.
//
// Differs from the processor's way, which joins runs of cells one after the other: here every cell joins its tree with
// those of its neighbours, all at once. Roots are the smallest cells of their components, whatever the order.
#pragma once

#include "coracle/base/place/fields.h"
#include "coracle/solve/placed_solver.h"

#include <cstdint>
#include <vector>

namespace coracle {

template <class Place>
struct ComponentsWork {
  typename Place::template Array<int> parent, other;  // of cells
  typename Place::template Array<std::uint8_t> air;   // of roots
  typename Place::template Array<std::uint32_t> chosen;
  typename Place::template Array<int> root;
};

// Others may join trees meanwhile.
template <class Place>
CORACLE_KERNEL int root_of(int* parent, int i) {
  for (int up = Place::look(parent + i); up != i; up = Place::look(parent + i)) i = up;
  return i;
}
// Joins the trees of two cells: the larger root gets the smaller one as its parent.
template <class Place>
CORACLE_KERNEL void join_trees(int* parent, int a, int b) {
  for (;;) {
    a = root_of<Place>(parent, a), b = root_of<Place>(parent, b);
    if (a == b) return;
    if (a < b) {
      const int c = a;
      a = b, b = c;
    }
    const int before = Place::lower(parent + a, b);
    if (before == a) return;
    a = before;  // somebody else has joined it meanwhile
  }
}

// Sets of cells, each increasing, ordered by their first cell.
template <class Place>
CellSets closed_components(Place& place, const PlacedEquation& e, ComponentsWork<Place>& work) {
  const Shape3 all{e.n};
  const std::size_t size = std::size_t(e.n.x()) * e.n.y() * e.n.z();
  const int nx = e.n.x(), step_y = nx, step_z = nx * e.n.y();
  const double *const diag = e.diag, *const along = e.off[0], *const off_y = e.off[1], *const off_z = e.off[2];
  work.parent.resize(size), work.other.resize(size), work.air.resize(size);
  place.clear(work.air.data(), size);

  // Rows first: every cell points to the one below it in its run; then to the first of the run, by doubling.
  int* parent = work.parent.data();
  place.for_each(size, [=] CORACLE_KERNEL(std::size_t i) {
    const bool first = i % std::size_t(nx) == 0;
    parent[i] = !first && diag[i] != 0 && along[i - 1] != 0 ? int(i) - 1 : int(i);
  });
  for (int reach = 1; reach < nx; reach *= 2) {
    const int* const from = work.parent.data();
    int* const to = work.other.data();
    place.for_each(size, [=] CORACLE_KERNEL(std::size_t i) { to[i] = from[from[i]]; });
    work.parent.swap(work.other);
  }
  // Then across the rows. Where the cells beside both are connected just the same, the join has been made there.
  parent = work.parent.data();
  place.for_each(size, [=] CORACLE_KERNEL(std::size_t i) {
    if (diag[i] == 0) return;
    const bool first = i % std::size_t(nx) == 0;
    const bool goes_on = !first && along[i - 1] != 0;
    if (off_y[i] != 0 && !(goes_on && off_y[i - 1] != 0 && along[i - 1 + step_y] != 0))
      join_trees<Place>(parent, int(i), int(i) + step_y);
    if (off_z[i] != 0 && !(goes_on && off_z[i - 1] != 0 && along[i - 1 + step_z] != 0))
      join_trees<Place>(parent, int(i), int(i) + step_z);
  });
  // From now on every cell points to its root.
  int* const root = work.other.data();
  place.for_each(size, [=] CORACLE_KERNEL(std::size_t i) { root[i] = root_of<Place>(parent, int(i)); });
  // A cell meets the free surface if its diagonal exceeds the sum of its couplings.
  std::uint8_t* const air = work.air.data();
  place.for_each(size, [=] CORACLE_KERNEL(std::size_t i) {
    if (diag[i] == 0) return;
    const Vec3i c = cell_at(all.n, i);
    double sum = along[i] + off_y[i] + off_z[i];
    if (c.x() > 0) sum += along[i - 1];
    if (c.y() > 0) sum += off_y[i - step_y];
    if (c.z() > 0) sum += off_z[i - step_z];
    if (diag[i] > sum * (1 + 1e-12)) Place::mark(air + root[i]);
  });
  const std::size_t closed = place.select(
      size, [=] CORACLE_KERNEL(std::size_t i) { return diag[i] != 0 && root[i] == int(i) && !air[i]; }, work.chosen);
  CellSets sets;
  if (closed == 0) return sets;

  // There are few of them: the host sorts their cells.
  const std::size_t count = place.select(
      size, [=] CORACLE_KERNEL(std::size_t i) { return diag[i] != 0 && !air[root[i]]; }, work.chosen);
  work.root.resize(count);
  const std::uint32_t* const chosen = work.chosen.data();
  int* const own = work.root.data();
  place.for_each(count, [=] CORACLE_KERNEL(std::size_t i) { own[i] = root[chosen[i]]; });
  std::vector<std::uint32_t> cells(count);
  std::vector<int> roots(count);
  place.download(chosen, count, cells.data());
  place.download(static_cast<const int*>(own), count, roots.data());
  std::vector<std::pair<int, std::size_t>> number;  // root, its set; increasing, as roots are first cells
  for (std::size_t i = 0; i < count; ++i) {
    if (roots[i] == int(cells[i])) number.emplace_back(roots[i], sets.size()), sets.emplace_back();
    const auto found = std::lower_bound(number.begin(), number.end(), std::pair(roots[i], std::size_t(0)));
    sets[found->second].push_back(int(cells[i]));
  }
  return sets;
}

}  // namespace coracle
