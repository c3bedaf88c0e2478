// Contact by a barrier in the bodies' equation of motion: surfaces never meet [Li20].
//
// Positions at the end of the step are X = x + dt (c₀ vⁿ + c v). The energy of all pairs nearer than their reach is
// B(X) = Σ A b, with the area A that a point or an edge stands for; friction adds D(X) = Σ μ λ f0(|u|) with normal
// forces λ and tangents of the start of the step. Their part of the potential in v is (B + D) / (c dt), so that its
// gradient is the force. Every change of v is limited such that no pair meets on the straight way (ccd.h).
//
// Solids, held nodes and the volume of the fluid's cells have targets that v must meet at the end. `progress` is the
// share of the way to them: it grows from 0 to 1 as the changes of v are accepted.
#pragma once

#include "coracle/report.h"
#include "coracle/solve/block_solver.h"
#include "coracle/step/contact/barrier.h"
#include "coracle/step/contact/contact_model.h"
#include "coracle/step/contact/contact_pairs.h"
#include "coracle/step/contact/friction_law.h"
#include "coracle/step/contact/penalty.h"

#include <string>
#include <utility>
#include <vector>

namespace coracle {

// What loose points do to a part.
struct LooseLoad {
  Vec3 force = Vec3::Zero();   // N
  Vec3 torque = Vec3::Zero();  // N m about the origin
  std::size_t points = 0;      // that touch it
  void push(const Vec3& place, const Vec3& by) { force += by, torque += place.cross(by); }
};

class BarrierContacts {
 public:
  // Nodes are at x and move by c0 before + c v over dt. `share`: of the stiffness of surfaces that counts.
  BarrierContacts(const World& world, const ContactOptions& options, ContactMesh& mesh, const NodeField& x,
                  const NodeField& before, double c0, double c, double dt, double gravity,
                  const LoosePoints* loose = nullptr, double share = 1);

  // The Taylor series of the energy about the start of the step [Xie23 eq. 5.7]; friction is quadratic, with the slip
  // of the velocities `v` (friction_law.h). Solids move as they will.
  ContactModel model(const NodeField& v) const;

  // Whether a body is within the reach of something at the start of the step.
  bool touched(std::size_t body) const { return touched_[body]; }

  // The share of the way from `from` to `to` that is free. From now on positions on that way may be asked for.
  double free_share(const NodeField& from, const NodeField& to);
  double progress() const { return progress_; }
  void set_progress(double progress) { progress_ = trial_ = progress; }
  // The energy is asked for at a point `share` of the remaining way.
  void try_share(double share) { trial_ = progress_ + share * (1 - progress_); }
  void accept() { progress_ = trial_; }

  // Find the pairs that are near at v, with their derivatives: forces as they will be, to first order, when solids have
  // moved on.
  void update(const NodeField& v);
  // Pairs of nodes that are coupled at v, after update(v); with those within so many times their reach.
  std::vector<std::pair<int, int>> pairs(const NodeField& v, double reaches = 1) const;
  void add_blocks(BlockSolver& matrix) const;
  void add_residual(NodeField& r) const;
  double potential(const NodeField& v) const;
  // Where surfaces are pressed together beyond reason at v, in words; empty: nowhere.
  std::string tight_place(const NodeField& v) const;

  // At the end of the step.
  ContactReport report(const NodeField& v);
  std::vector<std::size_t> contacts_of(std::size_t bodies) const;  // per body, from the last update()
  std::vector<LooseLoad> loose_loads(const NodeField& v) const;    // per part

 private:
  struct Term {
    std::array<int, 4> vertex;  // −1: none
    ContactTerm term;
  };
  struct Sliding {
    std::array<int, 4> vertex;
    SlidingContact contact;
  };
  std::vector<Vec3> positions(const NodeField& v, double progress) const;
  BarrierLaw law(const ContactPair& pair) const;
  FourNodes way_of(const Sliding& s, const std::vector<Vec3>& x) const;  // since the start of the step
  FourNodes ahead_of(const std::array<int, 4>& vertex) const;  // the rest of the way of those of solids, else zero
  bool moves(int vertex) const { return vertex >= 0 && vertex < mesh_.nodes; }
  FreeNodes moving(const std::array<int, 4>& v) const { return {moves(v[0]), moves(v[1]), moves(v[2]), moves(v[3])}; }
  // The candidates that are nearer at x than so many times their reach.
  struct Near {
    ContactPair pair;
    SimplexDistance closest;
  };
  std::vector<Near> find_near(const std::vector<Vec3>& x, double reaches) const;
  void seek(const std::vector<Vec3>& from, const std::vector<Vec3>& to);
  void look_at_start();
  double energy(const std::vector<Vec3>& x) const;

  const ContactOptions& options_;
  ContactMesh& mesh_;
  const NodeField& before_;
  double c0_, c_, dt_;
  std::vector<Vec3> start_;    // m, all vertices
  std::vector<Vec3> ahead_;    // m, by how much those of solids will move
  std::vector<double> kappa_;  // Pa, per part
  ContactCandidates candidates_;
  std::vector<char> touched_;  // per part
  std::vector<Sliding> sliding_;
  std::vector<Term> terms_;
  std::size_t active_ = 0;
  double search_s_ = 0;  // s: to find candidates, in this step
  double progress_ = 0, trial_ = 0;
};

}  // namespace coracle
