// A box of cells of a grid.
#pragma once

#include "coracle/base/parallel.h"
#include "coracle/grid.h"

namespace coracle {

// The cells [lo, hi).
struct CellBox {
  Vec3i lo = Vec3i::Zero(), hi = Vec3i::Zero();

  CORACLE_BOTH Vec3i size() const { return hi - lo; }
  CORACLE_BOTH bool empty() const { return (lo.array() >= hi.array()).any(); }
  CORACLE_BOTH std::size_t count() const { return empty() ? 0 : std::size_t(size().x()) * size().y() * size().z(); }
  // The cell with number i of those in the box, x fastest.
  CORACLE_BOTH Vec3i cell(std::size_t i) const {
    const std::size_t nx = size().x(), ny = size().y();
    return lo + Vec3i(int(i % nx), int(i / nx % ny), int(i / nx / ny));
  }
  CORACLE_BOTH bool contains(const Vec3i& c) const {
    return (c.array() >= lo.array()).all() && (c.array() < hi.array()).all();
  }
  // With `by` more cells on every side, within n cells.
  CellBox grown(int by, const Vec3i& n) const {
    if (empty()) return {};
    return {(lo.array() - by).max(0), (hi.array() + by).min(n.array())};
  }
  // The faces of an axis between and around its cells, as a box.
  CellBox faces(int axis) const { return {lo, hi + Vec3i(Vec3i::Unit(axis))}; }
};

// Values of the cells in a box; all others are zero.
template <class T>
struct Boxed {
  CellBox box;
  Array3<T> values;

  void assign(const CellBox& to, T value = T()) {
    box = to;
    values.assign(to.empty() ? Vec3i::Zero() : to.size(), value);
  }
  T& operator[](const Vec3i& c) { return values[c - box.lo]; }  // of a cell in the box
  const T& operator[](const Vec3i& c) const { return values[c - box.lo]; }
  T at(const Vec3i& c) const { return box.contains(c) ? (*this)[c] : T(); }
};

// f(i, c) for every value of a field of size n in the box, in parallel: i its index, c its cell or face.
template <class F>
void for_box(const Vec3i& n, const CellBox& box, F&& f) {
  if (box.empty()) return;
  const Shape3 all{n};
  const Vec3i size = box.size();
  for_blocks(std::size_t(size.y()) * size.z(), 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      Vec3i c = box.lo + Vec3i(0, int(row % size.y()), int(row / size.y()));
      for (std::size_t i = all.index(c); c.x() < box.hi.x(); ++c.x(), ++i) f(i, c);
    }
  });
}

}  // namespace coracle
