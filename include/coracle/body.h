// A deformable body: nodes with masses, elements that resist deformation, a skin (its surface) and held nodes.
#pragma once

#include "coracle/mesh.h"
#include "coracle/scene.h"

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace coracle {

// A held node is free along the directions that the projector `free` keeps. Along the others its motion is prescribed.
struct Hold {
  struct Direction {
    Vec3 along;  // unit length, orthogonal to the node's other directions
    int motion;  // index into BodyRest::motions; -1: at rest
  };
  int node;
  Mat3 free = Mat3::Identity();
  std::vector<Direction> directions;
};

// Linear tetrahedra, one deformation gradient F = Ds Dm⁻¹ each.
struct Tets {
  std::vector<Vec4i> tets;
  std::vector<double> volume;       // m³ at rest, per tet
  std::vector<Mat3> inverse_edges;  // Dm⁻¹, per tet
};

// Tetrahedra with ten nodes, straight sides at rest; F is linear in each.
struct QuadraticTets {
  std::vector<std::array<int, 10>> nodes;  // corners 0 1 2 3, then the middles of the edges 01 12 02 03 13 23
  std::vector<double> volume;              // m³ at rest, per tet
  std::vector<Mat3> inverse_edges;         // Dm⁻¹ of the corners, per tet
};

// The closed set of element kinds. The functions of each kind are in step/body/elements.h.
using Elements = std::variant<Tets, QuadraticTets>;

// The surface of a body: it cuts the grid, collides, and is shown.
struct Skin {
  std::vector<Vec3i> tris;  // outward, over the body's nodes
  std::vector<int> nodes;   // of the triangles, sorted
  std::vector<Vec3i> hull;  // the connected piece of `tris` that encloses all the others
  double edge = 0;          // m, mean length of the triangles' edges
};

// The data of a body that never change.
struct BodyRest {
  BodyOptions options;
  std::vector<Vec3> x;       // m, nodes at rest, before pre-strain
  std::vector<double> mass;  // kg, lumped, per node
  Elements elements;
  Skin skin;
  std::vector<Hold> holds;  // at most one per node, sorted by node
  std::vector<std::vector<MotionOptions>> motions;
  TriMesh render;       // a finer surface that follows the elements; empty when the scene gives none
  Embedding embedding;  // of the vertices of `render`
};

// Energy that no work has brought into a body: the integrator's error.
struct EnergyWatch {
  double largest = 0;  // J: the largest energy so far, kinetic and elastic, less what was gained
  double gained = 0;   // J: since the start, or since it was last zero; energy that is lost takes it back
};

struct Body {
  std::string name;
  std::shared_ptr<const BodyRest> rest;
  std::vector<Vec3> x;  // m
  std::vector<Vec3> v;  // m/s
  EnergyWatch energy;
};

}  // namespace coracle
