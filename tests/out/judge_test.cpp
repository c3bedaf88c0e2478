// Expectations, against runs made up line by line.
#include "coracle/out/judge.h"

#include "coracle/out/run.h"
#include "coracle/out/run_directory.h"
#include "coracle/out/series.h"
#include "coracle/out/stats.h"
#include "temporary_directory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace coracle {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Ten steps of 0.1 s; the liquid's volume is the step's number, the beam's centre (step, 2, −step), the tip moves by
// (0, 3, 4) step.
void make_run(const std::string& dir, int steps = 10, double odd_volume = 0) {
  std::string stats, probes = probes_header({"level", "tip_x", "tip_y", "tip_z"}) + "\n";
  for (int i = 1; i <= steps; ++i) {
    StepReport r;
    r.step = i;
    r.time = 0.1 * i;
    r.dt = 0.1;
    LiquidReport& liquid = r.fluid.emplace<LiquidReport>();
    liquid.volume = i == 5 && odd_volume != 0 ? odd_volume : i;
    liquid.expected_volume = 10;
    if (i > 5) liquid.pockets = {{0.5, 0.5}};
    r.bodies.resize(1);
    r.bodies[0].name = "beam";
    r.bodies[0].is_body = true;
    r.bodies[0].center = Vec3(i, 2, -i);
    r.probes = {0.25, 0, 3.0 * i, 4.0 * i};
    stats += stats_line(r) + "\n";
    probes += probes_line(r) + "\n";
  }
  write_atomically(stats_file(dir), stats);
  write_atomically(probes_file(dir), probes);
}

Expectation expecting(const std::string& of, Take take) {
  Expectation e;
  e.of = of;
  e.take = take;
  e.at_least = -1e9;
  return e;
}

double measured(const TemporaryDirectory& dir, const Expectation& e) { return judge({e}, dir.path)[0].measured; }

TEST(Judge, every_way_to_take_a_number_of_a_series) {
  const TemporaryDirectory dir;
  make_run(dir.path);
  const auto of_volume = [&](Take take) { return measured(dir, expecting("liquid.volume", take)); };
  EXPECT_EQ(of_volume(Take::max), 10);
  EXPECT_EQ(of_volume(Take::min), 1);
  EXPECT_NEAR(of_volume(Take::mean), 5.5, 1e-12);
  EXPECT_EQ(of_volume(Take::first), 1);
  EXPECT_EQ(of_volume(Take::last), 10);
  EXPECT_EQ(of_volume(Take::range), 9);
  EXPECT_EQ(of_volume(Take::change), 9);
  EXPECT_EQ(of_volume(Take::ratio), 10) << "the last over the first";
  Expectation e = expecting("liquid.volume", Take::count_above);
  e.above = 7;
  EXPECT_EQ(measured(dir, e), 3);
}

TEST(Judge, paths_lead_to_bodies_vectors_probes_and_pairs_of_them) {
  const TemporaryDirectory dir;
  make_run(dir.path);
  const auto last = [&](const char* of) { return measured(dir, expecting(of, Take::last)); };
  EXPECT_EQ(last("bodies.beam.center.x"), 10);
  EXPECT_EQ(last("bodies.beam.center.z"), -10);
  EXPECT_EQ(last("probes.level"), 0.25);
  EXPECT_EQ(last("probes.tip_y"), 30);
  EXPECT_EQ(last("probes.tip.z"), 40);
  EXPECT_EQ(last("probes.tip.length"), 50);
  EXPECT_EQ(last("liquid.volume / liquid.expected_volume"), 1);
  EXPECT_EQ(last("bodies.beam.center.x - probes.level"), 9.75);
  EXPECT_EQ(measured(dir, expecting("liquid.pockets.0.volume", Take::first)), 0.5) << "steps without one do not count";
  EXPECT_EQ(last("time"), 1.0);
}

TEST(Judge, bounds_hold_inclusively_and_in_their_time) {
  const TemporaryDirectory dir;
  make_run(dir.path);
  Expectation e = expecting("liquid.volume", Take::max);
  e.at_least = 7;
  e.at_most = 7;
  EXPECT_EQ(judge({e}, dir.path)[0].verdict, Verdict::fail);
  e.from = 0.3;
  e.to = 0.7;  // 0.1 · 7 is a little more in binary
  EXPECT_EQ(judge({e}, dir.path)[0].verdict, Verdict::pass);
  EXPECT_EQ(judge({e}, dir.path)[0].measured, 7);
  EXPECT_TRUE(any_fails(judge({e, expecting("liquid.lost", Take::max)}, dir.path)));
  EXPECT_FALSE(any_fails(judge({e}, dir.path)));
}

