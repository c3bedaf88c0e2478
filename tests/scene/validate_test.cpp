// A scene built in code is held to the rules that files are held to, in the same words.
#include "coracle/scene.h"
#include "coracle/scene/scenes.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace coracle {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

ShapeOptions box(const Vec3& lo, const Vec3& hi) {
  ShapeOptions shape;
  shape.center = 0.5 * (lo + hi);
  shape.size = hi - lo;
  return shape;
}

ShapeOptions ball(const Vec3& center, double radius) {
  ShapeOptions shape;
  shape.kind = ShapeKind::sphere;
  shape.center = center;
  shape.radius = radius;
  return shape;
}

// Liquid, two balls in one region of it, a moving solid, a held body and a probe.
Scene good_scene() {
  Scene scene;
  scene.liquid.regions.resize(2);
  scene.liquid.regions[0].shape = box(Vec3::Zero(), Vec3(1, 0.3, 1));
  ShapeOptions& both = scene.liquid.regions[1].shape;
  both.kind = ShapeKind::union_of;
  both.parts = {ball(Vec3(0.2, 0.8, 0.2), 0.1), ball(Vec3(0.2, 0.8, 0.8), 0.1)};
  SolidOptions solid;
  solid.name = "mill";
  solid.shape = ball(Vec3(0.7, 0.7, 0.7), 0.1);
  solid.motions.resize(1);
  solid.motions[0].kind = MotionKind::keyframes;
  solid.motions[0].times = {0, 1};
  solid.motions[0].angles = {0, 3};
  scene.solids = {solid};
  BodyOptions body;
  body.name = "soft";
  body.shape = ball(Vec3(0.3, 0.5, 0.5), 0.1);
  body.holds.resize(1);
  body.holds[0].side = BodySide::y_min;
  scene.bodies = {body};
  ProbeOptions probe;
  probe.name = "push";
  probe.kind = ProbeKind::force;
  probe.solid = "mill";
  scene.probes = {probe};
  return scene;
}

using Change = std::function<void(Scene&)>;

std::vector<Problem> problems_after(const Change& change) {
  Scene scene = good_scene();
  change(scene);
  return validate(scene);
}

std::vector<std::string> texts(const std::vector<Problem>& problems) {
  std::vector<std::string> all;
  all.reserve(problems.size());
  for (const Problem& p : problems) all.push_back(p.text());
  return all;
}

// "body[0].young" as --set has it: "body.0.young".
std::string set_path(const std::string& path) {
  std::string dotted;
  for (const char c : path)
    if (c != ']') dotted += c == '[' ? '.' : c;
  return dotted;
}

// What a file is told that makes the same mistake, at the option's path instead of the file's place.
std::vector<std::string> told_to_a_file(const std::string& path, const std::string& value) {
  const std::string text = to_toml(good_scene());
  std::vector<std::string> all;
  try {
    parse_scene(text, "s.toml", {{set_path(path), value}});
  } catch (const SceneError& error) {
    for (const Problem& p : error.problems) all.push_back(path + ": " + p.message);
  }
  return all;
}

TEST(Validate, a_good_scene_built_in_code_has_no_problems) {
  EXPECT_EQ(texts(validate(good_scene())), std::vector<std::string>{});
  EXPECT_NO_THROW(parse_scene(to_toml(good_scene()), "s.toml"));
}

TEST(Validate, every_shipped_scene_is_as_good_in_code_as_in_its_file) {
  for (const SceneInfo& info : shipped_scenes())
    EXPECT_EQ(texts(validate(load_scene(info.path))), std::vector<std::string>{}) << info.name;
}

