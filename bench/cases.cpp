#include "bench/cases.h"

#include "bench/measure.h"
#include "coracle/step/advance.h"
#include "coracle/step/body/body_solve.h"
#include "coracle/world/bodies.h"
#include "coracle/world/build.h"

#include <fmt/format.h>

namespace coracle::bench {
namespace {

// A large body in a pool: the time that it adds to a step.
void large_body(Results& results) {
  constexpr double most_added_s = 2;  // on two free cores, 100 thousand tets, 100³
  const std::string pool =
      "[domain]\nresolution = 100\n[time]\nframes = 1\n[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\n"
      "max = [1, 0.45, 1]\n";
  const std::string block =
      "[[body]]\nname = 'block'\nshape = 'box'\ncenter = [0.5, 0.5, 0.5]\nsize = [0.3, 0.3, 0.3]\nmesh = "
      "'grid6'\nelement = 'linear'\n"
      "cells = [26, 26, 26]\ndensity = 500\n";
  const auto step_s = [&](const std::string& text, bool factor) {
    const Scene scene = parse_scene(text, "bench.toml");
    World world = build_world(scene);
    Workspace work;
    if (factor) work.step.bodies.matrix.use_factor_only();
    start(scene, world, work);
    double seconds = 0;
    int steps = 0;
    advance_frame(scene, world, work, [&](const StepReport& r) {
      if (++steps == 1) return;  // the first one also analyses the pattern
      for (const auto& [name, s] : r.stages.seconds()) seconds += s;
    });
    return seconds / (steps - 1);
  };
  const double without = step_s(pool, false);
  for (const char* young : {"1e5", "1e7"}) {
    progress(fmt::format("a block of 105 thousand tets in a pool, E {}", young));
    const std::string text = pool + block + "young = " + young + "\n";
    const double chosen = step_s(text, false), factor = step_s(text, true);
    results.rows.push_back({"bodies/in_a_pool",
                            100,
                            {{"young", std::stod(young)},
                             {"without_s", without},
                             {"step_s", chosen},
                             {"by_factor_s", factor},
                             {"added_s", chosen - without}}});
    results.require_at_most(most_added_s, fmt::format("a step with 105 thousand tets, E {}: added, s", young),
                            chosen - without);
  }
}

// One implicit step of a block of about 100 thousand tets: assembly, factorisation, solve.
Results bodies() {
  Results results;
  for (const int side : {14, 20, 26}) {
    BodyOptions o;
    o.name = "block";
    o.mesh = BodyMesh::grid6;
    o.shape.kind = ShapeKind::box;
    o.shape.size = Vec3::Ones();
    o.cells = Vec3i::Constant(side);
    o.stretch = Vec3(1.1, 0.95, 1);
    World world;
    world.domain = {Vec3::Constant(-10), Vec3::Constant(10)};
    world.bodies.push_back(build_body(o));
    ElasticOptions options;
    const BodyStep body_step{
        .options = options, .contact = no_contact, .world = world, .trees = {}, .dt = 0.01, .gravity_dv = Vec3::Zero()};
    BodySystem system;
    std::vector<NodeField> motion;
    BodySolve solve;
    double seconds = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {  // the first one also analyses the pattern
      const auto start = Clock::now();
      solve = solve_bodies(body_step, system, world.bodies, motion);
      seconds = seconds_since(start);
    }
    results.rows.push_back({"bodies/implicit_step",
                            side,
                            {{"seconds", seconds},
                             {"tets", double(std::get<Tets>(world.bodies[0].rest->elements).tets.size())},
                             {"nodes", double(world.bodies[0].x.size())},
                             {"assembly_s", solve.assembly_s},
                             {"factor_s", solve.factor_s},
                             {"assembly_share", solve.assembly_s / seconds}}});
  }
  large_body(results);
  return results;
}

}  // namespace

const std::vector<BenchCase>& cases() {
  static const std::vector<BenchCase> all{
      {"projection", "the pressure solve to 1e-10: liquid alone; with bodies, by resolution and kind of body",
       projection},
      {"table2", "the paper's two forms of the coupled system and ours [ZarifiBatty17 table 2]", table2},
      {"step", "whole steps of three scenes by stage and resolution; memory, start", step},
      {"threads", "whole steps by stage on one thread, two, four and so on", threads},
      {"bodies", "an implicit step of an elastic block; what a large one adds to a step in water", bodies},
      {"bar", "one solve against taking turns [Chentanez06 table 1]: stable steps and their cost", bar},
      {"smoke", "smoke at 100³ around a sheet, by stage", smoke},
      {"contact", "a pile by penalty and by barrier; the search for pairs as they grow", contact},
      {"splitting", "liquid particles and bodies: ways to split a step [Xie23 table 6.2], their errors and failures",
       splitting},
      {"particles", "the solve for liquid particles: matrix or none [Xie23 table 6.3], threads, growth to a million",
       particles},
      {"skinned", "liquid on a character of 40 thousand triangles: the stage by its parts, and beside cutcell",
       skinned},
      {"device", "the pressure solve on a GPU, with the processor beside it", device},
      {"device_steps", "whole steps on a GPU by stage, with the processor beside it", device_steps},
      {"device_large", "steps of dam_break at 512³ on a GPU of 140 GB; needs 100 GB of the host's memory",
       device_large},
  };
  return all;
}

}  // namespace coracle::bench
