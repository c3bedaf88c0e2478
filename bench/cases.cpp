#include "bench/cases.h"

#include "bench/measure.h"
#include "coracle/step/solid/solid_step.h"

namespace coracle::bench {
namespace {

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
    world.grid = {Vec3::Constant(-10), 1, Vec3i::Constant(20)};
    world.bodies.push_back(build_body(o));
    ElasticOptions options;
    options.contact = false;
    SolidField field;
    BodySystem system;
    std::vector<std::vector<Vec3>> motion;
    BodySolve solve;
    double seconds = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {  // the first also analyses the pattern
      const auto start = Clock::now();
      solve = solve_bodies({options, world, field, 0.01, Vec3::Zero()}, system, world.bodies, motion);
      seconds = seconds_since(start);
    }
    results.rows.push_back({"bodies/implicit_step",
                            side,
                            {{"seconds", seconds},
                             {"tets", double(world.bodies[0].rest->mesh.tets.size())},
                             {"nodes", double(world.bodies[0].x.size())},
                             {"assembly_s", solve.assembly_s},
                             {"factor_s", solve.factor_s},
                             {"assembly_share", solve.assembly_s / seconds}}});
  }
  return results;
}

}  // namespace

const std::vector<BenchCase>& cases() {
  static const std::vector<BenchCase> all{
      {"projection", "the pressure solve to 1e-10: liquid alone; with bodies, by resolution and kind of body",
       projection},
      {"table2", "the paper's two forms of the coupled system and ours [ZarifiBatty17 table 2]", table2},
      {"step", "whole steps of three scenes by stage and resolution; threads, memory, start", step},
      {"bodies", "an implicit step of an elastic block", bodies},
  };
  return all;
}

}  // namespace coracle::bench
