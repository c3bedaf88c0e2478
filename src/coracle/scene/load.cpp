#include "coracle/scene/animation.h"
#include "coracle/scene/include.h"
#include "coracle/scene/merge.h"
#include "coracle/scene/override.h"
#include "coracle/scene/parse_toml.h"
#include "coracle/scene/preset.h"
#include "coracle/scene/table_reader.h"
#include "coracle/scene/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace coracle {
namespace {

struct Variant {
  Scene scene;
  std::vector<Problem> problems;
  PresetPlaces own;  // places in the preset's own table
};

constexpr double barrier_tolerance = 1e-3;  // smaller changes are lost in the gap between surfaces

// Options that the scene does not give: friction is that of [contact]; sheets and ropes have no inside, so that they
// need the barrier, and so do rigid bodies, which do not yield, and method proxy; the barrier needs Newton's method;
// boxes of cubes are quadratic, which bends right with few cells; midpoint needs Newton's method where elements turn
// far within a step; and the second method takes the values of its paper. A skin takes the only clip of its file.
void fill_in(Scene& scene, const KeyPlaces& places) {
  for (SolidOptions& solid : scene.solids) choose_clip(solid);
  bool solids_only = true;
  for (BodyOptions& body : scene.bodies) {
    solids_only = solids_only && body.kind == BodyKind::solid;
    if (body.kind == BodyKind::solid && !places.given(body.place, "element") && body.mesh != BodyMesh::stuffed)
      body.element = ElementOrder::quadratic;
    if (!places.given(body.place, "friction")) body.friction = scene.contact.friction;
  }
  for (SolidOptions& solid : scene.solids)
    if (places.given(solid.place, "skin") && !places.given(solid.skin.place, "on")) solid.skin.on = true;
  if (scene.method != Method::simultaneous) {
    if (!places.given(scene.contact.place, "kind") && (!solids_only || scene.method == Method::proxy))
      scene.contact.kind = ContactKind::barrier;
    if (!places.given(scene.elastic.place, "newton"))
      scene.elastic.newton = scene.elastic.integrator == Integrator::midpoint ||
                             scene.contact.kind == ContactKind::barrier || !solids_only;
    if (!places.given(scene.elastic.place, "tolerance") && scene.contact.kind == ContactKind::barrier)
      scene.elastic.tolerance = barrier_tolerance;
    return;
  }
  if (!places.given(scene.elastic.place, "integrator")) scene.elastic.integrator = Integrator::trapezoidal;
  for (BodyOptions& body : scene.bodies)
    if (body.kind == BodyKind::solid && !places.given(body.place, "material"))
      body.material = MaterialModel::st_venant_kirchhoff;
}

// Take [variables] out of the scene and compute them.
void take_variables(toml::table& root, Reading& reading) {
  const auto entry = root.find("variables");
  if (entry == root.end()) return;
  const toml::table* table = entry->second.as_table();
  if (!table)
    reading.problems.push_back({place_of(entry->first, entry->second, reading),
                                "'variables' " + wrong_type(entry->second, "a table, [variables]")});
  std::vector<VariableProblem> problems;
  if (table) reading.variables = read_variables(*table, problems);
  for (const VariableProblem& p : problems)
    reading.problems.push_back(
        {p.key ? place_of(*p.key, *p.node, reading) : reading.place(p.node->source()), p.message});
  root.erase(entry);
}

// The scene with one of its presets.
Variant read_variant(SceneText& text, const std::string& name, const std::string& preset,
                     const std::vector<Override>& overrides) {
  Reading reading{name, std::filesystem::path(name).parent_path().string(), {}, {}};
  toml::table root = text.parse(reading);
  Variant v;
  v.own = apply_preset(root, preset, reading);
  for (const Override& o : overrides) apply_override(root, o, reading.problems);
  take_variables(root, reading);

  // Tables that the file does not have are told of at its start, but before the table that may begin there.
  TableReader reader(reading, root, "the scene", "", Place{name, 1, 0}, 0);
  fields(reader, v.scene);
  reader.finish();
  fill_in(v.scene, reading.places);

  const std::vector<Problem> broken = cross_field_problems(v.scene, reading.places);
  reading.problems.insert(reading.problems.end(), broken.begin(), broken.end());
  v.problems = std::move(reading.problems);
  return v;
}

}  // namespace

Scene parse_scene(const std::string& text, const std::string& name, const std::vector<Override>& overrides,
                  const std::string& preset) {
  SceneText source(text, name);
  const std::vector<std::string> tables = preset_tables(source.parse());
  const bool has_table = std::find(tables.begin(), tables.end(), preset) != tables.end();
  const std::string chosen = has_table ? preset : "";

  Scene scene;
  std::vector<Problem> problems;
  std::set<std::string> reported;
  // Keep new problems. A problem that a preset causes outside its own table names the preset.
  const auto keep = [&](const Variant& v, const std::string& variant, bool own_only) {
    for (Problem p : v.problems) {
      const bool own = v.own.contains({p.place.file, p.place.line, p.place.column});
      if ((own_only && !own) || !reported.insert(p.text()).second) continue;
      if (!variant.empty() && !own && p.place.line > 0) p.message += fmt::format(" (in preset '{}')", variant);
      problems.push_back(std::move(p));
    }
  };
  // Check all presets. Overrides apply to the chosen one only; of the others, only their own tables are then checked.
  std::vector<std::string> variants{""};
  variants.insert(variants.end(), tables.begin(), tables.end());
  for (const std::string& variant : variants) {
    if (variant == chosen) {
      const Variant v = read_variant(source, name, has_table ? chosen : preset, overrides);
      keep(v, variant, false);
      scene = v.scene;
    } else if (overrides.empty() || !variant.empty()) {
      keep(read_variant(source, name, variant, {}), variant, !overrides.empty());
    }
  }
  sort_problems(problems);
  if (!problems.empty()) throw SceneError(std::move(problems));
  return scene;
}

Scene load_scene(const std::string& file, const std::vector<Override>& overrides, const std::string& preset) {
  return parse_scene(read_toml_text(file), file, overrides, preset);
}

std::vector<std::string> scene_presets(const std::string& file) {
  return preset_names(SceneText(read_toml_text(file), file).parse());
}

}  // namespace coracle
