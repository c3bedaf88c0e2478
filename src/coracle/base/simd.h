// Vectors in registers, by the vector extension of the compiler: + − * and ?: on comparisons work lane by lane.
#pragma once

#include "coracle/both.h"

// In kernels, before a loop over axes or samples: written out, its small arrays stay in registers.
#ifdef __CUDACC__
#define CORACLE_UNROLL _Pragma("unroll")
#else
#define CORACLE_UNROLL
#endif

namespace coracle {

using Float8 = float __attribute__((vector_size(32)));
using Float16 = float __attribute__((vector_size(64)));
using Double4 = double __attribute__((vector_size(32)));

// 1 at distance 0, falling to 0 at distance 1. Of a number, or lane by lane.
template <class V>
CORACLE_BOTH inline V hat(V distance) {
  const V w = distance < 0 ? 1 + distance : 1 - distance;
  return w < 0 ? V{} : w;
}

}  // namespace coracle
