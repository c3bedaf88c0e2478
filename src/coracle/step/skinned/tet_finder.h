// Which tet of the shell holds a point: by a walk from face to face, which short ways end soon, else by a tree of
// boxes.
#pragma once

#include "coracle/shape/box_tree.h"
#include "coracle/skinned.h"

#include <vector>

namespace coracle {

class TetFinder {
 public:
  // At the nodes' places x, which must outlive the finder's use.
  void set(const SkinShell& shell, const std::vector<Vec3>& x);

  struct Place {
    int tet = -1;   // −1: no tet holds the point
    int last = -1;  // if none: the tet where the walk met the skin; −1: it met the hull
  };
  Place find(const Vec3& p, int start) const;

 private:
  double reach(const Vec3& p, int tet, int face) const;  // > 0: p lies beyond the face
  bool holds(const Vec3& p, int tet) const;

  const SkinShell* shell_ = nullptr;
  const std::vector<Vec3>* x_ = nullptr;
  BoxTree tree_;
};

}  // namespace coracle
