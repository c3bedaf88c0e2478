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

// To whom tet t smears.
Receivers smeared_to(const SkinShell& shell, const MovingShell& moving, int t) {
  Receivers to;
  for (const int other : shell.neighbours[t])
    if (other >= 0 && !moving.shut(other)) to.add(other);
  return to;
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

bool is_lower(const SkinShell& shell, int other, int t) { return other >= 0 && shell.rank[other] < shell.rank[t]; }

void list_levels(const SkinShell& shell, PreserveWork& work) {
  if (!work.level.empty()) return;
  std::vector<int> level_of(shell.tets.size(), 0);  // 0: no neighbour is lower
  std::vector<int> sizes;
  for (const int t : shell.order) {
    for (const int other : shell.neighbours[t])
      if (is_lower(shell, other, t)) level_of[t] = std::max(level_of[t], level_of[other] + 1);
    if (level_of[t] == 0) continue;
    sizes.resize(std::max(sizes.size(), std::size_t(level_of[t])), 0);
    ++sizes[level_of[t] - 1];
  }
  work.level = {0};
  for (const int size : sizes) work.level.push_back(work.level.back() + (size + 63) / 64 * 64);
  work.by_level.resize(work.level.back());
  work.place_in_levels.assign(shell.tets.size(), -1);
  std::vector<int> next = work.level;
  for (int t = 0; t < int(shell.tets.size()); ++t) {
    if (level_of[t] == 0) continue;
    const int place = next[level_of[t] - 1]++;
    work.place_in_levels[t] = place;
    PreserveWork::Upper& upper = work.by_level[place];
    upper.tet = t;
    for (int f = 0; f < 4; ++f)
      if (const int other = shell.neighbours[t][f]; is_lower(shell, other, t)) upper.lower[f] = other;
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
  const std::size_t count = shell.tets.size();
  work.donors.resize(count);
  work.giving.set_where(count, [&](std::size_t t) {
    return excess_of(moving, liquid, int(t)) > 0 && !is_outer(shell, int(t)) &&
           smeared_to(shell, moving, int(t)).count > 0;
  });
  if (work.giving.empty()) return;
  work.receiving.clear(count);
  work.giving.for_each([&](std::size_t t) {
    work.donors[t] = {.excess = excess_of(moving, liquid, int(t)), .v = liquid.v[t]};
    work.receiving.add(t);
    for (const int other : shell.neighbours[t])
      if (other >= 0) work.receiving.add(other);
  });
  work.receiving.for_each([&](std::size_t t) {
    if (work.giving.has(t)) liquid.volume[t] = moving.capacity[t];
    for (const int other : shell.neighbours[t]) {
      if (other < 0 || moving.shut(int(t)) || !work.giving.has(other)) continue;
      const Receivers to = smeared_to(shell, moving, other);
      const int k = int(std::find(to.tet.begin(), to.tet.begin() + to.count, int(t)) - to.tet.begin());
      take_up(liquid, int(t), share_of(work.donors[other].excess, to.count, k), work.donors[other].v);
    }
    if (liquid.volume[t] == 0) liquid.v[t] = Vec3::Zero();
  });
}

void pushout(const SkinShell& shell, const MovingShell& moving, TetLiquid& liquid, Drops& drops, PreserveWork& work) {
  const std::size_t count = shell.tets.size();
  if (work.place.empty()) {
    work.place.resize(count);
    for (std::size_t k = 0; k < count; ++k) work.place[shell.order[k]] = int(k);
  }
  const auto is_over = [&](int t) { return excess_of(moving, liquid, t) > round_off * moving.capacity[t]; };
  // By place only once there are any: most often there are none.
  work.giving.set_where(count, [&](std::size_t t) { return is_over(int(t)); });
  if (work.giving.empty()) return;
  work.over.clear(count);
  work.giving.for_each([&](std::size_t t) { work.over.add(work.place[t]); });
  work.over.sweep([&](std::size_t k) {
    const int t = shell.order[k];
    double excess = excess_of(moving, liquid, t);
    if (!is_over(t)) return;
    const Vec3 v = liquid.v[t];
    liquid.volume[t] = moving.capacity[t];
    if (!is_outer(shell, t)) {
      excess = fill_neighbours(shell, moving, t, excess, liquid);
      Receivers higher;
      for (const int other : shell.neighbours[t])
        if (other >= 0 && shell.rank[other] > shell.rank[t]) higher.add(other);
      if (higher.count == 0 && shell.onward[t] >= 0) higher.add(shell.onward[t]);
      if (excess > 0 && higher.count > 0) {
        for (int i = 0; i < higher.count; ++i) {
          take_up(liquid, higher.tet[i], share_of(excess, higher.count, i), v);
          work.over.add(work.place[higher.tet[i]]);
        }
        excess = 0;
      }
    }
    if (excess > 0) drops.add(way_out(shell, moving.x, t), v, excess);
    if (moving.shut(t)) liquid.v[t] = Vec3::Zero();
  });
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
  constexpr unsigned char full = 1, flagged = 2, both = full | flagged;
  list_levels(shell, work);
  work.state.resize(shell.tets.size());
  work.due.clear(work.by_level.size());
  // Only what lies over a full and flagged tet is corrected.
  const auto flag = [&](int t) {
    work.state[t] |= flagged;
    if (!(work.state[t] & full)) return;
    for (const int other : shell.neighbours[t])
      if (other >= 0 && is_lower(shell, t, other) && work.wet.has(other)) work.due.add(work.place_in_levels[other]);
  };
  work.wet.set_where(shell.tets.size(), [&](std::size_t t) { return liquid.volume[t] > 0; });
  work.wet.for_each([&](std::size_t t) {
    work.state[t] = liquid.volume[t] >= full_share * moving.capacity[t] ? full : 0;
    const Vec4i& other = shell.neighbours[t];
    if (std::any_of(other.begin(), other.end(), [&](int o) { return is_wall(moving, o); })) flag(int(t));
  });
  // The tets of a level are not neighbours of each other: they can be corrected at once.
  const auto correct = [&](const PreserveWork::Upper& upper) {
    const int t = upper.tet;
    for (int f = 0; f < 4; ++f) {
      const int lower = upper.lower[f];
      if (lower < 0 || !work.wet.has(lower) || (work.state[lower] & both) != both) continue;
      const Vec3 w = liquid.v[t] - moving.v[t], below = liquid.v[lower] - moving.v[lower];
      clamp(liquid.v[t], w - below, -moving.face_area(t, f));
    }
    if (!(work.state[t] & flagged)) flag(t);
  };
  for (std::size_t k = 0; k + 1 < work.level.size(); ++k)
    work.due.for_each_in(work.level[k], work.level[k + 1], [&](std::size_t i) { correct(work.by_level[i]); });
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
