// Comparison of the program with theory and experiment. A case runs a set-up and returns results: each is a measured
// figure with its expected value and the source of that value.
#pragma once

#include "coracle/show/chart.h"

#include <functional>
#include <string>
#include <vector>

namespace coracle::validation {

// |measured − expected| ≤ tolerance, measured ≤ or ≥ expected, or no bound: only reported.
enum class Relation { within, at_most, at_least, reported };

struct Result {
  std::string name;
  double measured = 0;
  double expected = 0;
  double tolerance = 0;  // absolute; zero for a bound
  std::string unit;
  std::string source;
  Relation relation = Relation::within;

  bool pass() const {
    switch (relation) {
      case Relation::at_most:
        return measured <= expected;
      case Relation::reported:
        return measured == measured;
      case Relation::at_least:
        return measured >= expected;
      default:
        return measured - expected <= tolerance && expected - measured <= tolerance;  // NaN fails
    }
  }
};

// A measured curve and its reference, for the report; `others` are further references, by name.
struct Curve {
  struct Series {
    std::string name;
    Points points;
  };
  std::string title, x_label, y_label;
  Points measured, reference;
  std::vector<Series> others = {};
  bool log = false;  // both axes
};

struct Outcome {
  std::vector<Result> results;
  std::vector<Curve> curves;
};

struct Case {
  std::string name;
  std::string claim;
  bool quick;  // takes seconds: also runs with the tests
  std::function<Outcome()> run;
};

const std::vector<Case>& cases();

inline Result at_most(std::string name, double measured, double bound, std::string unit, std::string source) {
  return {std::move(name), measured, bound, 0, std::move(unit), std::move(source), Relation::at_most};
}
inline Result at_least(std::string name, double measured, double bound, std::string unit, std::string source) {
  return {std::move(name), measured, bound, 0, std::move(unit), std::move(source), Relation::at_least};
}
inline Result within(std::string name, double measured, double expected, double tolerance, std::string unit,
                     std::string source) {
  return {std::move(name), measured, expected, tolerance, std::move(unit), std::move(source), Relation::within};
}

inline Result reported(std::string name, double measured, std::string unit, std::string source) {
  return {std::move(name), measured, 0, 0, std::move(unit), std::move(source), Relation::reported};
}

// One function per case; cases.cpp lists them.
Outcome closure();
Outcome free_stream();
Outcome balance();
Outcome poisson_star();
Outcome poisson_sphere();
Outcome solver_iterations();
Outcome tilted_momentum();
Outcome tilted_slide();
Outcome piston_flux();
Outcome piston_level();
Outcome still_water();
Outcome sloshing();
Outcome dam_break_front();
Outcome dam_break_volume();
Outcome elastic_patch();
Outcome free_flight();
Outcome elastic_energy_decay();
Outcome squeezed_cube();
Outcome scrambled_body();
Outcome bouncing_ball();
Outcome cantilever();
Outcome squeezed_block();
Outcome pressed_block();
Outcome free_fall();
Outcome flush_block();
Outcome dam_break_energy();
Outcome pile();
Outcome incline();
Outcome resting_gap();
Outcome hertz();
Outcome shot_at_sheet();
Outcome contact_sizes();
Outcome contact_laws();
Outcome pile_on_cloth();
Outcome shell_strip();
Outcome rod_cantilever();
Outcome catenary();
Outcome rigid_motion();
Outcome rigid_in_water();
Outcome coupled_momentum();
Outcome coupled_rotation();
Outcome coupled_energy();
Outcome coupled_free_stream();
Outcome coupled_balance();
Outcome coupled_buoyancy();
Outcome released_sphere();
Outcome added_mass_column();
Outcome hydrostatic_plate();
Outcome floating_sphere();
Outcome tilted_prism();
Outcome stability();
Outcome full_shell();
Outcome coupled_convergence();
Outcome walhorn();
Outcome whole_faces();
Outcome two_methods();
Outcome two_columns();
Outcome plume();
Outcome narrowing();
Outcome taylor_green();
Outcome jet_on_sheet();
Outcome sph_particle();
Outcome sph_column();
Outcome sph_incline();
Outcome sph_archimedes();
Outcome sph_floating_cube();
Outcome sph_drop();
Outcome sph_vortex();
Outcome skinned_carried();
Outcome skinned_bather();
Outcome sph_poiseuille();
Outcome sph_dam_break();
Outcome sph_sloshing();
Outcome sph_volume();
Outcome sph_walhorn();
Outcome sph_buoyancy();
Outcome sph_in_sphere();
Outcome sph_two_liquids();
Outcome sph_shot();
Outcome skinned_transport();
Outcome skinned_invariances();
Outcome skinned_fur();
Outcome skinned_drainage();
Outcome skinned_film();
Outcome skinned_shedding();
Outcome skinned_rod();
Outcome swimmer();

// One case per shipped scene that has presets: its preview against its expect.toml.
std::vector<Case> scene_cases();

}  // namespace coracle::validation
