// The equation of motion of all bodies over one step: its residual, matrix and potential.
//
// Unknown v, the velocity of the nodes at the end of the step. With x_e = x + dt (a₀ vⁿ + a v) where elasticity acts
// and w = d₀ vⁿ + d v where damping acts:
//     M (v − vⁿ) / dt + D w + ∂Ψ/∂x (x_e) = M g + load + contact,     D = τ_m M + τ_k K,     x ← x + dt (c₀ vⁿ + c v)
//     backward Euler  a₀ a = 0 1,  d₀ d = 0 1,  c₀ c = 0 1            [ZarifiBatty17 eqs. 5–6]
//     trapezoidal     a₀ a = ½ ½,  d₀ d = 0 1,  c₀ c = ½ ½            [Chentanez06 appendix]
//     midpoint        a₀ a = ¼ ¼,  d₀ d = ½ ½,  c₀ c = ½ ½
// Ψ is the energy of the elements, and that of muscles (muscles.h). It is solved by body_solve.h where the bodies are
// alone, and by step/couple where a fluid surrounds them.
#pragma once

#include "coracle/step/body/elements.h"
#include "coracle/step/contact/barrier_contacts.h"
#include "coracle/step/contact/contact_model.h"
#include "coracle/step/contact/penalty.h"
#include "coracle/world.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coracle {

// The matrix and its pattern, kept between steps.
struct BodySystem {
  BlockSolver matrix;
  std::vector<ElementSlots> slots;                 // per body
  std::vector<std::pair<int, int>> contact_pairs;  // in the pattern besides those of the elements
  ContactMesh contact_mesh;                        // of the barrier
  std::vector<Follower> followers;                 // of all bodies; made once
  bool knows_followers = false;
};

struct BodyStep {
  const ElasticOptions& options;
  ContactOptions contact = {};
  const World& world;
  TreeList trees;  // of all surfaces of the world
  double dt;
  Vec3 gravity_dv;      // m/s, that gravity adds in this step
  double kick_dt = 0;   // s: from the time of the velocities before the step to that of those after it; 0: dt
  bool elastic = true;  // false: leave elasticity out, but for what keeps rigid bodies rigid
  bool damped = true;   // false: leave damping out
  bool loaded = true;   // false: leave out the forces that the program has set
  const LoosePoints* loose = nullptr;   // the last body is points of a liquid
  const ContactModel* model = nullptr;  // contact as a quadratic model; only under backward Euler
  double contact_share = 1;             // of the barrier between surfaces that counts
  double weight_per_mass = -1;          // m/s², for the barrier's stiffness; below zero: that of gravity_dv
  double near_enough = 0;               // m/s: Newton's method ends at a smaller change; 0: by the options' tolerance
};

inline const ContactOptions no_contact{.place = {}, .kind = ContactKind::none};

struct BodySolve {
  bool ok = true;
  std::string trouble;
  int iterations = 0;  // linear solves
  double assembly_s = 0;
  double factor_s = 0;
  std::size_t contacts = 0;         // that push
  std::vector<double> penetration;  // m, per body: the deepest at the start of the step
  std::vector<std::size_t> contacts_of;
  std::optional<ContactReport> contact;  // by the barrier
  std::vector<LooseLoad> loose_loads;    // per part of the contact mesh, where there are loose points
  std::vector<std::string> notes;        // for the user
};

class BodyProblem {
 public:
  BodyProblem(const BodyStep& step, BodySystem& system);

  const ElasticOptions& options() const { return o_; }
  ContactForces& contacts() { return contacts_; }
  BodySolve& report() { return report_; }
  bool fail(const std::string& trouble);            // false, for the caller to return
  bool fail_to_start(const NodeField& v);           // where the potential at v is infinite
  bool fail_in_newton(const std::string& trouble);  // names where contacts are pressed beyond reason

  // vⁿ + gravity, constrained nodes at their prescribed velocities; with the barrier as near to that as is free.
  NodeField start();
  // Zero except at constrained nodes; with the barrier, such that nothing moves.
  NodeField rest();

  // With the barrier, Newton's method follows these. The largest share of a change that is free of impacts:
  double largest_share(const NodeField& v, const NodeField& change);
  // Whether solids, held nodes and the fluid's volume have met their targets.
  bool arrived() const { return !barrier_ || barrier_->progress() > 1 - 1e-12; }
  void try_share(double share) {
    if (barrier_) barrier_->try_share(share);
  }
  void accept_share() {
    if (barrier_) barrier_->accept();
  }
  bool has_barrier() const { return barrier_ != nullptr; }

