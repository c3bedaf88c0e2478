// The files of a frame. The scene's [output] selects them:
//   frames/surface.0001.ply, .vtp   the liquid's surface with velocity
//   frames/drops.0001.ply           single drops outside the surface: points with velocity
//   frames/liquid.0001.vdb          the liquid's distance field and velocity
//   frames/smoke.0001.vdb           smoke, temperature and velocity of gas
//   frames/smoke.0001.nrrd          smoke only
//   frames/solids.0001.vtp          surfaces of all solids; frame 0 only if no solid moves or holds liquid
//   frames/solid_<name>.0001.ply    the surface of one solid; frame 0 only if it does not move and holds no liquid.
//                                   With method skinned also the thickness of the film on it, m
//   frames/body_<name>.0001.vtu     a body's elements, or the surface of a rigid one, with velocity, displacement from
//                                   rest, von Mises stress, the liquid's pressure on its surface
//   frames/body_<name>.0001.ply     its surface, or the finer embedded one; shells with their thickness, rods as tubes.
//                                   output.solids also selects body files
//   frames/particles.0001.ply, .vtp
//   frames/surface.pvd, ...         the .vtp and .vtu files over time
// With output.paraview = false there are no .vtp, .vtu and .pvd files.
#pragma once

#include "coracle/scene.h"
#include "coracle/step/workspace.h"
#include "coracle/world.h"

#include <functional>
#include <string>

namespace coracle {

// Writes frame world.clock.frame into the run directory `dir`. Collects the data now; the tasks given to `later` write
// the files, in that order, so that the next steps need not wait for them.
using Later = std::function<void(std::function<void()>)>;
void write_frame(const std::string& dir, const Scene& scene, const World& world, const Workspace& work,
                 const Later& later);

}  // namespace coracle
