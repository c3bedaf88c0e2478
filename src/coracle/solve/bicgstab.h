// BiCGSTAB [VanDerVorst92] with right preconditioning, for systems that are not symmetric. In double; the same bits on
// any number of threads.
#pragma once

#include "coracle/solve/conjugate_gradients.h"

namespace coracle {

// Solve A x = b from the initial guess x, as conjugate_gradients does for symmetric A. Uses only the options tolerance,
// floor and max_iterations. Each iteration multiplies by A twice.
[[nodiscard]] SolveReport bicgstab(const Apply& multiply, const Vector& b, Vector& x, const Apply& precondition,
                                   const std::vector<std::vector<int>>& closed, const CgOptions& options);

}  // namespace coracle
