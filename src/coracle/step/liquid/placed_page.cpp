#include "coracle/step/liquid/placed_page.h"

namespace coracle {

#ifdef CORACLE_CUDA
std::unique_ptr<PlacedPage> make_cuda_page();
#else
namespace {
std::unique_ptr<PlacedPage> make_cuda_page() { return nullptr; }
}  // namespace
#endif

std::string not_placed_because(const Scene& scene) {
  if (scene.method != Method::cutcell) return "method is not \"cutcell\"";
  if (scene.liquid.advection == Advection::semi_lagrangian) return "liquid.advection is \"semi_lagrangian\"";
  if (scene.solver.form != CoupledForm::schur) return "solver.form is not \"schur\"";
  if (scene.solver.coupling != CouplingStrength::strong) return "solver.coupling is not \"strong\"";
  if (scene.solver.preconditioner != Preconditioner::multigrid) return "solver.preconditioner is not \"multigrid\"";
  return "";
}

std::unique_ptr<PlacedPage> make_placed_page(const Scene& scene) {
  if (scene.solver.backend != Backend::cuda || !not_placed_because(scene).empty()) return nullptr;
  return make_cuda_page();
}

}  // namespace coracle
