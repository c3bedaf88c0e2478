#include "coracle/step/contact/barrier_contacts.h"

#include "coracle/base/parallel.h"
#include "coracle/timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace coracle {
namespace {

// The barrier's stiffness: at most a share of the modulus, so that a contact is not stiffer than what touches; less if
// that is enough for the weight of the body, or to stop a layer of it within a step.
constexpr double of_modulus = 0.1, of_load = 10;
constexpr std::size_t pair_block = 64;
// Candidates are sought with so many reaches to spare: Newton's last changes are smaller, and need no new search.
constexpr double slack = 0.25;

double pair_friction(const ContactMesh& mesh, const ContactPair& pair) {
  if (mesh.parts[pair.part[0]].loose) return mesh.parts[pair.part[0]].friction;
  const double first = mesh.parts[pair.part[0]].friction, second = mesh.parts[pair.part[1]].friction;
  return first < 0 ? second : second < 0 ? first : 0.5 * (first + second);
}

}  // namespace

BarrierContacts::BarrierContacts(const World& world, const ContactOptions& options, ContactMesh& mesh,
                                 const NodeField& x, const NodeField& before, double c0, double c, double dt,
                                 double gravity, const LoosePoints* loose, double share)
    : options_(options), mesh_(mesh), before_(before), c0_(c0), c_(c), dt_(dt) {
  if (loose || !fits(mesh_, world)) mesh_ = make_contact_mesh(world, options.distance, loose);
  start_ = contact_positions(mesh_, world, x);
  for (const int s : mesh_.solids)
    for (const Vec3& v : world.solids[s].v) ahead_.push_back(world.solids[s].moving ? Vec3(dt * v) : Vec3::Zero());
  for (const ContactPart& part : mesh_.parts) {
    const double load = std::max(gravity * part.weight, part.layer * part.reach / (dt * dt));
    kappa_.push_back(share *
                     (options.stiffness > 0 ? options.stiffness : std::min(of_modulus * part.modulus, of_load * load)));
  }
  // Solids leave the stiffness to the other side.
  std::fill(kappa_.end() - std::ptrdiff_t(mesh_.solids.size()), kappa_.end(), std::numeric_limits<double>::infinity());
  seek(start_, start_);
  look_at_start();
}

std::vector<Vec3> BarrierContacts::positions(const NodeField& v, double progress) const {
  std::vector<Vec3> x = start_;
  for (std::size_t i = 0; i < v.size(); ++i) x[i] += dt_ * (c0_ * before_[i] + c_ * v[i]);
  for (std::size_t i = 0; i < ahead_.size(); ++i) x[mesh_.nodes + i] += progress * ahead_[i];
  return x;
}

BarrierLaw BarrierContacts::law(const ContactPair& pair) const {
  const bool loose = mesh_.parts[pair.part[0]].loose;
  return {.kappa = (loose ? 1 : std::min(kappa_[pair.part[0]], kappa_[pair.part[1]])) * pair.area,
          .reach = pair.reach,
          .offset = pair.offset,
          .epsilon = pair.epsilon};
}

FourNodes BarrierContacts::way_of(const Sliding& s, const std::vector<Vec3>& x) const {
  const FourNodes now = at(x, s.vertex), then = at(start_, s.vertex);
  return {now[0] - then[0], now[1] - then[1], now[2] - then[2], now[3] - then[3]};
}

FourNodes BarrierContacts::ahead_of(const std::array<int, 4>& vertex) const {
  FourNodes way;
  for (int i = 0; i < 4; ++i)
    way[i] = vertex[i] < mesh_.nodes ? Vec3::Zero() : Vec3((1 - progress_) * ahead_[vertex[i] - mesh_.nodes]);
  return way;
}

