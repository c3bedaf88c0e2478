#include "coracle/step/sph/fluid_phase.h"

#include "coracle/base/parallel.h"
#include "coracle/step/sph/node_freedom.h"

#include <algorithm>

namespace coracle {
namespace {

constexpr std::size_t block = 512;

// All unknowns in one list: particles, then nodes.
class Operator {
 public:
  Operator(const SphSystem& system, const std::vector<Touch>& touches, double share,
           const std::vector<std::uint8_t>& held, const PhaseNodes& nodes)
      : s_(system),
        touches_(touches),
        share_(share),
        held_(held),
        nodes_(nodes),
        freedom_(system.size(), nodes.mass.size(), nodes.followers, nodes.fixed) {
    // Where the touches of a particle, and of a node, are.
    particle_start_.assign(s_.size() + 1, 0);
    node_start_.assign(nodes.mass.size() + 1, 0);
    for (const Touch& t : touches) {
      ++particle_start_[t.particle + 1];
      for (const int v : t.vertex)
        if (is_node(v)) ++node_start_[v + 1];
    }
    for (std::size_t i = 1; i < particle_start_.size(); ++i) particle_start_[i] += particle_start_[i - 1];
    for (std::size_t i = 1; i < node_start_.size(); ++i) node_start_[i] += node_start_[i - 1];
    node_touch_.resize(node_start_.back());
    std::vector<int> next(node_start_.begin(), node_start_.end() - 1);
    for (std::size_t t = 0; t < touches.size(); ++t)
      for (int c = 0; c < 3; ++c)
        if (is_node(touches[t].vertex[c])) node_touch_[next[touches[t].vertex[c]]++] = {int(t), c};
    pull_.resize(touches.size());
  }

  std::size_t size() const { return s_.size() + nodes_.mass.size(); }
  bool is_node(int vertex) const { return vertex >= 0 && vertex < int(nodes_.mass.size()); }

  // The matrix of a touch over its four nodes, block (i, j), in N/m. Friction holds the particle to where the surface
  // goes at the start.
  Mat3 stiffness(const Touch& t, int i, int j) const {
    const Mat3 barrier = t.barrier.hessian.block<3, 3>(3 * i, 3 * j);
    return share_ * (i == 0 && j == 0 ? Mat3(barrier + t.drag) : barrier);
  }
  // The velocity of the surface at a touch, times −1, as the weights have it.
  Vec3 surface(const Touch& t) const {
    Vec3 sum = Vec3::Zero();
    for (int j = 1; j < t.vertices(); ++j) {
      const int v = t.vertex[j - 1];
      sum += t.weight[j] * (is_node(v) ? nodes_.start[v] : given(v));
    }
    return sum;
  }

  void multiply(const WideField& p, WideField& y) {
    product(p, y);
    for_each_index(s_.size(), [&](std::size_t i) {
      if (held_[i]) y[i] = s_.mass[i] * p[i];
    });
    freedom_.decouple(p, y);
  }

  // A p over all nodes, with forces of followers at their leaders.
  void product(const WideField& p, WideField& y) {
    const double h = s_.dt;
    whole_ = p;
    freedom_.follow(whole_);
    coracle::multiply(s_, whole_, y);  // sizes: only the particles
    y.resize(size());
    for_each_index(nodes_.mass.size(),
                   [&](std::size_t i) { y[s_.size() + i] = nodes_.mass[i] * whole_[s_.size() + i]; });
    // Per touch the four forces; then every particle and node gathers its own.
    for_blocks(touches_.size(), block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const Touch& t = touches_[k];
        for (int i = 0; i < t.vertices(); ++i) {
          Vec3 force = stiffness(t, i, 0) * vec3(whole_[t.particle]);
          for (int j = 1; j < t.vertices(); ++j)
            if (is_node(t.vertex[j - 1])) force += stiffness(t, i, j) * vec3(whole_[s_.size() + t.vertex[j - 1]]);
          pull_[k][i] = h * h * force;
        }
      }
    });
    gather(y);
    freedom_.lead(y);
  }

  std::vector<Mat3> diagonal() const {
    std::vector<Mat3> d = preconditioner(s_);
    d.resize(size());
    const double h = s_.dt;
    for_each_index(s_.size(), [&](std::size_t q) {
      for (int k = particle_start_[q]; k < particle_start_[q + 1]; ++k) d[q] += h * h * stiffness(touches_[k], 0, 0);
      if (held_[q]) d[q] = s_.mass[q] * Mat3::Identity();
    });
    for (std::size_t i = 0; i < nodes_.mass.size(); ++i) {
      Mat3& node = d[s_.size() + i];
      node = nodes_.mass[i] * Mat3::Identity();
      for (int k = node_start_[i]; k < node_start_[i + 1]; ++k) {
        const auto [t, c] = node_touch_[k];
        node += h * h * stiffness(touches_[t], 1 + c, 1 + c);
      }
    }
    freedom_.condense(d);
    return d;
  }

