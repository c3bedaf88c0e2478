// A place: where arrays lie and loops run. Code that is written for any place runs on the processor (Host) and on a GPU
// (Cuda, cuda.h) alike; tests run it on the processor, where no GPU is needed.
//
// Every place offers:
//   Array<T>                        values of a type that may be copied byte by byte
//   for_each(n, f)                  f(i) for i in [0, n), in any order
//   sum(n, start, f)                start + Σ f(i), always in the same order: a place repeats its bits
//   largest(n, f)                   the largest of f(i), at least 0
//   scan(in, out, n)                out[i] = Σ in[j], j < i; `out` may be `in`
//   add_up(in, out, n)              the same; returns the sum of all, for which the host waits
//   sort(keys, values, n, most)     by key, stable: keys are at most `most`
//   select(n, chosen, out)          the i with chosen(i), increasing; returns how many
//   add(where, 1)                   what another i may do too: adds, and returns what stood there (atomic)
//   lower(where, value)             the same for the smaller of the two
//   look(where), mark(where)        reads what others may change; sets to 1 what others may set, too
//   upload, download, copy, clear   between vectors of the host and arrays; within the place
// A loop's f is a lambda that captures by value: [=] CORACLE_KERNEL(std::size_t i) { … }. It captures pointers and
// views (view3.h), never arrays or vectors.
#pragma once

#include "coracle/base/parallel.h"
#include "coracle/base/view3.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#ifdef __CUDACC__
#define CORACLE_KERNEL __device__
#else
#define CORACLE_KERNEL
#endif

namespace coracle {

class Host {
 public:
  static constexpr bool is_gpu = false;

  template <class T>
  class Array {
   public:
    void resize(std::size_t size) {
      const std::size_t before = values_.size();
      values_.resize(size);  // new vectors of Eigen would have any value
      if (size > before) std::memset(static_cast<void*>(values_.data() + before), 0, (size - before) * sizeof(T));
    }
    T* data() { return values_.data(); }
    const T* data() const { return values_.data(); }
    std::size_t size() const { return values_.size(); }
    bool empty() const { return values_.empty(); }
    void swap(Array& other) { values_.swap(other.values_); }

   private:
    std::vector<T> values_;
  };

  template <class F>
  void for_each(std::size_t n, F f) {
    for_each_index(n, f, 1024);
  }
  template <class T, class F>
  T sum(std::size_t n, T start, F f) {
    return reduce_blocks(
        n, 4096, start,
        [&](std::size_t begin, std::size_t end) {
          T part = f(begin);
          for (std::size_t i = begin + 1; i < end; ++i) part = part + f(i);
          return part;
        },
        [](const T& a, const T& b) { return a + b; });
  }
  template <class F>
  double largest(std::size_t n, F f) {
    return coracle::largest(n, f);
  }
  void scan(const std::uint32_t* in, std::uint32_t* out, std::size_t n) { add_up(in, out, n); }
  std::uint32_t add_up(const std::uint32_t* in, std::uint32_t* out, std::size_t n) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t here = in[i];  // `in` may be `out`
      out[i] = sum;
      sum += here;
    }
    return sum;
  }
  void sort(Array<std::uint32_t>& keys, Array<std::uint32_t>& values, std::size_t n, std::uint32_t) {
    std::vector<std::uint32_t> order(n), old_keys(keys.data(), keys.data() + n),
        old_values(values.data(), values.data() + n);
    for (std::size_t i = 0; i < n; ++i) order[i] = std::uint32_t(i);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return old_keys[a] < old_keys[b]; });
    for (std::size_t i = 0; i < n; ++i) keys.data()[i] = old_keys[order[i]], values.data()[i] = old_values[order[i]];
  }
  template <class F>
  std::size_t select(std::size_t n, F chosen, Array<std::uint32_t>& out) {
    out.resize(n);
    std::size_t count = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (chosen(i)) out.data()[count++] = std::uint32_t(i);
    return count;
  }
  template <class T>
  static T add(T* where, T value) {
    return std::atomic_ref<T>(*where).fetch_add(value, std::memory_order_relaxed);
  }
  static int look(int* where) { return std::atomic_ref<int>(*where).load(std::memory_order_relaxed); }
  static void mark(std::uint8_t* where) { std::atomic_ref<std::uint8_t>(*where).store(1, std::memory_order_relaxed); }
  static int lower(int* where, int value) {
    const std::atomic_ref<int> there(*where);
    int now = there.load(std::memory_order_relaxed);
    while (value < now && !there.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
    }
    return now;
  }

  template <class T>
  void upload(const T* from, std::size_t size, Array<T>& to) {
    to.resize(size);
    std::copy(from, from + size, to.data());
  }
  template <class T>
  void download(const T* from, std::size_t size, T* to) {
    std::copy(from, from + size, to);
  }
  template <class T>
  void copy(const T* from, T* to, std::size_t size) {
    std::copy(from, from + size, to);
  }
  template <class T>
  void clear(T* values, std::size_t size) {
    std::memset(static_cast<void*>(values), 0, size * sizeof(T));
  }
  void wait() {}
};

}  // namespace coracle
