#include "coracle/step/contact/barrier_contacts.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/ccd.h"
#include "coracle/step/contact/barrier.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

// The barrier's stiffness: at most a share of the modulus, so that a contact is not stiffer than what touches; less if
// that is enough for the weight of the body, or to stop a layer of it within a step.
constexpr double of_modulus = 0.1, of_load = 10;
constexpr std::size_t pair_block = 64;
constexpr double kept_distance = 0.1;  // of the distance to walls, as for other pairs (ccd.h)

FourNodes at(const std::vector<Vec3>& x, const std::array<int, 4>& v) { return {x[v[0]], x[v[1]], x[v[2]], x[v[3]]}; }

FreeNodes moving(const std::array<int, 4>& v, int nodes) {
  return {v[0] < nodes, v[1] < nodes, v[2] < nodes, v[3] < nodes};
}

// Of two edges: the area that their contact stands for, and the mollifier's threshold.
double shared_area(const ContactMesh& mesh, const ItemPair& edges) {
  return 0.5 * (mesh.edge_area[edges.first] + mesh.edge_area[edges.second]);
}
double parallel_below(const ContactMesh& mesh, const ItemPair& edges) {
  return mollifier_threshold(mesh.edge_length[edges.first], mesh.edge_length[edges.second]);
}

}  // namespace

BarrierContacts::BarrierContacts(const World& world, const ContactOptions& options, ContactMesh& mesh,
                                 const NodeField& x, const NodeField& before, double c0, double c, double dt,
                                 double gravity)
    : world_(world), options_(options), mesh_(mesh), before_(before), c0_(c0), c_(c), dt_(dt), gravity_(gravity) {
  if (!fits(mesh_, world)) mesh_ = make_contact_mesh(world, options.distance);
  start_ = contact_positions(mesh_, world, x);
  for (const int s : mesh_.solids)
    for (const Vec3& v : world.solids[s].v) ahead_.push_back(world.solids[s].moving ? Vec3(dt * v) : Vec3::Zero());
  for (const ContactPart& part : mesh_.parts) {
    const double load = std::max(gravity_ * part.weight, part.layer * part.reach / (dt * dt));
    kappa_.push_back(options.stiffness > 0 ? options.stiffness : std::min(of_modulus * part.modulus, of_load * load));
  }
  candidates_ = find_candidates(mesh_, start_, start_);
  find_friction();
}

std::vector<Vec3> BarrierContacts::positions(const NodeField& v, double progress) const {
  std::vector<Vec3> x = start_;
  for (std::size_t i = 0; i < v.size(); ++i) x[i] += dt_ * (c0_ * before_[i] + c_ * v[i]);
  for (std::size_t i = 0; i < ahead_.size(); ++i) x[mesh_.nodes + i] += progress * ahead_[i];
  return x;
}

BarrierLaw BarrierContacts::law(int a, int b, double area) const {
  // The stiffness of a solid is not a number: 10 × an infinite load.
  const double first = kappa_[mesh_.part[a]], second = kappa_[mesh_.part[b]];
  const bool solid_a = a >= mesh_.nodes, solid_b = b >= mesh_.nodes;
  const double kappa = solid_a ? second : solid_b ? first : std::min(first, second);
  return {.kappa = kappa * area, .reach = pair_reach(mesh_, a, b)};
}

FourNodes BarrierContacts::way_of(const Sliding& s, const std::vector<Vec3>& x) const {
  FourNodes way;
  for (int i = 0; i < 4; ++i) way[i] = x[s.vertex[i]] - start_[s.vertex[i]];
  return way;
}

double BarrierContacts::wall_distance(const Vec3& x, int side) const {
  const int a = side / 2;
  return side % 2 ? world_.domain.hi[a] - x[a] : x[a] - world_.domain.lo[a];
}

