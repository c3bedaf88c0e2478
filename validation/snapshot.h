// One coupled projection by itself: bodies and solids in liquid whose surface and velocity are given by formulas.
#pragma once

#include "coracle/step/couple/equations.h"
#include "coracle/step/couple/grid_bodies.h"
#include "coracle/world/surface.h"

#include <functional>

namespace coracle::validation {

struct Snapshot {
  World world;  // grid, solids, bodies, u, pressure
  SolidField field;
  Array3<double> phi;  // m, of the liquid
  ElasticOptions elastic;
  SolverOptions solver;
  double density = 1000;
  double dt = 1.0 / 120;
  Vec3 fall = Vec3::Zero();  // m/s, that gravity adds to bodies; the liquid's is in u
  double expansion = 0;
  std::array<bool, 6> open = {};  // sides of the domain

  PressureSystem pressure;
  BodySystem system;
  FaceField<std::uint8_t> valid;
  std::vector<std::vector<Vec3>> moved;

  // How solids bound the liquid from now on.
  void use(Method method);
  // Cut the grid by the bodies and solids as they are.
  void cut();
  void set_surface(const std::function<double(const Vec3&)>& distance);
  void set_velocity(const std::function<Vec3(const Vec3&)>& velocity);
  ProjectionInput input() const;
  BodyStep step() const;
  CoupledReport project();
};

// A grid and bodies; everything is liquid at rest.
Snapshot make_snapshot(const Grid& grid, const std::vector<BodyOptions>& bodies, std::vector<Solid> solids = {});

// How long it took to make a system, s.
struct AssemblyTimes {
  double pressure = 0;  // cells' rows
  double coupling = 0;
  double bodies = 0;  // B and its right-hand side, contacts looked for; not the factorisation
  double factor = 0;
  double total() const { return pressure + coupling + bodies; }
};

// Show `look` the first linear system that a projection of the step's world would solve, B factorised. Closed
// components all count as closed by bodies. The world stays as it is.
using LookAtEquations = std::function<void(const CoupledEquations&, PressureSystem&)>;
AssemblyTimes look_at_equations(const ProjectionInput& liquid, const BodyStep& step, PressureSystem& pressure,
                                BodySystem& system, const LookAtEquations& look);

// A pinned beam of 6 tets a cube in a sloshing tank, as in the tables of [ZarifiBatty17]: 2·14·2, 3·21·3 and 4·28·4
// cubes have its 135, 352 and 725 nodes.
Snapshot beam_in_tank(int n, const Vec3i& cubes, double fill);

}  // namespace coracle::validation
