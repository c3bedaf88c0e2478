#include "coracle/scene.h"
#include "coracle/scene/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coracle {
namespace {

const std::string water = "[[liquid.region]]\nshape = 'box'\nmin = [0, 0, 0]\nmax = [0.4, 0.5, 1]\n";

std::vector<std::string> problems_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  std::vector<std::string> all;
  try {
    parse_scene(text, "s.toml", overrides);
  } catch (const SceneError& error) {
    for (const Problem& p : error.problems) all.push_back(p.text());
  }
  return all;
}

testing::AssertionResult says(const std::string& text, const std::string& expected,
                              const std::vector<Override>& overrides = {}) {
  const std::vector<std::string> all = problems_of(text, overrides);
  for (const std::string& p : all)
    if (p.find(expected) != std::string::npos) return testing::AssertionSuccess();
  auto failure = testing::AssertionFailure() << "nobody said \"" << expected << "\" but:";
  for (const std::string& p : all) failure << "\n  " << p;
  return failure;
}

TEST(Load, every_shipped_scene_loads) {
  const std::vector<SceneInfo> scenes = shipped_scenes();
  EXPECT_GE(scenes.size(), 3u);
  for (const SceneInfo& scene : scenes) {
    EXPECT_NO_THROW(load_scene(find_scene(scene.name))) << scene.name;
    EXPECT_FALSE(scene.title.empty()) << scene.name;
  }
}

TEST(Load, an_unknown_scene_names_the_nearest) {
  try {
    find_scene("dam_braek");
    FAIL();
  } catch (const SceneError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'dam_break'?"), std::string::npos) << error.what();
  }
}

TEST(Load, values_land_in_their_structs) {
  const Scene s =
      parse_scene("title = 'a'\ngravity = [0, -1, 0]\n[liquid]\ndensity = 900\nadvection = 'flip'\n" + water +
                      "velocity = [1, 2, 3]\n[[solid]]\nname = 'b'\nshape = 'cylinder'\ncenter = [0.7, 0.5, 0.5]\n"
                      "radius = 0.1\nheight = 0.3\naxis = [1, 0, 0]\n[[solid.motion]]\ntype = 'rotation'\n"
                      "pivot = [0.7, 0.5, 0.5]\nrate = 2\n[[probe]]\nname = 'f'\ntype = 'force'\nsolid = 'b'\n",
                  "s.toml");
  EXPECT_EQ(s.title, "a");
  EXPECT_EQ(s.gravity, Vec3(0, -1, 0));
  EXPECT_EQ(s.liquid.density, 900);
  EXPECT_EQ(s.liquid.advection, Advection::flip);
  ASSERT_EQ(s.liquid.regions.size(), 1u);
  EXPECT_EQ(s.liquid.regions[0].velocity, Vec3(1, 2, 3));
  EXPECT_EQ(s.liquid.regions[0].shape.center, Vec3(0.2, 0.25, 0.5)) << "min and max are read into center and size";
  EXPECT_EQ(s.liquid.regions[0].shape.size, Vec3(0.4, 0.5, 1));
  ASSERT_EQ(s.solids.size(), 1u);
  EXPECT_EQ(s.solids[0].shape.kind, ShapeKind::cylinder);
  EXPECT_EQ(s.solids[0].shape.axis, Vec3(1, 0, 0));
  EXPECT_EQ(s.solids[0].place.line, 11);
  ASSERT_EQ(s.solids[0].motions.size(), 1u);
  EXPECT_EQ(s.solids[0].motions[0].rate, 2);
  EXPECT_EQ(s.probes[0].kind, ProbeKind::force);
}

TEST(Load, one_mistake_in_a_table_does_not_hide_what_its_other_keys_tell) {
  const std::string outside = "[[liquid.region]]\nshape = 'sphere'\ncenter = [5, 5, 5]\nradius = 0.2\n";
  EXPECT_TRUE(says("[domain]\nresolution = 'high'\n" + outside, "liquid outside the domain"));
  EXPECT_FALSE(says("[domain]\nmxa = [9, 9, 9]\n" + outside, "liquid outside the domain")) << "max may have been meant";
}

