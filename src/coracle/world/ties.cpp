#include "coracle/world/ties.h"

#include "coracle/world/bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace coracle {
namespace {

using Followers = std::map<int, Follower>;

Follower shifted(const Follower& follower, int first) {
  Follower moved = follower;
  if (moved.node >= 0) moved.node += first;
  for (int& leader : moved.leaders) leader += first;
  return moved;
}

Followers own_followers(const std::vector<Body>& bodies) {
  const std::vector<int> first = first_nodes(bodies);
  Followers all;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (const Follower& f : bodies[b].rest->followers) all.emplace(first[b] + f.node, shifted(f, first[b]));
  return all;
}

// Replace leaders that follow by their own leaders. False: a node would follow itself.
bool resolve(const Followers& all, Follower& follower) {
  constexpr int longest_chain = 64;
  for (int pass = 0; pass < longest_chain; ++pass) {
    std::map<int, double> weights;
    bool changed = false;
    for (std::size_t i = 0; i < follower.leaders.size(); ++i) {
      const auto chain = all.find(follower.leaders[i]);
      if (chain == all.end()) {
        weights[follower.leaders[i]] += follower.weights[i];
        continue;
      }
      changed = true;
      for (std::size_t j = 0; j < chain->second.leaders.size(); ++j)
        weights[chain->second.leaders[j]] += follower.weights[i] * chain->second.weights[j];
    }
    follower.leaders.clear();
    follower.weights.clear();
    for (const auto& [leader, weight] : weights)
      if (weight != 0) follower.leaders.push_back(leader), follower.weights.push_back(weight);
    if (!changed) return true;
  }
  return false;
}

int find_body(const std::vector<Body>& bodies, const std::string& name) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].name == name) return int(b);
  return -1;
}

bool is_held(const BodyRest& rest, int node) {
  return std::any_of(rest.holds.begin(), rest.holds.end(), [node](const Hold& h) { return h.node == node; });
}

// One node of `body` tied to `to`; the reason if that is impossible.
std::string tie(const std::vector<Body>& bodies, const std::vector<int>& first, int body, int to, const Vec3& point,
                Followers& all, std::vector<int>& tied) {
  const BodyRest& rest = *bodies[body].rest;
  const int node = nearest_node(rest, point);
  const double distance = (rest.x[node] - point).norm();
  if (distance > rest.skin.edge)
    return fmt::format("the nearest node of '{}' is {:.3g} m away from ({:.4g}, {:.4g}, {:.4g})", bodies[body].name,
                       distance, point.x(), point.y(), point.z());
  if (is_held(rest, node))
    return fmt::format("the node of '{}' at ({:.4g}, {:.4g}, {:.4g}) is held already", bodies[body].name,
                       rest.x[node].x(), rest.x[node].y(), rest.x[node].z());
  if (all.contains(first[body] + node))
    return fmt::format("the node of '{}' at ({:.4g}, {:.4g}, {:.4g}) is tied already, or cannot be", bodies[body].name,
                       rest.x[node].x(), rest.x[node].y(), rest.x[node].z());
  Follower follower = shifted(weights_at(*bodies[to].rest, rest.x[node]), first[to]);
  follower.node = first[body] + node;
  tied.push_back(follower.node);
  all.emplace(follower.node, std::move(follower));
  return "";
}

}  // namespace

int nearest_node(const BodyRest& rest, const Vec3& point) {
  const auto nearer = [&](int a, int b) {
    return (rest.x[a] - point).squaredNorm() < (rest.x[b] - point).squaredNorm();
  };
  if (std::holds_alternative<Rigid>(rest.elements))
    return *std::min_element(rest.skin.nodes.begin(), rest.skin.nodes.end(), nearer);
  int nearest = 0;
  for (int n = 1; n < int(rest.x.size()); ++n)
    if (nearer(n, nearest)) nearest = n;
  return nearest;
}

std::vector<Vec3> tied_points(const Scene& scene, const std::string& body) {
  std::vector<Vec3> points;
  for (const AttachmentOptions& a : scene.attachments)
    if (a.body == body) points.insert(points.end(), a.points.begin(), a.points.end());
  return points;
}

std::vector<Follower> build_ties(const Scene& scene, const std::vector<Body>& bodies) {
  const std::vector<int> first = first_nodes(bodies);
  Followers all = own_followers(bodies);
  std::vector<int> tied;
  for (const AttachmentOptions& a : scene.attachments) {
    const int body = find_body(bodies, a.body), to = find_body(bodies, a.to);
    for (const Vec3& point : a.points)
      if (const std::string reason = tie(bodies, first, body, to, point, all, tied); !reason.empty())
        throw SceneError({{a.place, fmt::format("'{}' cannot be tied to '{}': {}", a.body, a.to, reason)}});
  }
  std::vector<Follower> ties;
  std::sort(tied.begin(), tied.end());
  for (const int node : tied) {
    ties.push_back(all.at(node));
    if (!resolve(all, ties.back()))
      throw SceneError({{scene.attachments[0].place, "attachments tie bodies to each other in a circle"}});
  }
  return ties;
}

std::vector<Follower> all_followers(const World& world) {
  Followers all = own_followers(world.bodies);
  for (const Follower& f : world.ties) all.emplace(f.node, f);
  std::vector<Follower> resolved;
  for (const auto& [node, follower] : all) {
    resolved.push_back(follower);
    resolve(all, resolved.back());
  }
  return resolved;
}

}  // namespace coracle
