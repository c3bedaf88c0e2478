#include "coracle/solve/pressure_solver.h"

#include "coracle/error.h"

namespace coracle {

#ifdef CORACLE_CUDA
namespace cuda {
void require_device();
std::string device_name();
}  // namespace cuda
std::unique_ptr<PressureSolver> make_cuda_pressure_solver();
#else
namespace {
namespace cuda {
void require_device() {
  throw RunError(
      "this program was built without CUDA; build it where CUDA is installed, or take solver.backend = \"cpu\"");
}
std::string device_name() { return ""; }
}  // namespace cuda
std::unique_ptr<PressureSolver> make_cuda_pressure_solver() { return nullptr; }
}  // namespace
#endif
std::unique_ptr<PressureSolver> make_cpu_pressure_solver();

void require_backend(Backend backend) {
  if (backend == Backend::cuda) cuda::require_device();
}

std::string device_name(Backend backend) { return backend == Backend::cuda ? cuda::device_name() : ""; }

namespace {

// Makes the back end that the options ask for when it is first needed.
class ChosenPressureSolver : public PressureSolver {
 public:
  SolveReport solve(const PressureEquation& equation, const PressureOptions& options, Vector& q) override {
    std::unique_ptr<PressureSolver>& solver = options.backend == Backend::cuda ? cuda_ : cpu_;
    if (!solver) {
      require_backend(options.backend);
      solver = options.backend == Backend::cuda ? make_cuda_pressure_solver() : make_cpu_pressure_solver();
    }
    return solver->solve(equation, options, q);
  }

 private:
  std::unique_ptr<PressureSolver> cpu_, cuda_;
};

}  // namespace

std::unique_ptr<PressureSolver> make_pressure_solver() { return std::make_unique<ChosenPressureSolver>(); }

}  // namespace coracle
