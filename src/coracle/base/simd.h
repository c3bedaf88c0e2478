// Vectors in registers, by the vector extension of the compiler: + − * and ?: on comparisons work lane by lane.
#pragma once

namespace coracle {

using Float8 = float __attribute__((vector_size(32)));
using Float16 = float __attribute__((vector_size(64)));
using Double4 = double __attribute__((vector_size(32)));

// 1 at distance 0, falling to 0 at distance 1.
template <class V>
V hat(V distance) {
  const V w = distance < 0 ? 1 + distance : 1 - distance;
  return w < 0 ? V{} : w;
}

}  // namespace coracle
