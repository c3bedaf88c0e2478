// The page of liquid on a GPU.
#include "coracle/base/place/cuda.h"
#include "coracle/step/liquid/device/page.h"

namespace coracle {

std::unique_ptr<PlacedPage> make_cuda_page() {
  cuda::require_device();
  return std::make_unique<PageAt<Cuda>>(make_cuda_placed_solver());
}

}  // namespace coracle
