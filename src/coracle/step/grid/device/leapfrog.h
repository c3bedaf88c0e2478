// The stages of leapfrog.h at a place.
#pragma once

#include "coracle/base/place/fields.h"
#include "coracle/step/grid/leapfrog.h"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace coracle {

// out ← u + the velocity that gravity gives.
template <class Place>
void add_gravity(Place& place, const Vec3& gravity_dv, const PlacedFaces<Place, double>& u,
                 PlacedFaces<Place, double>& out) {
  resize_as(u, out);
  const FaceView<const double> from = u.view();
  const FaceView<double> to = out.view();
  for_each_face(place, u, [=] CORACLE_KERNEL(int a, std::size_t i) {
    to.axis[a].data[i] = from.axis[a].data[i] + gravity_dv[a];
  });
}

template <class Place>
void aim_drift(Place& place, const Kick& kick, const PlacedFaces<Place, double>& u_last,
               PlacedFaces<Place, double>& u) {
  if (kick.drift == 0) return;
  const double drift = kick.drift;
  const FaceView<const double> last = u_last.view();
  const FaceView<double> now = u.view();
  for_each_face(place, u, [=] CORACLE_KERNEL(int a, std::size_t i) {
    double& v = now.axis[a].data[i];
    v = aimed(drift, v, last.axis[a].data[i]);
  });
}

// f(a, end, i) for the faces on the sides of the domain: i is the face's index, end 0 below, 1 above.
template <class F>
struct SideFace {
  Vec3i n[3];
  F f;
  CORACLE_KERNEL void operator()(int a, std::size_t i) const {
    const Shape3 faces{n[a]};
    const int b = (a + 1) % 3, d = (a + 2) % 3;
    const Vec3i at = cell_at({faces.n[b], faces.n[d], 2}, i);
    Vec3i face;
    face[a] = at.z() ? faces.n[a] - 1 : 0, face[b] = at.x(), face[d] = at.y();
    f(a, at.z(), faces.index(face));
  }
};
template <class Place, class T, class F>
void for_side_faces(Place& place, const PlacedFaces<Place, T>& faces, F f) {
  const Vec3i n[] = {faces[0].n, faces[1].n, faces[2].n};
  EachOfAxes<SideFace<F>> each{{}, {{n[0], n[1], n[2]}, f}};
  for (int a = 0; a < 3; ++a) each.count[a] = 2 * std::size_t(n[a][(a + 1) % 3]) * n[a][(a + 2) % 3];
  place.for_each(each.size(), each);
}

// Of a region, or of a part of it.
struct PushSum {
  double sum = 0, count = 0;
};

template <class Place>
struct KickWork {
  typename Place::template Array<PushSum> rows, columns, regions;
  std::vector<PushSum> found;
};

