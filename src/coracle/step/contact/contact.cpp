#include "coracle/step/contact/contact.h"

#include "coracle/base/check.h"
#include "coracle/base/parallel.h"
#include "coracle/error.h"
#include "coracle/world/bodies.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// Nodes nearer than this at rest, in surface edges, belong together and do not collide.
constexpr double rest_neighbourhood = 2.5;

constexpr double default_distance = 0.1;  // of the mean edge of the skin

class Finder {
 public:
  Finder(const World& world, const TreeList& trees, const ContactOptions& options, double dt, const Vec3& gravity_dv)
      : domain_(world.domain),
        solids_(world.solids),
        bodies_(world.bodies),
        trees_(trees),
        options_(options),
        dt_(dt),
        gravity_dv_(gravity_dv.norm()),
        first_(first_nodes(world.bodies)) {
    for (const Body& body : bodies_) body_speed_.push_back(max_speed(body));
    for (const Solid& solid : solids_) {
      double fastest = 0;
      for (const Vec3& v : solid.v) fastest = std::max(fastest, v.norm());
      solid_speed_.push_back(fastest);
    }
  }

  std::vector<Contact> run() const {
    std::vector<Contact> all;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const auto& nodes = bodies_[b].rest->skin.nodes;
      constexpr std::size_t block = 64;
      std::vector<std::vector<Contact>> parts((nodes.size() + block - 1) / block);
      for_blocks(nodes.size(), block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) look_around(b, nodes[i], parts[begin / block]);
      });
      for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
      look_at_corners(b, all);
    }
    return all;
  }

 private:
  // How far node and other side can approach each other within the step, with a margin for the effect of contacts.
  double reach(double speed, double other) const { return 2 * dt_ * (speed + other + gravity_dv_); }

  void look_around(std::size_t b, int node, std::vector<Contact>& found) const {
    const Body& body = bodies_[b];
    const Vec3& x = body.x[node];
    const double speed = body.v[node].norm(), apart = contact_distance(options_.distance, body);
    const auto hold = std::lower_bound(body.rest->holds.begin(), body.rest->holds.end(), node,
                                       [](const Hold& h, int n) { return h.node < n; });
    const bool held = hold != body.rest->holds.end() && hold->node == node;
    if (held && hold->free.isZero()) return;
    Contact contact;
    contact.body = int(b);
    contact.node[0] = first_[b] + node;
    contact.friction = body.rest->options.friction;

    // The domain's sides.
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2; ++end) {
        contact.distance = end ? domain_.hi[a] - x[a] : x[a] - domain_.lo[a];
        contact.gap = contact.distance - apart;
        if (contact.gap > reach(speed, 0)) continue;
        contact.normal = (end ? -1.0 : 1.0) * Vec3::Unit(a);
        if (held && (hold->free * contact.normal).norm() < 1e-9) continue;  // a roller on the wall needs no push
        found.push_back(contact);
      }

    // Rigid solids.
    for (std::size_t s = 0; s < solids_.size(); ++s) {
      const Solid& solid = solids_[s];
      if (solid.inflow || !solid.present) continue;
      const double near_enough = apart + reach(speed, solid_speed_[s]);
      const ClosestPoint near =
          trees_[s]->closest(x, solid.container ? INFINITY : far_inside(*trees_[s], x, near_enough));
      if (near.tri < 0) continue;
      contact.distance = solid.container ? -near.distance : near.distance;
      contact.gap = contact.distance - apart;
      if (contact.gap > reach(speed, solid_speed_[s])) continue;
      contact.normal = outward(x, near, solid.container ? -1 : 1);
      const Vec3i& t = solid.rest->tris[near.tri];
      contact.velocity = near.bary[0] * solid.v[t[0]] + near.bary[1] * solid.v[t[1]] + near.bary[2] * solid.v[t[2]];
      found.push_back(contact);
    }
    contact.velocity = Vec3::Zero();

    // Other bodies, and this one where it has folded onto itself.
    for (std::size_t o = 0; o < bodies_.size(); ++o) {
      const TriTree& tree = body_tree(o);
      const double between =
          0.5 * (contact_distance(options_.distance, body) + contact_distance(options_.distance, bodies_[o]));
      const double near_enough = between + reach(speed, body_speed_[o]);
      if (((tree.lower() - x).cwiseMax(x - tree.upper())).maxCoeff() > near_enough) continue;
      contact.friction = body.rest->options.friction;
      if (o == b) {
        look_at_self(b, node, between, near_enough, contact, found);
        continue;
      }
      const ClosestPoint near = tree.closest(x);
      contact.distance = near.distance;
      contact.gap = near.distance - between;
      if (near.distance > near_enough) continue;
      set_other(o, near.tri, near.bary, contact);
      contact.normal = outward(x, near, 1);
      contact.friction = 0.5 * (body.rest->options.friction + bodies_[o].rest->options.friction);
      found.push_back(contact);
      contact.node = {contact.node[0], -1, -1, -1};
    }
  }

  // Corners of rigid solids that come near the body, or are inside it.
  void look_at_corners(std::size_t b, std::vector<Contact>& found) const {
    const Body& body = bodies_[b];
    const TriTree& tree = body_tree(b);
    const double apart = contact_distance(options_.distance, body);
    for (std::size_t s = 0; s < solids_.size(); ++s) {
      const Solid& solid = solids_[s];
      if (solid.inflow || !solid.present) continue;
      const double near_enough = apart + reach(body_speed_[b], solid_speed_[s]);
      for (std::size_t i = 0; i < solid.x.size(); ++i) {
        const Vec3& x = solid.x[i];
        if (((tree.lower() - x).cwiseMax(x - tree.upper())).maxCoeff() > near_enough) continue;
        const ClosestPoint near = tree.closest(x);
        if (near.distance > near_enough) continue;
        Contact contact;
        contact.body = int(b);
        contact.distance = near.distance;
        contact.gap = near.distance - apart;
        contact.normal = outward(x, near, 1);
        contact.velocity = -solid.v[i];
        contact.friction = body.rest->options.friction;
        set_other(b, near.tri, near.bary, contact);
        found.push_back(contact);
      }
    }
  }

  // The search radius for a solid: unbounded where x may be inside it.
  static double far_inside(const TriTree& tree, const Vec3& x, double near_enough) {
    const bool in_box = (x.array() >= tree.lower().array()).all() && (x.array() <= tree.upper().array()).all();
    return in_box ? INFINITY : near_enough;
  }

  void look_at_self(std::size_t b, int node, double between, double near_enough, Contact contact,
                    std::vector<Contact>& found) const {
    const Body& body = bodies_[b];
    const Vec3& x = body.x[node];
    double best = near_enough;
    ClosestPoint nearest;
    body_tree(b).visit(x, near_enough, [&](const ClosestPoint& p) {
      if (std::abs(p.distance) >= best) return;
      const Vec3i& t = body.rest->skin.tris[p.tri];
      const auto& rest = body.rest->x;
      const Vec3 middle = (rest[t[0]] + rest[t[1]] + rest[t[2]]) / 3;
      if ((middle - rest[node]).norm() < rest_neighbourhood * body.rest->skin.edge) return;
      const Vec3 n = (body.x[t[1]] - body.x[t[0]]).cross(body.x[t[2]] - body.x[t[0]]);
      if ((x - p.point).dot(n) <= 0) return;  // behind it: through the body, not through the gap
      best = std::abs(p.distance);
      nearest = p;
    });
    if (nearest.tri < 0) return;
    contact.distance = best;
    contact.gap = best - between;
    contact.normal = best > 0 ? Vec3((x - nearest.point) / best) : nearest.normal;
    set_other(b, nearest.tri, nearest.bary, contact);
    found.push_back(contact);
  }

  void set_other(std::size_t body, int tri, const Vec3& bary, Contact& contact) const {
    const Vec3i& t = bodies_[body].rest->skin.tris[tri];
    for (int c = 0; c < 3; ++c) contact.node[1 + c] = first_[body] + t[c];
    contact.bary = bary;
  }

  // Unit direction out of the other side, at its closest point.
  static Vec3 outward(const Vec3& x, const ClosestPoint& near, double out) {
    const Vec3 d = x - near.point;
    const double length = d.norm();
    if (length < 1e-12) return out * near.normal;
    return (out * near.distance > 0 ? 1 : -1) * d / length;
  }

  const TriTree& body_tree(std::size_t b) const { return *trees_[solids_.size() + b]; }

  const Bounds& domain_;
  const std::vector<Solid>& solids_;
  const std::vector<Body>& bodies_;
  const TreeList& trees_;
  const ContactOptions& options_;
  double dt_, gravity_dv_;
  std::vector<int> first_;
  std::vector<double> body_speed_, solid_speed_;  // m/s
};

}  // namespace

double contact_distance(double given, const Body& body) {
  return given > 0 ? given : default_distance * body.rest->skin.edge;
}

std::vector<Contact> find_contacts(const World& world, const TreeList& trees, const ContactOptions& options, double dt,
                                   const Vec3& gravity_dv) {
  if (options.kind != ContactKind::penalty) return {};
  CHECK(trees.size() == world.solids.size() + world.bodies.size());
  return Finder(world, trees, options, dt, gravity_dv).run();
}

}  // namespace coracle