std::vector<BarrierContacts::Near> BarrierContacts::find_near(const std::vector<Vec3>& x, double reaches) const {
  std::vector<std::vector<Near>> lists((candidates_.size() + pair_block - 1) / pair_block);
  for_blocks(candidates_.size(), pair_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ContactPair pair = pair_at(mesh_, candidates_, i);
      const SimplexDistance closest = measure(mesh_, pair, x);
      if (within(closest, pair.offset + reaches * pair.reach)) lists[begin / pair_block].push_back({pair, closest});
    }
  });
  std::vector<Near> all;
  for (const std::vector<Near>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

void BarrierContacts::seek(const std::vector<Vec3>& from, const std::vector<Vec3>& to) {
  const auto begin = std::chrono::steady_clock::now();
  candidates_ = find_candidates(mesh_, from, to, slack);
  search_s_ += seconds_since(begin);
}

double BarrierContacts::free_share(const NodeField& from, const NodeField& to) {
  const std::vector<Vec3> x = positions(from, progress_);
  std::vector<Vec3> u = positions(to, 1);
  if (!covers(candidates_, x) || !covers(candidates_, u)) seek(x, u);
  for (Sliding& s : sliding_) s.contact.reverses = slip(s.contact, way_of(s, x)).dot(slip(s.contact, way_of(s, u))) < 0;
  for (std::size_t i = 0; i < u.size(); ++i) u[i] -= x[i];
  return reduce_blocks(
      candidates_.size(), pair_block, 1.0,
      [&](std::size_t begin, std::size_t end) {
        double share = 1;
        for (std::size_t i = begin; i < end; ++i) {
          const ContactPair pair = pair_at(mesh_, candidates_, i);
          share = coracle::free_share(mesh_, pair, at(x, pair.vertex), at(u, pair.vertex), share);
        }
        return share;
      },
      [](double a, double b) { return std::min(a, b); });
}

// Which bodies touch something, and how they slide.
void BarrierContacts::look_at_start() {
  touched_.assign(mesh_.parts.size(), 0);
  const bool sticks = options_.slip * dt_ > 0;
  for (const auto& [pair, closest] : find_near(start_, 1)) {
    touched_[pair.part[0]] = touched_[pair.part[1]] = 1;
    const double friction = pair_friction(mesh_, pair);
    if (!sticks || !(friction > 0)) continue;
    const double force = barrier_force(at(start_, pair.vertex), closest, law(pair));
    sliding_.push_back({pair.vertex, sliding_contact(closest, friction, force)});
  }
}

// Newton's change goes with the rest of the solids' way u: the force that it balances is ∂B/∂x + ∂²B/∂x∂x_s u. Without
// this a body would stay where it is while a solid comes, and the gap would shrink with every change.
void BarrierContacts::update(const NodeField& v) {
  const std::vector<Vec3> x = positions(v, progress_);
  const std::vector<Near> near = find_near(x, 1);
  const double stick = options_.slip * dt_;
  active_ = near.size();
  terms_.resize(active_ + sliding_.size());
  for_each_index(
      terms_.size(),
      [&](std::size_t i) {
        const bool touches = i < active_;
        const std::array<int, 4>& vertex = touches ? near[i].pair.vertex : sliding_[i - active_].vertex;
        const FourNodes ahead = ahead_of(vertex);
        const bool driven = std::any_of(ahead.begin(), ahead.end(), [](const Vec3& u) { return !u.isZero(0); });
        const FreeNodes free = driven ? all_free : moving(vertex);
        Term& t = terms_[i];
        t.vertex = vertex;
        if (touches) {
          const auto& [pair, closest] = near[i];
          t.term = barrier_term(at(x, vertex), closest, law(pair), Hessian::projected, free);
        } else {
          const Sliding& s = sliding_[i - active_];
          t.term = friction_term(s.contact, way_of(s, x), stick, Hessian::projected, free);
        }
        for (int j = 0; j < 4 && driven; ++j)
          for (int k = 0; k < 4; ++k) t.term.gradient[k] += t.term.hessian.block<3, 3>(3 * k, 3 * j) * ahead[j];
      },
      pair_block);
}

std::vector<std::pair<int, int>> BarrierContacts::pairs(const NodeField& v, double reaches) const {
  std::vector<std::pair<int, int>> pairs;
  const auto add = [&](const std::array<int, 4>& four) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < i; ++j)
        if (moves(four[i]) && moves(four[j]) && four[i] != four[j])
          pairs.emplace_back(std::min(four[i], four[j]), std::max(four[i], four[j]));
  };
  for (const Term& t : terms_) add(t.vertex);
  if (reaches > 1)
    for (const Near& near : find_near(positions(v, progress_), reaches)) add(near.pair.vertex);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

