#include "coracle/shape/box_tree.h"

#include "coracle/base/check.h"
#include "coracle/base/parallel.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace coracle {

namespace {

constexpr float infinite = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t query_block = 64;  // leaves

float rounded_down(double x) {
  const float f = float(x);
  return f > x ? std::nextafter(f, -infinite) : f;
}

float rounded_up(double x) {
  const float f = float(x);
  return f < x ? std::nextafter(f, infinite) : f;
}

// An item while the tree is built.
struct Center {
  std::array<float, 3> x;
  int item;
};

// Order the items so that every aligned block of 8, of 64, of 512, … is compact: cut at a block's border near the
// middle, across the longest side, and so on in both parts.
void sort_in_space(std::span<Center> items, std::size_t block) {
  while (block >= items.size() && block > 1) block /= 8;
  if (block <= 1) return;
  std::array<float, 3> lo = items[0].x, hi = lo;
  for (const Center& c : items)
    for (int a = 0; a < 3; ++a) lo[a] = std::min(lo[a], c.x[a]), hi[a] = std::max(hi[a], c.x[a]);
  int axis = 0;
  for (int a = 1; a < 3; ++a)
    if (hi[a] - lo[a] > hi[axis] - lo[axis]) axis = a;
  const std::size_t blocks = (items.size() + block - 1) / block, middle = (blocks + 1) / 2 * block;
  std::nth_element(items.begin(), items.begin() + middle, items.end(), [axis](const Center& p, const Center& q) {
    return p.x[axis] != q.x[axis] ? p.x[axis] < q.x[axis] : p.item < q.item;
  });
  const auto left = items.first(middle), right = items.subspan(middle);
  if (items.size() > 8192)
    tbb::parallel_invoke([=] { sort_in_space(left, block); }, [=] { sort_in_space(right, block); });
  else
    sort_in_space(left, block), sort_in_space(right, block);
}

// Join the blocks' lists, and sort them by the first item, then by the second.
std::vector<ItemPair> sorted(const std::vector<std::vector<ItemPair>>& lists, int firsts) {
  std::vector<int> start(firsts + 1, 0);
  for (const auto& list : lists)
    for (const ItemPair& pair : list) ++start[pair.first + 1];
  for (int i = 0; i < firsts; ++i) start[i + 1] += start[i];
  std::vector<ItemPair> pairs(start[firsts]);
  std::vector<int> next(start.begin(), start.end() - 1);
  for (const auto& list : lists)
    for (const ItemPair& pair : list) pairs[next[pair.first]++] = pair;
  for_each_index(firsts, [&](std::size_t i) {
    std::sort(pairs.begin() + start[i], pairs.begin() + start[i + 1],
              [](const ItemPair& p, const ItemPair& q) { return p.second < q.second; });
  });
  return pairs;
}

}  // namespace

const BoxTree::Box BoxTree::nothing{{nan, nan, nan}, {nan, nan, nan}};

BoxTree::Box BoxTree::rounded_outward(const Bounds& bounds) {
  if (!(bounds.lo.array() <= bounds.hi.array()).all()) return nothing;
  Box box;
  for (int a = 0; a < 3; ++a) box.lo[a] = rounded_down(bounds.lo[a]), box.hi[a] = rounded_up(bounds.hi[a]);
  return box;
}

BoxTree::Box BoxTree::child(const Node& node, int c) {
  Box box;
  for (int a = 0; a < 3; ++a) box.lo[a] = node.lo[a][c], box.hi[a] = node.hi[a][c];
  return box;
}

BoxTree::Box BoxTree::box_of(const Node& node) {
  Box box{{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}};
  for (int a = 0; a < 3; ++a)
    for (int c = 0; c < width; ++c)  // a NaN changes nothing
      box.lo[a] = std::min(box.lo[a], node.lo[a][c]), box.hi[a] = std::max(box.hi[a], node.hi[a][c]);
  return box;
}

