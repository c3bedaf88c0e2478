#include "coracle/world/skin_shell.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/closest.h"
#include "coracle/shape/stuffing.h"
#include "coracle/shape/tet_topology.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace coracle {
namespace {

// Nodes that are this share of an edge from the skin are meant to lie on it: stuffing finds roots to 1e-10.
constexpr double on_skin = 1e-8;

// Neighbours in space become neighbours in memory: tets along Morton's curve through the cubes of the lattice, nodes as
// the tets use them.
void sort_in_space(TetMesh& mesh, const Vec3& lo, double edge) {
  const auto spread = [](std::uint64_t bits) {  // every third bit, of 21
    std::uint64_t key = 0;
    for (int b = 0; b < 21; ++b) key |= (bits >> b & 1) << 3 * b;
    return key;
  };
  struct Item {
    std::uint64_t key;
    int tet;
  };
  std::vector<Item> items(mesh.tets.size());
  for_each_index(items.size(), [&](std::size_t t) {
    const Vec4i& n = mesh.tets[t];
    const Vec3 cube = (0.25 * (mesh.x[n[0]] + mesh.x[n[1]] + mesh.x[n[2]] + mesh.x[n[3]]) - lo) / edge;
    std::uint64_t key = 0;
    for (int a = 0; a < 3; ++a) key |= spread(std::uint64_t(std::max(0.0, cube[a]))) << a;
    items[t] = {.key = key, .tet = int(t)};
  });
  std::sort(items.begin(), items.end(),
            [](const Item& a, const Item& b) { return a.key != b.key ? a.key < b.key : a.tet < b.tet; });
  TetMesh sorted;
  sorted.tets.reserve(items.size());
  std::vector<int> place(mesh.x.size(), -1);
  for (const Item& item : items) {
    Vec4i tet = mesh.tets[item.tet];
    for (int& node : tet) {
      if (place[node] < 0) place[node] = int(sorted.x.size()), sorted.x.push_back(mesh.x[node]);
      node = place[node];
    }
    sorted.tets.push_back(tet);
  }
  mesh = std::move(sorted);
}

void anchor_nodes(const TriTree& tree, SkinShell& shell) {
  shell.anchors.resize(shell.x.size());
  const auto anchor = [&](std::size_t i) {
    const ClosestPoint c = tree.closest(shell.x[i]);
    if (std::abs(c.distance) < on_skin * shell.edge) shell.x[i] = c.point;
    shell.anchors[i] = {.tri = c.tri, .bary = c.bary, .offset = shell.x[i] - c.point};
  };
  for_each_index(shell.x.size(), anchor, 256);
}

// The surface of the shell is the skin where it is nearer to the skin than to the outer hull.
void find_neighbours(SkinShell& shell) {
  shell.neighbours = tet_neighbors(shell.tets);
  for_each_index(shell.tets.size(), [&](std::size_t t) {
    for (int f = 0; f < 4; ++f) {
      if (shell.neighbours[t][f] >= 0) continue;
      double sum = 0;
      for (const int node : tet_face(shell.tets[t], f)) sum += shell.anchors[node].offset.norm();
      shell.neighbours[t][f] = sum < 1.5 * shell.thickness ? SkinShell::skin : SkinShell::outside;
    }
  });
}

void rank_tets(const TriTree& tree, SkinShell& shell) {
  const std::size_t count = shell.tets.size();
  shell.volume.resize(count);
  shell.rank.resize(count);
  shell.tri.resize(count);
  const auto rank = [&](std::size_t t) {
    const Vec4i& n = shell.tets[t];
    const Vec3 &a = shell.x[n[0]], &b = shell.x[n[1]], &c = shell.x[n[2]], &d = shell.x[n[3]];
    shell.volume[t] = tet_volume(a, b, c, d);
    const ClosestPoint closest = tree.closest(0.25 * (a + b + c + d));
    shell.rank[t] = closest.distance;
    shell.tri[t] = closest.tri;
  };
  for_each_index(count, rank, 256);
  shell.order.resize(count);
  std::iota(shell.order.begin(), shell.order.end(), 0);
  std::stable_sort(shell.order.begin(), shell.order.end(), [&](int a, int b) { return shell.rank[a] < shell.rank[b]; });
}

// Breadth first through faces. A tet of the outer hull passes nothing on, nor does the outermost one of a closed
// cavity.
void find_onward(SkinShell& shell) {
  shell.onward.assign(shell.tets.size(), -1);
  for_blocks(shell.tets.size(), 4096, [&](std::size_t begin, std::size_t end) {
    std::vector<int> seen_by(shell.tets.size(), -1), queue;
    for (int t = int(begin); t < int(end); ++t) {
      if ((shell.neighbours[t].array() == SkinShell::outside).any()) continue;
      queue.assign(1, t);
      seen_by[t] = t;
      for (std::size_t i = 0; i < queue.size() && shell.onward[t] < 0; ++i)
        for (const int other : shell.neighbours[queue[i]]) {
          if (other < 0 || seen_by[other] == t) continue;
          seen_by[other] = t;
          queue.push_back(other);
          if (shell.rank[other] > shell.rank[t] && shell.onward[t] < 0) shell.onward[t] = other;
        }
    }
  });
}

}  // namespace

SkinShell make_skin_shell(const TriMesh& skin, double edge, double thickness) {
  const TriTree tree(skin.x, skin.tris);
  // Negative between the skin, φ = 0, and the outer hull, φ = T.
  const auto within = [&](const Vec3& x) {
    const double phi = tree.closest(x).distance;
    return std::max(-phi, phi - thickness);
  };
  const Vec3 margin = Vec3::Constant(thickness + edge);
  const Vec3 lo = tree.lower() - margin;
  TetMesh mesh = stuff(within, lo, tree.upper() + margin, edge);
  sort_in_space(mesh, lo, edge);
  SkinShell shell;
  shell.edge = edge;
  shell.thickness = thickness;
  shell.x = std::move(mesh.x);
  shell.tets = std::move(mesh.tets);
  anchor_nodes(tree, shell);
  find_neighbours(shell);
  rank_tets(tree, shell);
  find_onward(shell);
  return shell;
}

void deform_shell(const SkinShell& shell, const std::vector<Vec3i>& tris, std::span<const Vec3> x,
                  std::span<const Mat3> F, std::vector<Vec3>& nodes) {
  nodes.resize(shell.anchors.size());
  for_each_index(nodes.size(), [&](std::size_t i) {
    const SkinShell::Anchor& a = shell.anchors[i];
    const Vec3i& k = tris[a.tri];
    // On the skin the offset is zero: the node is exactly where the skin is.
    nodes[i] = a.bary[0] * x[k[0]] + a.bary[1] * x[k[1]] + a.bary[2] * x[k[2]] +
               (a.bary[0] * F[k[0]] + a.bary[1] * F[k[1]] + a.bary[2] * F[k[2]]) * a.offset;
  });
}

}  // namespace coracle
