#include "coracle/step/skinned/flux.h"

#include "coracle/base/parallel.h"
#include "coracle/step/skinned/drop_gatherer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace coracle {
namespace {

// A tet loses at most this share of its volume a substep; above 1 more would leave than there is. Tets of less than
// half the usual volume do not make the substeps shorter; they give less than all the same.
constexpr double most_share = 0.9;
constexpr int most_substeps = 200;  // faster liquid, above 20 edges a step, lags behind
// Of the usual volume of a tet. Less than this does not wet a dry tet, or every step would make the next ring of tets
// wet. A tet that holds less gives all, and does not make the substeps shorter.
constexpr double dust = 1e-8;

void list_faces(const SkinShell& shell, FluxWork& work) {
  if (work.back.size() == shell.tets.size()) return;
  work.donors.resize(shell.tets.size());
  work.gives.resize(shell.tets.size());
  work.back.assign(shell.tets.size(), 0);
  work.outer.clear();
  for (int t = 0; t < int(shell.tets.size()); ++t) {
    if (is_outer(shell, t)) work.outer.push_back(t);
    for (int f = 0; f < 4; ++f) {
      const int other = shell.neighbours[t][f];
      for (int g = 0; other >= 0 && g < 4; ++g)
        if (shell.neighbours[other][g] == t) work.back[t] |= g << 2 * f;
    }
  }
}

using Faces = FluxWork::Faces;

// For four bits: 1 where a bit is set.
const std::array<Faces, 16> masks = [] {
  std::array<Faces, 16> made;
  for (int b = 0; b < 16; ++b) made[b] = Faces(b & 1, b >> 1 & 1, b >> 2 & 1, b >> 3 & 1);
  return made;
}();

struct Flux {
  const SkinShell& shell;
  const MovingShell& moving;
  double residual;
  FluxWork& work;
  double usual = usual_volume(shell);

  void open_faces() const {
    work.open.resize(shell.tets.size());
    for_each_index(shell.tets.size(), [&](std::size_t t) {
      int open = 0;
      for (int f = 0; f < 4; ++f) {
        const int other = shell.neighbours[t][f];
        open |= (other == SkinShell::outside || (other >= 0 && !moving.shut(other))) << f;
      }
      work.open[t] = open;
    });
  }

  // max(0, w·A_f) at each open face.
  Faces swept(int t, const Vec3& v) const {
    const Faces through = moving.area[t] * (v - moving.v[t]);
    return through.cwiseMax(0).cwiseProduct(masks[work.open[t]]);
  }
  // The share of a tet that leaves, 1/s, as far as it limits the substep.
  double rate(int t, double swept) const { return swept / std::max(moving.volume[t], 0.5 * usual); }

  double fastest(const TetLiquid& liquid) const {
    return largest(shell.tets.size(), [&](std::size_t t) {
      return liquid.volume[t] > dust * usual ? rate(int(t), swept(int(t), liquid.v[t]).sum()) : 0;
    });
  }

  // What leaves tet t in a substep; returns its rate.
  double give(int t, const TetLiquid& liquid, double dt) const {
    work.gives[t] = 0;
    const double m = liquid.volume[t];
    if (m == 0) return 0;
    Faces out = swept(t, liquid.v[t]);
    const double sum = out.sum();
    if (sum == 0) return 0;
    const double mobile = residual > 0 ? std::max(0.0, m - residual * moving.capacity[t]) : m;
    const double volume = std::max(moving.volume[t], 1e-3 * usual);
    out *= std::min(dt / volume * m, std::min(most_share * m, mobile) / sum);
    if ((out.array() > 0 && out.array() < dust * usual).any()) settle_dust(t, liquid, out);
    work.donors[t] = {.out = out, .v = liquid.v[t]};
    work.gives[t] = 1;
    return m > dust * usual ? rate(t, sum) : 0;
  }