  // The equation linearised about x: B v = rhs. Sets B.
  void linearise(NodeField& rhs);
  // Newton's equation at v: B δ = rhs = −residual. Sets B.
  void linearise_at(const NodeField& v, NodeField& rhs);
  // Factorise B under the constraints. For a change δ of a v that meets them, the prescribed values are zero.
  enum class Unknown { velocity, change };
  [[nodiscard]] bool factor(Unknown unknown);
  // Solve B x = rhs + force after factor(); force may be null.
  [[nodiscard]] bool solve(const NodeField& rhs, const NodeField* force, NodeField& x);
  BlockSolver& matrix() { return system_.matrix; }
  const std::vector<Follower>& followers() const { return system_.followers; }

  // Its gradient is the residual. Infinite where an element is inverted and its material does not allow that.
  double potential(const NodeField& v) const;
  // Largest norm of a change over the nodes, and the scale to compare it with.
  std::pair<double, double> size(const NodeField& v, const NodeField& change) const;

  // The velocity by which nodes move over the step: c₀ vⁿ + c v.
  NodeField motion(const NodeField& v) const;
  double c() const { return w_.c; }
  // kg/s, per node: the part of B that is a multiple of the mass.
  std::vector<double> inertia() const;

  // v is the solution: write contacts to the report, velocities to the bodies, and the motion per body to `motion`.
  // Fails where a body gains energy from nowhere.
  void finish(NodeField v, std::vector<Body>& bodies, std::vector<NodeField>& motion);

 private:
  struct Weights {
    double a0, a, d0, d, c0, c;
  };
  static Weights weights(Integrator integrator);
  NodeScales gather_nodes();
  void update_pattern(std::vector<std::pair<int, int>> contact_pairs);
  void shape_rigid_bodies();
  void keep_damping();
  // The body whose elements act in this step.
  const Body& acting(std::size_t b) const { return acting_[b].rest ? acting_[b] : bodies_[b]; }
  bool has_elasticity(std::size_t b) const {
    return step_.elastic || std::holds_alternative<Rigid>(bodies_[b].rest->elements);
  }
  NodeField still() const;
  void find_constraints(double time);
  NodeField elastic_positions(std::size_t body, const NodeField& v) const;
  Linearisation elastic_linearisation(const Body& body) const;
  template <class Positions>
  void assemble(Positions&& positions);
  template <class Positions>
  void add_bodies(Positions&& positions);
  double damping_mass(const Body& body) const { return step_.damped ? body.rest->options.damping_mass : 0; }
  double damping_stiffness(const Body& body) const { return step_.damped ? body.rest->options.damping_stiffness : 0; }
  void add_damping(const NodeField& v, NodeField& r) const;
  NodeField residual(const NodeField& v) const;
  NodeField elastic_force_used(std::size_t body, const NodeField& v) const;
  struct Balance {
    double energy = 0;   // J, at the start of the step
    double gain = 0;     // J
    double work = 0;     // J, done on it
    double nothing = 0;  // J, round-off
    bool inverted = false;
    void add(const Balance& other) {
      energy += other.energy, gain += other.gain, work += other.work, nothing += other.nothing;
    }
  };
  Balance balance_of(std::size_t body, const NodeField& v, const NodeField& way) const;
  void watch_energy(const NodeField& v, const std::vector<NodeField>& motion, std::vector<Body>& bodies);
  void keep_prescribed(NodeField& v) const;
  void stop_pushed(NodeField& v) const;
  bool check_rigid(const NodeField& moved);
  void take_out_strain_rates(const NodeField& moved, NodeField& v);

  const BodyStep& step_;
  const ElasticOptions& o_;
  const Weights w_;
  const double dt_, kick_dt_;
  BodySystem& system_;
  const std::vector<Body>& bodies_;
  const std::vector<int> first_;
  NodeField x_, before_, guess_;
  std::vector<double> mass_;  // kg, per node
  NodeScales nodes_;
  ContactForces contacts_;
  std::unique_ptr<BarrierContacts> barrier_;
  NodeField at_;  // where Newton's equation is
  std::vector<BlockSolver::Fixed> fixed_;
  std::vector<Vec3> prescribed_;  // m/s, the mean velocity of each constrained node over the step
  std::vector<Body> acting_;      // of rigid bodies under midpoint: options, and elements for this step; else empty
  bool assembled_ = false;
  bool keeps_damping_ = false;  // the matrix keeps d τ_k K
  BodySolve report_;
};

}  // namespace coracle
