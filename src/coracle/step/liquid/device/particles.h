// Marker particles at a place: their order, which of them stay, and how fast they are (liquid/particles.h,
// particles/cells.h and particles/push_out.h say the same of the processor's).
#pragma once

#include "coracle/step/liquid/device/state.h"

#include <vector>

namespace coracle {

template <class Place>
void upload(Place& place, const Particles& from, PlacedParticles<Place>& to) {
  to.count = from.size();
  place.upload(from.x.data(), from.x.size(), to.x);
  place.upload(from.v.data(), from.v.size(), to.v);
  place.upload(from.c.data(), from.c.size(), to.c);
}
template <class Place>
void download(Place& place, const PlacedParticles<Place>& from, Particles& to) {
  to.x.resize(from.count), to.v.resize(from.count), to.c.resize(from.c.empty() ? 0 : from.count);
  place.download(from.x.data(), to.x.size(), to.x.data());
  place.download(from.v.data(), to.v.size(), to.v.data());
  place.download(from.c.data(), to.c.size(), to.c.data());
}

// to[i] = from[order[i]], of values that are `width` numbers each. A thread per number: neighbours write to neighbours.
template <int width, class Number, class Place>
void take_in_order(Place& place, const std::uint32_t* order, std::size_t count, const Number* from, Number* to) {
  place.for_each(count * width, [=] CORACLE_KERNEL(std::size_t i) {
    const std::size_t p = i / width;
    to[i] = from[std::size_t(order[p]) * width + (i - p * width)];
  });
}

// particles[i] ← particles[order[i]], i < count; `memory` gets what was there.
template <class Place>
void take_in_order(Place& place, const std::uint32_t* order, std::size_t count, PlacedParticles<Place>& particles,
                   PlacedParticles<Place>& memory) {
  const bool affine = !particles.c.empty();
  memory.resize(count, affine);
  if (count > 0) {
    take_in_order<3>(place, order, count, particles.x.data()->data(), memory.x.data()->data());
    take_in_order<3>(place, order, count, particles.v.data()->data(), memory.v.data()->data());
    if (affine) take_in_order<9>(place, order, count, particles.c.data()->data(), memory.c.data()->data());
  }
  particles.x.swap(memory.x), particles.v.swap(memory.v);
  if (affine) particles.c.swap(memory.c);
  particles.count = count;
}

// Puts the particles into the order of their cells. Stable, as on the processor; a sort by key instead of one running
// counter per cell, which threads would have to share.
template <class Place>
void sort_by_cell(Place& place, const Grid& grid, PlacedParticles<Place>& particles,
                  typename Place::template Array<std::uint32_t>& cell_start, PlacedCells<Place>& cells) {
  const std::size_t n = particles.count, all = std::size_t(grid.n.x()) * grid.n.y() * grid.n.z();
  cells.of.resize(n), cells.order.resize(n);
  std::uint32_t *of = cells.of.data(), *order = cells.order.data();
  const Vec3* x = particles.x.data();
  place.for_each(n, [=] CORACLE_KERNEL(std::size_t p) {
    of[p] = std::uint32_t(grid.cell_index(grid.cell_of(x[p])));
    order[p] = std::uint32_t(p);
  });
  place.sort(cells.of, cells.order, n, std::uint32_t(all - 1));
  take_in_order(place, cells.order.data(), n, particles, cells.sorted);

  of = cells.of.data();
  const std::size_t count = place.select(
      n, [=] CORACLE_KERNEL(std::size_t p) { return p == 0 || of[p] != of[p - 1]; }, cells.first);
  cells.count = count;
  cells.filled.resize(count), cells.number.resize(all), cell_start.resize(all + 1);
  const std::uint32_t* first = cells.first.data();
  std::uint32_t *filled = cells.filled.data(), *number = cells.number.data(), *start = cell_start.data();
  place.clear(number, all), place.clear(start, all + 1);
  place.for_each(count, [=] CORACLE_KERNEL(std::size_t i) {
    const std::uint32_t cell = of[first[i]];
    filled[i] = cell;
    number[cell] = std::uint32_t(i + 1);
    start[cell] = (i + 1 < count ? first[i + 1] : std::uint32_t(n)) - first[i];
  });
  place.scan(start, start, all + 1);
}

// Removes the particles with a mark; the others keep their order. Returns how many are gone.
template <class Place>
std::size_t remove_particles(Place& place, const typename Place::template Array<std::uint8_t>& gone,
                             PlacedParticles<Place>& particles, typename Place::template Array<std::uint32_t>& kept,
                             PlacedParticles<Place>& memory) {
  const std::size_t before = particles.count;
  const std::uint8_t* const marks = gone.data();
  const std::size_t left = place.select(
      before, [=] CORACLE_KERNEL(std::size_t p) { return !marks[p]; }, kept);
  if (left < before) take_in_order(place, kept.data(), left, particles, memory);
  return before - left;
}

// Adds values after the first `count`; `memory` is an array of the same kind.
template <class Place, class Array, class T>
void append(Place& place, const std::vector<T>& more, std::size_t count, Array& values, Array& memory) {
  if (more.empty()) return;
  const std::size_t size = count + more.size();
  if (values.size() < size) {
    memory.resize(size);
    place.copy(values.data(), memory.data(), count);
    values.swap(memory);
  }
  place.upload(more.data(), more.size(), memory);
  place.copy(static_cast<const T*>(memory.data()), values.data() + count, more.size());
}

// Adds particles after the others; with affine velocities of zero if `affine`.
template <class Place>
void append_particles(Place& place, const std::vector<Vec3>& x, const std::vector<Vec3f>& v, bool affine,
                      PlacedParticles<Place>& particles, PlacedParticles<Place>& memory) {
  append(place, x, particles.count, particles.x, memory.x);
  append(place, v, particles.count, particles.v, memory.v);
  if (affine) append(place, std::vector<Mat3f>(x.size(), Mat3f::Zero()), particles.count, particles.c, memory.c);
  particles.count += x.size();
}

}  // namespace coracle
