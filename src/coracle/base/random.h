// Random numbers as a function of a key. Without state, results depend neither on order nor on threads.
#pragma once

#include <cstdint>

namespace coracle {

inline std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// Uniform in [0, 1).
inline double uniform(std::uint64_t key, std::uint64_t index) {
  return double(mix(mix(key) ^ index) >> 11) * 0x1.0p-53;
}

}  // namespace coracle
