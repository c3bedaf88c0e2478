// Bodies: built from their options, and queries that work for all kinds of elements.
#pragma once

#include "coracle/body.h"

#include <string>
#include <vector>

namespace coracle {

// `tied`: points at rest whose nearest nodes will follow another body. Throws std::runtime_error with a reason.
Body build_body(const BodyOptions& options, const std::vector<Vec3>& tied = {});
// The tetrahedra of a body by its options; throws std::runtime_error with a reason.
TetMesh body_mesh(const BodyOptions& options);

// "1234 tetrahedra", "120 triangles", "45 segments", "rigid, 600 triangles".
std::string count_elements(const BodyRest& rest);

// Whether its skin encloses it: shells and rods have no inside.
inline bool has_inside(const Body& body) { return !body.rest->skin.hull.empty(); }

Vec3 center_of_mass(const Body& body);
// m³: of shells, their present area times their thickness; of rods, their present length times their section.
double body_volume(const Body& body);
double max_speed(const Body& body);  // m/s, over its nodes

// embed: points that move with the elements of a body, given at rest. Points near a shell or a rod stand for its
// nearest point; those of a rigid body may lie anywhere. embedded: a nodal quantity at these points.
Embedding embed(const BodyRest& rest, const std::vector<Vec3>& points);
std::vector<Vec3> embedded(const Embedding& places, const BodyRest& rest, const std::vector<Vec3>& values);
std::vector<double> embedded(const Embedding& places, const BodyRest& rest, const std::vector<double>& values);

// The same as a follower: the nodes of the element at a point and their weights there, without those of no weight.
Follower weights_at(const BodyRest& rest, const Vec3& point);

// The nodes of all bodies are numbered body after body. Returns the number of the first node per body, then the total
// number of nodes.
std::vector<int> first_nodes(const std::vector<Body>& bodies);
// The nodes of all bodies in one list, body after body.
std::vector<Vec3> node_positions(const std::vector<Body>& bodies);
std::vector<Vec3> node_velocities(const std::vector<Body>& bodies);

}  // namespace coracle
