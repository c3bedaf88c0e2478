// What can touch: the points, edges and triangles of all bodies and solids as one mesh.
//
// Vertices 0 … nodes − 1 are the nodes of the bodies, body after body; those after them are the vertices of solids,
// which move as the scene says.
#pragma once

#include "coracle/shape/box_tree.h"
#include "coracle/world.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

namespace coracle {

// A body or a solid.
struct ContactPart {
  std::string name;
  double reach = std::numeric_limits<double>::infinity();    // m, d̂
  double modulus = std::numeric_limits<double>::infinity();  // Pa, Young's
  double layer = 0;                                          // kg/m²: mass per area of surface
  double weight = 0;                                         // kg/m²: density times size
  double friction = -1;                                      // below zero: that of the other part
};

struct ContactMesh {
  int nodes = 0;
  std::vector<int> solids;  // those that take part
  std::vector<ContactPart> parts;
  std::vector<int> part;           // per vertex
  std::vector<char> given;         // per vertex: it moves as the scene says, in all directions
  std::vector<Mat3> free;          // per vertex: along these directions it moves freely
  std::vector<int> points;         // vertices
  std::vector<double> point_area;  // m², per point
  std::vector<std::array<int, 2>> edges;
  std::vector<double> edge_area, edge_length;  // m², m at rest
  std::vector<Vec3i> tris;
  // Pairs that touch each other at rest where a body is held, or that are nearer to each other than the reach: they
  // belong together and do not collide.
  std::unordered_set<std::uint64_t> joined_points, joined_edges;
  BoxTree point_tree, edge_tree, tri_tree;  // refitted in every search
};

// A point and a triangle, by their numbers in the mesh; or two edges.
struct ContactCandidates {
  std::vector<ItemPair> points, edges;
  std::size_t size() const { return points.size() + edges.size(); }
};

// `distance`: the reach of bodies in m; 0: a tenth of the mean edge of each.
ContactMesh make_contact_mesh(const World& world, double distance);
// Whether the mesh still is that of the world.
bool fits(const ContactMesh& mesh, const World& world);

// The positions of all vertices, for nodes at x; solids as they are.
std::vector<Vec3> contact_positions(const ContactMesh& mesh, const World& world, const std::vector<Vec3>& x);

// The pairs that may come as near as their reach on the way from `from` to `to`.
ContactCandidates find_candidates(ContactMesh& mesh, const std::vector<Vec3>& from, const std::vector<Vec3>& to);

double pair_reach(const ContactMesh& mesh, int a, int b);  // of two vertices, m
double pair_friction(const ContactMesh& mesh, int a, int b);

inline std::array<int, 4> point_and_tri(const ContactMesh& mesh, const ItemPair& pair) {
  const Vec3i& t = mesh.tris[pair.second];
  return {mesh.points[pair.first], t[0], t[1], t[2]};
}
inline std::array<int, 4> two_edges(const ContactMesh& mesh, const ItemPair& pair) {
  const auto &a = mesh.edges[pair.first], &b = mesh.edges[pair.second];
  return {a[0], a[1], b[0], b[1]};
}

// Two parts that meet: surfaces that cross each other, or touch.
struct Meeting {
  int first = -1, second = -1;  // parts; first < 0: there is none
  Vec3 place = Vec3::Zero();
};
Meeting find_meeting(ContactMesh& mesh, const std::vector<Vec3>& x);

}  // namespace coracle
