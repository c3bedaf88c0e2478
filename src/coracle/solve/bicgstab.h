// BiCGSTAB [VanDerVorst92] with a preconditioner from the right, for systems without symmetry. In double, the same bits
// on any number of threads.
#pragma once

#include "coracle/solve/conjugate_gradients.h"

namespace coracle {

// Solve A x = b from the x given, as conjugate_gradients does for symmetric A. Of the options: tolerance, floor,
// max_iterations. An iteration multiplies by A twice.
[[nodiscard]] SolveReport bicgstab(const Apply& multiply, const Vector& b, Vector& x, const Apply& precondition,
                                   const std::vector<std::vector<int>>& closed, const CgOptions& options);

}  // namespace coracle
