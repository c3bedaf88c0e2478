// Shells with liquid in them.
#pragma once

#include "coracle/base/random.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/step/skinned/moving_shell.h"
#include "coracle/world/skin_shell.h"

#include <numeric>

namespace coracle {

inline const SkinShell& ball_shell() {
  static const SkinShell shell = make_skin_shell(sphere_mesh(Vec3::Zero(), 0.5, 0.1), 0.1, 0.3);
  return shell;
}

// Around a plate; its upper side is z = 0.
inline const SkinShell& plate_shell() {
  static const SkinShell shell = make_skin_shell(box_mesh({-1, -0.4, -0.1}, {1, 0.4, 0}), 0.08, 0.24);
  return shell;
}

inline MovingShell still(const SkinShell& shell, double solid_share = 0) {
  MovingShell moving;
  move_shell(shell, shell.x, shell.x, 1, solid_share, {}, moving);
  return moving;
}

inline TetLiquid no_liquid(const SkinShell& shell) {
  return {.volume = std::vector<double>(shell.tets.size(), 0), .v = std::vector<Vec3>(shell.tets.size(), Vec3::Zero())};
}

// Share f(centroid) of every tet, with velocity u(centroid).
template <class F, class U>
TetLiquid filled(const SkinShell& shell, F&& f, U&& u) {
  TetLiquid liquid = no_liquid(shell);
  for (int t = 0; t < int(shell.tets.size()); ++t) {
    const Vec3 x = centroid(shell, shell.x, t);
    liquid.volume[t] = f(x) * shell.volume[t];
    if (liquid.volume[t] > 0) liquid.v[t] = u(x);
  }
  return liquid;
}

inline TetLiquid random_liquid(const SkinShell& shell, double most_share, double speed) {
  TetLiquid liquid = no_liquid(shell);
  for (std::size_t t = 0; t < shell.tets.size(); ++t) {
    if (uniform(1, t) < 0.3) continue;
    liquid.volume[t] = most_share * uniform(2, t) * shell.volume[t];
    liquid.v[t] = speed * (2 * Vec3(uniform(3, t), uniform(4, t), uniform(5, t)) - Vec3::Ones());
  }
  return liquid;
}

inline double total(const std::vector<double>& volume) { return std::accumulate(volume.begin(), volume.end(), 0.0); }

template <class Liquid>
Vec3 momentum(const Liquid& liquid) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t t = 0; t < liquid.volume.size(); ++t) sum += liquid.volume[t] * liquid.v[t];
  return sum;
}

inline Vec3 centre(const SkinShell& shell, const TetLiquid& liquid) {
  Vec3 sum = Vec3::Zero();
  for (int t = 0; t < int(shell.tets.size()); ++t) sum += liquid.volume[t] * centroid(shell, shell.x, t);
  return sum / total(liquid.volume);
}

}  // namespace coracle
