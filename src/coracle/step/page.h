// A page: the functions of one kind of fluid F, overloaded for each kind of the set Fluid (world.h). Only
// advance.cpp looks at the kind of fluid.
//
//   W work_of(const F&)                               what F keeps between steps besides its state
//   void start(scene, world, F&, step, W&)            time zero: fill F, then derive
//   void derive(scene, world, F&, step, W&)           compute what follows from the state; checkpoints do not hold it
//   StableStep stable_step(scene, world, F, W)        the longest step that the physics allows
//   StepReport step(scene, world, F&, step, W&, dt)   one step; if not ok, world and fluid are invalid
//   void undo(F&, W&)                                 after a failed step: restore what `step` set aside
//   void bring_home(F&, W&)                           fetch from a GPU what F and W leave there between steps; and
//   void set_out(F&, W&)                              leave it there: only for a fluid whose page runs there
//   R report_of(const F&)                             an empty report of its kind
//   FrameLayers layers(scene, world, F, W)            what a frame shows of F
//   const AssembledSystem* failed_system(W)           the system that did not converge, if solver.dump is set
#pragma once

#include "coracle/report.h"
#include "coracle/step/dry/dry_page.h"
#include "coracle/step/gas/gas_page.h"
#include "coracle/step/liquid/liquid_page.h"
#include "coracle/step/sph/sph_page.h"

namespace coracle {

template <class F, class W>
void bring_home(F&, W&) {}
template <class F, class W>
void set_out(F&, W&) {}

}  // namespace coracle