// Differs from the processor's order of the sums, which adds rows along x: here threads beside each other read faces
// beside each other, so each adds along y; then along z, then along x.
template <class Place>
Pushes find_pushes(Place& place, const Kick& kick, const PlacedFaces<Place, std::uint8_t>& valid,
                   const PlacedFaces<Place, double>& w, const PlacedFaces<Place, double>& u_last,
                   const PlacedFaces<Place, double>& u_before, KickWork<Place>& work) {
  constexpr int regions = Pushes::regions;
  const Vec3i n[] = {w[0].n, w[1].n, w[2].n};
  std::size_t row_count[3], column_count[3], rows = 0, columns = 0;
  for (int a = 0; a < 3; ++a) {
    row_count[a] = std::size_t(n[a].x()) * regions * n[a].z(), rows += row_count[a];
    column_count[a] = std::size_t(n[a].x()) * regions * regions, columns += column_count[a];
  }
  work.rows.resize(rows), work.columns.resize(columns), work.regions.resize(Pushes::size);
  PushSum *const row_sums = work.rows.data(), *const column_sums = work.columns.data(),
                 *const sums = work.regions.data();
  const std::size_t row_1 = row_count[0], row_2 = row_1 + row_count[1];
  const std::size_t column_1 = column_count[0], column_2 = column_1 + column_count[1];

  const FromDrift from(kick);
  const FaceView<const std::uint8_t> marks = valid.view();
  const FaceView<const double> now = w.view(), last = u_last.view(), before = u_before.view();
  const auto along_y = [=] CORACLE_KERNEL(int a, std::size_t i) {
    const Vec3i size = now.axis[a].n;
    const Vec3i at = cell_at({size.x(), regions, size.z()}, i);
    const int begin = Pushes::begin_rows(at.y(), size.y()), end = Pushes::begin_rows(at.y() + 1, size.y());
    PushSum all;
    for (int j = begin; j < end; ++j) {
      const std::size_t face = now.axis[a].index(at.x(), j, at.z());
      if (!marks.axis[a].data[face]) continue;
      all.sum += from.u(now.axis[a].data[face], last.axis[a].data[face]) - before.axis[a].data[face];
      all.count += 1;
    }
    row_sums[(a == 0 ? 0 : a == 1 ? row_1 : row_2) + i] = all;
  };
  const EachOfAxes<decltype(along_y)> each_row{{row_count[0], row_count[1], row_count[2]}, along_y};
  place.for_each(each_row.size(), each_row);

  const auto along_z = [=] CORACLE_KERNEL(int a, std::size_t i) {
    const Vec3i size = now.axis[a].n;
    const Vec3i at = cell_at({size.x(), regions, regions}, i);
    const PushSum* const row = row_sums + (a == 0 ? 0 : a == 1 ? row_1 : row_2);
    const int begin = Pushes::begin_rows(at.z(), size.z()), end = Pushes::begin_rows(at.z() + 1, size.z());
    PushSum all;
    for (int k = begin; k < end; ++k) {
      const PushSum& part = row[at.x() + std::size_t(size.x()) * (at.y() + std::size_t(regions) * k)];
      all.sum += part.sum, all.count += part.count;
    }
    column_sums[(a == 0 ? 0 : a == 1 ? column_1 : column_2) + i] = all;
  };
  const EachOfAxes<decltype(along_z)> each_column{{column_count[0], column_count[1], column_count[2]}, along_z};
  place.for_each(each_column.size(), each_column);

  place.for_each(Pushes::size, [=] CORACLE_KERNEL(std::size_t i) {
    const int a = int(i / (regions * regions * regions)), region = int(i % (regions * regions * regions));
    const int part = region % regions, row = region / regions, length = now.axis[a].n.x();
    const PushSum* const column = column_sums + (a == 0 ? 0 : a == 1 ? column_1 : column_2) + std::size_t(row) * length;
    PushSum all;
    for (int x = Pushes::begin(part, length); x < Pushes::begin(part + 1, length); ++x)
      all.sum += column[x].sum, all.count += column[x].count;
    sums[i] = all;
  });

  work.found.resize(Pushes::size);
  place.download(sums, work.found.size(), work.found.data());
  Pushes pushes;
  std::vector<double> counts;
  for (const PushSum& region : work.found) pushes.sums.push_back(region.sum / kick.tau), counts.push_back(region.count);
  pushes.unit = push_unit(counts);
  return pushes;
}

// As apply_kick; flow holds the numbers, and u the velocity, which has left the solve as w. dt: of the step.
template <class Place>
void apply_kick(Place& place, const std::array<bool, 6>& open, double gravity, double dt,
                const PlacedFaces<Place, std::uint8_t>& valid, Kick& kick, GridFlow& flow,
                PlacedFaces<Place, double>& u, PlacedFaces<Place, double>& u_last, PlacedFaces<Place, double>& u_before,
                KickWork<Place>& work) {
  const FaceView<const std::uint8_t> marks = valid.view();
  const FaceView<double> now = u.view(), last = u_last.view(), before = u_before.view();
  unsigned open_sides = 0;
  for (int s = 0; s < 6; ++s) open_sides |= unsigned(open[s]) << s;
  for_side_faces(place, u_before, [=] CORACLE_KERNEL(int a, int end, std::size_t i) {
    if (!(open_sides >> (2 * a + end) & 1)) before.axis[a].data[i] = 0;
  });
  Pushes pushes = find_pushes(place, kick, valid, u, u_last, u_before, work);
  const double more = settle_kick(std::move(pushes), gravity, dt, kick, flow);
  const FromDrift from(kick);
  for_each_face(place, u, [=] CORACLE_KERNEL(int a, std::size_t i) {
    if (marks.axis[a].data[i]) kick_face(from, more, now.axis[a].data[i], last.axis[a].data[i], before.axis[a].data[i]);
  });
}

}  // namespace coracle
