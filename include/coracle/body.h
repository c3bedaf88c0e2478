// A deformable body: tetrahedra with a material, held where constraints say.
#pragma once

#include "coracle/scene.h"
#include "coracle/shape/embed.h"
#include "coracle/shape/tet_mesh.h"
#include "coracle/types.h"

#include <memory>
#include <string>
#include <vector>

namespace coracle {

// A held node: moves freely in the directions that `free` keeps (a projector) and as it is told along the others.
struct Hold {
  struct Direction {
    Vec3 along;  // unit length, at right angles to the node's other ones
    int motion;  // which of BodyRest::motions drives it; -1: it stands still
  };
  int node;
  Mat3 free = Mat3::Identity();
  std::vector<Direction> directions;
};

// What never changes.
struct BodyRest {
  TetMesh mesh;                     // at rest, before pre-strain
  std::vector<Vec3i> surface;       // boundary triangles, outward
  std::vector<int> surface_nodes;   // sorted
  std::vector<double> mass;         // kg, lumped
  std::vector<double> volume;       // m³, of each tet
  std::vector<Mat3> inverse_edges;  // Dm⁻¹ of each tet: F = Ds Dm⁻¹
  BodyOptions options;
  std::vector<Hold> holds;  // at most one a node, sorted by node
  std::vector<std::vector<MotionOptions>> motions;
  std::vector<Vec3i> hull;  // the piece of the surface that encloses all the others
  double edge = 0;          // m, mean length of the surface's edges
  TriMesh render;           // finer surface that follows the tets; empty when none is asked
  Embedding embedding;
};

struct Body {
  std::string name;
  std::shared_ptr<const BodyRest> rest;
  std::vector<Vec3> x;  // m
  std::vector<Vec3> v;  // m/s
};

Body build_body(const BodyOptions& options);

// Mesh a body as its options ask; throws std::runtime_error with a reason.
TetMesh body_mesh(const BodyOptions& options);

Vec3 center_of_mass(const Body& body);
double body_volume(const Body& body);
double max_speed(const Body& body);  // m/s, of its nodes

}  // namespace coracle