  void settle_dust(int t, const TetLiquid& liquid, Faces& out) const {
    const Vec4i& other = shell.neighbours[t];
    for (int f = 0; f < 4; ++f)
      if (out[f] < dust * usual && other[f] >= 0 && liquid.volume[other[f]] == 0) out[f] = 0;
    if (!(liquid.volume[t] < dust * usual) || residual > 0) return;
    int widest = 0;
    if (out.maxCoeff(&widest) > 0) out = liquid.volume[t] * Faces::Unit(widest);
  }

  // What is left of tet t and what its neighbours give. Equal velocities stay equal to the last bit.
  void receive(int t, TetLiquid& liquid) const {
    // Fetch ahead: else a third of the time is spent waiting for neighbours that are far away in memory.
    constexpr int ahead = 16;
    if (t + ahead < int(shell.tets.size()) && work.gives[t + ahead])
      for (const int other : shell.neighbours[t + ahead])
        if (other >= 0) __builtin_prefetch(&work.donors[other]);
    const Vec4i& others = shell.neighbours[t];
    int giving = 0;
    for (int f = 0; f < 4; ++f)
      if (others[f] >= 0) giving |= work.gives[others[f]] << f;
    if (giving == 0 && work.gives[t] == 0) return;
    double m = liquid.volume[t];
    if (work.gives[t])
      for (int f = 0; f < 4; ++f) m -= work.donors[t].out[f];
    const Vec3 v = liquid.v[t];
    Vec3 gained = Vec3::Zero();
    for (int f = 0; f < 4; ++f) {
      if (!(giving >> f & 1)) continue;
      const FluxWork::Donor& donor = work.donors[others[f]];
      const double in = donor.out[work.back[t] >> 2 * f & 3];
      m += in;
      gained += in * (donor.v - v);
    }
    liquid.volume[t] = m;
    liquid.v[t] = m > 0 ? Vec3(v + gained / m) : Vec3(Vec3::Zero());
  }

  // What outer tet k loses through the hull.
  void leave(std::size_t k) const {
    const int t = work.outer[k];
    if (!work.gives[t]) return;
    const FluxWork::Donor& donor = work.donors[t];
    for (int f = 0; f < 4; ++f) {
      if (shell.neighbours[t][f] != SkinShell::outside || !(donor.out[f] > 0)) continue;
      work.left[k] += donor.out[f];
      work.left_v[k] += donor.out[f] / work.left[k] * (donor.v - work.left_v[k]);
    }
  }
};

}  // namespace

FluxReport transport_by_flux(const SkinShell& shell, const MovingShell& moving, double residual, double dt,
                             TetLiquid& liquid, Drops& drops, FluxWork& work) {
  const std::size_t count = shell.tets.size();
  list_faces(shell, work);
  work.left.assign(work.outer.size(), 0);
  work.left_v.assign(work.outer.size(), Vec3::Zero());
  const Flux flux{.shell = shell, .moving = moving, .residual = residual, .work = work};
  flux.open_faces();
  FluxReport report;
  // The rates of one substep choose the length of the next. Liquid that gets faster in between gives less than all.
  double fastest = flux.fastest(liquid);
  for (double rest = dt; rest > 0 && fastest > 0; ++report.substeps) {
    const double most = std::max(1, most_substeps - report.substeps);
    const double substeps = std::clamp(std::ceil(rest * fastest / most_share), 1.0, most);
    const double step = rest / substeps;
    rest = substeps == 1 ? 0 : rest - step;
    fastest = largest(count, [&](std::size_t t) { return flux.give(int(t), liquid, step); });
    for_each_index(work.outer.size(), [&](std::size_t k) { flux.leave(k); });
    for_each_index(count, [&](std::size_t t) { flux.receive(int(t), liquid); });
  }
  DropGatherer gatherer(shell, drops);
  for (std::size_t k = 0; k < work.outer.size(); ++k)
    if (work.left[k] > 0) gatherer.add(way_out(shell, moving.x, work.outer[k]), work.left_v[k], work.left[k]);
  return report;
}

}  // namespace coracle
