// The velocities of the bodies at the end of a step, where only given forces act on them from outside.
//
// Contacts are found by passes: which contacts push, how hard and how they slide is taken from the last pass, so that
// every pass is one linear solve, or one run of Newton's method where elastic.newton asks for it.
#pragma once

#include "coracle/solve/minimise.h"
#include "coracle/step/body/body_problem.h"

namespace coracle {

// One solve for the present state of the contacts; `force` (N per node) may be null. v is the start and the result.
[[nodiscard]] bool solve_pass(BodyProblem& problem, const NodeField* force, NodeField& v);
// Passes until the same contacts push, at most `passes`.
[[nodiscard]] bool settle_contacts(BodyProblem& problem, const NodeField* force, int passes, NodeField& v);
inline constexpr int most_contact_passes = 10;

// The complete solve. `motion` receives the velocity by which each node moves over dt.
[[nodiscard]] BodySolve solve_bodies(const BodyStep& step, BodySystem& system, std::vector<Body>& bodies,
                                     std::vector<NodeField>& motion, const NodeField* force = nullptr);

// Whether Newton's method converged; if not, the reason goes to the problem's report.
[[nodiscard]] bool newton_ended(BodyProblem& problem, NewtonEnd end);

}  // namespace coracle
