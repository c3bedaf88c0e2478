// Liquid moves with points of quadrature [Lee19 alg. 1]. Backward: every tet of the new shell is traced back by its
// velocity and asks the old tets under its points for their liquid; no old tet gives more than it has. Forward: what no
// tet asked for is traced on, and goes to the new tets under its points. Points outside of the shell exchange with the
// bulk.
//
// Points do not leave a tet at small Courant numbers: liquid stalls below about 0.1 edges a step. At larger ones the
// points of all tets fall into step with the lattice: the way of a step is wrong by up to 0.12 edges, whatever their
// number (4, 10, 20 were tried); 10 % at a Courant number of 1. transport_by_flux (flux.h) does neither.
//
// Our reading of the paper: a dry tet moves with the shell; a point asks an old tet of volume V for the share
// (V_new/4)/V; the forward pass moves only what was not asked for.
#pragma once

#include "coracle/step/skinned/moving_shell.h"
#include "coracle/step/skinned/tet_finder.h"

#include <functional>
#include <vector>

namespace coracle {

// What the rest of the world is to the samples. Each may be empty.
struct SampleHooks {
  struct Taken {
    double volume = 0;
    Vec3 v = Vec3::Zero();
  };
  // The place that a point reaches on its way: before `to` if a solid is met. Called from several threads.
  std::function<Vec3(const Vec3& from, const Vec3& to)> clamp;
  // At most `volume` of the bulk's liquid at a point; empty: there is no bulk.
  std::function<Taken(const Vec3& at, double volume)> take;
  // Liquid that leaves the shell; empty: it becomes drops.
  std::function<void(const Vec3& at, const Vec3& v, double volume)> give;
};

struct SampleWork {
  TetFinder finder;
  std::vector<Vec3> points;             // 4 a tet
  std::vector<TetFinder::Place> where;  // of the points
  std::vector<double> asked;            // per old tet: sum of shares
  std::vector<int> requests;            // per old tet: still to come
  TetLiquid next;
};

// x_n: nodes at the start of the step.
void transport_by_samples(const SkinShell& shell, const std::vector<Vec3>& x_n, const MovingShell& moving, double dt,
                          const SampleHooks& hooks, TetLiquid& liquid, Drops& drops, SampleWork& work);

}  // namespace coracle
