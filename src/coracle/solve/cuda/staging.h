// Copies between vectors of the host and the device, through memory that the device reads directly: the host's threads
// fill one half of it while the other half is on its way. The driver alone uses one thread, and is several times
// slower.
#pragma once

#include "coracle/base/parallel.h"
#include "coracle/solve/cuda/device.h"

#include <algorithm>
#include <cstring>

namespace coracle::cuda {

struct Event {
  Event() { check(cudaEventCreateWithFlags(&handle, cudaEventDisableTiming), "an event"); }
  ~Event() { (void)cudaEventDestroy(handle); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream) const { check(cudaEventRecord(handle, stream), "an event"); }
  void wait() const { check(cudaEventSynchronize(handle), "work on the GPU"); }
  cudaEvent_t handle = nullptr;
};

// Memory of the host that the device copies to and from while the host goes on.
template <class T>
class Pinned {
 public:
  Pinned() = default;
  ~Pinned() { (void)cudaFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  T* get(std::size_t size) {
    if (size > size_) {
      (void)cudaFreeHost(data_);
      data_ = nullptr, size_ = 0;
      check(cudaMallocHost(reinterpret_cast<void**>(&data_), size * sizeof(T)), "memory shared with the GPU");
      size_ = size;
    }
    return data_;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

class Staging {
 public:
  void upload(const std::vector<double>& from, Array<double>& to, std::size_t pad, cudaStream_t stream) {
    to.resize(from.size(), pad);
    for_chunks(from.size(), [&](std::size_t begin, std::size_t count, double* chunk, const Event& free) {
      free.wait();
      copy(from.data() + begin, chunk, count);
      check(cudaMemcpyAsync(to.data() + begin, chunk, count * sizeof(double), cudaMemcpyHostToDevice, stream),
            "a copy to the GPU");
      free.record(stream);
    });
  }
  // Waits for the end of the copy.
  void download(const Array<double>& from, std::vector<double>& to, cudaStream_t stream) {
    struct Coming {
      double *chunk = nullptr, *to = nullptr;
      std::size_t count = 0;
      const Event* there = nullptr;
    } last;
    const auto take = [](const Coming& c) {
      if (c.count == 0) return;
      c.there->wait();
      copy(c.chunk, c.to, c.count);
    };
    for_chunks(from.size(), [&](std::size_t begin, std::size_t count, double* chunk, const Event& there) {
      check(cudaMemcpyAsync(chunk, from.data() + begin, count * sizeof(double), cudaMemcpyDeviceToHost, stream),
            "a copy from the GPU");
      there.record(stream);
      take(last);
      last = {chunk, to.data() + begin, count, &there};
    });
    take(last);
  }

 private:
  static constexpr std::size_t chunk_size = 1 << 20;  // values, 8 MB

  // f(begin, count, chunk, its event), with one chunk after the other of two.
  template <class F>
  void for_chunks(std::size_t size, F&& f) {
    double* const chunks = memory_.get(2 * chunk_size);
    for (std::size_t begin = 0; begin < size; begin += chunk_size) {
      f(begin, std::min(chunk_size, size - begin), chunks + turn_ * chunk_size, events_[turn_]);
      turn_ = 1 - turn_;
    }
  }
  static void copy(const double* from, double* to, std::size_t count) {
    for_blocks(count, 32768, [&](std::size_t begin, std::size_t end) {
      std::memcpy(to + begin, from + begin, (end - begin) * sizeof(double));
    });
  }

  Pinned<double> memory_;
  Event events_[2];
  int turn_ = 0;
};

}  // namespace coracle::cuda
