// A single coupled projection: bodies and solids in liquid whose surface and velocity are given by formulas.
#pragma once

#include "coracle/step/couple/equations.h"
#include "coracle/step/couple/grid_bodies.h"
#include "coracle/step/grid/solid_field.h"
#include "coracle/world/surface.h"

#include <functional>

namespace coracle::validation {

struct Snapshot {
  World world;  // solids and bodies
  GridFlow flow;
  Method method = Method::cutcell;
  SolidField field;
  Array3<double> phi;  // m, of the liquid
  ElasticOptions elastic;
  ContactOptions contact;
  SolverOptions solver;
  double density = 1000;
  double dt = 1.0 / 120;
  Vec3 gravity_dv = Vec3::Zero();  // m/s, from gravity, for the bodies; u already includes it for the liquid
  double expansion = 0;
  std::array<bool, 6> open = {};  // sides of the domain

  PressureSystem pressure;
  BodySystem system;
  FaceField<std::uint8_t> valid;
  std::vector<NodeField> motion;

  // Sets the method for the boundary between solids and liquid.
  void use(Method chosen);
  // Cuts the grid by the bodies and solids at their current positions.
  void cut();
  void set_surface(const std::function<double(const Vec3&)>& distance);
  void set_velocity(const std::function<Vec3(const Vec3&)>& velocity);
  ProjectionInput input() const;
  BodyStep step() const;
  CoupledReport project();
};

// A grid and bodies; everything is liquid at rest.
Snapshot make_snapshot(const Grid& grid, const std::vector<BodyOptions>& bodies, std::vector<Solid> solids = {});

// Wall time of the assembly of a system, s.
struct AssemblyTimes {
  double pressure = 0;  // rows of the cells
  double coupling = 0;
  double bodies = 0;  // B, its right-hand side and the search for contacts; not the factorisation
  double factor = 0;
  double total() const { return pressure + coupling + bodies; }
};

// Calls `look` with the first linear system that a projection of the step's world would solve, B factorised. All closed
// components are treated as closed by bodies. The world does not change.
using LookAtEquations = std::function<void(const CoupledEquations&, PressureSystem&)>;
AssemblyTimes look_at_equations(const ProjectionInput& fluid, const BodyStep& step, const GridFlow& flow,
                                PressureSystem& pressure, BodySystem& system, const LookAtEquations& look);

// A pinned beam of 6 tets per cube in a sloshing tank, as in the tables of [ZarifiBatty17]: 2·14·2, 3·21·3 and 4·28·4
// cubes have its 135, 352 and 725 nodes.
Snapshot beam_in_tank(int n, const Vec3i& cubes, double fill);

}  // namespace coracle::validation
