#include "coracle/shape/stuffing.h"
#include "coracle/shape/tet_topology.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace coracle {
namespace {

bool share_face(const Vec4i& a, const Vec4i& b) {
  int shared = 0;
  for (const int v : a) shared += (b.array() == v).any();
  return shared >= 3;
}

// Group the tets in `around` by shared faces. Mark all but the largest group as removed; a single group too.
void mark_small_groups(const TetMesh& mesh, const std::vector<int>& around, std::vector<char>& removed) {
  std::vector<int> group(around.size(), -1);
  std::vector<double> volume;
  for (std::size_t first = 0; first < around.size(); ++first) {
    if (group[first] >= 0) continue;
    std::vector<std::size_t> open = {first};
    group[first] = int(volume.size());
    volume.push_back(0);
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      const Vec4i& t = mesh.tets[around[i]];
      volume.back() += tet_volume(mesh.x[t[0]], mesh.x[t[1]], mesh.x[t[2]], mesh.x[t[3]]);
      for (std::size_t j = 0; j < around.size(); ++j)
        if (group[j] < 0 && share_face(t, mesh.tets[around[j]])) {
          group[j] = group[first];
          open.push_back(j);
        }
    }
  }
  const int largest = int(std::max_element(volume.begin(), volume.end()) - volume.begin());
  for (std::size_t i = 0; i < around.size(); ++i)
    if (volume.size() == 1 || group[i] != largest) removed[around[i]] = 1;
}

void remove_marked(TetMesh& mesh, const std::vector<char>& removed) {
  TetMesh kept;
  std::vector<int> number(mesh.x.size(), -1);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    if (!removed[t]) {
      kept.tets.push_back(mesh.tets[t]);
      for (const int v : mesh.tets[t]) number[v] = 0;
    }
  for (std::size_t v = 0; v < number.size(); ++v)
    if (number[v] == 0) {
      number[v] = int(kept.x.size());
      kept.x.push_back(mesh.x[v]);
    }
  for (Vec4i& t : kept.tets)
    for (int& v : t) v = number[v];
  mesh = std::move(kept);
}

}  // namespace

void remove_pinches(TetMesh& mesh) {
  for (;;) {  // ends: every round removes tets
    const std::vector<Pinch> pinches = surface_pinches(boundary_faces(mesh.tets), int(mesh.x.size()));
    if (pinches.empty()) return;
    std::map<int, std::vector<int>> tets_at;
    for (const Pinch& p : pinches) tets_at[p.a];
    for (std::size_t t = 0; t < mesh.tets.size(); ++t)
      for (const int v : mesh.tets[t])
        if (const auto it = tets_at.find(v); it != tets_at.end()) it->second.push_back(int(t));
    std::vector<char> removed(mesh.tets.size(), 0);
    for (const Pinch& p : pinches) {
      std::vector<int> around = tets_at[p.a];
      if (p.b >= 0) std::erase_if(around, [&](int t) { return !(mesh.tets[t].array() == p.b).any(); });
      mark_small_groups(mesh, around, removed);
    }
    remove_marked(mesh, removed);
  }
}

}  // namespace coracle
