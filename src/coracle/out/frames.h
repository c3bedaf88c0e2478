// What a frame leaves on disk, as far as the scene's [output] asks for it:
//   frames/surface.0001.ply, .vtp   the liquid's surface with its velocity
//   frames/drops.0001.ply           drops that fly alone: points with their velocity
//   frames/liquid.0001.vdb          its distance field and velocity
//   frames/smoke.0001.vdb           smoke, temperature and velocity of gas
//   frames/smoke.0001.nrrd          its smoke alone
//   frames/solids.0001.vtp          surfaces of the solids; frame 0 alone where nothing moves
//   frames/solid_<name>.0001.ply    each by itself; frame 0 alone where it stands still
//   frames/body_<name>.0001.vtu     a deformable body's tets with velocity, displacement from rest, von Mises' stress,
//                                   the liquid's pressure on its surface
//   frames/body_<name>.0001.ply     its surface, or the finer one that follows it; both go with the solids
//   frames/particles.0001.ply, .vtp
//   frames/surface.pvd, ...         the .vtp and .vtu files over time
#pragma once

#include "coracle/scene.h"
#include "coracle/step/workspace.h"
#include "coracle/world.h"

#include <functional>
#include <string>

namespace coracle {

// Of world.clock.frame, into the run directory `dir`. What is to be written is gathered now, the files are written by
// the tasks given to `later`, in that order: the next steps need not wait for them.
using Later = std::function<void(std::function<void()>)>;
void write_frame(const std::string& dir, const Scene& scene, const World& world, const Workspace& work,
                 const Later& later);

}  // namespace coracle
