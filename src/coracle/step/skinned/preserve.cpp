#include "coracle/step/skinned/preserve.h"

#include "coracle/base/parallel.h"

#include <algorithm>
#include <array>
#include <utility>

namespace coracle {
namespace {

constexpr double round_off = 5e-14;  // of the capacity: no excess worth a drop

// Neighbours among which a tet shares equally.
struct Receivers {
  std::array<int, 4> tet;
  int count = 0;
  void add(int t) { tet[count++] = t; }
};

// The k-th of `count` equal shares; the last is what the others leave.
double share_of(double amount, int count, int k) {
  const double share = amount / count;
  return k + 1 < count ? share : amount - (count - 1) * share;
}

double excess_of(const MovingShell& moving, const TetLiquid& liquid, int t) {
  return liquid.volume[t] - moving.capacity[t];
}

// What tet t smears, and to whom.
double smeared(const SkinShell& shell, const MovingShell& moving, const TetLiquid& liquid, int t, Receivers& to) {
  const double excess = excess_of(moving, liquid, t);
  if (!(excess > 0) || is_outer(shell, t)) return 0;
  for (const int other : shell.neighbours[t])
    if (other >= 0 && !moving.shut(other)) to.add(other);
  return to.count > 0 ? excess : 0;
}

// Give as far as neighbours have room, equally; returns the rest.
double fill_neighbours(const SkinShell& shell, const MovingShell& moving, int t, double excess, TetLiquid& liquid) {
  Receivers open;
  for (const int other : shell.neighbours[t])
    if (other >= 0 && excess_of(moving, liquid, other) < 0) open.add(other);
  // A neighbour that its share would overfill is filled and leaves the round; each round fills one or ends.
  while (open.count > 0 && excess > 0) {
    const double share = excess / open.count;
    int filled = -1;
    for (int k = 0; k < open.count && filled < 0; ++k)
      if (-excess_of(moving, liquid, open.tet[k]) < share) filled = k;
    if (filled < 0) {
      for (int k = 0; k < open.count; ++k) take_up(liquid, open.tet[k], share_of(excess, open.count, k), liquid.v[t]);
      return 0;
    }
    const double room = -excess_of(moving, liquid, open.tet[filled]);
    take_up(liquid, open.tet[filled], room, liquid.v[t]);
    excess -= room;
    open.tet[filled] = open.tet[--open.count];
  }
  return excess;
}

void list_levels(const SkinShell& shell, PreserveWork& work) {
  if (!work.level.empty()) return;
  std::vector<int> level_of(shell.tets.size(), 0);  // 0: no neighbour is lower
  int levels = 0;
  const auto is_lower = [&](int other, int t) { return other >= 0 && shell.rank[other] < shell.rank[t]; };
  for (const int t : shell.order) {
    for (const int other : shell.neighbours[t])
      if (is_lower(other, t)) level_of[t] = std::max(level_of[t], level_of[other] + 1);
    levels = std::max(levels, level_of[t]);
  }
  work.level.assign(levels + 1, 0);
  for (const int k : level_of)
    if (k > 0) ++work.level[k];
  for (int k = 0; k < levels; ++k) work.level[k + 1] += work.level[k];
  std::vector<int> next = work.level;
  work.by_level.resize(work.level.back());
  for (int t = 0; t < int(shell.tets.size()); ++t) {
    if (level_of[t] == 0) continue;
    PreserveWork::Upper& upper = work.by_level[next[level_of[t] - 1]++];
    upper.tet = t;
    for (int f = 0; f < 4; ++f) {
      const int other = shell.neighbours[t][f];
      upper.lower[f] = is_lower(other, t) ? other : -1;
    }
  }
}

bool is_wall(const MovingShell& moving, int neighbour) {
  return neighbour == SkinShell::skin || (neighbour >= 0 && moving.shut(neighbour));
}

// w·n ≥ 0
void clamp(Vec3& v, const Vec3& w, const Vec3& n) {
  const double away = w.dot(n);
  if (away < 0) v -= away / n.squaredNorm() * n;
}

}  // namespace

void smear(const SkinShell& shell, const MovingShell& moving, TetLiquid& liquid, PreserveWork& work) {
  TetLiquid& next = work.next;
  next.volume.resize(liquid.volume.size());
  next.v.resize(liquid.v.size());
  for_each_index(shell.tets.size(), [&](std::size_t i) {
    const int t = int(i);
    Receivers mine;
    const bool gives = smeared(shell, moving, liquid, t, mine) > 0;
    next.volume[t] = gives ? moving.capacity[t] : liquid.volume[t];
    next.v[t] = liquid.v[t];
    for (const int other : shell.neighbours[t]) {
      if (other < 0 || moving.shut(t)) continue;
      Receivers to;
      const double amount = smeared(shell, moving, liquid, other, to);
      if (!(amount > 0)) continue;
      const int k = int(std::find(to.tet.begin(), to.tet.begin() + to.count, t) - to.tet.begin());
      take_up(next, t, share_of(amount, to.count, k), liquid.v[other]);
    }
    if (next.volume[t] == 0) next.v[t] = Vec3::Zero();
  });
  std::swap(liquid, next);
}

void pushout(const SkinShell& shell, const MovingShell& moving, TetLiquid& liquid, Drops& drops) {
  for (const int t : shell.order) {
    double excess = excess_of(moving, liquid, t);
    if (!(excess > round_off * moving.capacity[t])) continue;
    const Vec3 v = liquid.v[t];
    liquid.volume[t] = moving.capacity[t];
    if (!is_outer(shell, t)) {
      excess = fill_neighbours(shell, moving, t, excess, liquid);
      Receivers higher;
      for (const int other : shell.neighbours[t])
        if (other >= 0 && shell.rank[other] > shell.rank[t]) higher.add(other);
      if (higher.count == 0 && shell.onward[t] >= 0) higher.add(shell.onward[t]);
      if (excess > 0 && higher.count > 0) {
        for (int k = 0; k < higher.count; ++k) take_up(liquid, higher.tet[k], share_of(excess, higher.count, k), v);
        excess = 0;
      }
    }
    if (excess > 0) drops.add(way_out(shell, moving.x, t), v, excess);
    if (moving.shut(t)) liquid.v[t] = Vec3::Zero();
  }
}

void stop_at_walls(const SkinShell& shell, const MovingShell& moving, TetLiquid& liquid) {
  for_each_index(shell.tets.size(), [&](std::size_t t) {
    if (!(liquid.volume[t] > 0)) return;
    for (int f = 0; f < 4; ++f)
      if (is_wall(moving, shell.neighbours[t][f]))
        clamp(liquid.v[t], liquid.v[t] - moving.v[t], -moving.face_area(int(t), f));
  });
}

void correct_velocities(const SkinShell& shell, const MovingShell& moving, TetLiquid& liquid, PreserveWork& work) {
  constexpr double full_share = 1 - 1e-9;  // of the capacity
  constexpr unsigned char wet = 1, full = 2, flagged = 4;
  list_levels(shell, work);
  work.state.resize(shell.tets.size());
  for_each_index(shell.tets.size(), [&](std::size_t t) {
    work.state[t] = 0;
    if (!(liquid.volume[t] > 0)) return;
    const Vec4i& other = shell.neighbours[t];
    work.state[t] = wet;
    if (liquid.volume[t] >= full_share * moving.capacity[t]) work.state[t] |= full;
    if (std::any_of(other.begin(), other.end(), [&](int o) { return is_wall(moving, o); })) work.state[t] |= flagged;
  });
  // The tets of a level are not neighbours of each other: they can be corrected at once.
  const auto correct = [&](const PreserveWork::Upper& upper) {
    const int t = upper.tet;
    if (work.state[t] == 0) return;
    for (int f = 0; f < 4; ++f) {
      const int lower = upper.lower[f];
      if (lower < 0 || (work.state[lower] & (full | flagged)) != (full | flagged)) continue;
      const Vec3 w = liquid.v[t] - moving.v[t], below = liquid.v[lower] - moving.v[lower];
      clamp(liquid.v[t], w - below, -moving.face_area(int(t), f));
      work.state[t] |= flagged;
    }
  };
  for (std::size_t k = 0; k + 1 < work.level.size(); ++k)
    for_each_index(
        work.level[k + 1] - work.level[k], [&](std::size_t i) { correct(work.by_level[work.level[k] + i]); }, 1024);
}

double cut_off_excess(const MovingShell& moving, TetLiquid& liquid) {
  return sum_blocks(liquid.volume.size(), [&](std::size_t begin, std::size_t end) {
    double lost = 0;
    for (std::size_t t = begin; t < end; ++t) {
      const double excess = excess_of(moving, liquid, int(t));
      if (!(excess > 0)) continue;
      lost += excess;
      liquid.volume[t] = moving.capacity[t];
      if (moving.shut(int(t))) liquid.v[t] = Vec3::Zero();
    }
    return lost;
  });
}

}  // namespace coracle