TEST(Load, boxes_of_cubes_are_quadratic_unless_told_otherwise) {
  const auto element = [](const std::string& more, const std::vector<Override>& overrides = {}) {
    return parse_scene("[[body]]\nname = 'b'\nshape = 'box'\ncenter = [0.5, 0.5, 0.5]\nsize = [0.2, 0.2, 0.2]\n" + more,
                       "s.toml", overrides)
        .bodies[0]
        .element;
  };
  EXPECT_EQ(element("mesh = 'grid5'\n"), ElementOrder::quadratic);
  EXPECT_EQ(element("mesh = 'grid6'\n"), ElementOrder::quadratic);
  EXPECT_EQ(element("mesh = 'grid6'\nelement = 'linear'\n"), ElementOrder::linear);
  EXPECT_EQ(element(""), ElementOrder::linear);
  EXPECT_EQ(element("", {{"body.b.mesh", "grid6"}}), ElementOrder::quadratic);
}

TEST(Load, contact_has_a_table_of_its_own) {
  const std::string body = "[[body]]\nname = 'b'\nshape = 'sphere'\ncenter = [0.5, 0.5, 0.5]\nradius = 0.2\n";
  EXPECT_TRUE(says(body + "[elastic]\ncontact = false\n",
                   "s.toml:7:1: 'contact' is no longer in [elastic]: write "
                   "[contact] with kind = 'none' in place of false"));
  EXPECT_TRUE(says(body + "[elastic]\ngap = 0.2\n", "'gap' is no longer in [elastic]: write [contact] with distance"));
  const Scene barrier = parse_scene(body + "[contact]\nkind = 'barrier'\nfriction = 0.7\n", "s.toml");
  EXPECT_TRUE(barrier.elastic.newton);
  EXPECT_EQ(barrier.bodies[0].friction, 0.7);
  EXPECT_EQ(parse_scene(body + "friction = 0.1\n[contact]\nfriction = 0.7\n", "s.toml").bodies[0].friction, 0.1);
  EXPECT_TRUE(says(body + "[elastic]\nnewton = false\n[contact]\nkind = 'barrier'\n", "needs Newton's method"));
  EXPECT_TRUE(says("method = 'simultaneous'\n" + body + "[contact]\nkind = 'barrier'\n", "method = 'cutcell'"));
}

TEST(Load, an_inflow_needs_a_closed_surface) {
  EXPECT_TRUE(
      says("[[inflow]]\nname = 'jet'\nshape = 'half_space'\npoint = [0, 0, 0]\nnormal = [0, 1, 0]\n"
           "velocity = [1, 0, 0]\n",
           "s.toml:3:1: a half_space cannot be an inflow"));
}

