// Vectors in registers, by the vector extension of the compiler: + − * and ?: on comparisons work lane by lane.
#pragma once

#include "coracle/both.h"

#include <bit>

// In kernels, before a loop over axes or samples: written out, its small arrays stay in registers.
#ifdef __CUDACC__
#define CORACLE_UNROLL _Pragma("unroll")
#else
#define CORACLE_UNROLL
#endif

namespace coracle {

using Float4 = float __attribute__((vector_size(16)));
using Float8 = float __attribute__((vector_size(32)));
using Float16 = float __attribute__((vector_size(64)));
using Double4 = double __attribute__((vector_size(32)));

// The longest register that the compiler may use, bytes.
#if defined(__AVX512F__)
inline constexpr int register_size = 64;
#elif defined(__AVX__)
inline constexpr int register_size = 32;
#else
inline constexpr int register_size = 16;
#endif

// A vector in two. Written out: GCC 12 forgets a vector_size that depends on a parameter.
template <class V>
struct Halves;
template <>
struct Halves<Float8> {
  Float4 low, high;
};
template <>
struct Halves<Float16> {
  Float8 low, high;
};

// 1 at distance 0, falling to 0 at distance 1. Of a number, or lane by lane.
template <class V>
CORACLE_BOTH inline V hat(V distance) {
#ifndef __CUDACC__
  // GCC 12 takes ?: of a longer vector apart into numbers. Halves stay vectors.
  if constexpr (sizeof(V) > register_size) {
    const auto [low, high] = std::bit_cast<Halves<V>>(distance);
    return std::bit_cast<V>(Halves<V>{hat(low), hat(high)});
  }
#endif
  const V w = distance < 0 ? 1 + distance : 1 - distance;
  return w < 0 ? V{} : w;
}

}  // namespace coracle
