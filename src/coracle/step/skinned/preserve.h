// Keep every tet of the shell from holding more than it can, without losing any liquid [Lee19 alg. 2]. Excess goes to
// neighbours, then outward by rank, at last out of the shell as drops. Volume and momentum move together; what one tet
// loses another gets, as the same double, and of a split the last receiver gets the difference.
//
// Our reading of the paper: the boundary is made of the tets with a face on the outer hull; the rank is the distance at
// rest from the skin; precomputed tets are SkinShell::onward; a cut tet has a face on the skin or next to a shut tet.
#pragma once

#include "coracle/base/index_set.h"
#include "coracle/step/skinned/moving_shell.h"

#include <vector>

namespace coracle {

// What follows from the shell is listed at first use.
struct PreserveWork {
  // Smear: what tets above capacity give.
  struct Donor {
    double excess;  // m³
    Vec3 v;         // m/s
  };
  std::vector<Donor> donors;
  IndexSet giving, receiving;

  std::vector<int> place;  // per tet: where in SkinShell::order it stands
  IndexSet over;           // places of tets above capacity

  // The correction visits tets with a neighbour of lower rank, in levels: a tet comes after those neighbours. Level k
  // begins at level[k], a multiple of 64; gaps have no tet.
  struct Upper {
    int tet = -1;
    Vec4i lower = Vec4i::Constant(-1);  // the neighbours of lower rank across each face; −1: not lower
  };
  std::vector<Upper> by_level;
  std::vector<int> level, place_in_levels;
  std::vector<unsigned char> state;  // of the tets that `wet` has
  IndexSet wet, due;
};

// Tets above capacity give their excess equally to their neighbours, all at once; those of the boundary do not, nor do
// shut ones receive.
void smear(const SkinShell& shell, const MovingShell& moving, TetLiquid& liquid, PreserveWork& work);

// One sweep from the skin outward. A tet above capacity gives the excess equally to neighbours as far as these have
// room, the rest equally to neighbours of higher rank, or else to its onward tet, whatever these hold: their turn comes
// later. A tet of the boundary emits it as a drop. After the sweep no tet holds more than its capacity.
void pushout(const SkinShell& shell, const MovingShell& moving, TetLiquid& liquid, Drops& drops, PreserveWork& work);

// Velocities are corrected relative to the shell, w = v − v_shell, so that liquid that turns with the shell is left
// alone.

// Liquid does not move into the skin, nor into shut tets: w·n ≥ 0.
void stop_at_walls(const SkinShell& shell, const MovingShell& moving, TetLiquid& liquid);

// Liquid does not move into full tets below it that rest on the skin: from the skin outward, a tet over such a
// neighbour loses the part of its velocity toward it, (w − w_lower)·n ≥ 0, and becomes one itself.
void correct_velocities(const SkinShell& shell, const MovingShell& moving, TetLiquid& liquid, PreserveWork& work);

// Remove what is above capacity; returns its volume, m³. For comparison: a method without pushout loses this.
double cut_off_excess(const MovingShell& moving, TetLiquid& liquid);

}  // namespace coracle