TEST(Judge, what_lies_beyond_the_runs_end_is_not_reached_rather_than_failed) {
  const TemporaryDirectory dir;
  make_run(dir.path);
  Expectation late = expecting("liquid.volume", Take::max), half = late, open = late;
  late.from = 1.5;
  half.to = 1.5;
  const auto verdicts = judge({late, half, open}, dir.path);
  EXPECT_EQ(verdicts[0].verdict, Verdict::not_reached);
  EXPECT_EQ(verdicts[1].verdict, Verdict::not_reached);
  EXPECT_EQ(verdicts[2].verdict, Verdict::pass);
  EXPECT_FALSE(any_fails(verdicts));
  EXPECT_EQ(judge({open}, dir.path, 2.0)[0].verdict, Verdict::not_reached) << "a run that is not complete yet";
  EXPECT_EQ(judge({open}, dir.path, 1.0)[0].verdict, Verdict::pass);
  const TemporaryDirectory empty;
  EXPECT_EQ(judge({open}, empty.path)[0].verdict, Verdict::not_reached);
}

TEST(Judge, what_is_not_a_number_or_never_there_fails) {
  const TemporaryDirectory dir;
  make_run(dir.path, 10, nan);
  EXPECT_EQ(judge({expecting("liquid.volume", Take::max)}, dir.path)[0].verdict, Verdict::fail);
  EXPECT_EQ(judge({expecting("liquid.pockets.3.volume", Take::max)}, dir.path)[0].verdict, Verdict::fail);
  Expectation between = expecting("liquid.expected_volume", Take::max);
  between.from = 0.31;
  between.to = 0.32;
  EXPECT_EQ(judge({between}, dir.path)[0].note, "no step ends in its time");
  EXPECT_EQ(judge({expecting("retries / solver.iterations", Take::max)}, dir.path)[0].verdict, Verdict::fail) << "0/0";
}

TEST(Judge, lines_that_a_killed_run_left_unfinished_are_passed_over) {
  const TemporaryDirectory dir;
  make_run(dir.path);
  for (const std::string& file : {stats_file(dir.path), probes_file(dir.path)}) {
    const std::string text = read_file(file);
    write_atomically(file, text.substr(0, text.size() - 5));
  }
  EXPECT_EQ(measured(dir, expecting("liquid.volume", Take::last)), 9);
  EXPECT_EQ(measured(dir, expecting("probes.tip.length", Take::last)), 45);
}

TEST(Judge, the_table_is_aligned) {
  const TemporaryDirectory dir;
  make_run(dir.path);
  Expectation a = expecting("liquid.volume", Take::max), b = a;
  a.claim = "größer";
  a.reason = "because";
  b.claim = "much longer\nthan that";
  b.reason = "so";
  b.at_least.reset();
  b.at_most = 2;
  EXPECT_EQ(judgement_table(judge({a, b}, dir.path)),
            "  pass  größer                 10  at least -1e+09  because\n"
            "  FAIL  much longer?than that  10  at most 2        so\n");
}

// ---- Loading

const std::string scene_text =
    "[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [0.4, 0.5, 1]\n[domain]\nresolution = 8\n[time]\n"
    "frames = 2\nfps = 50\n[[solid]]\nname = 'ball'\nshape = 'sphere'\ncenter = [0.7, 0.3, 0.5]\nradius = 0.2\n"
    "[[body]]\nname = 'cube'\nshape = 'box'\ncenter = [0.7, 0.8, 0.5]\nsize = [0.3, 0.3, 0.3]\nmesh = 'grid6'\n"
    "[[probe]]\nname = 'tip'\ntype = 'displacement'\nbody = 'cube'\npoint = [0.7, 0.8, 0.5]\n[preset.quick]\n"
    "time.frames = 1\n";

std::string expect_text(const std::string& of, const std::string& more = "at_most = 1e9\n") {
  return "[[expect]]\nclaim = 'a'\nof = '" + of + "'\ntake = 'max'\nreason = 'b'\n" + more;
}

struct SceneFolder {
  TemporaryDirectory dir;
  std::string file = dir / "scene.toml";
  SceneFolder() { write_atomically(file, scene_text); }
  void expect(const std::string& text) const { write_atomically(dir / "expect.toml", text); }
  std::string refusal(const std::string& of) const {
    expect(expect_text(of));
    try {
      load_expectations(file, load_scene(file));
    } catch (const SceneError& error) {
      EXPECT_EQ(error.problems.size(), 1u);
      EXPECT_EQ(error.problems[0].place.text(), dir / "expect.toml:3:1");
      return error.problems[0].message;
    }
    return "";
  }
};

