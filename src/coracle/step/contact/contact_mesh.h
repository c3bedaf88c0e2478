// What can touch: the points, edges and triangles of all bodies and solids as one mesh.
//
// Vertices 0 … nodes − 1 are the nodes of the bodies, body after body; those after them are the vertices of solids,
// which move as the scene says. Shells are their middle surface, rods their axis; both have a radius, half of their
// thickness. Surfaces need not be closed, and nothing here asks what is inside.
//
// A contact stands for an area. A point has a third of its triangles, an edge the mean area per edge. A segment of a
// rod has the area of its shadow, 2 r × length: a rod that lies on a plane then feels the pressure over its width. Its
// points have half of that of their segments.
#pragma once

#include "coracle/shape/box_tree.h"
#include "coracle/world.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace coracle {

// A body or a solid.
struct ContactPart {
  std::string name;
  double reach = std::numeric_limits<double>::infinity();    // m, d̂
  double radius = 0;                                         // m: half of the thickness of what the mesh stands for
  double modulus = std::numeric_limits<double>::infinity();  // Pa, Young's; infinite: rigid
  double layer = 0;                                          // kg/m²: mass per area of surface
  double weight = 0;                                         // kg/m²: density times size
  double friction = -1;                                      // below zero: that of the other part
  bool loose = false;                                        // points of a liquid
  bool rigid() const { return modulus == std::numeric_limits<double>::infinity(); }
};

// Points of a liquid, the nodes of the last body, which has no elements. They touch triangles and sides, but not each
// other. Reach, stiffness and friction are those of all their pairs.
struct LoosePoints {
  double reach = 0;  // m
  double friction = 0;
  std::vector<double> kappa;  // N, per point: κ times its area
};

struct ContactMesh {
  int nodes = 0;
  Bounds domain;
  std::vector<int> solids;  // those that take part
  std::vector<ContactPart> parts;
  std::vector<int> part;           // per vertex
  std::vector<char> given;         // per vertex: it moves as the scene says, in all directions
  std::vector<Mat3> free;          // per vertex: along these directions it moves freely
  std::vector<int> points;         // vertices
  std::vector<double> point_area;  // m², per point; of loose points κ times it, in N
  std::vector<std::array<int, 2>> edges;
  std::vector<double> edge_area, edge_length;  // m², m at rest
  // After the triangles of surfaces come the segments of rods as flat ones, (a, b, b), which only loose points touch.
  std::vector<Vec3i> tris;
  int surface_tris = 0;
  // Per vertex of what has a radius: those so near along the body that they do not collide, sorted.
  std::vector<std::vector<int>> neighbours;
  // Per vertex: it, or one of its neighbours, is held.
  std::vector<char> held;
  // (vertex, part): it, or one of its neighbours, is tied to the part, or the part to it.
  std::unordered_set<std::uint64_t> tied;
  // Pairs that are so near at rest that they do not collide: of one body, or where a body is attached.
  std::unordered_set<std::uint64_t> joined_points, joined_edges, joined_walls;
  BoxTree point_tree, edge_tree, tri_tree;  // refitted in every search
};

inline std::uint64_t key(int first, int second) { return std::uint64_t(first) << 32 | std::uint32_t(second); }

// Whether two sets of vertices are attached to each other: both are held, or held and of a solid, or tied. They may
// touch at the start. What is held may still be met by what is free.
bool attached(const ContactMesh& mesh, std::span<const int> first, std::span<const int> second);

// `distance`: the reach of bodies in m; 0: a tenth of the mean edge of each, of rigid ones at most 0.02 of their size.
ContactMesh make_contact_mesh(const World& world, double distance, const LoosePoints* loose = nullptr);
// Whether the mesh still is that of the world.
bool fits(const ContactMesh& mesh, const World& world);

// The positions of all vertices, for nodes at x; solids as they are.
std::vector<Vec3> contact_positions(const ContactMesh& mesh, const World& world, const std::vector<Vec3>& x);

}  // namespace coracle
