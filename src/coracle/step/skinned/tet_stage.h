// The liquid in the tets of the shell over one step [Lee19]: forces, transport, and what keeps volume.
#pragma once

#include "coracle/scene.h"
#include "coracle/step/skinned/flux.h"
#include "coracle/step/skinned/fur.h"
#include "coracle/step/skinned/nodal_pressure.h"
#include "coracle/step/skinned/preserve.h"
#include "coracle/step/skinned/samples.h"

namespace coracle {

struct TetOptions {
  SkinTransport transport = SkinTransport::flux;
  SkinPreserve preserve = SkinPreserve::paper;
  Vec3 gravity = Vec3(0, -9.81, 0);
  double viscosity = 1e-6;  // m²/s
  Fur fur;
};

struct TetReport {
  FluxReport flux;
  double lost = 0;  // m³, by `poisson` alone
  SolveReport solve;
};

struct TetWork {
  FluxWork flux;
  SampleWork samples;
  PreserveWork preserve;
  PressureWork pressure;
};

// `moving`: the step of the shell from nodes x_n. `fibres`: unit vectors per tet now; none are needed without fur.
[[nodiscard]] TetReport step_tets(const TetOptions& options, const SkinShell& shell, const std::vector<Vec3>& x_n,
                                  const MovingShell& moving, const std::vector<Vec3>& fibres, double dt,
                                  const SampleHooks& hooks, TetLiquid& liquid, Drops& drops, TetWork& work);

}  // namespace coracle
