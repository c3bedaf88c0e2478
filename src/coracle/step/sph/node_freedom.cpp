#include "coracle/step/sph/node_freedom.h"

namespace coracle {

NodeFreedom::NodeFreedom(std::size_t particles, std::size_t nodes, const std::vector<Follower>& followers,
                         const std::vector<BlockSolver::Fixed>& fixed)
    : first_(particles),
      nodes_(nodes),
      followers_(followers),
      fixed_(fixed),
      free_(nodes, Mat3::Identity()),
      follows_(nodes, 0) {
  for (const BlockSolver::Fixed& f : fixed) free_[f.node] = f.free;
  for (const Follower& f : followers) follows_[f.node] = 1;
}

void NodeFreedom::follow(WideField& x) const {
  for (const Follower& f : followers_) {
    Double4 sum{};
    for (std::size_t l = 0; l < f.leaders.size(); ++l) sum += f.weights[l] * x[first_ + f.leaders[l]];
    x[first_ + f.node] = sum;
  }
}

void NodeFreedom::lead(WideField& force) const {
  for (const Follower& f : followers_) {
    for (std::size_t l = 0; l < f.leaders.size(); ++l)
      force[first_ + f.leaders[l]] += f.weights[l] * force[first_ + f.node];
    force[first_ + f.node] = Double4{};
  }
}

void NodeFreedom::restrict(WideField& force) const {
  for (std::size_t i = 0; i < nodes_; ++i) {
    Double4& f = force[first_ + i];
    f = follows_[i] ? Double4{} : wide(free_[i] * vec3(f));
  }
}

void NodeFreedom::decouple(const WideField& p, WideField& y) const {
  for (std::size_t i = 0; i < nodes_; ++i)
    y[first_ + i] = follows_[i] ? p[first_ + i] : wide(free_[i] * vec3(y[first_ + i]));
}

void NodeFreedom::condense(std::vector<Mat3>& diagonal) const {
  for (const Follower& f : followers_) {
    for (std::size_t l = 0; l < f.leaders.size(); ++l)
      diagonal[first_ + f.leaders[l]] += f.weights[l] * f.weights[l] * diagonal[first_ + f.node];
    diagonal[first_ + f.node] = Mat3::Identity();
  }
  for (std::size_t i = 0; i < nodes_; ++i) {
    Mat3& d = diagonal[first_ + i];
    d = (free_[i] * d * free_[i] + d.trace() * (Mat3::Identity() - free_[i])).eval();
  }
}

WideField NodeFreedom::given(const std::vector<Vec3>& already) const {
  WideField way(first_ + nodes_, Double4{});
  for (const BlockSolver::Fixed& f : fixed_) {
    const Vec3 rest = f.value - already[f.node];
    way[first_ + f.node] = wide(rest - f.free * rest);
  }
  return way;
}

}  // namespace coracle
