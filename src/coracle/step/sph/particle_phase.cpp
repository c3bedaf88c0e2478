#include "coracle/step/sph/particle_phase.h"

#include "coracle/shape/ccd.h"
#include "coracle/step/contact/barrier.h"
#include "coracle/step/contact/friction_law.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double keep = 0.1;  // of a gap, after a change
constexpr int most_iterations = 100;

class Settling {
 public:
  Settling(const LoneParticle& p, const Bounds& domain, const TouchLaw& law, double dt, double stick)
      : p_(p), domain_(domain), law_(law), h_(dt), stick_(stick) {
    for (const MovingTriangle& t : p.triangles)
      for (const Vec3& way : t.way) driven_ = driven_ || !way.isZero(0);
    progress_ = driven_ ? 0 : 1;
    if (law.friction > 0 && stick > 0) find_sliding();
  }

  bool arrived() const { return progress_ > 1 - 1e-12; }

  // Newton's change of v.
  Vec3 change() const {
    Vec3 g = p_.mass / h_ * (v_ - p_.target) - p_.force;
    Mat3 b = p_.mass / h_ * Mat3::Identity();
    const Vec3 x = p_.x + h_ * v_;
    for (const MovingTriangle& t : p_.triangles) {
      const FourNodes nodes = at(t, x, progress_);
      const SimplexDistance closest = point_triangle_distance(nodes);
      const double range = law_.reach + t.radius;
      if (!(closest.squared < range * range)) continue;
      const ContactTerm term = barrier_term(nodes, closest, barrier_of(t.radius), Hessian::projected,
                                            driven_ ? all_free : FreeNodes{true, false, false, false});
      g += term.gradient[0];
      b += h_ * term.hessian.block<3, 3>(0, 0);
      if (driven_)
        for (int c = 0; c < 3; ++c) g += (1 - progress_) * term.hessian.block<3, 3>(0, 3 + 3 * c) * t.way[c];
    }
    for (int side = 0; side < 6; ++side) {
      const double d = gap_to_side(x, side), s = d * d;
      if (!(d < law_.reach)) continue;
      const BarrierValue value = barrier(barrier_of(0), s);
      const int a = side / 2;
      g[a] += (side % 2 ? -1 : 1) * 2 * d * value.first;
      b(a, a) += h_ * (2 * value.first + 4 * s * value.second);
    }
    for (const Sliding& s : sliding_) {
      const ContactTerm term = friction_term(s.contact, moved(s, v_, progress_), stick_, Hessian::projected);
      g += term.gradient[0];
      b += h_ * term.hessian.block<3, 3>(0, 0);
    }
    return -b.inverse() * g;
  }

  // The share of the change that is free.
  double free_share(const Vec3& change) const {
    double share = 1;
    const Vec3 x = p_.x + h_ * v_, u = h_ * change;
    for (const MovingTriangle& t : p_.triangles) {
      const double rest = 1 - progress_;
      share = point_triangle_ccd(at(t, x, progress_), {u, rest * t.way[0], rest * t.way[1], rest * t.way[2]},
                                 {.slack = keep, .gap = t.radius, .until = share});
    }
    for (int side = 0; side < 6; ++side) {
      const double now = gap_to_side(x, side), then = gap_to_side(x + u, side);
      if (then < keep * now) share = std::min(share, (1 - keep) * now / (now - then));
    }
    return share;
  }

  double energy(const Vec3& v, double progress) const {
    const Vec3 x = p_.x + h_ * v;
    double sum = 0.5 * p_.mass / h_ * (v - p_.target).squaredNorm() - p_.force.dot(v);
    for (const MovingTriangle& t : p_.triangles) {
      const FourNodes nodes = at(t, x, progress);
      sum += barrier_energy(nodes, point_triangle_distance(nodes), barrier_of(t.radius)) / h_;
    }
    for (int side = 0; side < 6; ++side) {
      const double d = gap_to_side(x, side);
      if (d < law_.reach) sum += d > 0 ? barrier(barrier_of(0), d * d).value / h_ : INFINITY;
    }
    for (const Sliding& s : sliding_) sum += friction_energy(s.contact, moved(s, v, progress), stick_) / h_;
    return sum;
  }

