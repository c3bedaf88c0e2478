// The velocities at the end of a step of liquid particles, bodies and solids [Xie23 ch. 5]. Positions stay.
//
//              liquid's phase                bodies' phase
//   joint      all in one minimisation (joint.h)
//   baseline   P                             Ψ + C                                            [Xie23 eqs. 5.2–5.3]
//   two_phase  P + model of ½ C_sf           Ψ + C_ss + ½ C_sf                                [Xie23 eqs. 5.4–5.6]
//   delta      P + model of C_sf             Ψ + C_ss + C_sf − its model at the end of the liquid's phase     (ours)
// and with elasticity in a phase of its own (elastic_phase.h), before contact without it:
//   three_phase     P + model of ⅓ C_sf     Ψ + models of ⅓ C_sf and ½ C_ss     ⅓ C_sf + ½ C_ss       [Xie23 eq. 5.7]
//   baseline_three  P                       Ψ                                   C
// P: the liquid (sph_system.h); Ψ: elasticity; C: contact of surfaces with each other (ss) and with particles (sf);
// model: the quadratic one of touches.h.
//
// Differs from the paper: under delta the force of contact in the whole step is that of its end. With halves, viscosity
// does not feel the half that the bodies' phase has, and viscous liquid spreads twice as fast. All friction of the
// liquid is in its phase, with the slip looked ahead; with halves, half of it is lagged by a step.
#pragma once

#include "coracle/step/body/step_work.h"
#include "coracle/step/sph/sph_system.h"
#include "coracle/step/sph/sph_work.h"

#include <string>
#include <utility>
#include <vector>

namespace coracle {

struct SphSolve {
  bool ok = true;
  std::string trouble;
  int cg_iterations = 0, newton_iterations = 0;
  double residual = 0;                                 // of conjugate gradients
  double min_distance = 0;                             // m: the smallest gap; `reach` if all are wider
  double reach = 0;                                    // m: of the particles
  double j_min = 1, j_max = 1;                         // J that the step expects at its end
  std::vector<std::pair<std::string, double>> phases;  // s
  std::size_t coupled = 0;                             // particles that were solved together with the bodies
  BodySolve bodies;
  std::vector<LooseLoad> loads;  // of the liquid on the parts of work.mesh
};

// The options of a scene as the system takes them.
std::vector<SphMaterial> sph_materials(const Scene& scene);
SphForm sph_form(const Scene& scene);
// m: nearer surfaces repel a particle.
double sph_reach(const Scene& scene, const Grid& grid);

// Sets liquid.v, the bodies' velocities and step.body_motion. Takes work.pairs, those of the present positions. Solids
// have the velocity of their motion over the step. Particles inside inflows keep their velocity.
[[nodiscard]] SphSolve solve_sph(const Scene& scene, World& world, SphLiquid& liquid, StepWork& step, SphWork& work,
                                 double dt);

}  // namespace coracle
