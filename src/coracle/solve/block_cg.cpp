#include "coracle/solve/block_cg.h"

#include "coracle/base/parallel.h"
#include "coracle/solve/block_solver.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr std::size_t group_size = 60;
constexpr std::size_t block = 256;  // nodes

double product(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  return sum_blocks(
      a.size(),
      [&](std::size_t begin, std::size_t end) {
        double s = 0;
        for (std::size_t i = begin; i < end; ++i) s += a[i].dot(b[i]);
        return s;
      },
      1024);
}

}  // namespace

BlockCg::BlockCg() = default;
BlockCg::~BlockCg() = default;

void BlockCg::set_pattern(const std::vector<int>& first, const std::vector<int>& row) {
  const int nodes = int(first.size()) - 1;
  start_.assign(nodes + 1, 0);
  for (int j = 0; j < nodes; ++j)
    for (int k = first[j]; k < first[j + 1]; ++k) {
      ++start_[row[k] + 1];
      if (row[k] != j) ++start_[j + 1];
    }
  for (int i = 0; i < nodes; ++i) start_[i + 1] += start_[i];
  std::vector<int> next(start_.begin(), start_.end() - 1);
  column_.resize(start_[nodes]);
  value_.resize(start_[nodes]);
  lower_.resize(row.size()), upper_.resize(row.size());
  for (int j = 0; j < nodes; ++j)
    for (int k = first[j]; k < first[j + 1]; ++k) {
      lower_[k] = next[row[k]]++;
      column_[lower_[k]] = j;
      if (row[k] == j) {
        upper_[k] = lower_[k];
        continue;
      }
      upper_[k] = next[j]++;
      column_[upper_[k]] = row[k];
    }

  // Groups: grow each one outwards from a node until it is large enough.
  group_.assign(nodes, -1);
  std::vector<std::vector<int>> members;
  std::vector<int> queue;
  for (int seed = 0; seed < nodes; ++seed) {
    if (group_[seed] >= 0) continue;
    queue.assign(1, seed);
    group_[seed] = int(members.size());
    for (std::size_t head = 0; head < queue.size() && queue.size() < group_size; ++head)
      for (int k = start_[queue[head]]; k < start_[queue[head] + 1] && queue.size() < group_size; ++k)
        if (group_[column_[k]] < 0) {
          group_[column_[k]] = int(members.size());
          queue.push_back(column_[k]);
        }
    members.push_back(queue);
  }
  group_start_.assign(1, 0);
  group_nodes_.clear();
  for (auto& group : members) {
    std::sort(group.begin(), group.end());
    group_nodes_.insert(group_nodes_.end(), group.begin(), group.end());
    group_start_.push_back(int(group_nodes_.size()));
  }
  std::vector<std::pair<int, int>> pairs;
  for (int i = 0; i < nodes; ++i)
    for (int k = start_[i]; k < start_[i + 1]; ++k)
      if (group_[column_[k]] < group_[i]) pairs.emplace_back(group_[i], group_[column_[k]]);
  groups_ = std::make_unique<BlockSolver>();
  if (2 * int(members.size()) > nodes) groups_->use_factor_only();  // nodes that are coupled to none form no groups
  groups_->set_pattern(int(members.size()), std::move(pairs));
}

bool BlockCg::prepare() {
  const std::size_t nodes = group_.size();
  inverse_diag_.resize(nodes);
  groups_->clear();
  bool definite = true;
  for (std::size_t i = 0; i < nodes; ++i)
    for (int k = start_[i]; k < start_[i + 1]; ++k) {
      const int a = group_[i], b = group_[column_[k]];
      if (column_[k] == int(i)) {
        const Eigen::LLT<Mat3> factor(value_[k]);
        definite = definite && factor.info() == Eigen::Success;
        inverse_diag_[i] = factor.solve(Mat3::Identity());
      }
      if (a == b)
        groups_->add_diagonal(a, value_[k]);
      else if (a > b)
        groups_->add(groups_->slot(a, b), value_[k]);
    }
  return definite && groups_->factor({});
}

void BlockCg::multiply(const std::vector<Vec3>& x, std::vector<Vec3>& y) const {
  for_each_index(
      y.size(),
      [&](std::size_t i) {
        Vec3 sum = Vec3::Zero();
        for (int k = start_[i]; k < start_[i + 1]; ++k) sum.noalias() += value_[k] * x[column_[k]];
        y[i] = sum;
      },
      block);
}

void BlockCg::precondition(const std::vector<Vec3>& r, std::vector<Vec3>& z) {
  group_r_.resize(group_start_.size() - 1);
  for_each_index(
      group_r_.size(),
      [&](std::size_t g) {
        Vec3 sum = Vec3::Zero();
        for (int k = group_start_[g]; k < group_start_[g + 1]; ++k) sum += r[group_nodes_[k]];
        group_r_[g] = sum;
      },
      64);
  groups_->solve_free(group_z_, group_r_);
  for_each_index(
      z.size(), [&](std::size_t i) { z[i] = inverse_diag_[i] * r[i] + group_z_[group_[i]]; }, block);
}

bool BlockCg::solve(std::vector<Vec3>& x, const std::vector<Vec3>& b, double tolerance, int most_iterations) {
  const std::size_t nodes = group_.size();
  const auto for_nodes = [&](auto&& f) { for_each_index(nodes, f, 1024); };
  for (auto* v : {&r_, &z_, &p_, &q_}) v->resize(nodes);
  x.assign(nodes, Vec3::Zero());
  r_ = b;
  const double target = tolerance * std::sqrt(product(r_, r_));
  double size = target / tolerance, rho = 0;
  iterations_ = 0;
  while (size > target) {
    if (iterations_ == most_iterations) return false;
    precondition(r_, z_);
    const double rho_new = product(r_, z_);
    if (!(rho_new > 0)) return false;
    if (iterations_ == 0)
      p_ = z_;
    else
      for_nodes([&](std::size_t i) { p_[i] = z_[i] + rho_new / rho * p_[i]; });
    rho = rho_new;
    multiply(p_, q_);
    const double curvature = product(p_, q_);
    if (!(curvature > 0)) return false;
    const double alpha = rho / curvature;
    for_nodes([&](std::size_t i) {
      x[i] += alpha * p_[i];
      r_[i] -= alpha * q_[i];
    });
    size = std::sqrt(product(r_, r_));
    ++iterations_;
  }
  return std::isfinite(size);
}

}  // namespace coracle
