// The liquid at a place (base/place/host.h): what Liquid and LiquidWork hold on the processor.
#pragma once

#include "coracle/base/place/fields.h"
#include "coracle/step/grid/device/solids.h"
#include "coracle/world.h"

#include <cstdint>

namespace coracle {

template <class Place>
struct PlacedParticles {
  template <class T>
  using Array = typename Place::template Array<T>;

  Array<Vec3> x;   // m
  Array<Vec3f> v;  // m/s
  Array<Mat3f> c;  // 1/s; empty unless APIC
  std::size_t count = 0;

  void resize(std::size_t size, bool affine) {
    count = size;
    x.resize(size), v.resize(size);
    if (affine) c.resize(size);
  }
};

// Which cells hold particles, of those that sort_by_cell has sorted.
template <class Place>
struct PlacedCells {
  template <class T>
  using Array = typename Place::template Array<T>;

  Array<std::uint32_t> of;      // the cell of every particle
  Array<std::uint32_t> filled;  // the cells that hold particles, increasing
  Array<std::uint32_t> number;  // of every cell: 1 + its place in `filled`; 0: it is empty
  std::size_t count = 0;        // of filled cells
  // Memory of the sorting.
  Array<std::uint32_t> order, first;
  PlacedParticles<Place> sorted;
};

// Memory of particles_to_grid.
template <class Place>
struct ScatterMemory {
  typename Place::template Array<float> sums;
  typename Place::template Array<std::uint32_t> layers;
};

template <class Place>
struct PlacedLiquid {
  template <class T>
  using Array = typename Place::template Array<T>;
  template <class T>
  using Field = PlacedArray3<Place, T>;
  template <class T>
  using Faces = PlacedFaces<Place, T>;

  Place place;
  // The state: as in Liquid.
  PlacedParticles<Place> particles;
  Faces<double> u;         // m/s
  Field<double> pressure;  // Pa
  // What follows from it: as in LiquidWork.
  PlacedParticles<Place> previous;  // at the start of the step
  Array<std::uint32_t> cell_start;  // first particle of every cell, one entry more than cells
  PlacedCells<Place> cells;
  ScatterMemory<Place> scatter;
  Array<std::uint8_t> spray;  // per particle
  Field<double> share, fluid_phi;
  Faces<double> drift, u_kicked, u_before;
  Faces<std::uint8_t> valid;
  PlacedSolids<Place> solids;
};

}  // namespace coracle