  // b, for the unknowns that are free.
  WideField right_side(const std::vector<Vec3>& particle_free, const WideField& start) {
    const double h = s_.dt;
    WideField free(s_.size());
    for_each_index(free.size(), [&](std::size_t i) { free[i] = wide(particle_free[i]); });
    WideField b = coracle::right_side(s_, free);
    b.resize(size());
    for (std::size_t i = 0; i < nodes_.mass.size(); ++i) b[s_.size() + i] = wide(nodes_.mass[i] * nodes_.free[i]);
    for (std::size_t k = 0; k < touches_.size(); ++k) {
      const Touch& t = touches_[k];
      for (int i = 0; i < t.vertices(); ++i) {
        Vec3 force = h * share_ * t.barrier.gradient[i];
        if (i == 0) force += h * h * share_ * t.drag * surface(t);
        for (int j = 1; j < t.vertices(); ++j)
          if (!is_node(t.vertex[j - 1])) force += h * h * stiffness(t, i, j) * given(t.vertex[j - 1]);
        pull_[k][i] = -force;
      }
    }
    gather(b);
    freedom_.lead(b);
    // What is held moves as given: its part goes to the right side.
    if (!nodes_.fixed.empty()) {
      WideField pull(size());
      product(given(), pull);
      for (std::size_t i = 0; i < b.size(); ++i) b[i] -= pull[i];
    }
    for_each_index(s_.size(), [&](std::size_t i) {
      if (held_[i]) b[i] = s_.mass[i] * start[i];
    });
    freedom_.restrict(b);
    return b;
  }

  WideField given() const { return freedom_.given(std::vector<Vec3>(nodes_.mass.size(), Vec3::Zero())); }
  const NodeFreedom& freedom() const { return freedom_; }

  // The gradient of the model of the barrier, s (g + h H u), per particle and node.
  void barrier_force(const WideField& u, std::vector<Vec3>& particles, std::vector<Vec3>& nodes) {
    for (std::size_t k = 0; k < touches_.size(); ++k) {
      const Touch& t = touches_[k];
      for (int i = 0; i < t.vertices(); ++i) {
        Vec3 force = t.barrier.gradient[i];
        for (int j = 0; j < t.vertices(); ++j) {
          const Vec3 w = j == 0                     ? vec3(u[t.particle])
                         : is_node(t.vertex[j - 1]) ? vec3(u[s_.size() + t.vertex[j - 1]])
                                                    : given(t.vertex[j - 1]);
          force += s_.dt * t.barrier.hessian.block<3, 3>(3 * i, 3 * j) * w;
        }
        pull_[k][i] = share_ * force;
      }
    }
    WideField all(size(), Double4{});
    gather(all);
    particles.resize(s_.size()), nodes.resize(nodes_.mass.size());
    for (std::size_t i = 0; i < particles.size(); ++i) particles[i] = vec3(all[i]);
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = vec3(all[s_.size() + i]);
  }

  // What friction does to the nodes.
  std::vector<Vec3> friction(const WideField& u) {
    for (std::size_t k = 0; k < touches_.size(); ++k) {
      const Touch& t = touches_[k];
      const Vec3 drag = share_ * s_.dt * t.drag * (vec3(u[t.particle]) + surface(t));
      for (int i = 0; i < t.vertices(); ++i) pull_[k][i] = -t.weight[i] * drag;
    }
    WideField all(size(), Double4{});
    gather(all);
    std::vector<Vec3> nodes;
    for (std::size_t i = s_.size(); i < all.size(); ++i) nodes.push_back(vec3(all[i]));
    return nodes;
  }

 private:
  Vec3 given(int vertex) const { return nodes_.given[vertex - int(nodes_.mass.size())]; }

  void gather(WideField& y) const {
    for_each_index(s_.size(), [&](std::size_t q) {
      for (int k = particle_start_[q]; k < particle_start_[q + 1]; ++k) y[q] += wide(pull_[k][0]);
    });
    for_each_index(nodes_.mass.size(), [&](std::size_t i) {
      for (int k = node_start_[i]; k < node_start_[i + 1]; ++k) {
        const auto [t, c] = node_touch_[k];
        y[s_.size() + i] += wide(pull_[t][1 + c]);
      }
    });
  }

  struct Place {
    int touch, corner;
  };
  const SphSystem& s_;
  const std::vector<Touch>& touches_;
  const double share_;
  const std::vector<std::uint8_t>& held_;
  const PhaseNodes& nodes_;
  NodeFreedom freedom_;
  std::vector<int> particle_start_, node_start_;
  std::vector<Place> node_touch_;
  std::vector<FourNodes> pull_;
  WideField whole_;
};

}  // namespace

FluidPhase solve_fluid_phase(const SphSystem& system, const std::vector<Touch>& touches, double share,
                             const std::vector<Vec3>& particle_free, const std::vector<Vec3>& particle_guess,
                             const std::vector<Vec3>& node_guess, const std::vector<std::uint8_t>& held,
                             const PhaseNodes& nodes, MatrixFreeCg& cg) {
  Operator a(system, touches, share, held, nodes);
  const std::size_t n = system.size();
  WideField u(a.size(), Double4{});
  for (std::size_t i = 0; i < n; ++i) u[i] = wide(particle_guess[i]);
  for (std::size_t i = 0; i < node_guess.size(); ++i) u[n + i] = wide(node_guess[i]);
  a.freedom().restrict(u);
  const WideField b = a.right_side(particle_free, u);
  FluidPhase phase;
  phase.ok = cg.solve([&](const WideField& p, WideField& y) { a.multiply(p, y); }, a.diagonal(), b, u);
  phase.iterations = cg.iterations;
  const WideField given = a.given();
  for (std::size_t i = n; i < u.size(); ++i) u[i] += given[i];
  a.freedom().follow(u);
  for (std::size_t i = 0; i < n; ++i) phase.particles.push_back(vec3(u[i]));
  for (std::size_t i = 0; i < nodes.free.size(); ++i) phase.nodes.push_back(vec3(u[n + i]));
  a.barrier_force(u, phase.particle_force, phase.node_force);
  phase.node_friction = a.friction(u);
  return phase;
}

}  // namespace coracle
