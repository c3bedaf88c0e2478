// Memory and errors of a CUDA device.
#pragma once

#include "coracle/base/device_memory_error.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace coracle::cuda {

// Memory that runs out is an error that the user can mend; anything else is a bug or a broken device.
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();  // a later call starts anew, if the device can
  if (status == cudaErrorMemoryAllocation) {
    std::size_t free = 0, all = 0;
    (void)cudaMemGetInfo(&free, &all);
    throw DeviceMemoryError("the memory of the GPU is full (" + std::to_string(free >> 20) + " of " +
                            std::to_string(all >> 20) +
                            " MB are free); lower domain.resolution, or take solver.backend = \"cpu\"");
  }
  throw RunError(std::string("the GPU failed at ") + what + ": " + cudaGetErrorString(status) +
                 "; solver.backend = \"cpu\" does without it");
}

// Throws RunError, with the remedy, unless there is a device that this program can use.
void require_device();
// "NVIDIA H200, 139 GiB"
std::string device_name();

// Values on the device. `pad` more stand before the first and after the last one; they are zero.
template <class T>
class Array {
 public:
  Array() = default;
  ~Array() { release(); }
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    swap(other);
    return *this;
  }

  // Sets the size; grows if it must. New memory is zero, kept memory keeps its values.
  void resize(std::size_t size, std::size_t pad = 0) {
    const std::size_t whole = size + 2 * pad;
    if (whole > room_ || pad != pad_) {
      // What has grown before will grow again: an inflow adds particles in every step.
      const std::size_t room = pad == 0 && room_ > 0 ? std::max(whole, room_ + room_ / 8) : whole;
      release();
      check(cudaMalloc(reinterpret_cast<void**>(&memory_), room * sizeof(T)), "allocation");
      room_ = room, pad_ = pad;
      check(cudaMemset(memory_, 0, room * sizeof(T)), "clearing memory");
      check(cudaStreamSynchronize(nullptr), "clearing memory");  // other streams do not wait for it
    }
    size_ = size;
  }
  void clear(cudaStream_t stream) {
    check(cudaMemsetAsync(memory_, 0, (size_ + 2 * pad_) * sizeof(T), stream), "clearing memory");
  }
  void upload(const T* from, std::size_t size, cudaStream_t stream, std::size_t pad = 0) {
    resize(size, pad);
    if (size > 0)
      check(cudaMemcpyAsync(data(), from, size * sizeof(T), cudaMemcpyHostToDevice, stream), "a copy to the GPU");
  }
  void upload(const std::vector<T>& from, cudaStream_t stream, std::size_t pad = 0) {
    upload(from.data(), from.size(), stream, pad);
  }
  void download(T* to, cudaStream_t stream) const {
    if (size_ > 0)
      check(cudaMemcpyAsync(to, data(), size_ * sizeof(T), cudaMemcpyDeviceToHost, stream), "a copy from the GPU");
  }

  T* data() { return memory_ + pad_; }
  const T* data() const { return memory_ + pad_; }
  std::size_t size() const { return size_; }

 private:
  void release() {
    if (memory_) (void)cudaFree(memory_);
    memory_ = nullptr, room_ = size_ = pad_ = 0;
  }
  void swap(Array& other) {
    std::swap(memory_, other.memory_), std::swap(room_, other.room_);
    std::swap(size_, other.size_), std::swap(pad_, other.pad_);
  }

  T* memory_ = nullptr;
  std::size_t room_ = 0, size_ = 0, pad_ = 0;
};

}  // namespace coracle::cuda
