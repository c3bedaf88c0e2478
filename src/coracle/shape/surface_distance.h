// The distance between two surfaces, measured both ways: from samples of each to the nearest point of the other.
//
// Every triangle is cut into alike ones with edges of at most `spacing`; samples are their corners and centres. A small
// triangle of area a with the values f₁ f₂ f₃ at its corners and f₀ at its centre adds a (f₁ + f₂ + f₃ + 9 f₀) / 12 to
// the integral of f: exact where f is quadratic. No point of a surface is farther than spacing / 2 from a sample, and
// the distance changes by at most the way: `largest` is too small by at most spacing / 2.
// An edge is cut into 512 parts at most: in a triangle whose longest edge L is longer than 512 spacings, L / 512 stands
// for the spacing.
#pragma once

#include "coracle/mesh.h"

namespace coracle {

// It is the same, to the bit, with the surfaces in the other order.
struct SurfaceDistance {
  double largest = 0;  // m: the Hausdorff distance
  double mean = 0;     // m, over the area of both
  double rms = 0;      // m, likewise
  double between = 0;  // m³: ∫ distance dA, mean of both. The volume between surfaces that lie close to each other
};

// Neither may be without triangles.
SurfaceDistance surface_distance(const TriMesh& a, const TriMesh& b, double spacing);

}  // namespace coracle
