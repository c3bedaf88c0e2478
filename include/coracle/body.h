// A body that moves by forces: nodes with masses, elements that resist deformation, a skin (its surface), held nodes
// and nodes that follow others.
#pragma once

#include "coracle/follower.h"
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
    int motion;  // index into BodyRest::motions
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

// Triangles with the thickness of the options. A triangle resists stretch as a membrane, and change of curvature as a
// plate. Curvature is measured by the angles at hinges, the edges that two triangles share (step/body/shells.h).
struct Shells {
  // How a triangle bends: the change of its curvature tensor is the sum of the weights of hinges times their changes of
  // angle.
  struct Plate {
    static constexpr int most_nodes = 12, most_hinges = 9;
    int nodes_count = 0, hinges_count = 0;
    std::array<int, most_nodes> nodes{};    // the corners of the triangle, then the other nodes of the hinges
    std::array<int, most_hinges> hinges{};  // the triangle's own and those of its neighbours
    std::array<std::array<int, 4>, most_hinges> places{};  // of the hinges' nodes in `nodes`
    std::array<Vec3, most_hinges> weight;  // (κ₁₁ κ₂₂ 2κ₁₂) per change of angle, 1/m, in the axes below
  };
  std::vector<Vec3i> tris;
  std::vector<double> area;         // m² at rest, per triangle
  std::vector<Mat2> inverse_edges;  // Dm⁻¹ per triangle; its axes: along side 01, and across it to the left
  std::vector<Plate> plates;        // per triangle
  std::vector<Vec4i> hinges;        // nodes a b c d: edge ab of the triangles abc and bad
  std::vector<double> angle;        // θ̄, rad: at rest, per hinge (shape/dihedral.h)
};

// Chains or nets of straight segments with a round section, its radius from the options. They resist stretch and
// bending, but not twist (step/body/rods.h).
struct Rods {
  std::vector<std::array<int, 2>> segments;
  std::vector<double> length;        // m at rest, per segment
  std::vector<Vec3i> bends;          // three nodes of two segments that continue each other
  std::vector<double> reach;         // m: half the length of both segments at rest, per bend
  std::vector<double> natural_bend;  // 2 tan(φ̄/2) with φ̄ the turn of the axis at rest, per bend
};

// A rigid body moves as one: x = A X + b, with A held close to a rotation by a stiff energy. Four nodes that span space
// lead, and all others follow them (step/body/rigid.h).
struct Rigid {
  Tets frame;  // one tet, the leading nodes; its volume is that of the body
};

// The closed set of element kinds. The functions of each kind are in step/body/elements.h.
using Elements = std::variant<Tets, QuadraticTets, Shells, Rods, Rigid>;

// The surface of a body: it cuts the grid, collides, and is shown. That of a shell is open, or closed but thin; that of
// rods is their segments.
struct Skin {
  std::vector<Vec3i> tris;                   // outward, over the body's nodes
  std::vector<std::array<int, 2>> segments;  // rods
  std::vector<int> nodes;                    // of the triangles and segments, sorted
  std::vector<Vec3i> hull;                   // the connected piece of `tris` that encloses all the others
  double edge = 0;                           // m, mean length of the triangles' edges, or of the segments
  double radius = 0;                         // m: half a shell's thickness, a rod's radius; 0: none
};

// An element of a muscle.
struct Fibre {
  int muscle = 0;             // of the options
  int element = 0;            // a tet
  Vec3 along = Vec3::Zero();  // unit length, at rest
  double place = 0;           // m: of its centre, along the way of the wave
};

// The data of a body that never change.
struct BodyRest {
  BodyOptions options;
  std::vector<Vec3> x;       // m, nodes at rest, before pre-strain
  std::vector<double> mass;  // kg, lumped, per node
  Elements elements;
  Skin skin;
  std::vector<Hold> holds;                          // at most one per node, sorted by node
  std::vector<std::vector<MotionOptions>> motions;  // per hold of the options; empty: at rest
  std::vector<Fibre> fibres;                        // of all muscles
  std::vector<Follower> followers;                  // of this body's nodes, sorted by node
  TriMesh render;       // a finer surface that follows the elements; empty when the scene gives none
  Embedding embedding;  // of the vertices of `render`
};

// Energy that no work has brought into a body: the integrator's error.
struct EnergyWatch {
  double largest = 0;  // J: the largest energy so far, kinetic and elastic, less what was gained
  double gained = 0;   // J: since the start, or since it was last zero; energy that is lost takes it back
};

// A way that a program adds to the motion of a hold: from `from` at `start` to `to` at `end`, at constant speed.
struct Shift {
  double start = 0, end = 0;                    // s
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();  // m
  bool operator==(const Shift&) const = default;
};

// What a program sets between steps (simulation.h). Nothing is set at first.
struct BodyControls {
  std::vector<Vec3> force;         // N per node; empty: none
  std::vector<Shift> shifts;       // per hold of the options; empty: none
  std::vector<double> activation;  // per muscle, instead of its own; not a number: its own. Empty: all have their own
};

struct Body {
  std::string name;
  std::shared_ptr<const BodyRest> rest;
  std::vector<Vec3> x;  // m
  std::vector<Vec3> v;  // m/s
  EnergyWatch energy;
  BodyControls controls = {};
  std::vector<double> pull = {};  // Pa, per fibre: in this step; empty: none
};

}  // namespace coracle
