// Liquid on the skin of an animated solid, method skinned [Lee19]: in a shell of tets that follows the skin, in a film
// below them on the triangles of the skin, and in drops.
#pragma once

#include "coracle/types.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace coracle {

// The shell at rest. It does not change.
struct SkinShell {
  // A node follows the point of the skin that is closest to it at rest.
  struct Anchor {
    int tri = 0;                 // of the skin
    Vec3 bary = Vec3::Zero();    // of the closest point c₀
    Vec3 offset = Vec3::Zero();  // m: x₀ − c₀
  };
  double edge = 0;                // m, of the lattice
  double thickness = 0;           // m
  std::vector<Vec3> x;            // m, nodes
  std::vector<Vec4i> tets;        // positive volumes
  std::vector<Anchor> anchors;    // per node
  std::vector<Vec4i> neighbours;  // per tet: that across the face opposite to each corner; outside, or skin
  std::vector<double> volume;     // m³
  std::vector<double> rank;       // m: from the centroid to the skin
  std::vector<int> order;         // tets by increasing rank
  std::vector<int> onward;  // per tet: the nearest one of higher rank, for what finds no room; −1: it is outermost
  std::vector<int> tri;     // per tet: the triangle of the skin that is closest to its centroid
  static constexpr int outside = -1, skin = -2;  // instead of a neighbour
};

// Volume and momentum always move together.
struct TetLiquid {
  std::vector<double> volume;  // m³ per tet
  std::vector<Vec3> v;         // m/s in the world; zero where there is no liquid
};

struct Film {
  std::vector<double> volume;   // m³ per triangle of the skin
  std::vector<double> pendant;  // m³: what hangs there and will fall as a drop
  std::vector<Vec3> v;          // m/s in the world, along the skin
};

// Each is smaller than a particle of the bulk.
struct Drops {
  std::vector<Vec3> x;         // m
  std::vector<Vec3> v;         // m/s
  std::vector<double> volume;  // m³
  std::size_t size() const { return x.size(); }
  void add(const Vec3& at, const Vec3& velocity, double amount) {
    x.push_back(at), v.push_back(velocity), volume.push_back(amount);
  }
};

// Liquid on one solid.
struct WetSkin {
  int solid = 0;  // its number
  std::shared_ptr<const SkinShell> shell;
  TetLiquid tets;
  Film film;
  std::vector<std::uint8_t> submerged;  // per triangle of the skin: it was in the bulk
  std::vector<std::uint8_t> soaked;     // per tet, with fur: it was in the bulk
};

}  // namespace coracle
