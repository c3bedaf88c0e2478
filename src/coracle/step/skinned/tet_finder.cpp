#include "coracle/step/skinned/tet_finder.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/tet_topology.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace coracle {

void TetFinder::set(const SkinShell& shell, const std::vector<Vec3>& x) {
  shell_ = &shell;
  x_ = &x;
  fitted_ = false;
}

void TetFinder::fit() {
  if (fitted_) return;
  boxes_.assign(shell_->tets.size(), {});
  for_each_index(boxes_.size(), [&](std::size_t t) {
    for (const int node : shell_->tets[t]) boxes_[t].extend((*x_)[node]);
  });
  if (tree_.size() == int(boxes_.size()))
    tree_.refit(boxes_);
  else
    tree_ = BoxTree(boxes_);
  fitted_ = true;
}

double TetFinder::reach(const Vec3& p, int tet, int face) const {
  const Vec3i k = tet_face(shell_->tets[tet], face);
  const Vec3 &a = (*x_)[k[0]], &b = (*x_)[k[1]], &c = (*x_)[k[2]];
  return (p - a).dot((b - a).cross(c - a));
}

// Points on a face lie beyond it from both sides, by round-off: they must not fall between the tets.
double TetFinder::on_face() const { return 1e-12 * shell_->edge * shell_->edge * shell_->edge; }

bool TetFinder::holds(const Vec3& p, int tet) const {
  for (int f = 0; f < 4; ++f)
    if (reach(p, tet, f) > on_face()) return false;
  return true;
}

TetFinder::Place TetFinder::walk(const Vec3& p, int start) const {
  constexpr int most_steps = 64;  // a tet turned inside out can send the walk in circles
  Place place;
  int tet = start;
  for (int step = 0; step < most_steps; ++step) {
    int exit = -1;
    double farthest = on_face();
    for (int f = 0; f < 4; ++f) {
      const double r = reach(p, tet, f);
      if (r > farthest) farthest = r, exit = f;
    }
    if (exit < 0) {
      place.tet = tet;
      return place;
    }
    const int next = shell_->neighbours[tet][exit];
    if (next < 0) {
      if (next == SkinShell::skin) place.last = tet;
      break;
    }
    tet = next;
  }
  return place;
}

int TetFinder::search(const Vec3& p) const {
  int found = -1;
  tree_.visit({.lo = p, .hi = p}, [&](int t) {
    if ((found < 0 || t < found) && holds(p, t)) found = t;
  });
  return found;
}

TetFinder::Place TetFinder::find(const Vec3& p, int start) const {
  Place place = walk(p, start);
  if (place.tet < 0) place.tet = search(p);
  return place;
}

}  // namespace coracle
