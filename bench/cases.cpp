#include "bench/cases.h"

#include "coracle/step/advance.h"
#include "validation/setup.h"

#include <chrono>

namespace coracle::bench {
namespace {

// The projection of one dam break, by both preconditioners.
std::vector<Timing> projection() {
  using namespace validation;
  std::vector<Timing> timings;
  for (int n : {32, 64, 100, 128}) {
    const Grid grid = unit_grid(n);
    const std::vector<Solid> solids{make_solid(sphere_mesh(Vec3(0.62, 0.21, 0.52), 0.15, grid.dx))};
    const CutCells cut = cut_grid(grid, solids);
    const Array3<double> phi = plane_phi(grid, Vec3(0.5, 0.4, 0.5), Vec3(0.4, 1, 0.1).normalized());
    for (Preconditioner kind : {Preconditioner::multigrid, Preconditioner::incomplete_cholesky}) {
      ProjectionInput in{grid, cut, phi, solids, 1000, 1.0 / 120, 0, {}};
      in.solver.tolerance = 1e-10;
      in.solver.preconditioner = kind;
      PressureSystem system;
      SolveReport best;
      for (int repeat = 0; repeat < 3; ++repeat) {
        FaceField<double> u = uniform_velocity(grid, Vec3(0.3, -0.08, 0));
        Array3<double> p(grid.n);
        FaceField<std::uint8_t> valid;
        const SolveReport report = project(in, system, u, p, valid).solve;
        if (repeat == 0 || report.setup_s + report.solve_s < best.setup_s + best.solve_s) best = report;
      }
      timings.push_back(
          {kind == Preconditioner::multigrid ? "projection/multigrid" : "projection/incomplete_cholesky",
           n,
           best.setup_s + best.solve_s,
           {{"unknowns", double(best.unknowns)}, {"iterations", best.iterations}, {"setup_s", best.setup_s}}});
    }
  }
  return timings;
}

// Whole steps of a dam break, after a fixed simulated time.
std::vector<Timing> step() {
  std::vector<Timing> timings;
  for (int n : {32, 48, 64}) {
    const Scene scene = parse_scene("[domain]\nresolution = " + std::to_string(n) +
                                        "\n[time]\nframes = 9\n[[liquid.region]]\nshape = \"box\"\nmin = [0, 0, 0]\n"
                                        "max = [0.4, 0.6, 1]\n[[solid]]\nname = \"ball\"\nshape = \"sphere\"\n"
                                        "center = [0.7, 0.2, 0.5]\nradius = 0.12\n",
                                    "bench.toml");
    World world = build_world(scene);
    Workspace work;
    prepare(scene, world, work);
    while (world.clock.frame < 6) advance_frame(scene, world, work, [](const StepReport&) {});
    StageTimes stages;
    int steps = 0;
    double particles = 0;
    const auto start = std::chrono::steady_clock::now();
    while (world.clock.frame < 9)
      advance_frame(scene, world, work, [&](const StepReport& r) {
        ++steps;
        particles = double(r.liquid.particles);
        for (const auto& [name, seconds] : r.stages.seconds()) stages.add(name.c_str(), seconds);
      });
    Timing t{"step/dam_break",
             n,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / steps,
             {}};
    t.figures = {{"steps", steps}, {"particles", particles}};
    for (const auto& [name, seconds] : stages.seconds()) t.figures.push_back({name + "_s", seconds / steps});
    timings.push_back(t);
  }
  return timings;
}

// One implicit step of a block of about 100 thousand tets: assembly, factorisation, solve.
std::vector<Timing> bodies() {
  std::vector<Timing> timings;
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
      const auto start = std::chrono::steady_clock::now();
      solve = solve_bodies({options, world, field, 0.01, Vec3::Zero()}, system, world.bodies, motion);
      seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    timings.push_back({"bodies/implicit_step",
                       side,
                       seconds,
                       {{"tets", double(world.bodies[0].rest->mesh.tets.size())},
                        {"nodes", double(world.bodies[0].x.size())},
                        {"assembly_s", solve.assembly_s},
                        {"factor_s", solve.factor_s},
                        {"assembly_share", solve.assembly_s / seconds}}});
  }
  return timings;
}

}  // namespace

const std::vector<BenchCase>& cases() {
  static const std::vector<BenchCase> all{
      {"projection", "the pressure solve to 1e-10, by resolution and preconditioner", projection},
      {"step", "a whole step of a dam break, by stage", step},
      {"bodies", "an implicit step of an elastic block", bodies},
  };
  return all;
}

}  // namespace coracle::bench
