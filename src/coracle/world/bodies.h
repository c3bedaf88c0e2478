// Bodies: built from their options, and queries that work for all kinds of elements.
#pragma once

#include "coracle/body.h"

#include <string>
#include <vector>

namespace coracle {

// Throws std::runtime_error with a reason.
Body build_body(const BodyOptions& options);
// The tetrahedra of a body by its options; throws std::runtime_error with a reason.
TetMesh body_mesh(const BodyOptions& options);

// "1234 tetrahedra".
std::string count_elements(const BodyRest& rest);

Vec3 center_of_mass(const Body& body);
double body_volume(const Body& body);  // m³
double max_speed(const Body& body);    // m/s, over its nodes

// embed: points that move with the elements of a body, given at rest. embedded: a nodal quantity at these points.
Embedding embed(const BodyRest& rest, const std::vector<Vec3>& points);
std::vector<Vec3> embedded(const Embedding& places, const BodyRest& rest, const std::vector<Vec3>& values);
std::vector<double> embedded(const Embedding& places, const BodyRest& rest, const std::vector<double>& values);

// The nodes of all bodies are numbered body after body. Returns the number of the first node per body, then the total
// number of nodes.
std::vector<int> first_nodes(const std::vector<Body>& bodies);

}  // namespace coracle
