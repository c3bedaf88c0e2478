// Which tet of the shell holds a point: by a walk from face to face, which short ways end soon, else by a tree of
// boxes.
#pragma once

#include "coracle/shape/box_tree.h"
#include "coracle/skinned.h"

#include <vector>

namespace coracle {

class TetFinder {
 public:
  // At the nodes' places x, which must outlive the finder's use. Walks are possible at once.
  void set(const SkinShell& shell, const std::vector<Vec3>& x);
  // Makes the tree, which the other ways need, once after set().
  void fit();

  struct Place {
    int tet = -1;   // −1: no tet holds the point
    int last = -1;  // if none: the tet where the walk met the skin; −1: it met the hull
  };
  // By a walk alone: the shell is not convex, and the walk may end too early.
  Place walk(const Vec3& p, int start) const;
  // By the tree alone.
  int search(const Vec3& p) const;
  // By both.
  Place find(const Vec3& p, int start) const;

 private:
  double reach(const Vec3& p, int tet, int face) const;  // > 0: p lies beyond the face
  double on_face() const;                                // m³: no more than this is beyond
  bool holds(const Vec3& p, int tet) const;

  const SkinShell* shell_ = nullptr;
  const std::vector<Vec3>* x_ = nullptr;
  std::vector<Bounds> boxes_;
  BoxTree tree_;
  bool fitted_ = false;
};

}  // namespace coracle