TEST(LoadExpectations, paths_are_checked_against_what_the_scene_will_write) {
  const SceneFolder folder;
  for (const char* fine :
       {"time", "dt", "retries", "solver.iterations", "liquid.momentum.length", "bodies.ball.wet_area",
        "bodies.cube.elastic_energy", "bodies.cube.center.y - bodies.ball.center.y", "probes.tip_x",
        "probes.tip.length", "liquid.pockets.1.volume", "memory_mb"})
    EXPECT_EQ(folder.refusal(fine), "") << fine;
  EXPECT_EQ(folder.refusal("liquid.volum"), "there is no 'volum' in 'liquid'; did you mean 'volume'?");
  EXPECT_EQ(folder.refusal("bodies.cubee.volume"), "there is no 'cubee' in 'bodies'; did you mean 'cube'?");
  EXPECT_EQ(folder.refusal("bodies.ball.elastic_energy"),
            "there is no 'elastic_energy' in 'bodies.ball'; there are name, volume, center, wet_area, fluid_force, "
            "fluid_torque");
  EXPECT_EQ(folder.refusal("probes.tap_x"), "there is no 'tap_x' in 'probes'; did you mean 'tip_x'?");
  EXPECT_EQ(folder.refusal("bodies.cube.center"), "'bodies.cube.center' is a vector: add .x, .y, .z or .length");
  EXPECT_EQ(folder.refusal("bodies.cube.center.w"),
            "'bodies.cube.center' is a vector: it has x, y, z and length, not 'w'");
  EXPECT_EQ(folder.refusal("time.x"), "'time' is a single value: it has no 'x'");
  EXPECT_EQ(folder.refusal("solver.status"), "'solver.status' is not a number");
  EXPECT_EQ(folder.refusal("bodies.0.volume"), "there is no '0' in 'bodies'; there are cube, ball");
  EXPECT_NE(folder.refusal("bodies.cube").find("holds several values"), std::string::npos);
  EXPECT_NE(folder.refusal("stages.projection").find("there is no 'stages'"), std::string::npos);
  EXPECT_NE(folder.refusal("time dt").find("neither a path"), std::string::npos);
  EXPECT_NE(folder.refusal("time * dt").find("neither a path"), std::string::npos);
  EXPECT_NE(folder.refusal("liquid..volume").find("there is no ''"), std::string::npos);
}

TEST(LoadExpectations, presets_are_the_scenes) {
  const SceneFolder folder;
  folder.expect(expect_text("time", "at_most = 1\npresets = ['preview']\n") +
                expect_text("lost", "at_most = 2\npresets = ['quick']\n"));
  EXPECT_EQ(load_expectations(folder.file, load_scene(folder.file)).size(), 1u);
  EXPECT_THROW(load_expectations(folder.file, load_scene(folder.file, {}, "quick")), SceneError);
  folder.expect(expect_text("time", "at_most = 1\npresets = ['quik']\n"));
  EXPECT_THROW(load_expectations(folder.file, load_scene(folder.file)), SceneError);
}

TEST(LoadExpectations, a_run_keeps_them_resolved_and_a_resumed_one_is_judged_as_a_whole) {
  const SceneFolder folder;
  EXPECT_TRUE(load_expectations(folder.file, load_scene(folder.file)).empty()) << "no file, nothing expected";
  folder.expect(expect_text("time", "at_least = 0.039\npresets = ['preview']\n") +
                expect_text("time", "at_most = 0.01\n"));
  const std::string dir = folder.dir / "run";
  RunOptions options;
  options.dir = dir;
  Scene scene = load_scene(folder.file);
  options.expectations = load_expectations(folder.file, scene);
  scene.time.frames = 1;
  run(scene, options, {});
  const Scene kept = load_scene(scene_file(dir));
  EXPECT_EQ(kept.preset, "preview");
  EXPECT_EQ(to_toml(load_expectations(scene_file(dir), kept)), to_toml(options.expectations));

  scene.time.frames = 2;
  options.resume = true;
  run(scene, options, {});
  Expectation whole = expecting("time", Take::first);
  whole.at_most = 0.021;  // the first frame is in it, too
  options.expectations.push_back(whole);
  const auto judged = judge(options.expectations, dir, 0.04);
  EXPECT_EQ(judged[0].verdict, Verdict::pass);
  EXPECT_EQ(judged[1].verdict, Verdict::fail);
  EXPECT_EQ(judged[2].verdict, Verdict::pass);

  clear_run(dir);
  EXPECT_FALSE(std::filesystem::exists(dir + "/expect.toml"));
}

}  // namespace
}  // namespace coracle