// visit(point's number, vertex, side) for every pair of a body's point and a side of the domain that can meet.
template <class Visit>
void BarrierContacts::for_walls(const std::vector<Vec3>& x, Visit&& visit) const {
  for (std::size_t p = 0; p < mesh_.points.size(); ++p) {
    const int v = mesh_.points[p];
    if (v >= mesh_.nodes || mesh_.given[v]) continue;
    const double reach = mesh_.parts[mesh_.part[v]].reach;
    for (int side = 0; side < 6; ++side)
      if (wall_distance(x[v], side) < reach && free_along(v, side / 2)) visit(p, v, side);
  }
}

double BarrierContacts::free_share(const NodeField& from, const NodeField& to) {
  const std::vector<Vec3> x = positions(from, progress_), end = positions(to, 1);
  candidates_ = find_candidates(mesh_, x, end);
  std::vector<Vec3> u(x.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = end[i] - x[i];
  const auto first_impact = [&](const std::vector<ItemPair>& pairs, auto&& vertices, auto&& ccd) {
    return reduce_blocks(
        pairs.size(), pair_block, 1.0,
        [&](std::size_t begin, std::size_t stop) {
          double share = 1;
          for (std::size_t i = begin; i < stop; ++i) {
            const std::array<int, 4> v = vertices(mesh_, pairs[i]);
            share = std::min(share, ccd(at(x, v), at(u, v), CcdOptions{.until = share}));
          }
          return share;
        },
        [](double a, double b) { return std::min(a, b); });
  };
  double share = std::min(first_impact(candidates_.points, point_and_tri, point_triangle_ccd),
                          first_impact(candidates_.edges, two_edges, edge_edge_ccd));
  for (const int v : mesh_.points) {
    if (v >= mesh_.nodes || mesh_.given[v]) continue;
    for (int side = 0; side < 6; ++side) {
      const double distance = wall_distance(x[v], side), then = wall_distance(end[v], side);
      if (then < kept_distance * distance && free_along(v, side / 2))
        share = std::min(share, (1 - kept_distance) * distance / (distance - then));
    }
  }
  return share;
}

void BarrierContacts::find_friction() {
  const double stick = options_.slip * dt_;
  if (!(stick > 0)) return;
  const auto add = [&](const std::array<int, 4>& v, const SimplexDistance& closest, double area) {
    const double friction = pair_friction(mesh_, v[0], v[3]);
    const BarrierLaw barrier = law(v[0], v[3], area);
    if (closest.squared >= barrier.reach * barrier.reach || !(friction > 0)) return;
    sliding_.push_back({v, sliding_contact(closest, friction, barrier_pressure(barrier, std::sqrt(closest.squared)))});
  };
  for (const ItemPair& p : candidates_.points) {
    const auto v = point_and_tri(mesh_, p);
    add(v, point_triangle_distance(at(start_, v)), mesh_.point_area[p.first]);
  }
  for (const ItemPair& p : candidates_.edges) {
    const auto v = two_edges(mesh_, p);
    add(v, edge_edge_distance(at(start_, v)), shared_area(mesh_, p));
  }
  for_walls(start_, [&](std::size_t p, int v, int side) {
    const double distance = wall_distance(start_[v], side);
    SimplexDistance closest;
    closest.squared = distance * distance;
    closest.weight = Weights(1, 0, 0, 0);
    closest.difference = (side % 2 ? -distance : distance) * Vec3::Unit(side / 2);
    add({v, v, v, v}, closest, mesh_.point_area[p]);
  });
}

void BarrierContacts::update(const NodeField& v) {
  const std::vector<Vec3> x = positions(v, progress_);
  const int nodes = mesh_.nodes;
  terms_.clear();
  const auto add_pairs = [&](const std::vector<ItemPair>& pairs, auto&& term_of) {
    const std::size_t blocks = (pairs.size() + pair_block - 1) / pair_block;
    std::vector<std::vector<Term>> parts(blocks);
    for_blocks(pairs.size(), pair_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) term_of(pairs[i], parts[begin / pair_block]);
    });
    for (const auto& part : parts) terms_.insert(terms_.end(), part.begin(), part.end());
  };
  add_pairs(candidates_.points, [&](const ItemPair& pair, std::vector<Term>& found) {
    const auto four = point_and_tri(mesh_, pair);
    const BarrierLaw barrier = law(four[0], four[3], mesh_.point_area[pair.first]);
    const FourNodes y = at(x, four);
    if (point_triangle_distance(y).squared >= barrier.reach * barrier.reach) return;
    found.push_back({four, point_triangle_barrier(y, barrier, Hessian::projected, moving(four, nodes))});
  });
  add_pairs(candidates_.edges, [&](const ItemPair& pair, std::vector<Term>& found) {
    const auto four = two_edges(mesh_, pair);
    const BarrierLaw barrier = law(four[0], four[3], shared_area(mesh_, pair));
    const FourNodes y = at(x, four);
    if (edge_edge_distance(y).squared >= barrier.reach * barrier.reach) return;
    const double epsilon = parallel_below(mesh_, pair);
    found.push_back({four, edge_edge_barrier(y, barrier, epsilon, Hessian::projected, moving(four, nodes))});
  });
  for_walls(x, [&](std::size_t p, int v0, int side) {
    const BarrierLaw barrier = law(v0, v0, mesh_.point_area[p]);
    const double d = wall_distance(x[v0], side);
    const BarrierValue b = coracle::barrier(barrier, d * d);
    Term term{{v0, -1, -1, -1}, {}};
    term.term.energy = b.value;
    term.term.gradient[0] = (side % 2 ? -1 : 1) * 2 * d * b.first * Vec3::Unit(side / 2);
    term.term.hessian(side / 2, side / 2) = std::max(0.0, 2 * b.first + 4 * d * d * b.second);
    terms_.push_back(term);
  });
  active_ = terms_.size();
  const double stick = options_.slip * dt_;
  for (const Sliding& s : sliding_) {
    const FourNodes moved = way_of(s, x);
    const bool wall = s.vertex[0] == s.vertex[1];
    terms_.push_back({wall ? std::array<int, 4>{s.vertex[0], -1, -1, -1} : s.vertex,
                      friction_term(s.contact, moved, stick, Hessian::projected, moving(s.vertex, nodes))});
  }
}

