// Liquid and bodies through one step's forces: pressure of the one and velocity of the others, in one solve
// [ZarifiBatty17 sec. 5].
//
// Weaker couplings are there to be compared with:
//     damping_only   the elastic force is found first, without the pressure; damping alone is in the coupled solve, as
//     in
//                    [RobinsonMosher09]
//     weak           the pressure is found for the bodies' last velocities, the bodies then move under it
#pragma once

#include "coracle/step/body/body_problem.h"
#include "coracle/step/couple/coupling.h"
#include "coracle/step/grid/projection.h"

#include <memory>

namespace coracle {

struct AssembledSystem;

struct CoupledReport {
  bool ok = true;
  std::string trouble;
  std::shared_ptr<const AssembledSystem> failed;  // the system that did not converge, where solver.dump asks for it
  ProjectionReport projection;
  BodySolve bodies;
};

// Where the result goes.
struct CoupledState {
  FaceField<double>& u;
  Array3<double>& p;  // Pa; also the first guess
  FaceField<std::uint8_t>& valid;
  std::vector<Body>& bodies;
  std::vector<std::vector<Vec3>>& moved;  // m/s, by which the nodes move over the step
  std::vector<Pocket>& pockets;
};

[[nodiscard]] CoupledReport project_with_bodies(const ProjectionInput& liquid, const BodyStep& step,
                                                PressureSystem& pressure, BodySystem& system, CoupledState state);

}  // namespace coracle
