#include "coracle/step/contact/penalty.h"

#include "coracle/step/contact/friction_law.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double contact_stiffness = 1000;  // of m / dt²: under 1000 times its weight, a node penetrates by g dt²
// Surfaces nearer than the rest distance, but not nearer than half of it, are moved apart no faster than this, so that
// bodies that start in contact do not jump: in multiples of gravity_dv, and in edges per second.
constexpr double recovery_gravity = 2, recovery_edges = 0.1;
constexpr double stiffer_than_elastic = 10;  // plus this times E times the edge, so that strong forces do not penetrate
// Slower sliding counts as sticking: in multiples of gravity_dv, and in edges per second.
constexpr double sticking_gravity = 0.05, sticking_edges = 1e-3;
constexpr double settled_share = 0.02;  // of all contact forces: a smaller change between passes counts as none

// f(node, weight) for the nodes of a contact.
template <class F>
void for_nodes(const Contact& c, F&& f) {
  if (c.node[0] >= 0) f(c.node[0], 1.0);
  if (c.node[1] >= 0)
    for (int k = 0; k < 3; ++k) f(c.node[1 + k], -c.bary[k]);
}

}  // namespace

ContactForces::ContactForces(std::vector<Contact> contacts, const NodeScales& nodes, const NodeField& before, double c0,
                             double c, double dt, double gravity_dv)
    : contacts_(std::move(contacts)),
      pushes_(contacts_.size()),
      nodes_(nodes),
      c_(c),
      dt_(dt),
      gravity_dv_(gravity_dv) {
  for (Contact& contact : contacts_) {
    const double apart = contact.distance - contact.gap;
    const double slow = dt * (recovery_gravity * gravity_dv + recovery_edges * nodes.edge[contact.owner()]);
    contact.gap = std::max(contact.gap, -slow) + std::min(0.0, contact.distance - 0.5 * apart);
    contact.gap += c0 * dt * contact.relative(before).dot(contact.normal);  // the motion by the old velocity
  }
}

bool ContactForces::update(const NodeField& v) {
  double all = 0, changed = 0;  // N
  active_ = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Contact& c = contacts_[i];
    const Vec3 relative = c.relative(v);
    const double along = relative.dot(c.normal), gap = c.gap + c_ * dt_ * along;
    const Push before = pushes_[i];
    Push& now = pushes_[i];
    now.slide = (relative - along * c.normal).norm();
    now.friction = before.active ? drag(c, before) * now.slide : 0;
    now.active = gap < 0;
    now.normal = now.active ? -stiffness(c) * gap : 0;
    all += now.normal;
    changed += std::abs(now.normal - before.normal) + std::abs(now.friction - before.friction);
    active_ += now.active;
  }
  return changed <= settled_share * all;
}

bool ContactForces::any_friction() const {
  return std::any_of(contacts_.begin(), contacts_.end(), [](const Contact& c) { return c.friction > 0; });
}

std::vector<std::pair<int, int>> ContactForces::pairs() const {
  std::vector<std::pair<int, int>> pairs;
  for (const Contact& c : contacts_)
    if (c.node[1] >= 0)
      for (int p = c.node[0] >= 0 ? 0 : 1; p < 4; ++p)
        for (int q = p + 1; q < 4; ++q) pairs.emplace_back(std::minmax(c.node[p], c.node[q]));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

double ContactForces::stiffness(const Contact& c) const {
  double mass = 0, elastic = 0;
  for (int n : c.node)
    if (n >= 0) mass = std::max(mass, nodes_.mass[n]), elastic = std::max(elastic, nodes_.elastic[n]);
  return contact_stiffness * mass / (dt_ * dt_) + stiffer_than_elastic * elastic;
}

double ContactForces::slowest_slide(const Contact& c) const {
  return sticking_gravity * gravity_dv_ + sticking_edges * nodes_.edge[c.owner()];
}

double ContactForces::drag(const Contact& c, const Push& push) const {
  return friction_on_ ? c.friction * push.normal * friction_f1_over_u(push.slide, slowest_slide(c)) : 0;
}

void ContactForces::add_blocks(BlockSolver& matrix) const {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!pushes_[i].active) continue;
    const Contact& c = contacts_[i];
    const Mat3 along = c.normal * c.normal.transpose();
    const Mat3 block = stiffness(c) * c_ * dt_ * along + drag(c, pushes_[i]) * (Mat3::Identity() - along);
    for_nodes(c, [&](int p, double wp) {
      matrix.add_diagonal(p, wp * wp * block);
      for_nodes(c, [&](int q, double wq) {
        if (p > q && wp * wq != 0) matrix.add(matrix.slot(p, q), wp * wq * block);
      });
    });
  }
}

void ContactForces::add_residual(const NodeField& v, NodeField& r) const {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!pushes_[i].active) continue;
    const Contact& c = contacts_[i];
    const Vec3 relative = c.relative(v);
    const double along = relative.dot(c.normal);
    const Vec3 force =
        -stiffness(c) * (c.gap + c_ * dt_ * along) * c.normal - drag(c, pushes_[i]) * (relative - along * c.normal);
    for_nodes(c, [&](int p, double w) { r[p] -= w * force; });
  }
}

double ContactForces::potential(const NodeField& v) const {
  double sum = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    if (!pushes_[i].active) continue;
    const Contact& c = contacts_[i];
    const Vec3 relative = c.relative(v);
    const double along = relative.dot(c.normal), gap = c.gap + c_ * dt_ * along;
    sum += 0.5 * stiffness(c) * gap * gap / (c_ * dt_) +
           0.5 * drag(c, pushes_[i]) * (relative - along * c.normal).squaredNorm();
  }
  return sum;
}

}  // namespace coracle
