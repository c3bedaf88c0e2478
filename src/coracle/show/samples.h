// Points that cover the unit square evenly, as a function of pixel, sample and use. There is no state, so a picture
// depends neither on order nor on threads. Sobol's first two dimensions with hash-based Owen scrambling [Burley20].
#pragma once

#include "coracle/base/random.h"

#include <cstdint>

namespace coracle {

struct Sample2 {
  float x, y;  // in [0, 1)
};

inline std::uint32_t reversed_bits(std::uint32_t x) {
  x = (x << 16) | (x >> 16);
  x = ((x & 0x00ff00ffu) << 8) | ((x & 0xff00ff00u) >> 8);
  x = ((x & 0x0f0f0f0fu) << 4) | ((x & 0xf0f0f0f0u) >> 4);
  x = ((x & 0x33333333u) << 2) | ((x & 0xccccccccu) >> 2);
  return ((x & 0x55555555u) << 1) | ((x & 0xaaaaaaaau) >> 1);
}

// A hash of the higher bits decides whether a bit flips.
inline std::uint32_t owen_scrambled(std::uint32_t x, std::uint32_t seed) {
  x = reversed_bits(x) + seed;
  x ^= x * 0x6c50b47cu;
  x ^= x * 0xb82f1e52u;
  x ^= x * 0xc7afe638u;
  x ^= x * 0x8d22f6e6u;
  return reversed_bits(x);
}

// Sobol's second dimension; the first is the reversed bits.
inline std::uint32_t sobol_second(std::uint32_t index) {
  std::uint32_t x = 0;
  for (std::uint32_t v = 1u << 31; index; index >>= 1, v ^= v >> 1)
    if (index & 1) x ^= v;
  return x;
}

// The samples of one path through one pixel: each call of next() serves another use.
class Samples {
 public:
  Samples(std::uint64_t pixel, std::uint32_t index) : key_(mix(pixel)), index_(index) {}

  Sample2 next() {
    const std::uint64_t seed = mix(key_ ^ ++use_), more = mix(seed);
    const std::uint32_t i = owen_scrambled(index_, std::uint32_t(seed));  // a different order for every use
    return {unit(owen_scrambled(reversed_bits(i), std::uint32_t(seed >> 32))),
            unit(owen_scrambled(sobol_second(i), std::uint32_t(more)))};
  }

 private:
  static float unit(std::uint32_t bits) { return float(bits >> 8) * 0x1.0p-24f; }
  std::uint64_t key_, use_ = 0;
  std::uint32_t index_;
};

}  // namespace coracle
