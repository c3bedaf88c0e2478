// Liquid that leaves the shell tet by tet, most of it as mist: what leaves close by becomes one drop.
#pragma once

#include "coracle/step/skinned/moving_shell.h"

namespace coracle {

class DropGatherer {
 public:
  DropGatherer(const SkinShell& shell, Drops& drops)
      : drops_(drops), reach_(2 * shell.edge), enough_(0.5 * usual_volume(shell)) {}
  DropGatherer(const DropGatherer&) = delete;
  ~DropGatherer() { finish(); }

  void add(const Vec3& x, const Vec3& v, double amount) {
    if (volume_ >= enough_ || (volume_ > 0 && (x - first_).norm() > reach_)) finish();
    if (volume_ == 0) first_ = x_ = x, v_ = v;
    volume_ += amount;
    x_ += amount / volume_ * (x - x_);
    v_ += amount / volume_ * (v - v_);
  }

 private:
  void finish() {
    if (volume_ > 0) drops_.add(x_, v_, volume_);
    volume_ = 0;
  }

  Drops& drops_;
  double reach_;   // m: a drop gathers no farther
  double enough_;  // m³: a drop of this size is complete
  Vec3 first_, x_, v_;
  double volume_ = 0;
};

}  // namespace coracle