TEST(Validate, a_mistake_in_code_is_told_once_in_the_words_that_a_file_gets) {
  struct Mistake {
    std::string path, value;
    Change change;
  };
  const std::vector<Mistake> mistakes = {
      // Numbers: out of range, at an excluded end, not finite.
      {"liquid.density", "-1", [](Scene& s) { s.liquid.density = -1; }},
      {"liquid.density", "0", [](Scene& s) { s.liquid.density = 0; }},
      {"liquid.density", "nan", [](Scene& s) { s.liquid.density = nan; }},
      {"liquid.runge_kutta", "4", [](Scene& s) { s.liquid.runge_kutta = 4; }},
      {"time.fps", "inf", [](Scene& s) { s.time.fps = std::numeric_limits<double>::infinity(); }},
      {"domain.resolution", "70000", [](Scene& s) { s.domain.resolution = 70000; }},
      {"domain.resolution", "0", [](Scene& s) { s.domain.resolution = 0; }},
      {"domain.slab", "-1", [](Scene& s) { s.domain.slab = -1; }},
      {"body[0].poisson", "0.5", [](Scene& s) { s.bodies[0].poisson = 0.5; }},
      {"body[0].young", "2e13", [](Scene& s) { s.bodies[0].young = 2e13; }},
      {"body[0].young", "-2e9", [](Scene& s) { s.bodies[0].young = -2e9; }},
      {"liquid.region[1].parts[1].radius", "0", [](Scene& s) { s.liquid.regions[1].shape.parts[1].radius = 0; }},
      {"look.floor", "nan", [](Scene& s) { s.look.floor = nan; }},
      // Vectors and lists.
      {"gravity", "[0, nan, 0]", [](Scene& s) { s.gravity.y() = nan; }},
      {"domain.max", "[1, 2e6, 1]", [](Scene& s) { s.domain.max.y() = 2e6; }},
      {"body[0].cells", "[1, 0, 1]", [](Scene& s) { s.bodies[0].cells = Vec3i(1, 0, 1); }},
      {"body[0].color", "[0, 0, 2]", [](Scene& s) { s.bodies[0].color = Vec3(0, 0, 2); }},
      {"camera.up", "[0, 0, 0]", [](Scene& s) { s.camera.up.setZero(); }},
      {"solid[0].motion[0].axis", "[0, 0, 0]", [](Scene& s) { s.solids[0].motions[0].axis.setZero(); }},
      {"solid[0].motion[0].times", "[0, inf]",
       [](Scene& s) { s.solids[0].motions[0].times[1] = std::numeric_limits<double>::infinity(); }},
      {"liquid.region[1].parts", "[]", [](Scene& s) { s.liquid.regions[1].shape.parts.clear(); }},
      // Words: C++ lets an enum be any number.
      {"method", "'9'", [](Scene& s) { s.method = Method(9); }},
      {"liquid.advection", "'-1'", [](Scene& s) { s.liquid.advection = Advection(-1); }},
      {"domain.open", "['7']", [](Scene& s) { s.domain.open = {Side(7)}; }},
      {"body[0].hold[0].type", "'2'", [](Scene& s) { s.bodies[0].holds[0].kind = HoldKind(2); }},
      {"body[0].mesh", "'3'", [](Scene& s) { s.bodies[0].mesh = BodyMesh(3); }},
      {"elastic.integrator", "'3'", [](Scene& s) { s.elastic.integrator = Integrator(3); }},
      // Names and files.
      {"body[0].name", "''", [](Scene& s) { s.bodies[0].name = ""; }},
      {"body[0].name", "'a/b c'", [](Scene& s) { s.bodies[0].name = "a/b c"; }},
      {"body[0].name", "'" + std::string(65, 'a') + "'", [](Scene& s) { s.bodies[0].name = std::string(65, 'a'); }},
      {"title", "\"a\\u0000b\"", [](Scene& s) { s.title = std::string("a\0b", 3); }},
      {"probe[0].solid", "''", [](Scene& s) { s.probes[0].solid = ""; }},
      {"body[0].render", "'none.obj'", [](Scene& s) { s.bodies[0].render = "none.obj"; }},
      {"body[0].render", "'/tmp'", [](Scene& s) { s.bodies[0].render = "/tmp"; }},
  };
  for (const Mistake& m : mistakes) {
    const std::vector<std::string> told = texts(problems_after(m.change));
    EXPECT_EQ(told.size(), 1u) << m.path << " = " << m.value;
    EXPECT_EQ(told, told_to_a_file(m.path, m.value)) << m.path << " = " << m.value;
  }
}

TEST(Validate, a_mesh_needs_a_file_that_is_there) {
  const auto with_file = [](const std::string& file) {
    return problems_after([&](Scene& s) {
      s.solids[0].shape.kind = ShapeKind::mesh;
      s.solids[0].shape.file = file;
    });
  };
  EXPECT_EQ(texts(with_file("")), std::vector<std::string>{"solid[0].file: 'file' must not be empty"});
  EXPECT_EQ(texts(with_file("none.obj")),
            std::vector<std::string>{"solid[0].file: 'file' names a file that does not exist: 'none.obj'"});
}

TEST(Validate, an_inflow_must_flow) {
  const Change add = [](Scene& s) { s.inflows.emplace_back().shape = ball(Vec3(0.5, 0.9, 0.5), 0.05); };
  EXPECT_EQ(texts(problems_after(add)), std::vector<std::string>{"inflow[0].velocity: 'velocity' must not be zero"});
}

