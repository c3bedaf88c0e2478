// The names of a report's values, as in stats.jsonl, each written once. A visitor f gets (name, value) in order; values
// are numbers, words, Vec3, lists of reports and lists of named seconds.
#pragma once

#include "coracle/report.h"

namespace coracle {

inline const char* word(SolveStatus status) {
  constexpr const char* words[] = {"converged", "not_converged", "broke_down"};
  return words[int(status)];
}

template <class F>
void for_fields(const SolveReport& r, F&& f) {
  f("form", r.form);
  f("status", word(r.status));
  f("unknowns", r.unknowns);
  f("nonzeros", r.nonzeros);
  f("iterations", r.iterations);
  f("residual", r.residual);
  f("setup_s", r.setup_s);
  f("solve_s", r.solve_s);
  f("passes", r.passes);
  f("bodies_s", r.bodies_s);
}

template <class F>
void for_fields(const PocketReport& r, F&& f) {
  f("volume", r.volume);
  f("expected_volume", r.expected_volume);
}

template <class F>
void for_fields(const SkinnedReport& r, F&& f) {
  f("bulk", r.bulk);
  f("tets", r.tets);
  f("film", r.film);
  f("pendant", r.pendant);
  f("drops", r.drops);
  f("in", r.in);
  f("out", r.out);
  f("held", r.held);
  f("total", r.total);
  f("error", r.error);
}

template <class F>
void for_fields(const LiquidReport& r, F&& f) {
  f("particles", r.particles);
  f("spray", r.spray);
  f("cells", r.cells);
  f("volume", r.volume);
  f("expected_volume", r.expected_volume);
  f("max_speed", r.max_speed);
  f("max_divergence", r.max_divergence);
  f("kinetic_energy", r.kinetic_energy);
  f("potential_energy", r.potential_energy);
  f("momentum", r.momentum);
  f("pockets", r.pockets);
}

template <class F>
void for_fields(const GasReport& r, F&& f) {
  f("cells", r.cells);
  f("smoke", r.smoke);
  f("expected_smoke", r.expected_smoke);
  f("heat", r.heat);
  f("max_temperature", r.max_temperature);
  f("max_speed", r.max_speed);
  f("max_divergence", r.max_divergence);
  f("outflow", r.outflow);
  f("kinetic_energy", r.kinetic_energy);
  f("momentum", r.momentum);
  f("pockets", r.pockets);
}

template <class F>
void for_fields(const SphReport& r, F&& f) {
  f("particles", r.particles);
  f("cg_iterations", r.cg_iterations);
  f("newton_iterations", r.newton_iterations);
  f("min_distance", r.min_distance);
  f("j_min", r.j_min);
  f("j_max", r.j_max);
  f("phases", r.phases);
}

template <class F>
void for_fields(const BodyReport& r, F&& f) {
  f("name", r.name);
  f("volume", r.volume);
  f("center", r.center);
  f("wet_area", r.wet_area);
  f("fluid_force", r.fluid_force);
  f("fluid_torque", r.fluid_torque);
  if (!r.is_body) return;
  f("cavity", r.cavity);
  f("min_element_quality", r.min_element_quality);
  f("kinetic_energy", r.kinetic_energy);
  f("elastic_energy", r.elastic_energy);
  f("momentum", r.momentum);
  f("angular_momentum", r.angular_momentum);
  f("penetration", r.deepest_penetration);
  f("contacts", r.contacts);
}

template <class F>
void for_fields(const ContactReport& r, F&& f) {
  f("candidates", r.candidates);
  f("active", r.active);
  f("min_distance", r.min_distance);
  f("friction_work", r.friction_work);
}

// g(name, report) for the reports of a fluid; a later report of the same name replaces the one before. There is always
// a report of liquid, all zeros where there is no liquid, so that readers of volume and momentum need no special case.
template <class G>
void for_fluid(const FluidReport& fluid, G&& g) {
  g(LiquidReport::name, LiquidReport{});
  std::visit(
      [&](const auto& report) {
        if constexpr (requires { report.liquid; }) g(LiquidReport::name, report.liquid);
        if constexpr (requires { report.name; }) g(report.name, report);
        if constexpr (requires { report.skinned; })
          if (report.skinned) g("skinned", *report.skinned);
      },
      fluid);
}

}  // namespace coracle