  // Whether a lower energy was found on the way, as far as it is free.
  bool advance(const Vec3& change, bool last) {
    double share = free_share(change);
    const bool any = last || !arrived();  // until solids have arrived, any change that is free
    const double before = energy(v_, progress_);
    for (int halving = 0; halving < 40; ++halving, share *= 0.5) {
      const Vec3 v = v_ + share * change;
      const double progress = progress_ + share * (1 - progress_), e = energy(v, progress);
      if (!(any ? std::isfinite(e) : e <= before + 1e-14 * std::abs(before))) continue;
      v_ = v, progress_ = progress;
      return true;
    }
    return false;
  }

  double nearest() const {
    double gap = law_.reach;
    const Vec3 x = p_.x + h_ * v_;
    for (const MovingTriangle& t : p_.triangles)
      gap = std::min(gap, std::sqrt(point_triangle_distance(at(t, x, progress_)).squared) - t.radius);
    for (int side = 0; side < 6; ++side) gap = std::min(gap, gap_to_side(x, side));
    return gap;
  }
  const Vec3& v() const { return v_; }

  std::vector<LoneResult::Push> pushes() const {
    std::vector<LoneResult::Push> all;
    const Vec3 x = p_.x + h_ * v_;
    for (std::size_t i = 0; i < p_.triangles.size(); ++i) {
      const FourNodes nodes = at(p_.triangles[i], x, progress_);
      const SimplexDistance closest = point_triangle_distance(nodes);
      const double force = barrier_force(nodes, closest, barrier_of(p_.triangles[i].radius));
      if (force > 0) all.push_back({int(i), x - closest.difference, -force * closest.difference.normalized()});
    }
    for (const Sliding& s : sliding_)
      if (s.triangle >= 0)
        all.push_back(
            {s.triangle, x, friction_term(s.contact, moved(s, v_, progress_), stick_, Hessian::none).gradient[0]});
    return all;
  }

 private:
  struct Sliding {
    SlidingContact contact;
    int triangle;  // −1: a side
  };
  // With the normal forces and tangents of the start.
  void find_sliding() {
    for (std::size_t i = 0; i < p_.triangles.size(); ++i) {
      const FourNodes nodes = at(p_.triangles[i], p_.x, 0);
      const SimplexDistance closest = point_triangle_distance(nodes);
      const double force = barrier_force(nodes, closest, barrier_of(p_.triangles[i].radius));
      if (force > 0) sliding_.push_back({sliding_contact(closest, law_.friction, force), int(i)});
    }
    for (int side = 0; side < 6; ++side) {
      const double d = gap_to_side(p_.x, side);
      if (d < law_.reach)
        sliding_.push_back(
            {sliding_contact(to_side(domain_, p_.x, side), law_.friction, barrier_pressure(barrier_of(0), d)), -1});
    }
  }
  FourNodes moved(const Sliding& s, const Vec3& v, double progress) const {
    if (s.triangle < 0) return {h_ * v, Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    const MovingTriangle& t = p_.triangles[s.triangle];
    return {h_ * v, progress * t.way[0], progress * t.way[1], progress * t.way[2]};
  }

  BarrierLaw barrier_of(double radius) const {
    return {.kappa = law_.share * p_.kappa, .reach = law_.reach, .offset = radius};
  }
  double gap_to_side(const Vec3& x, int side) const {
    return side % 2 ? domain_.hi[side / 2] - x[side / 2] : x[side / 2] - domain_.lo[side / 2];
  }
  static FourNodes at(const MovingTriangle& t, const Vec3& x, double progress) {
    return {x, t.x[0] + progress * t.way[0], t.x[1] + progress * t.way[1], t.x[2] + progress * t.way[2]};
  }

  const LoneParticle& p_;
  const Bounds& domain_;
  const TouchLaw& law_;
  const double h_, stick_;
  std::vector<Sliding> sliding_;
  bool driven_ = false;
  double progress_ = 1;
  Vec3 v_ = Vec3::Zero();
};

}  // namespace

LoneResult settle(const LoneParticle& particle, const Bounds& domain, const TouchLaw& law, double dt, double stick,
                  double near_enough) {
  Settling s(particle, domain, law, dt, stick);
  LoneResult result;
  result.ok = false;
  for (result.iterations = 1; result.iterations <= most_iterations; ++result.iterations) {
    const Vec3 change = s.change();
    const bool last = s.arrived() && change.norm() <= near_enough;
    if (!s.advance(change, last)) break;
    if (last) {
      result.ok = true;
      break;
    }
  }
  result.v = s.v();
  result.nearest = s.nearest();
  result.pushes = s.pushes();
  return result;
}

}  // namespace coracle
