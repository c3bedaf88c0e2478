// Parallel loops whose results do not depend on the number of threads: work is cut into blocks of a fixed size, and
// reductions add the blocks' results in order.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace coracle {

// f(begin, end) on blocks of `block` consecutive indices.
template <class F>
void for_blocks(std::size_t count, std::size_t block, F&& f) {
  const std::size_t blocks = (count + block - 1) / block;
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, blocks, 1),
      [&](const tbb::blocked_range<std::size_t>& r) {
        for (std::size_t b = r.begin(); b != r.end(); ++b) f(b * block, std::min(count, (b + 1) * block));
      },
      tbb::simple_partitioner());
}

// f(i) for every index.
template <class F>
void for_each_index(std::size_t count, F&& f, std::size_t block = 4096) {
  for_blocks(count, block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) f(i);
  });
}

template <class T>
void copy(const std::vector<T>& from, std::vector<T>& to) {
  to.resize(from.size());
  for_blocks(from.size(), 65536, [&](std::size_t begin, std::size_t end) {
    std::copy(from.begin() + begin, from.begin() + end, to.begin() + begin);
  });
}

// join over blocks, in order, of f(begin, end).
template <class T, class F, class Join>
T reduce_blocks(std::size_t count, std::size_t block, T start, F&& f, Join&& join) {
  const std::size_t blocks = (count + block - 1) / block;
  std::vector<T> parts(blocks, start);
  for_blocks(count, block, [&](std::size_t begin, std::size_t end) { parts[begin / block] = f(begin, end); });
  T total = start;
  for (const T& part : parts) total = join(total, part);
  return total;
}

template <class F>
double sum_blocks(std::size_t count, F&& f, std::size_t block = 4096) {
  return reduce_blocks(count, block, 0.0, f, [](double a, double b) { return a + b; });
}

template <class F>
double max_blocks(std::size_t count, double start, F&& f, std::size_t block = 4096) {
  return reduce_blocks(count, block, start, f, [](double a, double b) { return std::max(a, b); });
}

// The largest of f(i), at least 0.
template <class F>
double largest(std::size_t count, F&& f) {
  return max_blocks(count, 0.0, [&](std::size_t begin, std::size_t end) {
    double most = 0;
    for (std::size_t i = begin; i < end; ++i) most = std::max(most, f(i));
    return most;
  });
}

// At most `threads` threads while the object lives (0: all cores). Results do not depend on it.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace coracle
