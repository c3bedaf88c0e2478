#include "coracle/step/skinned/flux.h"

#include "coracle/step/skinned/drop_gatherer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace coracle {
namespace {

constexpr double most_share = 0.9;  // that a tet gives at once; above 1 more would leave than there is
// Edges that liquid moves in a round. Neighbours of one speed that move for equal times move the centre of volume with
// w. A sixth of the share would let every usual tet, of volume e³/12 and at most e²/2 wide, do so in any direction;
// with a quarter, which needs two thirds of the rounds, liquid is up to 0.5 % slow.
constexpr double most_way = most_share / 4;
constexpr int most_rounds = 200;  // faster liquid, above 30 edges a step, lags behind
// Of the usual volume of a tet. Smaller tets pass liquid on as if they had this volume, or they would need rounds of
// their own.
constexpr double least_volume = 0.1;
// Of the usual volume of a tet. Less than this does not wet a dry tet, or every step would make the next ring of tets
// wet. What is not much more goes on as a whole, from tet to tet: at least once a step, though it were slower. If it
// stayed it would fall on and on in its place.
constexpr double dust = 1e-5, whole = 4 * dust;
constexpr double done = 1e-9;  // of a step: a time that is not worth a round

void list_faces(const SkinShell& shell, FluxWork& work) {
  const std::size_t count = shell.tets.size();
  if (work.back.size() == count) return;
  work.donors.resize(count);
  work.to_go.assign(count, 0);
  work.left.resize(count);
  work.left_v.resize(count);
  work.back.assign(count, 0);
  for (int t = 0; t < int(count); ++t)
    for (int f = 0; f < 4; ++f) {
      const int other = shell.neighbours[t][f];
      for (int g = 0; other >= 0 && g < 4; ++g)
        if (shell.neighbours[other][g] == t) work.back[t] |= g << 2 * f;
    }
}

using Faces = FluxWork::Faces;

struct Flux {
  const SkinShell& shell;
  const MovingShell& moving;
  double residual, dt;
  FluxWork& work;
  double usual = usual_volume(shell);

  bool is_open(int neighbour) const {
    return neighbour == SkinShell::outside || (neighbour >= 0 && !moving.shut(neighbour));
  }
  // max(0, w·A_f) at each open face.
  Faces swept(int t, const Vec3& v) const {
    Faces through = (moving.area[t] * (v - moving.v[t])).cwiseMax(0);
    for (int f = 0; f < 4; ++f)
      if (through[f] > 0 && !is_open(shell.neighbours[t][f])) through[f] = 0;
    return through;
  }

  // What leaves tet t in this round. Whether anything may leave.
  bool give(int t, const TetLiquid& liquid) const {
    Faces out = swept(t, liquid.v[t]);
    const double m = liquid.volume[t], sum = out.sum(), before = std::exchange(work.to_go[t], 0);
    if (sum == 0) return false;
    const double volume = std::max(moving.volume[t], least_volume * usual), per_sum = 1 / sum;
    const double most =
        std::min(most_way * shell.edge / (liquid.v[t] - moving.v[t]).norm(), most_share * volume * per_sum);
    double time = std::min(before, most);
    if (m < whole * usual && residual == 0) {
      const double across = volume * per_sum;  // s, to leave the tet
      if (before < 0.5 * across && before < dt) return false;
      time = std::min(before, across);
      int widest = 0;
      out.maxCoeff(&widest);
      out = m * Faces::Unit(widest);
    } else {
      const double mobile = residual > 0 ? std::max(0.0, m - residual * moving.capacity[t]) : m;
      out *= std::min(time / volume * m, std::min(most_share * m, mobile) * per_sum);
      if ((out.array() > 0 && out.array() < dust * usual).any()) keep_dust(t, liquid, out);
    }
    work.to_go[t] = before - time;
    work.donors[t] = {.out = out, .v = liquid.v[t], .to_go = work.to_go[t]};
    for (int f = 0; f < 4; ++f) {
      if (!(out[f] > 0)) continue;
      if (shell.neighbours[t][f] >= 0)
        work.receiving.add(shell.neighbours[t][f]);
      else
        leave(t, out[f], liquid.v[t]);
    }
    return true;
  }

  void keep_dust(int t, const TetLiquid& liquid, Faces& out) const {
    const Vec4i& other = shell.neighbours[t];
    for (int f = 0; f < 4; ++f)
      if (out[f] < dust * usual && other[f] >= 0 && liquid.volume[other[f]] == 0) out[f] = 0;
  }

  // Through the hull.
  void leave(int t, double amount, const Vec3& v) const {
    if (!work.leavers.has(t)) {
      work.leavers.add(t);
      work.left[t] = 0, work.left_v[t] = v;
    }
    work.left[t] += amount;
    work.left_v[t] += amount / work.left[t] * (v - work.left_v[t]);
  }

  // What is left of tet t and what its neighbours give; whether it has to move on. Equal velocities stay equal to the
  // last bit.
  bool receive(int t, TetLiquid& liquid) const {
    // Fetch ahead: else a third of the time is spent waiting for neighbours that are far away in memory.
    constexpr int ahead = 16;
    if (t + ahead < int(shell.tets.size()) && work.receiving.has(t + ahead))
      for (const int other : shell.neighbours[t + ahead])
        if (other >= 0) __builtin_prefetch(&work.donors[other]);
    double m = liquid.volume[t];
    if (work.giving.has(t))
      for (int f = 0; f < 4; ++f) m -= work.donors[t].out[f];
    double to_go = m * work.to_go[t];  // times the volume
    const Vec3 v = liquid.v[t];
    Vec3 gained = Vec3::Zero();
    for (int f = 0; f < 4; ++f) {
      const int other = shell.neighbours[t][f];
      if (other < 0 || !work.giving.has(other)) continue;
      const FluxWork::Donor& donor = work.donors[other];
      const double in = donor.out[work.back[t] >> 2 * f & 3];
      m += in;
      to_go += in * donor.to_go;
      gained += in * (donor.v - v);
    }
    const double per_m = m > 0 ? 1 / m : 0;
    liquid.volume[t] = m;
    liquid.v[t] = m > 0 ? Vec3(v + per_m * gained) : Vec3(Vec3::Zero());
    work.to_go[t] = to_go > done * dt * m ? per_m * to_go : 0;
    return work.to_go[t] > 0;
  }
};

}  // namespace

FluxReport transport_by_flux(const SkinShell& shell, const MovingShell& moving, double residual, double dt,
                             TetLiquid& liquid, Drops& drops, FluxWork& work) {
  const std::size_t count = shell.tets.size();
  list_faces(shell, work);
  work.leavers.clear(count);
  work.active.set_where(count, [&](std::size_t t) {
    if (liquid.volume[t] > 0) work.to_go[t] = dt;
    return liquid.volume[t] > 0;
  });
  const Flux flux{.shell = shell, .moving = moving, .residual = residual, .dt = dt, .work = work};
  FluxReport report;
  for (; report.rounds < most_rounds && !work.active.empty(); ++report.rounds) {
    report.moves += work.active.count();
    work.receiving = work.active;
    work.giving.set_where(work.active, [&](std::size_t t) { return flux.give(int(t), liquid); });
    work.active.set_where(work.receiving, [&](std::size_t t) { return flux.receive(int(t), liquid); });
  }
  work.active.for_each([&](std::size_t t) { work.to_go[t] = 0; });
  DropGatherer gatherer(shell, drops);
  work.leavers.sweep(
      [&](std::size_t t) { gatherer.add(way_out(shell, moving.x, int(t)), work.left_v[t], work.left[t]); });
  return report;
}

}  // namespace coracle
