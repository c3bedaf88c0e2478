// A mesh of flat triangles inside a curved shape is too small: a ball with six edges along its diameter lacks 2 %. Give
// it the volume of the shape.
#pragma once

#include "coracle/mesh.h"

#include <functional>

namespace coracle {

// Volume where `distance` is negative, m³; its slope is at most 1. Resolves `size`, with an error of second order.
double volume_inside(const std::function<double(const Vec3&)>& distance, const Vec3& lo, const Vec3& hi, double size);

// Move the vertices of the surface along their normals, each in proportion to the depth of the triangles around it
// below the shape's surface, until the mesh has the given volume. Flat sides stay where they are. No vertex moves by
// more than a tenth of `edge`: parts that are too small for the mesh are not made up for.
void fit_volume(const std::function<double(const Vec3&)>& distance, double volume, double edge, TetMesh& mesh);

}  // namespace coracle