BoxTree::BoxTree(std::span<const Bounds> boxes) {
  std::vector<Center> centers(boxes.size());
  for_each_index(boxes.size(), [&](std::size_t i) {
    centers[i].item = int(i);
    for (int a = 0; a < 3; ++a) {
      const double middle = 0.5 * (boxes[i].lo[a] + boxes[i].hi[a]);
      centers[i].x[a] = std::isfinite(middle) ? float(middle) : 0;  // empty and infinite boxes
    }
  });
  sort_in_space(centers, std::size_t(1) << 30);
  order_.resize(centers.size());
  for (std::size_t i = 0; i < centers.size(); ++i) order_[i] = centers[i].item;

  std::size_t count = boxes.size(), nodes = 0;
  while (count > 0) {
    count = (count + width - 1) / width;
    nodes += count;
    level_start_[++levels_] = int(nodes);
    if (count == 1) break;
  }
  nodes_.resize(nodes);
  refit(boxes);
  built_compactness_ = compactness();
}

void BoxTree::refit(std::span<const Bounds> boxes) {
  CHECK(boxes.size() == order_.size());
  for (int level = 0; level < levels_; ++level) {
    const int below = level == 0 ? size() : level_start_[level] - level_start_[level - 1];
    for_each_index(
        level_start_[level + 1] - level_start_[level],
        [&](std::size_t n) {
          Node& node = nodes_[level_start_[level] + n];
          for (int c = 0; c < width; ++c) {
            const int k = width * int(n) + c;
            const Box box = k >= below   ? nothing
                            : level == 0 ? rounded_outward(boxes[order_[k]])
                                         : box_of(nodes_[level_start_[level - 1] + k]);
            for (int a = 0; a < 3; ++a) node.lo[a][c] = box.lo[a], node.hi[a][c] = box.hi[a];
          }
        },
        512);
  }
}

double BoxTree::compactness() const {
  const auto extent = [](const Box& box) {
    double sum = 0;
    for (int a = 0; a < 3; ++a) sum += double(box.hi[a]) - double(box.lo[a]);
    return std::isfinite(sum) ? std::max(sum, 0.0) : 0.0;
  };
  double of_nodes = 0, of_items = 0;
  for (int n = 0; n < (levels_ > 0 ? leaves() : 0); ++n) {
    of_nodes += extent(box_of(nodes_[n]));
    for (int c = 0; c < width; ++c) of_items += extent(child(nodes_[n], c));
  }
  return of_items > 0 ? of_nodes / of_items : 1;
}

std::vector<ItemPair> BoxTree::pairs(const BoxTree& first, const BoxTree& second, bool within, const Keep& keep) {
  if (first.levels_ == 0 || second.levels_ == 0) return {};
  std::vector<std::vector<ItemPair>> lists((first.leaves() + query_block - 1) / query_block);
  for_blocks(first.leaves(), query_block, [&](std::size_t begin, std::size_t end) {
    std::vector<ItemPair>& list = lists[begin / query_block];
    for (int p = int(begin); p < int(end); ++p) {
      const Node& from = first.nodes_[p];
      const int children = std::min(width, first.size() - width * p);
      // Within one tree: every pair of leaves once, p ≤ q, and within a leaf every pair of children once.
      second.visit_leaves(box_of(from), within ? p : 0, [&](int q, unsigned) {
        for (int c = 0; c < children; ++c) {
          unsigned hits = overlaps(second.nodes_[q], child(from, c));
          if (within && p == q) hits &= ~0u << (c + 1);
          for (; hits != 0; hits &= hits - 1) {
            ItemPair pair{first.order_[width * p + c], second.order_[width * q + __builtin_ctz(hits)]};
            if (within && pair.first > pair.second) std::swap(pair.first, pair.second);
            if (!keep || keep(pair.first, pair.second)) list.push_back(pair);
          }
        }
      });
    }
  });
  return sorted(lists, first.size());
}

std::vector<ItemPair> overlapping_pairs(const BoxTree& first, const BoxTree& second, const BoxTree::Keep& keep) {
  return BoxTree::pairs(first, second, false, keep);
}

std::vector<ItemPair> overlapping_pairs(const BoxTree& tree, const BoxTree::Keep& keep) {
  return BoxTree::pairs(tree, tree, true, keep);
}

}  // namespace coracle
