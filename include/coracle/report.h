// The report of one step: one line of stats.jsonl.
#pragma once

#include "coracle/solve_report.h"
#include "coracle/timer.h"
#include "coracle/types.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace coracle {

// Fluid that bodies enclose without a free surface.
struct PocketReport {
  double volume = 0;           // m³
  double expected_volume = 0;  // m³, its volume when it closed
};

struct NoFluidReport {
  std::string headline() const { return ""; }
};

// Method skinned: where all liquid is, in m³.
struct SkinnedReport {
  double bulk = 0, tets = 0, film = 0, pendant = 0, drops = 0;
  double in = 0, out = 0;  // since the start
  double held = 0;         // by skins: tets, film and pendant
  double total = 0;        // held, bulk and drops
  double error = 0;        // total − start − in + out
};

struct LiquidReport {
  static constexpr const char* name = "liquid";  // in stats.jsonl
  std::size_t particles = 0;
  std::size_t spray = 0;         // particles outside the liquid that fly ballistically
  std::size_t cells = 0;         // active
  double volume = 0;             // m³, outside solids
  double expected_volume = 0;    // m³: at the start, plus inflow, minus outflow
  double max_speed = 0;          // m/s
  double max_divergence = 0;     // 1/s, without the volume correction
  double kinetic_energy = 0;     // J
  double potential_energy = 0;   // J, zero at the domain's lower corner
  Vec3 momentum = Vec3::Zero();  // kg m/s
  std::vector<PocketReport> pockets;
  std::optional<SkinnedReport> skinned;
  std::string headline() const;  // for the progress line
};

struct GasReport {
  static constexpr const char* name = "gas";
  std::size_t cells = 0;         // active
  double smoke = 0;              // m³, integral of the smoke density
  double expected_smoke = 0;     // m³: smoke at the start, plus sources, minus outflow and decay
  double heat = 0;               // K m³ above the surroundings
  double max_temperature = 0;    // K
  double max_speed = 0;          // m/s, largest component along an axis
  double max_divergence = 0;     // 1/s
  double outflow = 0;            // m³/s through open sides
  double kinetic_energy = 0;     // J
  Vec3 momentum = Vec3::Zero();  // kg m/s
  std::vector<PocketReport> pockets;
  std::string headline() const;
};

// Liquid of smoothed particles: what it shares with other liquid, and its solve.
struct SphReport {
  static constexpr const char* name = "sph";
  LiquidReport liquid;
  std::size_t particles = 0;
  int cg_iterations = 0;      // of conjugate gradients, in all solves of the step
  int newton_iterations = 0;  // of the phase of the solids
  double min_distance = 0;    // m: the smallest gap of a particle to a wall or surface; `reach` if all are wider
  double reach = std::numeric_limits<double>::infinity();  // m: of the particles
  double j_min = 1, j_max = 1;                             // volume of a particle over that at rest
  std::vector<std::pair<std::string, double>> phases;      // s
  std::string headline() const { return liquid.headline(); }
};

// One report per kind of fluid (world.h).
using FluidReport = std::variant<NoFluidReport, LiquidReport, GasReport, SphReport>;

// A solid that the fluid touches, or a body.
struct BodyReport {
  std::string name;
  double volume = 0;                 // m³
  Vec3 center = Vec3::Zero();        // m
  double wet_area = 0;               // m²
  Vec3 fluid_force = Vec3::Zero();   // N
  Vec3 fluid_torque = Vec3::Zero();  // N m about the origin

  // Only for bodies.
  bool is_body = false;
  double cavity = 0;                     // m³, enclosed by its outer surface but not part of the body
  double min_element_quality = 1;        // worst element (step/body/stress.h); negative: inverted
  double kinetic_energy = 0;             // J
  double elastic_energy = 0;             // J
  Vec3 momentum = Vec3::Zero();          // kg m/s
  Vec3 angular_momentum = Vec3::Zero();  // kg m²/s about the origin
  double deepest_penetration = 0;        // m, into a wall, solid or body; zero if none
  int contacts = 0;
};

// Contact by the barrier.
struct ContactReport {
  std::size_t candidates = 0;                              // pairs that may meet in a step
  std::size_t active = 0;                                  // pairs that repel each other
  double min_distance = 0;                                 // m: the smallest gap; `reach` if all are wider
  double reach = std::numeric_limits<double>::infinity();  // m: the largest of all parts
  double friction_work = 0;                                // J: lost in this step
  double search_s = 0;                                     // s: to find the pairs
};

struct StepReport {
  std::int64_t step = 0;
  int frame = 0;
  double time = 0;  // at the step's end
  double dt = 0;
  int retries = 0;
  bool ok = true;
  std::string trouble;             // if not ok: the stage and what went wrong
  std::vector<std::string> notes;  // for the user: closed pockets, dropped cells, ...
  StageTimes stages;
  SolveReport solver;
  FluidReport fluid;
  std::vector<BodyReport> bodies;
  std::optional<ContactReport> contact;
  std::vector<double> probes;  // one value per column of probes.csv
  double memory_mb = 0;

  // The smallest distance of contact, in m, where the barrier is in use or liquid is of particles, and anything is
  // within reach.
  std::optional<double> smallest_gap() const;
  // The fluid's error of volume and the smallest gap, in a few words; empty if there is neither.
  std::string headline() const;

  // For a step whose fluid is known to be of this kind.
  const LiquidReport& liquid() const {
    const SphReport* sph = std::get_if<SphReport>(&fluid);
    return sph ? sph->liquid : std::get<LiquidReport>(fluid);
  }
  LiquidReport& liquid() { return const_cast<LiquidReport&>(std::as_const(*this).liquid()); }
  GasReport& gas() { return std::get<GasReport>(fluid); }
  const GasReport& gas() const { return std::get<GasReport>(fluid); }
};

}  // namespace coracle
