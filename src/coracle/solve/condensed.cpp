#include "coracle/solve/condensed.h"

#include "coracle/base/check.h"

#include <algorithm>
#include <map>

namespace coracle {

void Condensed::set_pattern(int nodes, const std::vector<Follower>& followers, const std::vector<int>& first,
                            const std::vector<int>& row) {
  first_ = first;
  place_.assign(nodes, 0);
  for (std::size_t i = 0; i < followers.size(); ++i) {
    CHECK(i == 0 || followers[i - 1].node < followers[i].node);
    place_[followers[i].node] = -1;
  }
  node_.clear();
  for (int i = 0; i < nodes; ++i)
    if (place_[i] == 0) place_[i] = int(node_.size()), node_.push_back(i);

  t_start_.assign(1, 0);
  t_place_.clear(), t_weight_.clear();
  for (int i = 0, next = 0; i < nodes; ++i) {
    if (place_[i] >= 0) {
      t_place_.push_back(place_[i]), t_weight_.push_back(1);
    } else {
      const Follower& f = followers[next++];
      CHECK(!f.leaders.empty() && f.leaders.size() == f.weights.size());
      for (std::size_t k = 0; k < f.leaders.size(); ++k) {
        CHECK(place_[f.leaders[k]] >= 0);
        t_place_.push_back(place_[f.leaders[k]]), t_weight_.push_back(f.weights[k]);
      }
    }
    t_start_.push_back(int(t_place_.size()));
  }

  // Nodes with the same leaders make a group, as all vertices of a rigid body do.
  std::map<std::vector<int>, int> known;
  std::vector<int> group(nodes), member;  // per node; a node of each group
  for (int i = 0; i < nodes; ++i) {
    const std::vector<int> leaders(t_place_.begin() + t_start_[i], t_place_.begin() + t_start_[i + 1]);
    group[i] = known.try_emplace(leaders, int(member.size())).first->second;
    if (group[i] == int(member.size())) member.push_back(i);
  }
  // Entries of B between the same two groups go to the same entries of Tᵀ B T.
  struct Between {
    int row_group, column_group, entry;
  };
  std::vector<Between> between;
  for (int j = 0; j < nodes; ++j)
    for (int k = first[j]; k < first[j + 1]; ++k) between.push_back({group[row[k]], group[j], k});
  const auto groups = [](const Between& b) { return std::pair(b.row_group, b.column_group); };
  std::sort(between.begin(), between.end(), [&](const Between& p, const Between& q) { return groups(p) < groups(q); });
  const auto for_each_pair_of_groups = [&](auto&& f) {
    for (std::size_t i = 0; i < between.size(); ++i)
      if (i == 0 || groups(between[i - 1]) != groups(between[i]))
        f(i, member[between[i].row_group], member[between[i].column_group]);
  };
  const auto for_each_pair_of_leaders = [&](int i, int j, auto&& f) {
    for (int a = t_start_[i]; a < t_start_[i + 1]; ++a)
      for (int b = t_start_[j]; b < t_start_[j + 1]; ++b) f(t_place_[a], t_place_[b]);
  };
  std::vector<std::pair<int, int>> pairs;
  for_each_pair_of_groups([&](std::size_t, int i, int j) {
    for_each_pair_of_leaders(i, j, [&](int a, int b) {
      if (a != b) pairs.emplace_back(std::minmax(a, b));
    });
  });
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  if (system.nodes() != int(node_.size()) || pairs != pairs_) {
    system.set_pattern(int(node_.size()), pairs);
    pairs_ = std::move(pairs);
  }
  targets_.clear();
  std::vector<int> starts(between.size(), -1);
  for_each_pair_of_groups([&](std::size_t at, int i, int j) {
    starts[at] = int(targets_.size());
    for_each_pair_of_leaders(i, j, [&](int a, int b) {
      targets_.push_back({.diagonal = a == b ? a : -1, .slot = a == b ? BlockSolver::Slot{} : system.slot(a, b)});
    });
  });
  row_ = row;
  target_.resize(row.size());
  for (std::size_t i = 0, start = 0; i < between.size(); ++i) {
    if (starts[i] >= 0) start = std::size_t(starts[i]);
    target_[between[i].entry] = int(start);
  }
}

// (Tᵀ B T)_ab = Σ_ij T_ia B_ij T_jb. Both B and the result keep their lower triangles only: an entry off the diagonal
// of B stands for its transpose too, and of a pair a ≠ b one half is stored.
void Condensed::add(int j, int k, const Mat3& block) {
  const int i = row_[k];
  const Target* target = &targets_[target_[k]];
  for (int a = t_start_[i]; a < t_start_[i + 1]; ++a)
    for (int b = t_start_[j]; b < t_start_[j + 1]; ++b, ++target) {
      const double weight = t_weight_[a] * t_weight_[b];
      if (target->diagonal >= 0)
        system.add_diagonal(target->diagonal, weight * (i == j ? block : Mat3(block + block.transpose())));
      else if (i != j || t_place_[a] > t_place_[b])
        system.add(target->slot, weight * block);
    }
}

std::vector<Vec3> Condensed::lead(const std::vector<Vec3>& f) const {
  std::vector<Vec3> y(node_.size(), Vec3::Zero());
  for (std::size_t i = 0; i < place_.size(); ++i)
    for (int k = t_start_[i]; k < t_start_[i + 1]; ++k) y[t_place_[k]] += t_weight_[k] * f[i];
  return y;
}

void Condensed::follow(const std::vector<Vec3>& y, std::vector<Vec3>& x) const {
  x.assign(place_.size(), Vec3::Zero());
  for (std::size_t i = 0; i < place_.size(); ++i)
    for (int k = t_start_[i]; k < t_start_[i + 1]; ++k) x[i] += t_weight_[k] * y[t_place_[k]];
}

std::vector<Vec3> Condensed::free_of(const std::vector<Vec3>& x) const {
  std::vector<Vec3> y(node_.size());
  for (std::size_t p = 0; p < y.size(); ++p) y[p] = x[node_[p]];
  return y;
}

void Condensed::put_free(const std::vector<Vec3>& y, std::vector<Vec3>& x) const {
  x.assign(place_.size(), Vec3::Zero());
  for (std::size_t p = 0; p < y.size(); ++p) x[node_[p]] = y[p];
}

}  // namespace coracle
