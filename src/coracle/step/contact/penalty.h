// Contacts as forces in the bodies' system. A contact pushes with k max(0, −gap(v)) along its normal,
// gap(v) = gap + c dt n·(v_point − v_other), with a friction of μ N f1(|v_t|) v_t / |v_t| (friction_law.h). Which
// contacts push, how hard, and how fast they slide is taken from the last pass, so that every pass is linear.
#pragma once

#include "coracle/solve/block_solver.h"
#include "coracle/step/contact/contact.h"

#include <vector>

namespace coracle {

using NodeField = std::vector<Vec3>;  // one vector per node, all bodies

// Scales of the nodes, for the stiffness of contacts.
struct NodeScales {
  std::vector<double> mass;     // kg; of a node without mass, an equal share of its body's
  std::vector<double> edge;     // m, mean edge of the body's skin
  std::vector<double> elastic;  // N/m: E times the edge; of a rigid body 0
};

class ContactForces {
 public:
  // Nodes move by c0 before + c v over dt; `gravity_dv` is the speed that gravity adds in a step.
  ContactForces(std::vector<Contact> contacts, const NodeScales& nodes, const NodeField& before, double c0, double c,
                double dt, double gravity_dv);

  // Find which contacts push at velocity v, how hard, and how fast they slide. Returns whether the forces have settled.
  bool update(const NodeField& v);
  void set_friction(bool on) { friction_on_ = on; }
  bool friction_on() const { return friction_on_; }
  bool any_friction() const;
  std::size_t active() const { return active_; }
  const std::vector<Contact>& list() const { return contacts_; }
  bool pushes(std::size_t i) const { return pushes_[i].active; }

  // Pairs of nodes that contacts couple.
  std::vector<std::pair<int, int>> pairs() const;
  void add_blocks(BlockSolver& matrix) const;
  // r ← r − contact force at v, in the linearised form that the blocks belong to.
  void add_residual(const NodeField& v, NodeField& r) const;
  // Its gradient is that residual.
  double potential(const NodeField& v) const;

 private:
  struct Push {
    double normal = 0;    // N, of the last pass
    double friction = 0;  // N
    double slide = 0;     // m/s
    bool active = false;
  };
  double stiffness(const Contact& contact) const;
  double slowest_slide(const Contact& contact) const;
  double drag(const Contact& contact, const Push& push) const;

  std::vector<Contact> contacts_;
  std::vector<Push> pushes_;
  const NodeScales& nodes_;
  double c_, dt_, gravity_dv_;
  std::size_t active_ = 0;
  bool friction_on_ = false;
};

}  // namespace coracle
