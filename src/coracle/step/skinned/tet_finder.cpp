#include "coracle/step/skinned/tet_finder.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/tet_topology.h"

#include <Eigen/Geometry>

#include <algorithm>

namespace coracle {

void TetFinder::set(const SkinShell& shell, const std::vector<Vec3>& x) {
  shell_ = &shell;
  x_ = &x;
  std::vector<Bounds> boxes(shell.tets.size());
  for_each_index(boxes.size(), [&](std::size_t t) {
    for (const int node : shell.tets[t]) boxes[t].extend(x[node]);
  });
  if (tree_.size() == int(boxes.size()))
    tree_.refit(boxes);
  else
    tree_ = BoxTree(boxes);
}

double TetFinder::reach(const Vec3& p, int tet, int face) const {
  const Vec3i k = tet_face(shell_->tets[tet], face);
  const Vec3 &a = (*x_)[k[0]], &b = (*x_)[k[1]], &c = (*x_)[k[2]];
  return (p - a).dot((b - a).cross(c - a));
}

bool TetFinder::holds(const Vec3& p, int tet) const {
  for (int f = 0; f < 4; ++f)
    if (reach(p, tet, f) > 0) return false;
  return true;
}

TetFinder::Place TetFinder::find(const Vec3& p, int start) const {
  constexpr int most_steps = 64;  // a tet turned inside out can send the walk in circles
  Place place;
  int tet = start;
  for (int step = 0; step < most_steps; ++step) {
    int exit = -1;
    double farthest = 0;
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
  // The shell is not convex: the walk may have ended too early.
  int found = -1;
  tree_.visit({.lo = p, .hi = p}, [&](int t) {
    if ((found < 0 || t < found) && holds(p, t)) found = t;
  });
  place.tet = found;
  return place;
}

}  // namespace coracle
