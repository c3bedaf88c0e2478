// What is kept of a world: no bit of it may change unseen, and all of it comes back after a failed step.
#include "coracle/world/archive.h"

#include "coracle/world/bodies.h"
#include "coracle/world/build.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace coracle {
namespace {

const Grid grid{.origin = Vec3(0.1, -2, 3), .dx = 0.25, .n = Vec3i(5, 4, 3)};

template <class T>
void fill(std::vector<T>& values, double from) {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = T(std::sin(from + double(i)));
}

void fill(GridFlow& flow) {
  for (int a = 0; a < 3; ++a) fill(flow.u[a].data, 10.0 * a);
  flow.carried = make_face_field<double>(flow.grid);
  for (int a = 0; a < 3; ++a) fill(flow.carried[a].data, 80.0 + a);
  flow.lag = 0.03, flow.ahead = 0.01;
  flow.pushes = {1, 2, 3};
  fill(flow.pressure.data, 50);
  flow.pockets = {{.volume = 0.5, .target_volume = 0.25, .last_dt = 0.125, .cells = {0, 7, 59}},
                  {.volume = 1, .target_volume = 2, .last_dt = 0, .cells = {}}};
}

// Two bodies and a solid in a fluid of the given kind, nothing of it zero.
World some_world(FluidKind kind) {
  World world;
  world.clock = {.frame = 3, .step = 17, .time = 0.375, .last_dt = 0.0625};
  world.domain = {grid.origin, grid.upper()};
  world.solids.resize(1);
  world.solids[0].x = {Vec3(1, 2, 3)};
  world.solids[0].v = {Vec3(4, 5, 6)};
  BodyOptions cube;
  cube.mesh = BodyMesh::grid6;
  cube.shape.kind = ShapeKind::box;
  world.bodies = {build_body(cube), build_body(cube)};
  world.bodies[0].controls = {
      .force = {Vec3(1, 2, 3)}, .shifts = {{1, 2, Vec3(3, 4, 5), Vec3(6, 7, 8)}}, .activation = {0.5}};
  world.solids.emplace_back();
  world.solids[1].inflow = true;
  world.fluid = empty_fluid(kind, grid);
  if (auto* liquid = std::get_if<Liquid>(&world.fluid)) {
    fill(*liquid);
    liquid->expected_volume = 0.75;
    liquid->particles.x = {Vec3(1, 2, 3), Vec3(4, 5, 6)};
    liquid->particles.v = {Vec3f(1, 0, 0), Vec3f(0, 1, 0)};
    liquid->particles.c = {Mat3f::Identity(), 2 * Mat3f::Identity()};
  }
  if (auto* gas = std::get_if<Gas>(&world.fluid)) {
    fill(*gas);
    gas->expected_smoke = 0.75;
    fill(gas->smoke.data, 60);
    fill(gas->temperature.data, 70);
  }
  if (auto* sph = std::get_if<SphLiquid>(&world.fluid)) {
    sph->expected_volume = 0.75;
    sph->x = {Vec3(1, 2, 3), Vec3(4, 5, 6)};
    sph->v = {Vec3(1, 0, 0), Vec3(0, 1, 0)};
    sph->v_last = {Vec3(2, 0, 0), Vec3(0, 2, 0)};
    sph->kind = {0, 3};
  }
  return world;
}

constexpr FluidKind kinds[] = {FluidKind::none, FluidKind::liquid, FluidKind::gas, FluidKind::sph};

template <class T>
void flip_bit(T& x) {
  reinterpret_cast<unsigned char*>(&x)[0] ^= 1;
}

// A quantity by its name in the list, and a way to change one bit of it.
struct Change {
  const char* name;
  std::function<void(World&)> make;
};

const std::vector<Change> of_any_world = {
    {"frame", [](World& w) { flip_bit(w.clock.frame); }},
    {"step", [](World& w) { flip_bit(w.clock.step); }},
    {"time", [](World& w) { flip_bit(w.clock.time); }},
    {"last_dt", [](World& w) { flip_bit(w.clock.last_dt); }},
    {"body0_x", [](World& w) { flip_bit(w.bodies[0].x[3]); }},
    {"body0_v", [](World& w) { flip_bit(w.bodies[0].v[3]); }},
    {"body0_largest_energy", [](World& w) { flip_bit(w.bodies[0].energy.largest); }},
    {"body0_gained_energy", [](World& w) { flip_bit(w.bodies[0].energy.gained); }},
    {"body1_x", [](World& w) { flip_bit(w.bodies[1].x.back()); }},
    {"body1_v", [](World& w) { flip_bit(w.bodies[1].v.back()); }},
    {"body1_largest_energy", [](World& w) { flip_bit(w.bodies[1].energy.largest); }},
    {"body1_gained_energy", [](World& w) { flip_bit(w.bodies[1].energy.gained); }},
};

const std::vector<Change> of_controls = {
    {"body0_force", [](World& w) { flip_bit(w.bodies[0].controls.force[0]); }},
    {"body0_activation", [](World& w) { flip_bit(w.bodies[0].controls.activation[0]); }},
    {"body0_shifts", [](World& w) { w.bodies[0].controls.shifts.clear(); }},
    {"body0_shift0_start", [](World& w) { flip_bit(w.bodies[0].controls.shifts[0].start); }},
    {"body0_shift0_end", [](World& w) { flip_bit(w.bodies[0].controls.shifts[0].end); }},
    {"body0_shift0_from", [](World& w) { flip_bit(w.bodies[0].controls.shifts[0].from); }},
    {"body0_shift0_to", [](World& w) { flip_bit(w.bodies[0].controls.shifts[0].to); }},
    {"body1_force", [](World& w) { w.bodies[1].controls.force.resize(1); }},
    {"body1_activation", [](World& w) { w.bodies[1].controls.activation.resize(1); }},
    {"body1_shifts", [](World& w) { w.bodies[1].controls.shifts.resize(1); }},
    {"inflow1_is_set", [](World& w) { flip_bit(w.solids[1].flow_is_set); }},
    {"inflow1_velocity", [](World& w) { flip_bit(w.solids[1].flow); }},
    {"inflow1_way", [](World& w) { flip_bit(w.solids[1].flowed); }},
    {"inflow1_since", [](World& w) { flip_bit(w.solids[1].flow_since); }},
};

template <class F>
std::vector<Change> of_flow(F* (*flow)(World&)) {
  return {
      {"origin", [=](World& w) { flip_bit(flow(w)->grid.origin); }},
      {"dx", [=](World& w) { flip_bit(flow(w)->grid.dx); }},
      {"cells", [=](World& w) { flip_bit(flow(w)->grid.n); }},
      {"u0", [=](World& w) { flip_bit(flow(w)->u[0].data.back()); }},
      {"u1", [=](World& w) { flip_bit(flow(w)->u[1].data[0]); }},
      {"u2", [=](World& w) { flip_bit(flow(w)->u[2].data[8]); }},
      {"pressure", [=](World& w) { flip_bit(flow(w)->pressure.data.back()); }},
      {"lag", [=](World& w) { flip_bit(flow(w)->lag); }},
      {"ahead", [=](World& w) { flip_bit(flow(w)->ahead); }},
      {"pushes", [=](World& w) { flip_bit(flow(w)->pushes.back()); }},
      {"carried0", [=](World& w) { flip_bit(flow(w)->carried[0].data[0]); }},
      {"carried1", [=](World& w) { flip_bit(flow(w)->carried[1].data.back()); }},
      {"carried2", [=](World& w) { flip_bit(flow(w)->carried[2].data[4]); }},
      {"pockets", [=](World& w) { flow(w)->pockets.pop_back(); }},  // how many there are
      {"pocket0_volume", [=](World& w) { flip_bit(flow(w)->pockets[0].volume); }},
      {"pocket0_target_volume", [=](World& w) { flip_bit(flow(w)->pockets[0].target_volume); }},
      {"pocket0_last_dt", [=](World& w) { flip_bit(flow(w)->pockets[0].last_dt); }},
      {"pocket0_cells", [=](World& w) { flip_bit(flow(w)->pockets[0].cells.back()); }},
      {"pocket1_volume", [=](World& w) { flip_bit(flow(w)->pockets[1].volume); }},
      {"pocket1_target_volume", [=](World& w) { flip_bit(flow(w)->pockets[1].target_volume); }},
      {"pocket1_last_dt", [=](World& w) { flip_bit(flow(w)->pockets[1].last_dt); }},
      {"pocket1_cells", [=](World& w) { flow(w)->pockets[1].cells.push_back(1); }},
  };
}

std::vector<Change> changes(FluidKind kind) {
  std::vector<Change> all = of_any_world;
  const auto add = [&](const std::vector<Change>& more) { all.insert(all.end(), more.begin(), more.end()); };
  if (kind == FluidKind::liquid) {
    add(of_flow<Liquid>([](World& w) { return &liquid_of(w); }));
    add({{"expected_volume", [](World& w) { flip_bit(liquid_of(w).expected_volume); }},
         {"particle_x", [](World& w) { flip_bit(liquid_of(w).particles.x[1]); }},
         {"particle_v", [](World& w) { flip_bit(liquid_of(w).particles.v[1]); }},
         {"particle_c", [](World& w) { flip_bit(liquid_of(w).particles.c[1]); }}});
  }
  if (kind == FluidKind::gas) {
    add(of_flow<Gas>([](World& w) { return &gas_of(w); }));
    add({{"expected_smoke", [](World& w) { flip_bit(gas_of(w).expected_smoke); }},
         {"smoke", [](World& w) { flip_bit(gas_of(w).smoke.data.back()); }},
         {"temperature", [](World& w) { flip_bit(gas_of(w).temperature.data[2]); }}});
  }
  if (kind == FluidKind::sph)
    add({{"origin", [](World& w) { flip_bit(sph_of(w).grid.origin); }},
         {"dx", [](World& w) { flip_bit(sph_of(w).grid.dx); }},
         {"cells", [](World& w) { flip_bit(sph_of(w).grid.n); }},
         {"expected_volume", [](World& w) { flip_bit(sph_of(w).expected_volume); }},
         {"particle_x", [](World& w) { flip_bit(sph_of(w).x[1]); }},
         {"particle_v", [](World& w) { flip_bit(sph_of(w).v[1]); }},
         {"particle_v_last", [](World& w) { flip_bit(sph_of(w).v_last[0]); }},
         {"particle_kind", [](World& w) { flip_bit(sph_of(w).kind[1]); }}});
  add(of_controls);
  return all;
}

struct Names {
  std::vector<std::string> all;
  void value(const std::string& name, const auto&) { all.push_back(name); }
  void array(const std::string& name, const auto&) { all.push_back(name); }
  void bulky(const std::string& name, const auto&) { all.push_back(name); }
  void grid(const std::string& name, const auto&) { all.push_back(name); }
  void list(const std::string& name, const auto&) { all.push_back(name); }
};

TEST(Archive, the_tests_below_change_every_quantity_that_is_kept) {
  for (const FluidKind kind : kinds) {
    const World world = some_world(kind);
    Names kept;
    visit_kept(kept, world);
    std::vector<std::string> changed;
    for (const Change& change : changes(kind)) changed.emplace_back(change.name);
    EXPECT_EQ(kept.all, changed);
  }
}

TEST(FirstDifference, names_the_quantity_in_which_a_bit_was_changed) {
  for (const FluidKind kind : kinds) {
    const World world = some_world(kind);
    EXPECT_EQ(first_difference(world, World(world)), "");
    for (const Change& change : changes(kind)) {
      World other = world;
      change.make(other);
      EXPECT_EQ(first_difference(world, other), change.name);
      EXPECT_EQ(first_difference(other, world), change.name);
    }
  }
}

TEST(FirstDifference, tells_zeros_apart_by_their_sign_and_finds_what_is_not_a_number_the_same) {
  World a = some_world(FluidKind::none), b = a;
  a.clock.time = 0.0, b.clock.time = -0.0;
  EXPECT_EQ(first_difference(a, b), "time");
  a.clock.time = b.clock.time = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(first_difference(a, b), "");
}

TEST(FirstDifference, worlds_with_other_fluids_or_other_numbers_of_things_differ) {
  for (const FluidKind one : kinds)
    for (const FluidKind other : kinds)
      EXPECT_EQ(first_difference(some_world(one), some_world(other)).empty(), one == other);
  const World world = some_world(FluidKind::liquid);
  World shorter = world;
  liquid_of(shorter).particles.x.pop_back();
  EXPECT_EQ(first_difference(world, shorter), "particle_x");
  shorter = world;
  shorter.bodies[1].v.pop_back();
  EXPECT_EQ(first_difference(world, shorter), "body1_v");
}

// Every quantity changed, and of the lists and arrays that may grow the lengths too.
void spoil(World& world, FluidKind kind) {
  for (const Change& change : changes(kind))
    if (std::string(change.name) != "pockets") change.make(world);
  const auto grow = [](GridFlow& flow) { flow.pockets.insert(flow.pockets.begin(), Pocket{.cells = {1, 2, 3, 4}}); };
  if (kind == FluidKind::liquid) grow(liquid_of(world));
  if (kind == FluidKind::gas) grow(gas_of(world));
  world.solids[0].x[0].x() = 77;
  world.solids[0].v[0].y() = 78;
  world.solids[0].present = false;
}

TEST(Rollback, brings_back_all_that_is_kept_and_the_solids_but_leaves_bulky_arrays_alone) {
  Rollback rollback;  // the same one for all: it holds a world of another kind before
  for (const FluidKind kind : {FluidKind::none, FluidKind::liquid, FluidKind::gas, FluidKind::sph, FluidKind::liquid}) {
    const World before = some_world(kind);
    World world = before;
    rollback.remember(world);
    spoil(world, kind);
    ASSERT_NE(first_difference(before, world), "");
    const World spoiled = world;
    rollback.restore(world);
    EXPECT_EQ(world.solids[0].x, before.solids[0].x);
    EXPECT_EQ(world.solids[0].v, before.solids[0].v);
    EXPECT_TRUE(world.solids[0].present);
    for (std::size_t b = 0; b < 2; ++b) EXPECT_EQ(world.bodies[b].rest, before.bodies[b].rest);
    if (kind == FluidKind::liquid) {  // the page gives its particles back
      EXPECT_EQ(liquid_of(world).particles.x, liquid_of(spoiled).particles.x);
      EXPECT_EQ(liquid_of(world).particles.v, liquid_of(spoiled).particles.v);
      EXPECT_EQ(liquid_of(world).particles.c, liquid_of(spoiled).particles.c);
      EXPECT_EQ(first_difference(before, world), "particle_x");
      liquid_of(world).particles = liquid_of(before).particles;
    }
    if (kind == FluidKind::sph) {
      EXPECT_EQ(first_difference(before, world), "particle_x");
      EXPECT_EQ(sph_of(world).expected_volume, sph_of(before).expected_volume);
      sph_of(world) = sph_of(before);
    }
    EXPECT_EQ(first_difference(before, world), "");
  }
}

TEST(Rollback, can_go_back_twice_to_the_same_world) {
  for (const FluidKind kind : kinds) {
    const World before = some_world(kind);
    World world = before;
    Rollback rollback;
    rollback.remember(world);
    for (int attempt = 0; attempt < 2; ++attempt) {
      spoil(world, kind);
      rollback.restore(world);
      if (kind == FluidKind::liquid) liquid_of(world).particles = liquid_of(before).particles;
      if (kind == FluidKind::sph) sph_of(world) = sph_of(before);
      EXPECT_EQ(first_difference(before, world), "") << attempt;
    }
  }
}

}  // namespace
}  // namespace coracle
