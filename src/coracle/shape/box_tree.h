// A tree of boxes that finds overlapping boxes: the broad phase of contact.
//
// Nodes have eight children and lie level by level in one array, without pointers: child c of node i of a level is
// node, or item, 8 i + c of the level below. The boxes of the eight children are tested at once. Boxes are kept as
// floats that are rounded outward, so that boxes may count as overlapping that are 10⁻⁷ of their coordinates apart.
//
// refit() takes new boxes of the same items, in about a sixth of the time of a new tree. The tree stays correct however
// far the items move, but it finds pairs more slowly once neighbours in the tree are no longer neighbours in space. A
// new tree pays where looseness() exceeds 2: there finding pairs takes twice as long, at 6 twenty times. Meshes that
// deform hardly reach 1.2; particles that mix do. The pairs found do not depend on that choice.
#pragma once

#include "coracle/base/simd.h"
#include "coracle/types.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace coracle {

struct ItemPair {
  int first, second;
  bool operator==(const ItemPair&) const = default;
};

class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(std::span<const Bounds> boxes);

  // New boxes of the same items.
  void refit(std::span<const Bounds> boxes);
  int size() const { return int(order_.size()); }
  // Sum of the sizes of the lowest nodes, relative to those of the items: 1 after building.
  double looseness() const { return compactness() / built_compactness_; }

  // visit(item) for every item whose box overlaps `box`. The order depends on the tree alone. Boxes that touch overlap;
  // empty ones overlap nothing.
  template <class Visit>
  void visit(const Bounds& box, Visit&& visit) const;

  // Pairs of overlapping boxes, ordered by the first item, then by the second. The order depends neither on threads
  // nor on the shape of the trees. `keep`, if there is one, says which pairs to list; threads call it at once.
  using Keep = std::function<bool(int first, int second)>;
  // Items of the first and the second tree.
  friend std::vector<ItemPair> overlapping_pairs(const BoxTree& first, const BoxTree& second, const Keep& keep);
  // Items of one tree, every pair once, first < second.
  friend std::vector<ItemPair> overlapping_pairs(const BoxTree& tree, const Keep& keep);

 private:
  static constexpr int width = 8;  // children of a node
  static constexpr int max_levels = 11;
  struct Node {
    std::array<Float8, 3> lo, hi;  // of the children
  };
  struct Box {
    std::array<float, 3> lo, hi;
  };
  struct Place {
    int level, node;
  };

  static const Box nothing;  // NaN: it overlaps no box, not even an infinite one
  static Box rounded_outward(const Bounds& bounds);
  static Box box_of(const Node& node);  // of all children
  static Box child(const Node& node, int c);
  static unsigned overlaps(const Node& node, const Box& box);  // one bit a child
  const Node& node(Place at) const { return nodes_[level_start_[at.level] + at.node]; }
  int leaves() const { return level_start_[1]; }
  double compactness() const;
  // `within`: the two trees are one.
  static std::vector<ItemPair> pairs(const BoxTree& first, const BoxTree& second, bool within, const Keep& keep);
  // visit(leaf, hits) for every node of level 0, from `from` on, that has a child that may overlap the box.
  template <class Visit>
  void visit_leaves(const Box& box, int from, Visit&& visit) const;

  std::vector<int> order_;                         // items in the order of the leaves
  std::vector<Node> nodes_;                        // level 0, then level 1, …; the last is the root
  std::array<int, max_levels + 1> level_start_{};  // of nodes
  int levels_ = 0;
  double built_compactness_ = 1;
};

std::vector<ItemPair> overlapping_pairs(const BoxTree& first, const BoxTree& second, const BoxTree::Keep& keep = {});
std::vector<ItemPair> overlapping_pairs(const BoxTree& tree, const BoxTree::Keep& keep = {});

// ---- Templates

inline unsigned BoxTree::overlaps(const Node& node, const Box& box) {
  auto hit = (node.lo[0] <= box.hi[0]) & (node.hi[0] >= box.lo[0]);
  for (int a = 1; a < 3; ++a) hit &= (node.lo[a] <= box.hi[a]) & (node.hi[a] >= box.lo[a]);
#ifdef __AVX__
  return unsigned(__builtin_ia32_movmskps256(reinterpret_cast<Float8>(hit)));
#else
  unsigned bits = 0;
  for (int c = 0; c < width; ++c) bits |= unsigned(hit[c] & 1) << c;
  return bits;
#endif
}

template <class Visit>
void BoxTree::visit_leaves(const Box& box, int from, Visit&& visit) const {
  if (levels_ == 0) return;
  std::array<Place, max_levels * width> stack;
  int top = 0;
  stack[top++] = {levels_ - 1, 0};
  while (top > 0) {
    const Place at = stack[--top];
    const unsigned hits = overlaps(node(at), box);
    if (hits == 0) continue;
    if (at.level == 0) {
      visit(at.node, hits);
      continue;
    }
    // Last child first, so that leaves come in order. The last leaf below a node is ((node + 1) << 3 level) − 1.
    for (int c = width - 1; c >= 0; --c) {
      const int below = width * at.node + c;
      if ((hits >> c & 1) && (std::int64_t(below + 1) << 3 * (at.level - 1)) > from)
        stack[top++] = {at.level - 1, below};
    }
  }
}

template <class Visit>
void BoxTree::visit(const Bounds& box, Visit&& visit) const {
  visit_leaves(rounded_outward(box), 0, [&](int leaf, unsigned hits) {
    for (; hits != 0; hits &= hits - 1) visit(order_[width * leaf + __builtin_ctz(hits)]);
  });
}

}  // namespace coracle
