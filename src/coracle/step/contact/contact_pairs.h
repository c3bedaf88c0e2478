// Pairs that may touch: a point and a triangle, two edges, or a point of a body and a side of the domain.
#pragma once

#include "coracle/shape/simplex_distance.h"
#include "coracle/step/contact/contact_mesh.h"

namespace coracle {

// By their numbers in the mesh. Side 2 a + 1 is the upper end of axis a.
struct ContactCandidates {
  std::vector<ItemPair> points;  // a point and a triangle
  std::vector<ItemPair> edges;
  std::vector<ItemPair> walls;  // a point and a side
  std::vector<Bounds> covered;  // per vertex: as long as all are inside, no other pair comes as near as its reach
  std::size_t size() const { return points.size() + edges.size() + walls.size(); }
};

// The pairs that may come as near as their reach on the way from `from` to `to`, and `slack` reaches to its sides.
ContactCandidates find_candidates(ContactMesh& mesh, const std::vector<Vec3>& from, const std::vector<Vec3>& to,
                                  double slack = 0);
bool covers(const ContactCandidates& candidates, const std::vector<Vec3>& x);

struct ContactPair {
  enum class Kind { point_triangle, edge_edge, wall };
  Kind kind;
  ItemPair items;
  std::array<int, 4> vertex;  // those of the first side, then those of the second; −1: none, at a wall
  int part[2];                // of the two sides; at a wall twice that of the point
  double reach, offset;       // m, d̂ and ξ: they touch at the distance ξ
  double area;                // m²
  double epsilon;             // m⁴, of the mollifier of edges (barrier.h)
};
// Number i of all candidates: points, edges, walls.
ContactPair pair_at(const ContactMesh& mesh, const ContactCandidates& candidates, std::size_t i);

// A vertex that is none stands at the first one.
inline FourNodes at(const std::vector<Vec3>& x, const std::array<int, 4>& v) {
  return {x[v[0]], x[v[1] < 0 ? v[0] : v[1]], x[v[2] < 0 ? v[0] : v[2]], x[v[3] < 0 ? v[0] : v[3]]};
}

// Beyond a wall the distance is zero.
SimplexDistance measure(const ContactMesh& mesh, const ContactPair& pair, const FourNodes& x);
inline SimplexDistance measure(const ContactMesh& mesh, const ContactPair& pair, const std::vector<Vec3>& x) {
  return measure(mesh, pair, at(x, pair.vertex));
}
inline bool within(const SimplexDistance& closest, double distance) { return closest.squared < distance * distance; }

// The share of the displacements u that is free, at most `until`; a tenth of the gap is kept (ccd.h).
double free_share(const ContactMesh& mesh, const ContactPair& pair, const FourNodes& x, const FourNodes& u,
                  double until);

// Two parts that meet: surfaces that cross each other, or touch.
struct Meeting {
  int first = -1, second = -1;  // parts
  int side = -1;                // of the domain, that the first part touches; then there is no second
  Vec3 place = Vec3::Zero();
};
// The first meeting of every two parts, or of a part and a side; those with sides come first.
std::vector<Meeting> find_meetings(ContactMesh& mesh, const std::vector<Vec3>& x);

}  // namespace coracle
