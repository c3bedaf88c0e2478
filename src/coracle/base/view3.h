// A 3-d array (array3.h) in memory that somebody else owns, for functions that loops of the CPU and kernels both call.
#pragma once

#include "coracle/array3.h"

namespace coracle {

template <class T>
struct View3 : Shape3 {
  T* data = nullptr;

  CORACLE_BOTH T& operator[](const Vec3i& c) const { return data[index(c)]; }
  CORACLE_BOTH std::size_t size() const { return std::size_t(n.x()) * n.y() * n.z(); }
};

template <class T>
View3<const T> view_of(const Array3<T>& f) {
  return {{f.n}, f.data.data()};
}

// One array per axis, as FaceField (grid.h).
template <class T>
struct FaceView {
  View3<T> axis[3];

  CORACLE_BOTH const View3<T>& operator[](int a) const { return axis[a]; }
};

}  // namespace coracle
