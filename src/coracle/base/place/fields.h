// Arrays on a grid at any place (host.h), as Array3 and FaceField are on the processor.
#pragma once

#include "coracle/base/place/host.h"
#include "coracle/base/view3.h"
#include "coracle/grid.h"

namespace coracle {

template <class Place, class T>
struct PlacedArray3 : Shape3 {
  typename Place::template Array<T> data;

  // Sets the size; the values stay what they are where it was the same before.
  void resize(const Vec3i& size) {
    n = size;
    data.resize(std::size_t(n.x()) * n.y() * n.z());
  }
  std::size_t size() const { return data.size(); }
  View3<T> view() { return {{n}, data.data()}; }
  View3<const T> view() const { return {{n}, data.data()}; }
};

template <class Place, class T>
struct PlacedFaces {
  PlacedArray3<Place, T> axis[3];

  void resize(const Grid& grid) {
    for (int a = 0; a < 3; ++a) axis[a].resize(grid.faces(a));
  }
  PlacedArray3<Place, T>& operator[](int a) { return axis[a]; }
  const PlacedArray3<Place, T>& operator[](int a) const { return axis[a]; }
  FaceView<T> view() { return {{axis[0].view(), axis[1].view(), axis[2].view()}}; }
  FaceView<const T> view() const { return {{axis[0].view(), axis[1].view(), axis[2].view()}}; }
};

template <class Place, class T>
void upload(Place& place, const Array3<T>& from, PlacedArray3<Place, T>& to) {
  to.n = from.n;
  place.upload(from.data.data(), from.data.size(), to.data);
}
template <class Place, class T>
void download(Place& place, const PlacedArray3<Place, T>& from, Array3<T>& to) {
  to.n = from.n;
  to.data.resize(from.size());
  place.download(from.data.data(), from.size(), to.data.data());
}
template <class Place, class T>
void upload(Place& place, const FaceField<T>& from, PlacedFaces<Place, T>& to) {
  for (int a = 0; a < 3; ++a) upload(place, from[a], to[a]);
}
template <class Place, class T>
void download(Place& place, const PlacedFaces<Place, T>& from, FaceField<T>& to) {
  for (int a = 0; a < 3; ++a) download(place, from[a], to[a]);
}
// f(a, i) for i in [0, count[a]) of every axis a, as one loop of a place.
template <class F>
struct EachOfAxes {
  std::size_t count[3];
  F f;
  CORACLE_KERNEL auto operator()(std::size_t i) const {
    int a = 0;
    while (a < 2 && i >= count[a]) i -= count[a++];
    return f(a, i);
  }
  std::size_t size() const { return count[0] + count[1] + count[2]; }
};
// f(a, i) for all faces of a field.
template <class Place, class T, class F>
EachOfAxes<F> each_face(const PlacedFaces<Place, T>& faces, F f) {
  return {{faces[0].size(), faces[1].size(), faces[2].size()}, f};
}
template <class Place, class T, class F>
void for_each_face(Place& place, const PlacedFaces<Place, T>& faces, F f) {
  const EachOfAxes<F> each = each_face(faces, f);
  place.for_each(each.size(), each);
}
// Shape3::cell of an array with fewer than 2³² values: a GPU divides numbers of 32 bits several times as fast.
CORACLE_BOTH inline Vec3i cell_at(const Vec3i& n, std::size_t index) {
  const std::uint32_t i = std::uint32_t(index), nx = std::uint32_t(n.x()), ny = std::uint32_t(n.y()), row = i / nx;
  return {int(i - row * nx), int(row % ny), int(row / ny)};
}
// As many values as another field.
template <class Place, class T, class Other>
void resize_as(const PlacedFaces<Place, Other>& other, PlacedFaces<Place, T>& faces) {
  for (int a = 0; a < 3; ++a) faces[a].resize(other[a].n);
}
// All values zero.
template <class Place, class T>
void clear(Place& place, const Vec3i& size, PlacedArray3<Place, T>& field) {
  field.resize(size);
  place.clear(field.data.data(), field.size());
}

}  // namespace coracle
