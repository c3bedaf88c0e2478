// Velocity beyond the fluid's faces (extrapolate.h) at a place.
//
// Differs from the processor's loops, which test 64 faces at once by their bits and skip what lies far from the fluid
// that way: here every face looks at its six neighbours. Means are taken of the same values in the same order.
#pragma once

#include "coracle/base/place/fields.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace coracle {

// Several fields that are valid on the same faces.
template <int count>
struct SeveralFaces {
  FaceView<double> each[count];
};

// One layer: every face beside a known one takes the mean of its known neighbours. The last layer also sets to zero
// what stays unknown. Marks go from one field to another, so that no face sees those of its own layer.
template <int count, class Place>
void grow(Place& place, int layer, bool last, const SeveralFaces<count>& fields,
          const PlacedFaces<Place, std::uint8_t>& from, PlacedFaces<Place, std::uint8_t>& to) {
  const FaceView<const std::uint8_t> known = from.view();
  const FaceView<std::uint8_t> marks = to.view();
  for_each_face(place, from, [=] CORACLE_KERNEL(int a, std::size_t i) {
    const std::uint8_t* mark = known.axis[a].data + i;
    std::uint8_t* const now = marks.axis[a].data + i;
    *now = *mark;
    if (*mark) return;
    const Vec3i n = known.axis[a].n;
    const Vec3i c = cell_at(n, i);
    const std::ptrdiff_t row = n.x(), layer_stride = row * n.y();
    const std::ptrdiff_t to_next[] = {-1, 1, -row, row, -layer_stride, layer_stride};
    const bool there[] = {c.x() > 0, c.x() + 1 < n.x(), c.y() > 0, c.y() + 1 < n.y(), c.z() > 0, c.z() + 1 < n.z()};
    bool beside[6];
    int found = 0;
    for (int s = 0; s < 6; ++s) {
      beside[s] = there[s] && mark[to_next[s]] != 0;
      found += beside[s];
    }
    if (found == 0) {
      for (int f = 0; f < count && last; ++f) fields.each[f].axis[a].data[i] = 0;
      return;
    }
    *now = std::uint8_t(layer + 1);
    for (int f = 0; f < count; ++f) {
      double* const u = fields.each[f].axis[a].data + i;
      double sum = 0;
      for (int s = 0; s < 6; ++s)
        if (beside[s]) sum += u[to_next[s]];
      *u = sum / found;
    }
  });
}

// Gives every face within `layers` (at least 1) of a valid one the mean of its valid neighbours, layer by layer; others
// become zero. valid: 0 unknown, 1 valid, m + 1 in layer m. `scratch` holds marks.
template <class Place, class... Fields>
void extrapolate(Place& place, int layers, PlacedFaces<Place, std::uint8_t>& valid,
                 PlacedFaces<Place, std::uint8_t>& scratch, Fields&... fields) {
  const SeveralFaces<int(sizeof...(Fields))> all{{fields.view()...}};
  resize_as(valid, scratch);
  for (int layer = 1; layer <= layers; ++layer) {
    grow(place, layer, layer == layers, all, valid, scratch);
    for (int a = 0; a < 3; ++a) valid[a].data.swap(scratch[a].data);
  }
}

// Faces less open than `least` are not valid.
template <class Place>
void leave_out_closed(Place& place, const PlacedFaces<Place, double>& open, double least,
                      PlacedFaces<Place, std::uint8_t>& valid) {
  const FaceView<const double> share = open.view();
  const FaceView<std::uint8_t> marks = valid.view();
  for_each_face(place, valid, [=] CORACLE_KERNEL(int a, std::size_t i) {
    if (marks.axis[a].data[i] && share.axis[a].data[i] < least) marks.axis[a].data[i] = 0;
  });
}

// The same for two limits: `well` are the valid faces that are at least `least_well` open.
template <class Place>
void leave_out_closed(Place& place, const PlacedFaces<Place, double>& open, double least, double least_well,
                      PlacedFaces<Place, std::uint8_t>& valid, PlacedFaces<Place, std::uint8_t>& well) {
  resize_as(valid, well);
  const FaceView<const double> share = open.view();
  const FaceView<std::uint8_t> marks = valid.view(), well_open = well.view();
  for_each_face(place, valid, [=] CORACLE_KERNEL(int a, std::size_t i) {
    const std::uint8_t mark = marks.axis[a].data[i];
    const double here = mark ? share.axis[a].data[i] : 0;
    well_open.axis[a].data[i] = here < least_well ? 0 : mark;
    if (mark && here < least) marks.axis[a].data[i] = 0;
  });
}

// v ← v + u
template <class Place>
void add_velocity(Place& place, const PlacedFaces<Place, double>& u, PlacedFaces<Place, double>& v) {
  const FaceView<const double> more = u.view();
  const FaceView<double> sum = v.view();
  for_each_face(place, u, [=] CORACLE_KERNEL(int a, std::size_t i) { sum.axis[a].data[i] += more.axis[a].data[i]; });
}

// to ← from
template <class Place, class T>
void copy(Place& place, const PlacedFaces<Place, T>& from, PlacedFaces<Place, T>& to) {
  resize_as(from, to);
  for (int a = 0; a < 3; ++a) place.copy(from[a].data.data(), to[a].data.data(), from[a].size());
}

// Whether all velocities are finite: their sum is.
template <class Place>
bool finite(Place& place, const PlacedFaces<Place, double>& u) {
  const double *x = u[0].data.data(), *y = u[1].data.data(), *z = u[2].data.data();
  const auto each = each_face(u, [=] CORACLE_KERNEL(int a, std::size_t i) -> double {
    return (a == 0 ? x : a == 1 ? y : z)[i];
  });
  return std::isfinite(place.sum(each.size(), 0.0, each));
}
// "STAGE: velocities are not finite", or empty where they are.
template <class Place>
std::string not_finite(Place& place, const char* stage, const PlacedFaces<Place, double>& u) {
  return finite(place, u) ? "" : std::string(stage) + ": velocities are not finite";
}

}  // namespace coracle
