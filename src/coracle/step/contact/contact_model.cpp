#include "coracle/step/contact/contact_model.h"

#include <algorithm>

namespace coracle {
namespace {

// H δ of one contact, at its node i.
Vec3 pull(const ModelTerm& t, int i, double dt, const std::vector<Vec3>& v) {
  Vec3 sum = Vec3::Zero();
  for (int j = 0; j < 4; ++j)
    if (t.node[j] >= 0) sum += dt * (t.hessian.block<3, 3>(3 * i, 3 * j) * v[t.node[j]]);
  return sum;
}

}  // namespace

std::vector<std::pair<int, int>> pairs(const ContactModel& model) {
  std::vector<std::pair<int, int>> all;
  for (const ModelTerm& t : model)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j)
        if (t.node[i] >= 0 && t.node[j] >= 0 && t.node[i] != t.node[j])
          all.emplace_back(std::minmax(t.node[i], t.node[j]));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void add_blocks(const ContactModel& model, double dt, BlockSolver& matrix) {
  for (const ModelTerm& t : model)
    for (int i = 0; i < 4; ++i) {
      if (t.node[i] < 0) continue;
      matrix.add_diagonal(t.node[i], dt * t.hessian.block<3, 3>(3 * i, 3 * i));
      for (int j = 0; j < i; ++j)
        if (t.node[j] >= 0 && t.node[j] != t.node[i])
          matrix.add(matrix.slot(t.node[i], t.node[j]), dt * t.hessian.block<3, 3>(3 * i, 3 * j));
    }
}

void add_residual(const ContactModel& model, double dt, const std::vector<Vec3>& v, std::vector<Vec3>& r) {
  for (const ModelTerm& t : model)
    for (int i = 0; i < 4; ++i)
      if (t.node[i] >= 0) r[t.node[i]] += t.gradient[i] + pull(t, i, dt, v);
}

double potential(const ContactModel& model, double dt, const std::vector<Vec3>& v) {
  double sum = 0;
  for (const ModelTerm& t : model)
    for (int i = 0; i < 4; ++i)
      if (t.node[i] >= 0) sum += (t.gradient[i] + 0.5 * pull(t, i, dt, v)).dot(v[t.node[i]]);
  return sum;
}

}  // namespace coracle
