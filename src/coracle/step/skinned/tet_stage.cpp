#include "coracle/step/skinned/tet_stage.h"

#include "coracle/base/parallel.h"

namespace coracle {

TetReport step_tets(const TetOptions& options, const SkinShell& shell, const std::vector<Vec3>& x_n,
                    const MovingShell& moving, const std::vector<Vec3>& fibres, double dt, const SampleHooks& hooks,
                    TetLiquid& liquid, Drops& drops, TetWork& work) {
  TetReport report;
  // 1. Gravity, and the drag of fur. Velocities are those of the world: nothing else acts on a turning shell.
  for_each_index(liquid.volume.size(), [&](std::size_t t) {
    if (liquid.volume[t] > 0) liquid.v[t] += dt * options.gravity;
  });
  drag(options.fur, fibres, moving, options.viscosity, dt, liquid);
  // 2. Carry volume and momentum relative to the shell.
  if (options.transport == SkinTransport::flux)
    report.flux =
        transport_by_flux(shell, moving, options.fur.grows() ? options.fur.residual : 0, dt, liquid, drops, work.flux);
  else
    transport_by_samples(shell, x_n, moving, dt, hooks, liquid, drops, work.samples);
  // 3. No tet holds more than it can.
  if (options.preserve == SkinPreserve::poisson) {
    report.lost = cut_off_excess(moving, liquid);
  } else {
    smear(shell, moving, liquid, work.preserve);
    pushout(shell, moving, liquid, drops, work.preserve);
  }
  // 4. Liquid does not run into the skin, nor into liquid that rests on it.
  if (options.preserve != SkinPreserve::paper) report.solve = project_by_pressure(shell, moving, liquid, work.pressure);
  stop_at_walls(shell, moving, liquid);
  if (options.preserve == SkinPreserve::paper) correct_velocities(shell, moving, liquid, work.preserve);
  return report;
}

}  // namespace coracle
