#include "coracle/solve/leaves.h"

#include "coracle/base/check.h"

#include <Eigen/Cholesky>

namespace coracle {

void Leaves::set_pattern(int nodes, int leaves, const std::vector<int>& first, const std::vector<int>& row) {
  stem_ = nodes - leaves;
  first_ = first;
  row_ = row;
  inverse_.resize(leaves);
  // Couplings, leaf by leaf: columns of the stem come in order.
  leaf_start_.assign(leaves + 1, 0);
  for (int j = 0; j < stem_; ++j)
    for (int k = first[j]; k < first[j + 1]; ++k)
      if (row[k] >= stem_) ++leaf_start_[row[k] - stem_ + 1];
  for (int q = 0; q < leaves; ++q) {
    leaf_start_[q + 1] += leaf_start_[q];
    CHECK(first[stem_ + q + 1] - first[stem_ + q] == 1);  // no leaf is coupled to a leaf
  }
  coupling_.resize(leaf_start_.back());
  place_.assign(row.size(), -1);
  std::vector<int> next(leaf_start_.begin(), leaf_start_.end() - 1);
  std::vector<std::pair<int, int>> pairs;
  for (int j = 0; j < stem_; ++j)
    for (int k = first[j]; k < first[j + 1]; ++k) {
      if (row[k] < stem_) {
        if (row[k] != j) pairs.emplace_back(row[k], j);
        continue;
      }
      place_[k] = next[row[k] - stem_]++;
      coupling_[place_[k]].node = j;
    }
  for (int q = 0; q < leaves; ++q)
    for (int a = leaf_start_[q]; a < leaf_start_[q + 1]; ++a)
      for (int b = leaf_start_[q]; b < a; ++b) pairs.emplace_back(coupling_[a].node, coupling_[b].node);
  system.set_pattern(stem_, std::move(pairs));
  slot_.assign(row.size(), {});
  for (int j = 0; j < stem_; ++j)
    for (int k = first[j]; k < first[j + 1]; ++k)
      if (row[k] < stem_ && row[k] != j) slot_[k] = system.slot(row[k], j);
  fill_.clear();
  for (int q = 0; q < leaves; ++q)
    for (int a = leaf_start_[q]; a < leaf_start_[q + 1]; ++a)
      for (int b = leaf_start_[q]; b < a; ++b) fill_.push_back(system.slot(coupling_[a].node, coupling_[b].node));
}

bool Leaves::eliminate() {
  std::size_t fill = 0;
  for (std::size_t q = 0; q < inverse_.size(); ++q) {
    const Eigen::LLT<Mat3> factor(inverse_[q]);
    if (factor.info() != Eigen::Success) return false;
    inverse_[q] = factor.solve(Mat3::Identity());
    for (int a = leaf_start_[q]; a < leaf_start_[q + 1]; ++a) {
      const Mat3 left = coupling_[a].block.transpose() * inverse_[q];
      const Mat3 own = left * coupling_[a].block;
      system.add_diagonal(coupling_[a].node, -0.5 * (own + own.transpose()));
      for (int b = leaf_start_[q]; b < a; ++b) system.add(fill_[fill++], -left * coupling_[b].block);
    }
  }
  return true;
}

std::vector<Vec3> Leaves::stem_of(const std::vector<Vec3>& rhs) const {
  std::vector<Vec3> b(rhs.begin(), rhs.begin() + stem_);
  for (std::size_t q = 0; q < inverse_.size(); ++q) {
    const Vec3 x = inverse_[q] * rhs[stem_ + q];
    for (int a = leaf_start_[q]; a < leaf_start_[q + 1]; ++a)
      b[coupling_[a].node] -= coupling_[a].block.transpose() * x;
  }
  return b;
}

void Leaves::complete(const std::vector<Vec3>& rhs, std::vector<Vec3>& x) const {
  x.resize(stem_ + inverse_.size());
  for (std::size_t q = 0; q < inverse_.size(); ++q) {
    Vec3 left = rhs[stem_ + q];
    for (int a = leaf_start_[q]; a < leaf_start_[q + 1]; ++a) left -= coupling_[a].block * x[coupling_[a].node];
    x[stem_ + q] = inverse_[q] * left;
  }
}

}  // namespace coracle
