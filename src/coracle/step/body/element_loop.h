// A loop over elements in parallel whose sums are the same bits on any number of threads.
#pragma once

#include "coracle/base/parallel.h"

#include <algorithm>
#include <vector>

namespace coracle {

inline constexpr std::size_t element_block = 256;

// Compute f(element) for blocks of elements in parallel, then pass each result to `use` in order.
template <class T, class Compute, class Use>
void in_order(std::size_t elements, Compute&& compute, Use&& use) {
  constexpr std::size_t bytes = 12 << 20;
  constexpr std::size_t batch = std::max<std::size_t>(4, bytes / (sizeof(T) * element_block)) * element_block;
  std::vector<T> results(std::min(elements, batch));
  for (std::size_t first = 0; first < elements; first += batch) {
    const std::size_t count = std::min(batch, elements - first);
    for_each_index(
        count, [&](std::size_t i) { results[i] = compute(first + i); }, element_block);
    for (std::size_t i = 0; i < count; ++i) use(first + i, results[i]);
  }
}

}  // namespace coracle
