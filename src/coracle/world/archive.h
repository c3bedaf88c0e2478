// The only list of the state of a world that must be kept. Checkpoints, rollback and comparison visit it.
//
// A visitor v has these functions:
//     v.value(name, number, Vec3 or Vec3i)
//     v.array(name, vector of numbers, bytes, Vec3, Vec3f or Mat3f)    any length
//     v.grid(name, Array3)                                      the size is fixed by the scene
//     v.list(name, vector of structs)                           any length; called before the members of its structs
//     v.bulky(name, vector)                                     as array, but Rollback does not copy it
// Solids are functions of time, and constant data follow from the scene: neither is in the list.
#pragma once

#include "coracle/world.h"

#include <fmt/format.h>

#include <string>
#include <type_traits>
#include <variant>

namespace coracle {

template <class V, class W>  // W: Clock or const Clock, and so on
void visit_clock(V& v, W& clock) {
  v.value("frame", clock.frame);
  v.value("step", clock.step);
  v.value("time", clock.time);
  v.value("last_dt", clock.last_dt);
}

template <class V, class F>
void visit_flow(V& v, F& flow) {
  v.value("origin", flow.grid.origin);
  v.value("dx", flow.grid.dx);
  v.value("cells", flow.grid.n);
  constexpr const char* faces[3] = {"u0", "u1", "u2"};
  for (int a = 0; a < 3; ++a) v.grid(faces[a], flow.u[a]);
  v.grid("pressure", flow.pressure);
  v.value("lag", flow.lag);
  v.value("ahead", flow.ahead);
  v.array("pushes", flow.pushes);
  constexpr const char* carried[3] = {"carried0", "carried1", "carried2"};
  for (int a = 0; a < 3; ++a) v.array(carried[a], flow.carried[a].data);
  v.list("pockets", flow.pockets);
  for (std::size_t p = 0; p < flow.pockets.size(); ++p) {
    const auto name = [&](const char* what) { return fmt::format("pocket{}_{}", p, what); };
    auto& pocket = flow.pockets[p];
    v.value(name("volume"), pocket.volume);
    v.value(name("target_volume"), pocket.target_volume);
    v.value(name("last_dt"), pocket.last_dt);
    v.array(name("cells"), pocket.cells);
  }
}

// One overload per kind of fluid. A template, since the fluid may be const.
template <class V, class F>
requires std::is_same_v<std::remove_const_t<F>, NoFluid>
void visit_fluid(V&, F&) {}

template <class V, class F>
requires std::is_same_v<std::remove_const_t<F>, Liquid>
void visit_fluid(V& v, F& liquid) {
  visit_flow(v, liquid);
  v.value("expected_volume", liquid.expected_volume);
  v.bulky("particle_x", liquid.particles.x);
  v.bulky("particle_v", liquid.particles.v);
  v.bulky("particle_c", liquid.particles.c);
  for (std::size_t s = 0; s < liquid.skins.size(); ++s) {
    const auto name = [&](const char* what) { return fmt::format("skin{}_{}", s, what); };
    auto& skin = liquid.skins[s];
    v.array(name("tet_volume"), skin.tets.volume);
    v.array(name("tet_v"), skin.tets.v);
    v.array(name("film_volume"), skin.film.volume);
    v.array(name("film_pendant"), skin.film.pendant);
    v.array(name("film_v"), skin.film.v);
    v.array(name("submerged"), skin.submerged);
    v.array(name("soaked"), skin.soaked);
  }
  if (liquid.skins.empty()) return;
  v.array("drop_x", liquid.drops.x);
  v.array("drop_v", liquid.drops.v);
  v.array("drop_volume", liquid.drops.volume);
  v.value("skin_start", liquid.ledger.start);
  v.value("skin_in", liquid.ledger.in);
  v.value("skin_out", liquid.ledger.out);
  v.value("skin_lost", liquid.ledger.lost);
}

template <class V, class F>
requires std::is_same_v<std::remove_const_t<F>, Gas>
void visit_fluid(V& v, F& gas) {
  visit_flow(v, gas);
  v.value("expected_smoke", gas.expected_smoke);
  v.grid("smoke", gas.smoke);
  v.grid("temperature", gas.temperature);
}

template <class V, class F>
requires std::is_same_v<std::remove_const_t<F>, SphLiquid>
void visit_fluid(V& v, F& liquid) {
  v.value("origin", liquid.grid.origin);
  v.value("dx", liquid.grid.dx);
  v.value("cells", liquid.grid.n);
  v.value("expected_volume", liquid.expected_volume);
  v.bulky("particle_x", liquid.x);
  v.bulky("particle_v", liquid.v);
  v.bulky("particle_v_last", liquid.v_last);
  v.bulky("particle_kind", liquid.kind);
}

// What a program has set between steps.
template <class V, class W>
void visit_controls(V& v, W& world) {
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    auto& set = world.bodies[b].controls;
    v.array(fmt::format("body{}_force", b), set.force);
    v.array(fmt::format("body{}_activation", b), set.activation);
    v.list(fmt::format("body{}_shifts", b), set.shifts);
    for (std::size_t h = 0; h < set.shifts.size(); ++h) {
      const auto name = [&](const char* what) { return fmt::format("body{}_shift{}_{}", b, h, what); };
      v.value(name("start"), set.shifts[h].start);
      v.value(name("end"), set.shifts[h].end);
      v.value(name("from"), set.shifts[h].from);
      v.value(name("to"), set.shifts[h].to);
    }
  }
  for (std::size_t s = 0; s < world.solids.size(); ++s) {
    auto& solid = world.solids[s];
    if (!solid.inflow) continue;
    const auto name = [&](const char* what) { return fmt::format("inflow{}_{}", s, what); };
    v.value(name("is_set"), solid.flow_is_set);
    v.value(name("velocity"), solid.flow);
    v.value(name("way"), solid.flowed);
    v.value(name("since"), solid.flow_since);
  }
}

template <class V, class W>
void visit_kept(V& v, W& world) {
  visit_clock(v, world.clock);
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    v.array(fmt::format("body{}_x", b), world.bodies[b].x);
    v.array(fmt::format("body{}_v", b), world.bodies[b].v);
    v.value(fmt::format("body{}_largest_energy", b), world.bodies[b].energy.largest);
    v.value(fmt::format("body{}_gained_energy", b), world.bodies[b].energy.gained);
  }
  std::visit([&](auto& fluid) { visit_fluid(v, fluid); }, world.fluid);
  visit_controls(v, world);
}

// The first kept quantity that differs in any bit between two worlds of the same scene; empty: none.
std::string first_difference(const World& a, const World& b);

// A copy of the kept state and of the solids, to restore after a failed step. Bulky arrays are not copied: the page of
// the fluid writes new ones instead of changing them, and its undo() restores the old ones (step/page.h).
class Rollback {
 public:
  void remember(const World& world);
  void restore(World& world) const;

 private:
  World kept_;
};

}  // namespace coracle
