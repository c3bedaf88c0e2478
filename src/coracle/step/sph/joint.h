// Liquid and bodies in one minimisation [Xie23 eq. 4.23]:
//     ½‖v − v̂‖²_M + [P + Ψ + C_sf + C_ss](x + h v)
// Newton's method with a line search that no contact bars, as for bodies alone; every direction by conjugate gradients
// with the 3×3 blocks of the diagonal, the liquid's part by products only.
#pragma once

#include "coracle/step/sph/fluid_phase.h"
#include "coracle/step/sph/solid_phase.h"

namespace coracle {

struct JointResult {
  BodySolve solve;
  int cg_iterations = 0;
  std::vector<Vec3> v;  // m/s, of the particles
};

// `near`: the particles that may touch something in this step; `held`: those that keep their velocity. `free`: v̂ of the
// particles. Bodies have their velocities of the start, and get those of the end.
JointResult solve_joint(const Scene& scene, World& world, const SphSystem& system, const std::vector<Vec3>& x,
                        const std::vector<Vec3>& v, const std::vector<Vec3>& free, const std::vector<double>& kappa,
                        const std::vector<std::uint8_t>& held, const std::vector<std::size_t>& near,
                        const TouchLaw& law, double dt, double near_enough, StepWork& step, BodySystem& bodies,
                        MatrixFreeCg& cg);

}  // namespace coracle
