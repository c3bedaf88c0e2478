#include "coracle/step/skinned/samples.h"

#include "coracle/base/parallel.h"
#include "coracle/shape/tet_mesh.h"
#include "coracle/step/skinned/drop_gatherer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coracle {
namespace {

// The rule of four points that is exact for quadratic functions: weights of one corner and of the three others.
const double at_corner = (5 + 3 * std::sqrt(5.0)) / 20, at_others = (5 - std::sqrt(5.0)) / 20;

// The points of tet t when its nodes, at x, move by `shift` as far as they can.
void traced_points(const SkinShell& shell, const std::vector<Vec3>& x, int t, const Vec3& shift,
                   const SampleHooks& hooks, Vec3* points) {
  Vec3 corner[4], sum = Vec3::Zero();
  for (int k = 0; k < 4; ++k) {
    const Vec3& from = x[shell.tets[t][k]];
    corner[k] = hooks.clamp ? hooks.clamp(from, from + shift) : Vec3(from + shift);
    sum += corner[k];
  }
  for (int k = 0; k < 4; ++k) points[k] = at_others * sum + (at_corner - at_others) * corner[k];
}

// The volume by which shares of a tet are counted; flat ones count as shut ones do.
double counted_volume(const SkinShell& shell, const std::vector<Vec3>& x, int t) {
  const Vec4i& n = shell.tets[t];
  return std::max(tet_volume(x[n[0]], x[n[1]], x[n[2]], x[n[3]]), 0.05 * shell.volume[t]);
}

void backward(const SkinShell& shell, const std::vector<Vec3>& x_n, const MovingShell& moving, double dt,
              const SampleHooks& hooks, TetLiquid& liquid, SampleWork& work) {
  const int count = int(shell.tets.size());
  work.finder.set(shell, x_n);
  work.finder.fit();
  const auto ask = [&](std::size_t t) {
    const Vec3& v = liquid.volume[t] > 0 ? liquid.v[t] : moving.v[t];
    traced_points(shell, moving.x, int(t), -dt * v, hooks, &work.points[4 * t]);
    for (int k = 0; k < 4; ++k) work.where[4 * t + k] = work.finder.find(work.points[4 * t + k], int(t));
  };
  for_each_index(count, ask, 256);

  const auto share_asked = [&](int t, int o) { return 0.25 * moving.volume[t] / counted_volume(shell, x_n, o); };
  const auto donor = [&](int i) {  // of a request; −1: none
    const int o = work.where[i].tet;
    return o >= 0 && liquid.volume[o] > 0 && !moving.shut(i / 4) ? o : -1;
  };
  work.asked.assign(count, 0);
  work.requests.assign(count, 0);
  for (int i = 0; i < 4 * count; ++i)
    if (const int o = donor(i); o >= 0) work.asked[o] += share_asked(i / 4, o), ++work.requests[o];

  // Shares that sum to 1 up to round-off take all: the last one takes the difference.
  constexpr double all = 1 - 1e-12;
  std::vector<double> rest = liquid.volume;
  for (int i = 0; i < 4 * count; ++i) {
    const int o = donor(i);
    if (o >= 0) {
      const bool last = --work.requests[o] == 0;
      const double share = share_asked(i / 4, o) / std::max(1.0, work.asked[o]);
      const double amount = last && work.asked[o] > all ? rest[o] : std::min(rest[o], share * liquid.volume[o]);
      rest[o] -= amount;
      take_up(work.next, i / 4, amount, liquid.v[o]);
    } else if (work.where[i].tet < 0 && hooks.take && !moving.shut(i / 4)) {
      const SampleHooks::Taken taken = hooks.take(work.points[i], 0.25 * moving.capacity[i / 4]);
      if (taken.volume > 0) take_up(work.next, i / 4, taken.volume, taken.v);
    }
  }
  liquid.volume = std::move(rest);
}

void forward(const SkinShell& shell, const std::vector<Vec3>& x_n, const MovingShell& moving, double dt,
             const SampleHooks& hooks, const TetLiquid& rest, Drops& drops, SampleWork& work) {
  work.finder.set(shell, moving.x);
  work.finder.fit();
  const auto trace = [&](std::size_t t) {
    if (!(rest.volume[t] > 0)) return;
    traced_points(shell, x_n, int(t), dt * rest.v[t], hooks, &work.points[4 * t]);
    for (int k = 0; k < 4; ++k) work.where[4 * t + k] = work.finder.find(work.points[4 * t + k], int(t));
  };
  for_each_index(shell.tets.size(), trace, 256);
  DropGatherer gatherer(shell, drops);
  for (int t = 0; t < int(shell.tets.size()); ++t) {
    if (!(rest.volume[t] > 0)) continue;
    for (int k = 0; k < 4; ++k) {
      const double quarter = 0.25 * rest.volume[t], amount = k < 3 ? quarter : rest.volume[t] - 3 * quarter;
      const TetFinder::Place& place = work.where[4 * t + k];
      const Vec3& at = work.points[4 * t + k];
      // No liquid passes the skin: it stays in the last tet before it.
      if (const int to = place.tet >= 0 ? place.tet : place.last; to >= 0)
        take_up(work.next, to, amount, rest.v[t]);
      else if (hooks.give)
        hooks.give(at, rest.v[t], amount);
      else
        gatherer.add(at, rest.v[t], amount);
    }
  }
}

}  // namespace

void transport_by_samples(const SkinShell& shell, const std::vector<Vec3>& x_n, const MovingShell& moving, double dt,
                          const SampleHooks& hooks, TetLiquid& liquid, Drops& drops, SampleWork& work) {
  work.points.resize(4 * shell.tets.size());
  work.where.resize(4 * shell.tets.size());
  work.next.volume.assign(shell.tets.size(), 0);
  work.next.v.assign(shell.tets.size(), Vec3::Zero());
  backward(shell, x_n, moving, dt, hooks, liquid, work);
  forward(shell, x_n, moving, dt, hooks, liquid, drops, work);
  std::swap(liquid, work.next);
}

}  // namespace coracle