void BarrierContacts::add_blocks(BlockSolver& matrix) const {
  const double scale = c_ * dt_;
  for (const Term& t : terms_)
    for (int i = 0; i < 4; ++i) {
      if (!moves(t.vertex[i])) continue;
      matrix.add_diagonal(t.vertex[i], scale * t.term.hessian.block<3, 3>(3 * i, 3 * i));
      for (int j = 0; j < i; ++j)
        if (moves(t.vertex[j]) && t.vertex[j] != t.vertex[i])  // of a flat triangle one corner does not count
          matrix.add(matrix.slot(t.vertex[i], t.vertex[j]), scale * t.term.hessian.block<3, 3>(3 * i, 3 * j));
    }
}

void BarrierContacts::add_residual(NodeField& r) const {
  for (const Term& t : terms_)
    for (int i = 0; i < 4; ++i)
      if (moves(t.vertex[i])) r[t.vertex[i]] += t.term.gradient[i];
}

double BarrierContacts::energy(const std::vector<Vec3>& x) const {
  double e = sum_blocks(
      candidates_.size(),
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const ContactPair pair = pair_at(mesh_, candidates_, i);
          const FourNodes y = at(x, pair.vertex);
          sum += barrier_energy(y, measure(mesh_, pair, y), law(pair));
        }
        return sum;
      },
      pair_block);
  const double stick = options_.slip * dt_;
  for (const Sliding& s : sliding_) e += friction_energy(s.contact, way_of(s, x), stick);
  return e;
}

double BarrierContacts::potential(const NodeField& v) const { return energy(positions(v, trial_)) / (c_ * dt_); }

std::string BarrierContacts::tight_place(const NodeField& v) const {
  constexpr double tight = 1e-3;  // of the reach: the pressure is 2000 κ there
  const std::vector<Vec3> x = positions(v, progress_);
  const std::vector<Near> near = find_near(x, tight);
  if (near.empty()) return "";
  const auto gap = [](const Near& n) { return std::sqrt(n.closest.squared) - n.pair.offset; };
  const auto nearer = [&](const Near& a, const Near& b) { return gap(a) / a.pair.reach < gap(b) / b.pair.reach; };
  const Near& least = *std::min_element(near.begin(), near.end(), nearer);
  const FourNodes y = at(x, least.pair.vertex);
  Vec3 place = Vec3::Zero();  // the closest point of the first side
  for (int i = 0; i < 4; ++i) place += std::max(least.closest.weight[i], 0.0) * y[i];
  const auto name = [&](int side) { return fmt::format("'{}'", mesh_.parts[least.pair.part[side]].name); };
  return fmt::format("{} and {} are pressed to a gap of {:.2g} m at ({:.4g}, {:.4g}, {:.4g})", name(0),
                     least.pair.kind == ContactPair::Kind::wall ? "a side of the domain" : name(1), gap(least),
                     place.x(), place.y(), place.z());
}