TEST(Validate, what_a_kind_does_not_have_is_not_judged) {
  EXPECT_EQ(texts(problems_after([](Scene& s) {
              ShapeOptions& sphere = s.solids[0].shape;
              sphere.height = nan;
              sphere.axis.setZero();
              sphere.parts = {ball(Vec3::Zero(), -1)};
              sphere.parts[0].kind = ShapeKind::mesh;
              s.solids[0].motions[0].rate = nan;
              s.solids[0].motions[0].start = -1;
              s.bodies[0].holds[0].normal.setZero();
              s.probes[0].point.x() = nan;
              s.probes[0].body = "";
            })),
            std::vector<std::string>{});
}

TEST(Validate, an_unknown_kind_is_one_problem) {
  for (const int kind : {-1, 14, 31, 32, 1000}) {
    const std::vector<Problem> all = problems_after([&](Scene& s) {
      s.solids[0].shape.kind = ShapeKind(kind);
      s.solids[0].shape.radius = nan;
    });
    ASSERT_EQ(all.size(), 1u) << kind;
    EXPECT_EQ(all[0].place.text(), "solid[0].shape");
    EXPECT_EQ(all[0].message.find("'shape' cannot be '" + std::to_string(kind) + "'; it is one of \"box\""), 0u)
        << all[0].message;
  }
}

TEST(Validate, shapes_nest_only_so_deep) {
  const std::vector<Problem> all = problems_after([](Scene& s) {
    ShapeOptions shape = ball(Vec3(0.5, 0.5, 0.5), 0.1);
    for (int i = 0; i < 100; ++i) {
      ShapeOptions outer;
      outer.kind = ShapeKind::union_of;
      outer.parts = {shape};
      shape = outer;
    }
    s.liquid.regions[1].shape = shape;
  });
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].message, "'parts' is nested too deeply");
}

TEST(Validate, rules_that_fields_share_point_at_an_option_too) {
  const auto only_problem = [](const Change& change) {
    const std::vector<std::string> all = texts(problems_after(change));
    return all.size() == 1 ? all[0] : std::to_string(all.size()) + " problems";
  };
  EXPECT_EQ(only_problem([](Scene& s) { s.time.min_dt = 2; }),
            "time.min_dt: 'min_dt' (2 s) must be below 'max_dt' (1 s)");
  EXPECT_EQ(only_problem([](Scene& s) { s.solids.push_back(s.solids[0]); }),
            "solid[1].name: a second solid named 'mill'; the first is at solid[0].name");
  EXPECT_EQ(only_problem([](Scene& s) {
              s.solids[0].motions[0].times = {1, 0};
            }),
            "solid[0].motion[0].times: 'times' must increase: 1 s is followed by 0 s");
  EXPECT_EQ(only_problem([](Scene& s) { s.bodies[0].holds[0].side = BodySide::none; }),
            "body[0].hold[0].side: a hold needs either 'side' or [[body.hold.region]]s");
  EXPECT_EQ(only_problem([](Scene& s) { s.probes[0].solid = "mil"; }),
            "probe[0].solid: there is no solid or body 'mil'; did you mean 'mill'?");
  EXPECT_EQ(texts(validate(Scene())).at(0).find("liquid: the scene has no fluid and no body"), 0u);
}

TEST(Validate, every_mistake_is_told_at_once) {
  EXPECT_EQ(texts(problems_after([](Scene& s) {
              s.time.min_dt = 2;
              s.liquid.density = -1;
              s.bodies[0].name = "a/b";
              s.bodies[0].friction = nan;
            })),
            (std::vector<std::string>{
                "liquid.density: 'density' must be above 0 and at most 1000000 kg/m³, not -1",
                "body[0].name: 'name' may hold only letters, digits, '_' and '-', not 'a/b'",
                "body[0].friction: 'friction' must be a finite number, not nan",
                "time.min_dt: 'min_dt' (2 s) must be below 'max_dt' (1 s)",
            }));
}

TEST(Validate, a_scene_from_a_file_that_code_has_changed_is_told_the_options_path) {
  Scene scene = parse_scene(to_toml(good_scene()), "s.toml");
  EXPECT_EQ(texts(validate(scene)), std::vector<std::string>{});
  scene.bodies[0].young = 0;
  EXPECT_EQ(texts(validate(scene)), std::vector<std::string>{"body[0].young: 'young' must be above 0 Pa, not 0"});
}

}  // namespace
}  // namespace coracle
