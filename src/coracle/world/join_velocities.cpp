// Of all velocities that obey ties and holds and do not strain rigid bodies, v' is the nearest to v by kinetic energy:
//     min ½ (v' − v)ᵀ M (v' − v),     v' = T y,     N v' = 0
// T: nodes that follow. N: the rates n·(vᵢ − vⱼ) of the six edges of the frames of rigid bodies. With impulses λ along
// these edges, and stiff dampers κ beside them by which λ converges at once:
//     Tᵀ (M + κ NᵀN) T y = Tᵀ (M v − Nᵀ λ),     λ ← λ + κ N v'
// A common rigid motion of all bodies obeys the ties and leaves the edges as they are. So M (v' − v) has no part along
// it: momenta are kept, as far as no node is held.
#include "coracle/world/join_velocities.h"

#include "coracle/base/check.h"
#include "coracle/solve/block_solver.h"
#include "coracle/world/bodies.h"
#include "coracle/world/frame_edges.h"
#include "coracle/world/motion.h"
#include "coracle/world/ties.h"

#include <algorithm>
#include <numeric>

namespace coracle {
namespace {

using NodeField = std::vector<Vec3>;

// Of the bodies, those with ties at which velocities differ, and all that are tied to these.
std::vector<bool> bodies_to_join(const World& world, const std::vector<int>& first, const NodeField& v) {
  const std::vector<int> groups = tied_groups(world);
  constexpr double round_off = 1e-12;
  double fastest = 0;
  for (const Vec3& u : v) fastest = std::max(fastest, u.norm());
  std::vector<bool> differs(world.bodies.size(), false);
  for (const Follower& tie : world.ties) {
    Vec3 difference = v[tie.node];
    for (std::size_t i = 0; i < tie.leaders.size(); ++i) difference -= tie.weights[i] * v[tie.leaders[i]];
    const auto after = std::upper_bound(first.begin(), first.end(), tie.node);
    if (difference.norm() > round_off * fastest) differs[groups[after - first.begin() - 1]] = true;
  }
  std::vector<bool> join;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) join.push_back(differs[groups[b]]);
  return join;
}

// An edge of a frame with what acts along it.
struct JoinedEdge {
  FrameEdge edge;
  double damping;      // κ, kg
  double impulse = 0;  // λ, kg m/s
};

void add_edges(const Body& body, int first, const NodeField& x, std::vector<JoinedEdge>& edges) {
  const auto* rigid = std::get_if<Rigid>(&body.rest->elements);
  if (!rigid) return;
  constexpr double stiff = 1e9;  // times the mass; each pass leaves about 1/stiff of the rates
  const double mass = std::accumulate(body.rest->mass.begin(), body.rest->mass.end(), 0.0);
  for (const FrameEdge& edge : frame_edges(*rigid, first, x)) edges.push_back({.edge = edge, .damping = stiff * mass});
}

// Held nodes take the velocity of their motion.
void add_holds(const Body& body, int first, NodeField& v, std::vector<BlockSolver::Fixed>& fixed) {
  const BodyRest& rest = *body.rest;
  std::vector<NodeField> moving(rest.motions.size());
  NodeField unused;
  for (std::size_t m = 0; m < moving.size(); ++m) apply_motions(rest.motions[m], 0, rest.x, unused, moving[m]);
  for (const Hold& hold : rest.holds) {
    Vec3& u = v[first + hold.node];
    u = hold.free * u;
    for (const Hold::Direction& d : hold.directions) u += d.along * d.along.dot(moving[d.motion][hold.node]);
    fixed.push_back({.node = first + hold.node, .free = hold.free, .value = Vec3::Zero()});  // of changes
  }
}

}  // namespace

void join_start_velocities(World& world) {
  const std::vector<int> first = first_nodes(world.bodies);
  NodeField x, v;
  std::vector<double> mass;
  for (const Body& body : world.bodies) {
    x.insert(x.end(), body.x.begin(), body.x.end());
    v.insert(v.end(), body.v.begin(), body.v.end());
    mass.insert(mass.end(), body.rest->mass.begin(), body.rest->mass.end());
  }
  const std::vector<bool> join = bodies_to_join(world, first, v);
  if (std::find(join.begin(), join.end(), true) == join.end()) return;

  const NodeField before = v;
  std::vector<JoinedEdge> edges;
  std::vector<BlockSolver::Fixed> fixed;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    if (join[b]) add_edges(world.bodies[b], first[b], x, edges);
    add_holds(world.bodies[b], first[b], v, fixed);
  }
  BlockSolver matrix;
  matrix.use_factor_only();  // few nodes are coupled
  matrix.set_followers(all_followers(world));
  std::vector<std::pair<int, int>> pairs;
  pairs.reserve(edges.size());
  for (const auto& e : edges) pairs.emplace_back(e.edge.i, e.edge.j);
  matrix.set_pattern(int(v.size()), std::move(pairs));
  for (std::size_t i = 0; i < v.size(); ++i) matrix.add_diagonal(int(i), mass[i] * Mat3::Identity());
  for (const auto& e : edges) add_damper(e.edge, e.damping, matrix.slot(e.edge.i, e.edge.j), matrix);
  CHECK(matrix.factor(fixed));
  // Solved for changes, so that round-off of so stiff a system does not reach the momenta.
  matrix.follow(v);
  constexpr int passes = 3;
  for (int pass = 0; pass < passes; ++pass) {
    NodeField rhs(v.size()), change;
    for (std::size_t i = 0; i < v.size(); ++i) rhs[i] = mass[i] * (before[i] - v[i]);
    for (const auto& e : edges) pull_together(e.edge, e.impulse + e.damping * rate(e.edge, v), rhs);
    CHECK(matrix.solve(change, rhs));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += change[i];
    for (auto& e : edges) e.impulse += e.damping * rate(e.edge, v);
  }
  matrix.follow(v);
  for (std::size_t b = 0; b < world.bodies.size(); ++b)
    if (join[b]) std::copy_n(v.begin() + first[b], world.bodies[b].v.size(), world.bodies[b].v.begin());
}

}  // namespace coracle
