// What a pressure solve keeps for the next one: the arrays of its preconditioners and its vectors.
#pragma once

#include "coracle/solve/conjugate_gradients.h"
#include "coracle/solve/incomplete_cholesky.h"
#include "coracle/solve/multigrid.h"

namespace coracle {

struct SolverMemory {
  CgVectors vectors;
  Multigrid multigrid;
  IncompleteCholesky cholesky;
};

}  // namespace coracle
