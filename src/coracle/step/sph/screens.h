// Surfaces keep kernels apart: particles whose line of sight crosses a triangle do not see each other. Without this, a
// sheet thinner than a kernel would pass pressure and viscosity from one side to the other.
#pragma once

#include "coracle/step/contact/contact_mesh.h"
#include "coracle/step/sph/sph_pairs.h"

namespace coracle {

// Such pairs stay in the list with a slope of zero, and leave the number densities. `vertices` of the mesh, whose
// tree of triangles is refitted.
void part_by_surfaces(ContactMesh& mesh, const std::vector<Vec3>& vertices, const std::vector<Vec3>& x, double support,
                      SphPairs& pairs);

}  // namespace coracle