TEST(Load, ten_mistakes_are_reported_at_once_each_at_its_place) {
  const std::string text =
      "title = 3\n"                 //  1: wrong type
      "[domain]\n"                  //  2
      "resolution = 1.5\n"          //  3: not an integer
      "[time]\n"                    //  4
      "  fps = -1\n"                //  5: out of range, indented
      "[liquid]\n"                  //  6
      "desnity = 900\n"             //  7: unknown key
      "advection = 'flop'\n"        //  8: unknown word
      "[[liquid.region]]\n"         //  9
      "shape = 'box'\n"             // 10
      "min = [0, 0, 0]\n"           // 11
      "max = [0.4, nan, 1]\n"       // 12: not finite
      "[[solid]]\n"                 // 13: no radius
      "name = 'ball'\n"             // 14
      "shape = 'sphere'\n"          // 15
      "center = [0.7, 0.2, 0.5]\n"  // 16
      "[[solid]]\n"                 // 17
      "name = 'ball'\n"             // 18: a second one
      "shape = 'box'\n"             // 19
      "center = [0.7, 0.2, 0.5]\n"  // 20
      "size = [1, 1, 1]\n"          // 21
      "radius = 2\n"                // 22: of another kind
      "[[probe]]\n"                 // 23
      "name = 'force'\n"            // 24
      "type = 'force'\n"            // 25
      "solid = 'bal'\n";            // 26: unknown solid
  const std::vector<std::string> expected = {
      "s.toml:1:1: 'title' must be a string, not an integer",
      "s.toml:3:1: 'resolution' must be an integer (cells), not a number with a fraction",
      "s.toml:5:3: 'fps' must be above 0 and at most 1000000 1/s, not -1",
      "s.toml:7:1: unknown key 'desnity' in [liquid]; did you mean 'density'?",
      "s.toml:8:1: 'advection' cannot be 'flop'; did you mean 'flip'?",
      "s.toml:12:1: 'max' must be a finite number, not nan (its y)",
      "s.toml:13:1: a sphere needs 'radius'",
      "s.toml:18:1: a second solid named 'ball'; the first is at s.toml:14:1",
      "s.toml:22:1: a box has no 'radius'; it takes center, size or min, max, rotate",
      "s.toml:26:1: there is no solid or body 'bal'; did you mean 'ball'?",
  };
  EXPECT_EQ(problems_of(text), expected);
}

