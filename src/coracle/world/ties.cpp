#include "coracle/world/ties.h"

#include "coracle/base/check.h"
#include "coracle/base/disjoint_sets.h"
#include "coracle/base/point_text.h"
#include "coracle/shape/closest.h"
#include "coracle/world/bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

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

// Replaces leaders that follow by their own leaders, follower after follower, each once.
class Resolver {
 public:
  explicit Resolver(Followers followers) : all_(std::move(followers)) {}

  // With leaders that follow none. Null: the node follows itself, or follows one that does; see circle().
  const Follower* resolved(int node) {
    Follower& follower = all_.at(node);
    if (done_.contains(node)) return &follower;
    const bool again = std::find(path_.begin(), path_.end(), node) != path_.end();
    path_.push_back(node);
    if (again) return nullptr;
    std::map<int, double> weights;
    for (std::size_t i = 0; i < follower.leaders.size(); ++i) {
      const int leader = follower.leaders[i];
      if (!all_.contains(leader)) {
        weights[leader] += follower.weights[i];
        continue;
      }
      const Follower* chain = resolved(leader);
      if (!chain) return nullptr;
      for (std::size_t j = 0; j < chain->leaders.size(); ++j)
        weights[chain->leaders[j]] += follower.weights[i] * chain->weights[j];
    }
    follower.leaders.clear();
    follower.weights.clear();
    for (const auto& [leader, weight] : weights)
      if (weight != 0) follower.leaders.push_back(leader), follower.weights.push_back(weight);
    path_.pop_back();
    done_.insert(node);
    return &follower;
  }

  // The nodes that follow each other, the first again at the end.
  std::vector<int> circle() const { return {std::find(path_.begin(), path_.end(), path_.back()), path_.end()}; }

 private:
  Followers all_;
  std::vector<int> path_;  // from the node asked for to the one at work
  std::set<int> done_;
};

int find_body(const std::vector<Body>& bodies, const std::string& name) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].name == name) return int(b);
  return -1;
}

bool is_held(const BodyRest& rest, int node) {
  return std::any_of(rest.holds.begin(), rest.holds.end(), [node](const Hold& h) { return h.node == node; });
}

// Lengths, as shares of an edge: what counts as the same place, and how far a node may be from a body that takes it
// along as it turns.
constexpr double same_place = 0.1, arm = 1;

// The body that nodes are tied to.
class Base {
 public:
  explicit Base(const Body& body) : body_(body) {
    if (has_inside(body)) surface_ = TriTree(body.rest->x, body.rest->skin.tris);
  }

  // A point of a solid or a rigid body turns with it, also a little outside. Shells and rods have no direction to keep
  // across them: what is tied there must touch.
  double reach(double radius) const {
    const Skin& skin = body_.rest->skin;
    return radius + skin.radius + (same_place + (has_inside(body_) ? arm : 0)) * skin.edge;
  }
  // From the surface, or from the middle of a shell or rod; zero inside.
  double distance(const Vec3& point, const Follower& at) const {
    if (has_inside(body_)) return std::max(0.0, surface_.closest(point).distance);
    Vec3 foot = Vec3::Zero();
    for (std::size_t i = 0; i < at.leaders.size(); ++i) foot += at.weights[i] * body_.rest->x[at.leaders[i]];
    return (point - foot).norm();
  }
  const Body& body() const { return body_; }

 private:
  const Body& body_;
  TriTree surface_;
};

// Why the node of a body nearest to a point cannot be tied, apart from what it would be tied to.
std::string problem_of_node(const Body& body, int node, const Vec3& point, bool tied, bool follows) {
  const BodyRest& rest = *body.rest;
  const double distance = (rest.x[node] - point).norm(), most = same_place * rest.skin.edge;
  if (!(distance <= most))
    return fmt::format(
        "the nearest node of '{}' is {:.3g} m away from {}, and may be {:.3g} m away; give its place, "
        "[{}, {}, {}], instead",
        body.name, distance, point_text(point), most, rest.x[node].x(), rest.x[node].y(), rest.x[node].z());
  const std::string subject = fmt::format("the node of '{}' at {}", body.name, point_text(rest.x[node]));
  if (is_held(rest, node)) return subject + " is held already; leave out the hold or this point";
  if (tied) return subject + " is tied already; leave out one of the attachments";
  if (follows) return subject + " follows from the other ties and holds of this rigid body; leave out this point";
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
  std::map<int, int> tied;  // node → its attachment
  const auto refuse = [](const AttachmentOptions& a, const std::string& reason) {
    throw SceneError({{a.place, fmt::format("'{}' cannot be tied to '{}': {}", a.body, a.to, reason)}});
  };
  for (std::size_t i = 0; i < scene.attachments.size(); ++i) {
    const AttachmentOptions& a = scene.attachments[i];
    const int own = find_body(bodies, a.body), other = find_body(bodies, a.to);
    const Body& body = bodies[own];
    const Base to(bodies[other]);
    for (const Vec3& point : a.points) {
      const int local = nearest_node(*body.rest, point), node = first[own] + local;
      const Vec3& place = body.rest->x[local];
      if (const std::string problem = problem_of_node(body, local, point, tied.contains(node), all.contains(node));
          !problem.empty())
        refuse(a, problem);
      Follower follower = weights_at(*to.body().rest, place);
      const double distance = to.distance(place, follower), reach = to.reach(body.rest->skin.radius);
      if (!(distance <= reach))
        refuse(a, fmt::format("the node at {} is {:.3g} m away from '{}', and may be {:.3g} m away{}; move one of them",
                              point_text(place), distance, a.to, reach,
                              has_inside(to.body()) ? "" : ": it must touch a shell or a rod"));
      follower = shifted(follower, first[other]);
      follower.node = node;
      all.emplace(node, std::move(follower));
      tied.emplace(node, int(i));
    }
  }
  Resolver resolver(std::move(all));
  std::vector<Follower> ties;
  for (const auto& [node, attachment] : tied) {
    const Follower* tie = resolver.resolved(node);
    if (!tie) {  // name the last attachment of the circle
      int last = -1;
      for (const int n : resolver.circle())
        if (const auto at = tied.find(n); at != tied.end()) last = std::max(last, at->second);
      refuse(scene.attachments[last],
             "this closes a circle of attachments, so that nodes follow themselves; leave it out");
    }
    ties.push_back(*tie);
  }
  return ties;
}

std::vector<int> tied_groups(const World& world) {
  const std::vector<int> first = first_nodes(world.bodies);
  const auto body_of = [&](int node) {
    return int(std::upper_bound(first.begin(), first.end(), node) - first.begin()) - 1;
  };
  DisjointSets groups(world.bodies.size());
  for (const Follower& tie : world.ties)
    for (const int leader : tie.leaders) groups.join(body_of(tie.node), body_of(leader));
  std::vector<int> group;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) group.push_back(groups.root(int(b)));
  return group;
}

std::vector<Follower> all_followers(const World& world) {
  Followers all = own_followers(world.bodies);
  for (const Follower& f : world.ties) all.emplace(f.node, f);
  std::vector<int> nodes;
  for (const auto& [node, follower] : all) nodes.push_back(node);
  Resolver resolver(std::move(all));
  std::vector<Follower> followers;
  for (const int node : nodes) {
    const Follower* resolved = resolver.resolved(node);
    CHECK(resolved);  // build_ties() has refused circles
    followers.push_back(*resolved);
  }
  return followers;
}

}  // namespace coracle
