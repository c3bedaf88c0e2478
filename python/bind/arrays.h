// Vectors of the library as NumPy arrays.
#pragma once

#include "coracle/array3.h"
#include "coracle/grid.h"
#include "coracle/types.h"

#include <pybind11/numpy.h>

#include <array>
#include <memory>
#include <vector>

namespace coracle {

namespace py = pybind11;

// How an entry of a vector looks in NumPy: so many numbers of this type.
template <class T>
struct Entry {
  using Number = T;
  static constexpr int size = 1;
};
template <class S, int Rows>
struct Entry<Eigen::Matrix<S, Rows, 1>> {
  using Number = S;
  static constexpr int size = Rows;
};
template <class S, std::size_t Count>
struct Entry<std::array<S, Count>> {
  using Number = S;
  static constexpr int size = int(Count);
};

inline py::array read_only(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

// A Python object that keeps `owner` alive, for the base of an array.
template <class P>
py::capsule keeper(std::shared_ptr<P> owner) {
  using Held = std::shared_ptr<P>;
  return py::capsule(new Held(std::move(owner)), [](void* held) { delete static_cast<Held*>(held); });
}

// Read-only arrays over memory that `owner` keeps. One row per entry.
template <class T, class P>
py::array array_over(const std::vector<T>& values, std::shared_ptr<P> owner) {
  using Number = typename Entry<T>::Number;
  constexpr int size = Entry<T>::size;
  static_assert(sizeof(T) == size * sizeof(Number));
  std::vector<py::ssize_t> shape{py::ssize_t(values.size())};
  if (size > 1) shape.push_back(size);
  if (values.empty()) return read_only(py::array_t<Number>(shape));
  const auto* data = reinterpret_cast<const Number*>(values.data());
  return read_only(py::array_t<Number>(shape, data, keeper(std::move(owner))));
}
// Indexed [i, j, k]; the first index varies fastest in memory.
template <class T, class P>
py::array array_over(const Array3<T>& values, std::shared_ptr<P> owner) {
  const py::ssize_t n[3] = {values.n.x(), values.n.y(), values.n.z()}, size = sizeof(T);
  if (values.data.empty()) return read_only(py::array_t<T>(std::vector<py::ssize_t>{n[0], n[1], n[2]}));
  return read_only(py::array(py::dtype::of<T>(), {n[0], n[1], n[2]}, {size, size * n[0], size * n[0] * n[1]},
                             values.data.data(), keeper(std::move(owner))));
}

// An array that takes the values over.
template <class V>
py::array array_of(V values) {
  const auto owner = std::make_shared<V>(std::move(values));
  return array_over(*owner, owner);
}

inline py::array array_of(const Vec3& v) { return py::array_t<double>(3, v.data()); }

// Origin, m; side of a cell, m; cells.
inline py::tuple tuple_of(const Grid& grid) {
  return py::make_tuple(array_of(grid.origin), grid.dx, py::make_tuple(grid.n.x(), grid.n.y(), grid.n.z()));
}

}  // namespace coracle
