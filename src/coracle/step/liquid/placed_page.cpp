#include "coracle/step/liquid/placed_page.h"

#include "coracle/scene/fluid_summary.h"

namespace coracle {

#ifdef CORACLE_CUDA
std::unique_ptr<PlacedPage> make_cuda_page();
#else
namespace {
std::unique_ptr<PlacedPage> make_cuda_page() { return nullptr; }
}  // namespace
#endif

std::unique_ptr<PlacedPage> make_placed_page(const Scene& scene) {
  if (scene.solver.backend != Backend::cuda || !not_on_gpu_because(scene).empty()) return nullptr;
  return make_cuda_page();
}

}  // namespace coracle
