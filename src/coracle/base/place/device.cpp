#include "coracle/base/place/device.h"

namespace coracle::cuda {

void require_device() {
  const char* const remedy = "; solver.backend = \"cpu\" does without a GPU";
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found == cudaErrorInsufficientDriver)
    throw RunError("this machine has no driver of a GPU, or an older one than this program needs (CUDA " +
                   std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION / 10 % 100) + ")" +
                   remedy);
  if (found == cudaErrorNoDevice || (found == cudaSuccess && count == 0))
    throw RunError(std::string("this machine has no GPU that CUDA can use") + remedy);
  if (found != cudaSuccess)
    throw RunError(std::string("the GPU cannot be used: ") + cudaGetErrorString(found) + remedy);
}

std::string device_name() {
  cudaDeviceProp properties{};
  int device = 0;
  check(cudaGetDevice(&device), "looking for a device");
  check(cudaGetDeviceProperties(&properties, device), "looking at the device");
  return std::string(properties.name) + ", " + std::to_string(properties.totalGlobalMem >> 30) + " GiB";
}

}  // namespace coracle::cuda
