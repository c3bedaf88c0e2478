// What one step has to say of itself; a line of stats.jsonl.
#pragma once

#include "coracle/solve_report.h"
#include "coracle/timer.h"
#include "coracle/types.h"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle {

// Liquid that bodies enclose without any air.
struct PocketReport {
  double volume = 0;           // m³
  double expected_volume = 0;  // m³, when it closed
};

struct LiquidReport {
  std::size_t particles = 0;
  std::size_t spray = 0;         // particles that fly by themselves
  std::size_t cells = 0;         // active
  double volume = 0;             // m³, outside solids (step/measure.h)
  double expected_volume = 0;    // m³, by the ledger
  double max_speed = 0;          // m/s
  double max_divergence = 0;     // 1/s, less the asked source
  double kinetic_energy = 0;     // J
  double potential_energy = 0;   // J, zero at the domain's lower corner
  Vec3 momentum = Vec3::Zero();  // kg m/s
  std::vector<PocketReport> pockets;
};

struct GasReport {
  std::size_t cells = 0;         // active
  double smoke = 0;              // m³ of smoke of 1
  double expected_smoke = 0;     // m³: at the start, plus what came, less what left or decayed
  double heat = 0;               // K m³ above the surroundings
  double max_temperature = 0;    // K
  double max_speed = 0;          // m/s, along an axis
  double max_divergence = 0;     // 1/s
  double outflow = 0;            // m³/s through open sides
  double kinetic_energy = 0;     // J
  Vec3 momentum = Vec3::Zero();  // kg m/s
};

// A solid that the fluid touches, or a deformable body.
struct BodyReport {
  std::string name;
  double volume = 0;                 // m³
  Vec3 center = Vec3::Zero();        // m
  double wet_area = 0;               // m²
  Vec3 fluid_force = Vec3::Zero();   // N
  Vec3 fluid_torque = Vec3::Zero();  // N m about the origin

  // What only a deformable body has.
  bool deformable = false;
  double cavity = 0;                     // m³, what its outer surface encloses besides itself
  double min_element_quality = 1;        // of the worst tet (step/solid/stress.h); negative: inverted
  double kinetic_energy = 0;             // J
  double elastic_energy = 0;             // J
  Vec3 momentum = Vec3::Zero();          // kg m/s
  Vec3 angular_momentum = Vec3::Zero();  // kg m²/s about the origin
  double deepest_penetration = 0;        // m, into anything; zero when none
  int contacts = 0;
};

struct StepReport {
  std::int64_t step = 0;
  int frame = 0;
  double time = 0;  // at the step's end
  double dt = 0;
  int retries = 0;
  bool ok = true;
  std::string trouble;             // when not ok: the stage and what was wrong
  std::vector<std::string> notes;  // worth a word to the user: closed pockets, dropped cells, ...
  StageTimes stages;
  SolveReport solver;
  LiquidReport liquid;
  GasReport gas;
  std::vector<BodyReport> bodies;
  std::vector<double> probes;  // one value a column of probes.csv
  double memory_mb = 0;
};

}  // namespace coracle
