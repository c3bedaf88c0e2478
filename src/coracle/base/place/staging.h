// Copies between vectors of the host and the device, through memory that the device reads directly: the host's threads
// fill one half of it while the other half is on its way. The driver alone uses one thread, and is several times
// slower.
#pragma once

#include "coracle/base/parallel.h"
#include "coracle/base/place/device.h"

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
      (void)cudaFreeHost(data_);  // waits for copies that use it
      data_ = nullptr, size_ = 0;
      check(cudaMallocHost(reinterpret_cast<void**>(&data_), size * sizeof(T)), "memory shared with the GPU");
      size_ = size;
    }
    return data_;
  }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

struct Stream {
  Stream() { check(cudaStreamCreateWithFlags(&handle, cudaStreamNonBlocking), "a stream"); }
  ~Stream() { (void)cudaStreamDestroy(handle); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  void wait() const { check(cudaStreamSynchronize(handle), "work on the GPU"); }
  cudaStream_t handle = nullptr;
};

class Staging {
 public:
  // What is uploaded may change at once afterwards.
  void upload(const void* from, std::size_t bytes, void* to, cudaStream_t stream) {
    for_chunks(bytes, [&](std::size_t begin, std::size_t count, char* chunk, const Event& free) {
      free.wait();
      copy(static_cast<const char*>(from) + begin, chunk, count);
      check(cudaMemcpyAsync(static_cast<char*>(to) + begin, chunk, count, cudaMemcpyHostToDevice, stream),
            "a copy to the GPU");
      free.record(stream);
    });
  }
  // Waits for the end of the copy.
  void download(const void* from, std::size_t bytes, void* to, cudaStream_t stream) {
    struct Coming {
      char *chunk = nullptr, *to = nullptr;
      std::size_t count = 0;
      const Event* there = nullptr;
    } last;
    const auto take = [](const Coming& c) {
      if (c.count == 0) return;
      c.there->wait();
      copy(c.chunk, c.to, c.count);
    };
    for_chunks(bytes, [&](std::size_t begin, std::size_t count, char* chunk, const Event& there) {
      check(cudaMemcpyAsync(chunk, static_cast<const char*>(from) + begin, count, cudaMemcpyDeviceToHost, stream),
            "a copy from the GPU");
      there.record(stream);
      take(last);
      last = {chunk, static_cast<char*>(to) + begin, count, &there};
    });
    take(last);
  }

  void upload(const std::vector<double>& from, Array<double>& to, std::size_t pad, cudaStream_t stream) {
    to.resize(from.size(), pad);
    upload(from.data(), from.size() * sizeof(double), to.data(), stream);
  }
  void download(const Array<double>& from, std::vector<double>& to, cudaStream_t stream) {
    download(from.data(), from.size() * sizeof(double), to.data(), stream);
  }

 private:
  static constexpr std::size_t chunk_bytes = 8 << 20;

  // f(begin, bytes, chunk, its event), with one chunk after the other of two.
  template <class F>
  void for_chunks(std::size_t bytes, F&& f) {
    char* const chunks = memory_.get(2 * std::min(bytes, chunk_bytes));
    const std::size_t size = memory_.size() / 2;
    for (std::size_t begin = 0; begin < bytes; begin += size) {
      f(begin, std::min(size, bytes - begin), chunks + turn_ * size, events_[turn_]);
      turn_ = 1 - turn_;
    }
  }
  static void copy(const char* from, char* to, std::size_t bytes) {
    for_blocks(bytes, 262144,
               [&](std::size_t begin, std::size_t end) { std::memcpy(to + begin, from + begin, end - begin); });
  }

  Pinned<char> memory_;
  Event events_[2];
  int turn_ = 0;
};

}  // namespace coracle::cuda
