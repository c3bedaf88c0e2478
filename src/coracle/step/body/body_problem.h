// Velocities of the deformable bodies at the end of a step, all bodies in one system.
//
// Unknown v. With x_e = x + dt (a₀ vⁿ + a v) where elasticity acts, w = d₀ vⁿ + d v where damping acts:
//     M (v − vⁿ) / dt + D w + ∂Ψ/∂x (x_e) = M g + contact,     D = τ_m M + τ_k K,     x ← x + dt (c₀ vⁿ + c v)
//     backward Euler  a₀ a = 0 1,  d₀ d = 0 1,  c₀ c = 0 1            [ZarifiBatty17 eqs. 5–6]
//     trapezoidal     a₀ a = ½ ½,  d₀ d = 0 1,  c₀ c = ½ ½            [Chentanez06 appendix]
//     midpoint        a₀ a = ¼ ¼,  d₀ d = ½ ½,  c₀ c = ½ ½
// One linear solve a step takes the elastic force linear in v about x; Newton's method iterates, with a line search on
// the potential whose gradient the equation is.
#pragma once

#include "coracle/step/body/tets.h"
#include "coracle/step/contact/penalty.h"
#include "coracle/world.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace coracle {

// The matrix and what it remembers of its pattern.
struct BodySystem {
  BlockSolver matrix;
  std::vector<int> first;  // number of each body's first node
  std::vector<ElementSlots> slots;
  std::vector<std::pair<int, int>> contact_pairs;  // in the pattern beside the elements'
};

struct BodySolve {
  bool ok = true;
  std::string trouble;
  int iterations = 0;  // linear solves
  double assembly_s = 0;
  double factor_s = 0;
  std::size_t contacts = 0;         // that push
  std::vector<double> penetration;  // m, deepest of each body at the start of the step
  std::vector<std::size_t> contacts_of;
};

// One linear solve of the bodies: B δ = rhs under its constraints, B factorised; nodes move by `moving` + c δ.
struct BodyEquation {
  BlockSolver& matrix;
  const NodeField& moving;
  double c;
  const NodeField& rhs;
  std::vector<double> inertia;  // kg/s, the part of B that is a multiple of the mass
};

// What presses on the bodies from outside.
struct Surroundings {
  NodeField force;  // N, as last known
  // Find the change of velocity and the force together; false, with a word in `trouble`, when that fails. Where there
  // is no such function the force is given.
  std::function<bool(const BodyEquation&, NodeField& change)> solve;
  std::function<void(double share)> accept;       // take that share of the last change; sets `force`
  std::function<std::array<double, 3>()> energy;  // W, of the surroundings along the last change: e₀ + e₁ s + e₂ s²
  std::string trouble;
};

struct BodyStep {
  const ElasticOptions& options;
  const World& world;
  const SolidField& field;
  double dt;
  Vec3 fall;            // m/s, what gravity adds
  bool elastic = true;  // false: as if the bodies had no elasticity
  bool damped = true;   // false: nor damping
};

// Set the bodies' velocities for the step. `moved` receives the velocity by which each node moves over dt.
[[nodiscard]] BodySolve solve_bodies(const BodyStep& step, BodySystem& system, std::vector<Body>& bodies,
                                     std::vector<std::vector<Vec3>>& moved, Surroundings* around = nullptr);

}  // namespace coracle