std::vector<std::pair<int, int>> BarrierContacts::pairs(const NodeField& v, double reaches) const {
  std::vector<std::pair<int, int>> pairs;
  const auto add = [&](const std::array<int, 4>& four) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j)
        if (four[i] >= 0 && four[j] >= 0 && four[i] < mesh_.nodes && four[j] < mesh_.nodes)
          pairs.emplace_back(std::min(four[i], four[j]), std::max(four[i], four[j]));
  };
  for (const Term& t : terms_) add(t.vertex);
  if (reaches > 1) {
    const std::vector<Vec3> x = positions(v, progress_);
    const auto near = [&](const std::array<int, 4>& four, const SimplexDistance& d) {
      const double reach = reaches * pair_reach(mesh_, four[0], four[3]);
      if (d.squared < reach * reach) add(four);
    };
    for (const ItemPair& p : candidates_.points) {
      const auto four = point_and_tri(mesh_, p);
      near(four, point_triangle_distance(at(x, four)));
    }
    for (const ItemPair& p : candidates_.edges) {
      const auto four = two_edges(mesh_, p);
      near(four, edge_edge_distance(at(x, four)));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

void BarrierContacts::add_blocks(BlockSolver& matrix) const {
  const double scale = c_ * dt_;
  for (const Term& t : terms_)
    for (int i = 0; i < 4; ++i) {
      if (t.vertex[i] < 0 || t.vertex[i] >= mesh_.nodes) continue;
      matrix.add_diagonal(t.vertex[i], scale * t.term.hessian.block<3, 3>(3 * i, 3 * i));
      for (int j = 0; j < i; ++j)
        if (t.vertex[j] >= 0 && t.vertex[j] < mesh_.nodes)
          matrix.add(matrix.slot(t.vertex[i], t.vertex[j]), scale * t.term.hessian.block<3, 3>(3 * i, 3 * j));
    }
}

void BarrierContacts::add_residual(NodeField& r) const {
  for (const Term& t : terms_)
    for (int i = 0; i < 4; ++i)
      if (t.vertex[i] >= 0 && t.vertex[i] < mesh_.nodes) r[t.vertex[i]] += t.term.gradient[i];
}

double BarrierContacts::energy(const std::vector<Vec3>& x) const {
  const auto sum = [&](const std::vector<ItemPair>& pairs, auto&& energy_of) {
    return sum_blocks(
        pairs.size(),
        [&](std::size_t begin, std::size_t end) {
          double e = 0;
          for (std::size_t i = begin; i < end; ++i) e += energy_of(pairs[i]);
          return e;
        },
        pair_block);
  };
  double e = sum(candidates_.points, [&](const ItemPair& pair) {
    const auto four = point_and_tri(mesh_, pair);
    return point_triangle_energy(at(x, four), law(four[0], four[3], mesh_.point_area[pair.first]));
  });
  e += sum(candidates_.edges, [&](const ItemPair& pair) {
    const auto four = two_edges(mesh_, pair);
    const double area = shared_area(mesh_, pair);
    return edge_edge_energy(at(x, four), law(four[0], four[3], area), parallel_below(mesh_, pair));
  });
  for_walls(x, [&](std::size_t p, int v, int side) {
    const double d = wall_distance(x[v], side);
    const BarrierLaw barrier = law(v, v, mesh_.point_area[p]);
    e += d > 0 ? coracle::barrier(barrier, d * d).value : INFINITY;
  });
  const double stick = options_.slip * dt_;
  for (const Sliding& s : sliding_) {
    const FourNodes moved = way_of(s, x);
    e += friction_energy(s.contact, moved, stick);
  }
  return e;
}

double BarrierContacts::potential(const NodeField& v) const { return energy(positions(v, trial_)) / (c_ * dt_); }

ContactReport BarrierContacts::report(const NodeField& v) {
  const std::vector<Vec3> x = positions(v, 1);
  ContactReport found{.candidates = candidates_.size(), .active = active_};
  double nearest = INFINITY;
  for (const ContactPart& part : mesh_.parts)
    if (std::isfinite(part.reach)) nearest = std::isfinite(nearest) ? std::max(nearest, part.reach) : part.reach;
  for (const ItemPair& p : candidates_.points)
    nearest = std::min(nearest, std::sqrt(point_triangle_distance(at(x, point_and_tri(mesh_, p))).squared));
  for (const ItemPair& p : candidates_.edges)
    nearest = std::min(nearest, std::sqrt(edge_edge_distance(at(x, two_edges(mesh_, p))).squared));
  for_walls(x, [&](std::size_t, int node, int side) { nearest = std::min(nearest, wall_distance(x[node], side)); });
  found.min_distance = nearest;
  const double stick = options_.slip * dt_;
  for (const Sliding& s : sliding_) {
    const FourNodes moved = way_of(s, x);
    const double u = slip(s.contact, moved).norm();
    found.friction_work += s.contact.grip * friction_f1(u, stick) * u;
  }
  return found;
}

std::vector<std::size_t> BarrierContacts::contacts_of(std::size_t bodies) const {
  std::vector<std::size_t> count(bodies, 0);
  for (std::size_t t = 0; t < active_; ++t) {
    const int first = terms_[t].vertex[0], last = terms_[t].vertex[3];
    if (first < mesh_.nodes) ++count[mesh_.part[first]];
    if (last >= 0 && last < mesh_.nodes && mesh_.part[last] != mesh_.part[first]) ++count[mesh_.part[last]];
  }
  return count;
}

}  // namespace coracle
