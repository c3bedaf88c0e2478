// Modified incomplete Cholesky of a 7-point matrix in natural order, kept for comparison with multigrid. Serial.
#pragma once

#include "coracle/solve/stencil.h"

namespace coracle {

class IncompleteCholesky {
 public:
  void set_up(const Stencil<double>& a);
  // z ≈ A⁻¹ r
  void apply(const Vector& r, Vector& z);

 private:
  const Stencil<double>* a_ = nullptr;
  Vector inverse_pivot_;
};

}  // namespace coracle
