// A dense 3-d array, x fastest.
#pragma once

#include "coracle/both.h"
#include "coracle/types.h"

#include <cstddef>
#include <vector>

namespace coracle {

// The size of a 3-d array, and the order of its values.
struct Shape3 {
  Vec3i n = Vec3i::Zero();

  CORACLE_BOTH std::size_t index(int i, int j, int k) const {
    return std::size_t(i) + std::size_t(n.x()) * (std::size_t(j) + std::size_t(n.y()) * k);
  }
  CORACLE_BOTH std::size_t index(const Vec3i& c) const { return index(c.x(), c.y(), c.z()); }
  CORACLE_BOTH Vec3i cell(std::size_t index) const {
    const std::size_t row = index / n.x();
    return {int(index % n.x()), int(row % n.y()), int(row / n.y())};
  }
  CORACLE_BOTH bool inside(const Vec3i& c) const { return (c.array() >= 0).all() && (c.array() < n.array()).all(); }
  CORACLE_BOTH std::size_t stride(int axis) const {
    return axis == 0 ? 1 : axis == 1 ? std::size_t(n.x()) : std::size_t(n.x()) * n.y();
  }
};

template <class T>
struct Array3 : Shape3 {
  std::vector<T> data;

  Array3() = default;
  explicit Array3(const Vec3i& size, T value = T()) { assign(size, value); }

  // Set the size and fill; reuses the memory if it is large enough.
  void assign(const Vec3i& size, T value = T()) {
    n = size;
    data.assign(std::size_t(n.x()) * n.y() * n.z(), value);
  }

  T& operator()(int i, int j, int k) { return data[index(i, j, k)]; }
  const T& operator()(int i, int j, int k) const { return data[index(i, j, k)]; }
  T& operator[](const Vec3i& c) { return data[index(c)]; }
  const T& operator[](const Vec3i& c) const { return data[index(c)]; }
  std::size_t size() const { return data.size(); }
};

}  // namespace coracle
