// The place on a GPU (host.h says what a place offers). Only sources that nvcc compiles include it.
//
// Sums are those of CUB, whose order depends on the number of values and the device alone.
#pragma once

#include "coracle/base/place/host.h"
#include "coracle/base/place/staging.h"

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

namespace coracle {

template <class F>
__global__ void for_each_kernel(std::size_t n, F f) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n) f(i);
}

// For CUB, which asks on the host what a function returns: a lambda for the device does not say it.
template <class T, class F>
struct Giving {
  F f;
  __device__ T operator()(std::size_t i) const { return f(i); }
};
struct Joining {
  template <class T>
  __device__ T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
struct Larger {
  __device__ double operator()(double a, double b) const { return a > b ? a : b; }
};

class Cuda {
 public:
  static constexpr bool is_gpu = true;

  template <class T>
  class Array {
   public:
    void resize(std::size_t size) { memory_.resize(size); }
    T* data() { return memory_.data(); }
    const T* data() const { return memory_.data(); }
    std::size_t size() const { return memory_.size(); }
    bool empty() const { return memory_.size() == 0; }
    void swap(Array& other) { std::swap(memory_, other.memory_); }

   private:
    cuda::Array<T> memory_;
  };

  template <class F>
  void for_each(std::size_t n, F f) {
    constexpr int threads = 256;
    if (n == 0) return;
    for_each_kernel<<<unsigned((n + threads - 1) / threads), threads, 0, stream_.handle>>>(n, f);
    cuda::check(cudaGetLastError(), "a kernel");
  }
  template <class T, class F>
  T sum(std::size_t n, T start, F f) {
    if (n == 0) return start;
    return reduce(n, start, f, Joining());
  }
  template <class F>
  double largest(std::size_t n, F f) {
    if (n == 0) return 0;
    return reduce(n, 0.0, f, Larger());
  }
  void scan(const std::uint32_t* in, std::uint32_t* out, std::size_t n) {
    if (n == 0) return;
    work([&](void* memory, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveSum(memory, bytes, in, out, n, stream_.handle);
    });
  }
  std::uint32_t add_up(const std::uint32_t* in, std::uint32_t* out, std::size_t n) {
    if (n == 0) return 0;
    std::uint32_t last_in = 0, last_out = 0;
    download(in + (n - 1), 1, &last_in);
    scan(in, out, n);
    download(out + (n - 1), 1, &last_out);
    return last_in + last_out;
  }
  void sort(Array<std::uint32_t>& keys, Array<std::uint32_t>& values, std::size_t n, std::uint32_t most) {
    if (n == 0) return;
    int bits = 1;
    while (bits < 32 && most >> bits) ++bits;
    keys_.resize(n), values_.resize(n);
    work([&](void* memory, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(memory, bytes, keys.data(), keys_.data(), values.data(), values_.data(), n,
                                             0, bits, stream_.handle);
    });
    keys.swap(keys_), values.swap(values_);
  }
  template <class F>
  std::size_t select(std::size_t n, F chosen, Array<std::uint32_t>& out) {
    out.resize(n);
    if (n == 0) return 0;
    count_.resize(1);
    const thrust::counting_iterator<std::uint32_t> all(0);
    work([&](void* memory, std::size_t& bytes) {
      return cub::DeviceSelect::If(memory, bytes, all, out.data(), count_.data(), n, Giving<bool, F>{chosen},
                                   stream_.handle);
    });
    std::uint64_t count = 0;
    download(count_.data(), 1, &count);
    return std::size_t(count);
  }
  template <class T>
  static __device__ T add(T* where, T value) {
    return atomicAdd(where, value);
  }
  static __device__ int look(int* where) { return *static_cast<volatile int*>(where); }
  static __device__ void mark(std::uint8_t* where) { *where = 1; }
  static __device__ int lower(int* where, int value) { return atomicMin(where, value); }

  template <class T>
  void upload(const T* from, std::size_t size, Array<T>& to) {
    to.resize(size);
    if (size > 0) staging_.upload(from, size * sizeof(T), to.data(), stream_.handle);
  }
  template <class T>
  void download(const T* from, std::size_t size, T* to) {
    if (size > 0) staging_.download(from, size * sizeof(T), to, stream_.handle);
  }
  template <class T>
  void copy(const T* from, T* to, std::size_t size) {
    if (size > 0)
      cuda::check(cudaMemcpyAsync(to, from, size * sizeof(T), cudaMemcpyDeviceToDevice, stream_.handle), "a copy");
  }
  template <class T>
  void clear(T* values, std::size_t size) {
    if (size > 0) cuda::check(cudaMemsetAsync(values, 0, size * sizeof(T), stream_.handle), "clearing memory");
  }
  void wait() { stream_.wait(); }
  cudaStream_t stream() const { return stream_.handle; }

 private:
  // Calls of CUB: first with no memory, to learn how much they need.
  template <class Call>
  void work(Call&& call) {
    std::size_t bytes = 0;
    cuda::check(call(nullptr, bytes), "work on the GPU");
    scratch_.resize(std::max<std::size_t>(bytes, 1));
    cuda::check(call(scratch_.data(), bytes), "work on the GPU");
  }
  template <class T, class F, class Join>
  T reduce(std::size_t n, T start, F f, Join join) {
    result_.resize(sizeof(T));
    T* const result = reinterpret_cast<T*>(result_.data());
    const thrust::counting_iterator<std::size_t> all(0);
    work([&](void* memory, std::size_t& bytes) {
      return cub::DeviceReduce::TransformReduce(memory, bytes, all, result, n, join, Giving<T, F>{f}, start,
                                                stream_.handle);
    });
    T value = start;
    download(result, 1, &value);
    return value;
  }

  cuda::Stream stream_;
  cuda::Staging staging_;
  cuda::Array<unsigned char> scratch_, result_;
  cuda::Array<std::uint64_t> count_;
  Array<std::uint32_t> keys_, values_;
};

}  // namespace coracle
