// Conjugate gradients for systems of three unknowns a node that are known by their product with a vector only, with the
// inverse of the 3×3 blocks of the diagonal as preconditioner. In double, the same bits on any number of threads.
#pragma once

#include "coracle/base/simd.h"
#include "coracle/types.h"

#include <functional>
#include <vector>

namespace coracle {

// Three numbers a node, and a fourth that is zero.
using WideField = std::vector<Double4>;
inline Double4 wide(const Vec3& x) { return Double4{x.x(), x.y(), x.z(), 0}; }
inline Vec3 vec3(Double4 x) { return Vec3(x[0], x[1], x[2]); }

struct MatrixFreeCg {
  double tolerance = 1e-4;  // of ‖b − A x‖ / ‖b‖ in the norm of the preconditioner
  int max_iterations = 1000;
  int iterations = 0;    // of the last solve
  double residual = 0;   // as above
  WideField r, z, p, q;  // kept between solves
  std::vector<Mat3> inverse;

  // Solve A x = b from x; false if that does not converge. `diagonal`: the blocks of A.
  [[nodiscard]] bool solve(const std::function<void(const WideField&, WideField&)>& multiply,
                           const std::vector<Mat3>& diagonal, const WideField& b, WideField& x);
};

double dot(const WideField& a, const WideField& b);

}  // namespace coracle
