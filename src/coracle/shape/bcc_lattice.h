// The body-centered cubic lattice: corners and centers of cubes. A point has 14 neighbors: 6 of its own kind (long
// edges) and 8 of the other kind (short edges, √3/2 as long). A place is three integers in units of half a cube: even
// for corners, odd for centers.
#pragma once

#include "coracle/types.h"

#include <array>

namespace coracle {

struct BccLattice {
  Vec3 origin = Vec3::Zero();
  double edge = 1;  // of a cube, m
  Vec3i cubes = Vec3i::Zero();

  int corners() const { return (cubes.array() + 1).prod(); }
  int points() const { return corners() + cubes.prod(); }
  bool holds(const Vec3i& place) const {
    return (place.array() >= 0).all() && (place.array() <= 2 * cubes.array()).all();
  }

  int id(const Vec3i& place) const {
    const bool center = place.x() & 1;
    const Vec3i n = center ? cubes : Vec3i(cubes.array() + 1);
    const Vec3i i = place / 2;
    return (center ? corners() : 0) + (i.z() * n.y() + i.y()) * n.x() + i.x();
  }

  Vec3i place(int id) const {
    const bool center = id >= corners();
    const Vec3i n = center ? cubes : Vec3i(cubes.array() + 1);
    const int k = center ? id - corners() : id;
    return 2 * Vec3i(k % n.x(), k / n.x() % n.y(), k / n.x() / n.y()) + Vec3i::Constant(center ? 1 : 0);
  }

  Vec3 x(int id) const { return origin + 0.5 * edge * place(id).cast<double>(); }
  bool is_long(int a, int b) const { return (a < corners()) == (b < corners()); }
  // The two ends of a long edge have different parity.
  bool even(int id) const { return (place(id) / 2).sum() % 2 == 0; }
};

// One direction per pair of opposite edges: three long, then four short.
inline constexpr int bcc_directions = 7;
inline const std::array<Vec3i, bcc_directions>& bcc_direction() {
  static const std::array<Vec3i, bcc_directions> d = {
      {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}}};
  return d;
}

}  // namespace coracle
