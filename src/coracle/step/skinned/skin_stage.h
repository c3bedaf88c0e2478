// The stage of liquid on skins, after the solids have moved and before the bulk's surface is found anew
// (docs/skinned.md). It holds what the grid cannot: films, sheets and drops thinner than a cell.
#pragma once

#include "coracle/report.h"
#include "coracle/scene.h"
#include "coracle/step/skinned/adhesion.h"
#include "coracle/step/skinned/cover.h"
#include "coracle/step/skinned/drops.h"
#include "coracle/step/skinned/entrain.h"
#include "coracle/step/skinned/shed.h"
#include "coracle/step/skinned/tet_stage.h"
#include "coracle/timer.h"

namespace coracle {

// Of one skin; follows from the state.
struct SkinWork {
  SkinEdges edges;
  SkinFrame frame;
  DripPatches patches;
  std::vector<int> tet_of;   // per triangle of the skin: the closest tet
  std::vector<Vec3> nodes;   // m, of the shell
  std::vector<Vec3> before;  // m, at the start of the step
  std::vector<Vec3> fibres;  // at rest
  std::vector<Vec3> fibres_now;
  std::vector<Vec3> a;  // m/s², of the vertices
  std::vector<Vec3> pose_x, pose_v, pose_later;
  std::vector<Mat3> pose_frames;
  SkinCurvature curvature;
  MovingShell moving;
  TetFinder finder;
  TetWork tets;
  FilmWork film;
  std::size_t low_tets = 0;  // of SkinShell::order: those within an edge of the skin
  IndexSet low;              // places of those that are wet
  ExchangeWork exchange;
  StageTimes times;  // of the last step, by part
};

// What follows from the state.
void derive_skins(const Scene& scene, const World& world, const Liquid& liquid, std::vector<SkinWork>& work);
// One step, to the present places of the solids.
void step_skins(const Scene& scene, const World& world, const Surroundings& around, double dt, Liquid& liquid,
                std::vector<SkinWork>& work);
// After a failed step.
void undo_skins(std::vector<SkinWork>& work);

}  // namespace coracle