TEST(Load, syntax_errors_have_a_place) {
  const auto all = problems_of("title = 'a'\n[domain\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].find("s.toml:2:"), 0u) << all[0];
}

TEST(Load, a_scene_without_anything_is_refused) { EXPECT_TRUE(says("", "the scene has no fluid and no body")); }

const std::string jet = "[[jet]]\nshape='box'\nmin=[0.1,0.4,0.4]\nmax=[0.2,0.6,0.6]\n";

TEST(Load, gas_and_liquid_do_not_go_together) {
  EXPECT_TRUE(says(water + jet, "gas and liquid in one scene: a scene has one fluid, so take out either"));
  EXPECT_TRUE(says("[domain]\nopen=['y_max']\n" + water, "s.toml:2:1: open sides are for gas: liquid would leave"));
  EXPECT_TRUE(says("[domain]\nopen=['top']\n" + jet, "'open' cannot be 'top'"));
  EXPECT_TRUE(says("[domain]\nopen=['z_min']\nslab=2\n" + jet, "a slab's z sides are walls"));
  EXPECT_TRUE(problems_of("[domain]\nopen=['y_max','x_min']\n" + jet + "velocity=[1,0,0]").empty());
}

TEST(Load, a_jet_must_have_gas_around_it_and_a_way_out) {
  const std::string ball = "[[solid]]\nname='ball'\nshape='sphere'\ncenter=[0.15,0.5,0.5]\nradius=0.2\n";
  EXPECT_TRUE(says(ball + jet, "s.toml:7:1: the jet lies inside the solid 'ball'; move it out, into the gas"));
  const std::string tank = "[[solid]]\nname='tank'\nshape='sphere'\ncenter=[0.8,0.5,0.5]\nradius=0.1\ncontainer=true\n";
  EXPECT_TRUE(says(tank + jet, "the jet lies inside the solid 'tank'"));
  EXPECT_TRUE(says("[[body]]\nname='soft'\nshape='box'\ncenter=[0.15,0.5,0.5]\nsize=[0.3,0.3,0.3]\n" + jet,
                   "the jet lies inside the body 'soft'"));
  EXPECT_TRUE(
      says(jet + "velocity=[2,0,0]", "blows gas into a closed domain; open a side, such as open = [\"x_max\"]"));
  EXPECT_TRUE(says("[[body]]\nname='b'\nshape='sphere'\ncenter=[0.7,0.5,0.5]\nradius=0.1\n" + jet + "velocity=[0,0,-2]",
                   "open = [\"z_min\"]"))
      << "a body is no way out";
  EXPECT_TRUE(
      says(jet + "[[outflow]]\nshape='sphere'\ncenter=[0.7,0.5,0.5]\nradius=0.1", "open a side of the domain instead"));
  EXPECT_TRUE(says(jet + "[[probe]]\nname='p'\ntype='height'\nfrom=[0.7,0,0.5]\nto=[0.7,1,0.5]",
                   "'height' measures liquid, and the scene has gas"));
  EXPECT_TRUE(says(jet + "start=2\nend=1", "the jet's 'end' (1 s) must come after its 'start' (2 s)"));
  EXPECT_TRUE(says("[[jet]]\nshape='box'\nmin=[2,0,0]\nmax=[3,1,1]", "the jet lies wholly outside the domain"));
}

TEST(Load, a_method_brings_its_papers_solid_unless_the_scene_says_otherwise) {
  const std::string body = "[[body]]\nname='b'\nshape='sphere'\ncenter=[0.5,0.5,0.5]\nradius=0.2\n";
  const Scene plain = parse_scene("method='simultaneous'\n" + body, "s.toml");
  EXPECT_EQ(plain.bodies[0].material, MaterialModel::st_venant_kirchhoff);
  EXPECT_EQ(plain.elastic.integrator, Integrator::trapezoidal);
  const Scene said = parse_scene(
      "method='simultaneous'\n" + body + "material='corotational'\n[elastic]\nintegrator='midpoint'", "s.toml");
  EXPECT_EQ(said.bodies[0].material, MaterialModel::corotational);
  EXPECT_EQ(said.elastic.integrator, Integrator::midpoint);
  EXPECT_EQ(parse_scene(body, "s.toml").bodies[0].material, MaterialModel::corotational);
  EXPECT_EQ(parse_scene("method='simultaneous'\n" + body, "s.toml", {{"method", "cutcell"}}).bodies[0].material,
            MaterialModel::corotational);
  EXPECT_TRUE(says("method='simultaneous'\n[solver]\nform='spd'\n" + body, "'form' = 'spd' needs a symmetric system"));
  EXPECT_TRUE(says("method='simultaneous'\n[elastic]\nnewton=true\n" + body, "Newton's method goes down a potential"));
  EXPECT_TRUE(
      says("method='simultaneous'\n[solver]\ncoupling='damping_only'\n" + body, "belongs to method = 'cutcell'"));
}

TEST(Load, liquid_must_lie_in_the_domain) {
  const auto box = [](const char* corners) { return std::string("[[liquid.region]]\nshape='box'\n") + corners; };
  EXPECT_TRUE(
      says(box("min=[0,0,0]\nmax=[0.5,1.2,1]"), "s.toml:2:1: liquid outside the domain: the box reaches y = 1.2 m"));
  EXPECT_TRUE(says(box("min=[2,0,0]\nmax=[3,1,1]"), "lies wholly outside"));
  EXPECT_TRUE(problems_of(box("min=[0,0,0]\nmax=[1,1,1]")).empty());
  EXPECT_TRUE(problems_of(box("min=[0,0,-5]\nmax=[1,1,9]\n[domain]\nslab=2")).empty()) << "a slab's z does not count";
  const auto half = [](double y) {
    return "[[liquid.region]]\nshape='half_space'\npoint=[0," + std::to_string(y) + ",0]";
  };
  EXPECT_TRUE(problems_of(half(0.5)).empty());
  EXPECT_TRUE(says(half(-0.5), "lies wholly outside"));
}

TEST(Load, cross_field_rules_are_checked) {
  EXPECT_TRUE(says(water + "[domain]\nmax=[1,0,1]", "s.toml:6:1: the domain has no extent in y"));
  EXPECT_TRUE(says(water + "[domain]\nresolution=2000", "lower 'resolution' to 1024"));
  EXPECT_TRUE(says(water + "[domain]\nresolution=16\nslab=17", "set slab = 0 for 3-D"));
  EXPECT_TRUE(says(water + "[time]\nmin_dt=2", "'min_dt' (2 s) must be below 'max_dt' (1 s)"));
  EXPECT_TRUE(says("[liquid]\nrunge_kutta=4\n" + water, "'runge_kutta' must be at least 2 and at most 3, not 4"));
  EXPECT_TRUE(says(water + "[[probe]]\nname='p'\ntype='pressure'\npoint=[2,0,0]", "s.toml:8:1: 'point' lies outside"));
  EXPECT_TRUE(says(water + "[[probe]]\nname='p'\ntype='height'\nfrom=[0,0,0]\nto=[0,0,0]", "are the same point"));
  EXPECT_TRUE(says(water + "[[inflow]]\nshape='sphere'\ncenter=[0,0,0]\nradius=1\nvelocity=[1,0,0]\nstart=2\nend=1",
                   "s.toml:11:1: the inflow's 'end' (1 s) must come after"));
  EXPECT_TRUE(says(water + "[[outflow]]\nshape='sphere'\ncenter=[9,0,0]\nradius=1", "the outflow lies wholly outside"));
  EXPECT_TRUE(
      says(water + "[[solid]]\nname='../a'\nshape='sphere'\ncenter=[0,0,0]\nradius=1", "may hold only letters"));
}

TEST(Load, solids_need_a_closed_surface_in_the_domain) {
  const std::string solid = water + "[[solid]]\nname='s'\n";
  EXPECT_TRUE(says(solid + "shape='half_space'\npoint=[0,0,0]", "use a large box"));
  EXPECT_TRUE(says(solid + "shape='union'\nparts=[{shape='sphere', center=[0,0,0], radius=1}]", "use several solids"));
  EXPECT_TRUE(says(solid + "shape='sphere'\ncenter=[5,0,0]\nradius=1", "lies wholly outside the domain"));
  EXPECT_TRUE(says(solid + "shape='mesh'\nfile='none.obj'", "names a file that does not exist: 'none.obj'"));
  EXPECT_TRUE(says(solid + "shape='box'\nmin=[0,0,0]", "a box needs 'max'"));
  EXPECT_TRUE(says(solid + "shape='box'\nmin=[0,0,0]\nmax=[1,1,1]\nsize=[1,1,1]", "give one or the other"));
  EXPECT_TRUE(says(solid + "shape='bix'", "did you mean 'box'?"));
}

TEST(Load, keyframes_must_increase_and_match) {
  const std::string keys = water +
                           "[[solid]]\nname='s'\nshape='sphere'\ncenter=[0.7,0.5,0.5]\nradius=0.1\n"
                           "[[solid.motion]]\ntype='keyframes'\n";
  EXPECT_TRUE(says(keys + "times=[0,2,1]\noffsets=[[0,0,0],[1,0,0],[0,0,0]]", "s.toml:12:1: 'times' must increase"));
  EXPECT_TRUE(says(keys + "times=[0,1]\noffsets=[[0,0,0]]", "s.toml:13:1: 'offsets' has 1 entries for 2 times"));
  EXPECT_TRUE(says(keys + "times=[0,1]\nrate=3", "a keyframes has no 'rate'"));
  EXPECT_TRUE(problems_of(keys + "times=[0,1]\nangles=[0,1]").empty());
}

TEST(Load, overrides_change_tables_arrays_and_named_entries) {
  const std::string text = water + "[[solid]]\nname='ball'\nshape='sphere'\ncenter=[0.7,0.5,0.5]\nradius=0.1\n";
  const Scene s = parse_scene(text, "s.toml",
                              {{"solid.ball.radius", "0.2"},
                               {"liquid.region.0.velocity", "[1, 0, 0]"},
                               {"solver.tolerance", "1e-4"},
                               {"title", "two words"},
                               {"liquid.advection", "flip"},
                               {"solid.0.container", "true"}});
  EXPECT_EQ(s.solids[0].shape.radius, 0.2);
  EXPECT_TRUE(s.solids[0].container);
  EXPECT_EQ(s.liquid.regions[0].velocity, Vec3(1, 0, 0));
  EXPECT_EQ(s.solver.tolerance, 1e-4);
  EXPECT_EQ(s.title, "two words");
  EXPECT_EQ(s.liquid.advection, Advection::flip);
}

TEST(Load, problems_of_overrides_name_the_override) {
  EXPECT_EQ(
      problems_of(water, {{"liquid.density", "-1"}}),
      std::vector<std::string>{"--set liquid.density=-1: 'density' must be above 0 and at most 1000000 kg/m³, not -1"});
  EXPECT_TRUE(says(water, "--set liquid.desnity=1: unknown key 'desnity'", {{"liquid.desnity", "1"}}));
  EXPECT_TRUE(says(water, "--set domain.resolution=4000: the grid would have", {{"domain.resolution", "4000"}}));
  EXPECT_TRUE(says(water, "--set domain.max=[0,1,1]: the domain has no extent in x", {{"domain.max", "[0,1,1]"}}));
  EXPECT_TRUE(says(water, "there is no '3' in 'liquid.region', which holds 1", {{"liquid.region.3.shape", "box"}}));
  EXPECT_TRUE(says(water, "the path must be keys", {{"liquid..density", "1"}}));
  EXPECT_TRUE(says(water, "--set liquid.density=[1: cannot read '[1'", {{"liquid.density", "[1"}}));
  EXPECT_TRUE(says(water, "is more than one value", {{"liquid.density", "1\nx=2"}}));
  EXPECT_TRUE(says("title = 'a'\n" + water, "'title' is a value, not a table", {{"title.x", "1"}}));
}

TEST(Load, deep_nesting_is_an_error_not_a_crash) {
  std::string keys = "a", arrays = "a = ", tables = "parts";
  for (int i = 0; i < 100000; ++i) keys += ".a";
  for (int i = 0; i < 100000; ++i) arrays += "[";
  EXPECT_TRUE(says(keys + " = 1", "too many dots"));
  EXPECT_TRUE(says("[" + keys + "]", "too many dots"));
  EXPECT_EQ(problems_of(arrays).size(), 1u);
  std::string shape = "{shape = 'sphere', center = [0, 0, 0], radius = 1}";
  for (int i = 0; i < 100; ++i) shape.insert(0, "{shape = 'union', parts = [").append("]}");
  EXPECT_TRUE(says("[[liquid.region]]\nshape = 'union'\nparts = [" + shape + "]", "nested too deeply"));
}

TEST(Load, a_word_without_quotes_is_told_to_need_them) {
  const std::string ring = "[[body]]\nname = 'ring'\n";
  EXPECT_TRUE(says(ring + "shape = torus\n", "s.toml:3:9: words must be in quotes: \"torus\""));
  EXPECT_TRUE(says(ring + "shape = sphere # round\n", "s.toml:3:9: words must be in quotes: \"sphere\""));
  EXPECT_TRUE(says("[domain]\nopen = [\"x_min\", y_max]\n", "s.toml:2:18: words must be in quotes: \"y_max\""));
  EXPECT_TRUE(says(ring + "file = toys/a-b.obj\n", "words must be in quotes: \"toys/a-b.obj\""));
  EXPECT_TRUE(says(ring + "shape = \u201ctorus\u201d\n", "s.toml:3:9: use straight quotes"));
  EXPECT_TRUE(says("[time]\nframes = = 3\n", "s.toml:2:")) << "other mistakes keep the parser's words";
  EXPECT_FALSE(says("[time]\nframes = = 3\n", "quotes"));
}

}  // namespace
}  // namespace coracle
