// The pressure of a fluid on a grid and the velocity of deformable bodies in one solve [ZarifiBatty17 sec. 5].
//
// Weaker couplings, for comparison:
//     damping_only   the elastic force is found first, without the pressure; only damping is in the coupled solve, as
//                    in [RobinsonMosher09]
//     weak           the pressure is found for the bodies' last velocities; the bodies then move under it
#pragma once

#include "coracle/step/body/body_solve.h"
#include "coracle/step/couple/coupling.h"
#include "coracle/step/grid/fluid_system.h"
#include "coracle/world.h"

#include <memory>

namespace coracle {

struct AssembledSystem;

struct CoupledReport {
  bool ok = true;
  std::string trouble;
  std::shared_ptr<const AssembledSystem> failed;  // the system that did not converge, if solver.dump is set
  ProjectionReport projection;
  BodySolve bodies;
};

// Where the result goes, beside the fluid.
struct CoupledState {
  std::vector<Pocket>& pockets;
  std::vector<Body>& bodies;
  std::vector<NodeField>& motion;  // m/s, by which the nodes move over the step, per body
};

[[nodiscard]] CoupledReport project_with_bodies(const ProjectionInput& input, const BodyStep& step, FluidSystem& fluid,
                                                BodySystem& system, CoupledState state);

// κ = ρ dx³ / Δt, kg/s.
inline double kappa(const ProjectionInput& in) { return in.density * in.grid.cell_volume() / in.dt; }

}  // namespace coracle
