// Preconditioned conjugate gradients, in double, the same bits on any number of threads.
#pragma once

#include "coracle/solve/stencil.h"
#include "coracle/solve_report.h"

#include <functional>
#include <vector>

namespace coracle {

struct Range {
  std::size_t begin, end;
};
// The spans of a matrix's rows as ranges of indices.
std::vector<Range> support_of(const Stencil<double>& a);

// The vectors of a solve, reused by the next one. Outside the support they keep old values.
struct CgVectors {
  Vector r, q, z, p, rhs;
};

struct CgOptions {
  double tolerance = 1e-8;  // of ‖b − A x‖ / ‖b‖
  double floor = 0;         // least absolute tolerance: the round-off of b
  int max_iterations = 500;
  std::vector<Range> support = {};  // where vectors can be non-zero; empty: everywhere
  bool keep_start = false;          // use the initial guess even if it is worse than zero
  CgVectors* vectors = nullptr;
};

using Apply = std::function<void(const Vector& in, Vector& out)>;

// Solve A x = b from the initial guess x. `closed` lists sets of cells on which A is singular (constants are its null
// space): the means of b and x over each set are removed, which makes the solve regular.
[[nodiscard]] SolveReport conjugate_gradients(const Apply& multiply, const Vector& b, Vector& x,
                                              const Apply& precondition, const std::vector<std::vector<int>>& closed,
                                              const CgOptions& options);

[[nodiscard]] inline SolveReport conjugate_gradients(const Stencil<double>& a, const Vector& b, Vector& x,
                                                     const Apply& precondition,
                                                     const std::vector<std::vector<int>>& closed,
                                                     const CgOptions& options) {
  return conjugate_gradients([&](const Vector& in, Vector& out) { multiply(a, in, out); }, b, x, precondition, closed,
                             options);
}

// Subtract from x its mean over each set.
void remove_means(Vector& x, const std::vector<std::vector<int>>& sets);

double dot(const Vector& a, const Vector& b);
double norm(const Vector& a);

}  // namespace coracle