ContactReport BarrierContacts::report(const NodeField& v) {
  const std::vector<Vec3> x = positions(v, 1);
  ContactReport found{.candidates = candidates_.size(), .active = active_, .reach = 0, .search_s = search_s_};
  for (const ContactPart& part : mesh_.parts)
    if (std::isfinite(part.reach)) found.reach = std::max(found.reach, part.reach);
  found.min_distance = reduce_blocks(
      candidates_.size(), pair_block, found.reach,
      [&](std::size_t begin, std::size_t end) {
        double gap = found.reach;
        for (std::size_t i = begin; i < end; ++i) {
          const ContactPair pair = pair_at(mesh_, candidates_, i);
          gap = std::min(gap, std::sqrt(measure(mesh_, pair, x).squared) - pair.offset);
        }
        return gap;
      },
      [](double a, double b) { return std::min(a, b); });
  const double stick = options_.slip * dt_;
  for (const Sliding& s : sliding_) {
    const double u = slip(s.contact, way_of(s, x)).norm();
    found.friction_work += s.contact.grip * friction_f1(u, stick) * u;
  }
  return found;
}

ContactModel BarrierContacts::model(const NodeField& v) const {
  ContactModel all;
  const auto add = [&](const std::array<int, 4>& vertex, const ContactTerm& term) {
    ModelTerm m{.gradient = term.gradient, .hessian = term.hessian};
    const FourNodes ahead = ahead_of(vertex);
    for (int i = 0; i < 4; ++i) {
      if (moves(vertex[i])) m.node[i] = vertex[i];
      for (int j = 0; j < 4; ++j) m.gradient[i] += term.hessian.block<3, 3>(3 * i, 3 * j) * ahead[j];
    }
    all.push_back(m);
  };
  for (const auto& [pair, closest] : find_near(start_, 1))
    add(pair.vertex, barrier_term(at(start_, pair.vertex), closest, law(pair), Hessian::projected));
  const double stick = options_.slip * dt_;
  const std::vector<Vec3> x = positions(v, 1);
  for (const Sliding& s : sliding_) {
    // Of the quadratic that touches the energy at this slip: no force at no slip.
    SlidingContact contact = s.contact;
    contact.reverses = true;
    ContactTerm term = friction_term(contact, way_of(s, x), stick, Hessian::projected);
    term.gradient.fill(Vec3::Zero());
    add(s.vertex, term);
  }
  return all;
}

std::vector<LooseLoad> BarrierContacts::loose_loads(const NodeField& v) const {
  std::vector<LooseLoad> loads(mesh_.parts.size());
  std::vector<int> last(mesh_.parts.size(), -1);  // point that was counted
  const std::vector<Vec3> x = positions(v, 1);
  const auto is_loose = [&](const std::array<int, 4>& vertex) { return mesh_.parts[mesh_.part[vertex[0]]].loose; };
  for (const auto& [pair, closest] : find_near(x, 1)) {
    if (pair.kind != ContactPair::Kind::point_triangle || !is_loose(pair.vertex)) continue;
    const FourNodes y = at(x, pair.vertex);
    LooseLoad& load = loads[pair.part[1]];
    load.push(y[0] - closest.difference, -barrier_force(y, closest, law(pair)) * closest.difference.normalized());
    load.points += std::exchange(last[pair.part[1]], pair.items.first) != pair.items.first;
  }
  const double stick = options_.slip * dt_;
  for (const Sliding& s : sliding_) {
    if (!is_loose(s.vertex) || s.vertex[1] < 0) continue;
    const ContactTerm term = friction_term(s.contact, way_of(s, x), stick, Hessian::none);
    for (int i = 1; i < 4; ++i) loads[mesh_.part[s.vertex[i]]].push(x[s.vertex[i]], -term.gradient[i]);
  }
  return loads;
}

std::vector<std::size_t> BarrierContacts::contacts_of(std::size_t bodies) const {
  std::vector<std::size_t> count(bodies, 0);
  for (std::size_t t = 0; t < active_; ++t) {
    const int first = terms_[t].vertex[0], last = terms_[t].vertex[3];
    if (moves(first)) ++count[mesh_.part[first]];
    if (moves(last) && mesh_.part[last] != mesh_.part[first]) ++count[mesh_.part[last]];
  }
  return count;
}

}  // namespace coracle
