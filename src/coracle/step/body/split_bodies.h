// Bodies without a liquid, with elasticity and contact in turn [Xie23 eq. 5.7]:
//     elasticity with the quadratic model of a share of the contact, without regard to what is passed;
//     then contact, the rest of it, without elasticity.
// A share of 0 is the plain separation of the two.
#pragma once

#include "coracle/step/body/body_solve.h"

namespace coracle {

// The Taylor series of a share of the contact of the world's bodies with each other, with solids and with sides.
ContactModel contact_model(const World& world, const ContactOptions& options, ContactMesh& mesh, double share,
                           double dt, const Vec3& gravity);

// As solve_bodies(), under backward Euler with the barrier.
[[nodiscard]] BodySolve solve_split_bodies(const BodyStep& step, double share, BodySystem& elastic, BodySystem& contact,
                                           std::vector<Body>& bodies, std::vector<NodeField>& motion);

}  // namespace coracle
