// Shells with liquid in them.
#pragma once

#include "coracle/base/random.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/step/skinned/tet_stage.h"
#include "coracle/world/skin_shell.h"

#include <cmath>
#include <numeric>

namespace coracle::validation {

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

// A shell that goes from one place to the next, and its liquid.
struct Ride {
  const SkinShell& shell = ball_shell();
  TetOptions options;
  double dt = 0.01;
  std::vector<Vec3> x = shell.x;
  std::vector<Vec3> fibres = upright_fibres(shell), fibres_now = fibres;
  TetLiquid liquid = no_liquid(shell);
  Drops drops;
  TetWork work;
  MovingShell moving;
  TetReport report;

  template <class Place>
  void step(Place&& place) {
    std::vector<Vec3> next = shell.x;
    for (Vec3& p : next) p = place(p);
    move_shell(shell, x, next, dt, 1 - options.fur.porosity, {}, moving);
    deform_fibres(shell, fibres, next, fibres_now);
    report = step_tets(options, shell, x, moving, fibres_now, dt, {}, liquid, drops, work);
    x = next;
  }
  double all() const { return total(liquid.volume) + total(drops.volume); }
};

// It tumbles, sways and stretches.
struct Tumble {
  double t;
  Vec3 operator()(const Vec3& p) const {
    return rotation_xyz({300 * t, -200 * t, 150 * t}) * Vec3(p * (1 + 0.1 * std::sin(20 * t))) +
           Vec3(0.2 * std::sin(9 * t), t, 0);
  }
};

// Gravity along `down` and drag until nothing changes: the velocity of liquid that fills a share of the room in fur.
inline Vec3 velocity_in_fur(const Fur& fur, const Vec3& down, const Vec3& fibre, double share) {
  constexpr double viscosity = 1e-6, gravity = 9.81, dt = 0.05;
  const SkinShell& shell = ball_shell();
  const MovingShell moving = still(shell, 1 - fur.porosity);
  TetLiquid liquid = filled(
      shell, [&](const Vec3&) { return share * fur.porosity; }, [](const Vec3&) { return Vec3(0, 0, 0); });
  const std::vector<Vec3> fibres(shell.tets.size(), fibre);
  for (int i = 0; i < 25; ++i) {
    for (Vec3& v : liquid.v) v += dt * gravity * down;
    drag(fur, fibres, moving, viscosity, dt, liquid);
  }
  return liquid.v[0];
}

// A smooth hill of liquid on the plate, around a place.
inline double hill_on_plate(const Vec3& x, double middle, double radius) {
  const double r = std::hypot(x.x() - middle, x.y()) / radius;
  return x.z() < 0 || r > 1 ? 0 : std::pow(std::cos(0.5 * M_PI * r), 2);
}

}  // namespace coracle::validation
