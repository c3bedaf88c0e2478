#include "coracle/show/usd.h"
#include "coracle/world/build.h"

#include "coracle/base/check.h"
#include "coracle/base/files.h"
#include "coracle/error.h"
#include "coracle/out/frame_check.h"
#include "coracle/scene/layers.h"
#include "coracle/show/usd_look.h"
#include "coracle/show/usd_text.h"
#include "coracle/world.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace coracle {
namespace {

// A text file, written piece by piece; it exists only when complete.
class TextFile {
 public:
  explicit TextFile(const std::string& path)
      : path_(path), pending_(path), file_(std::fopen(pending_.temporary().c_str(), "wb")) {
    if (file_ == nullptr) file_error("write", path_, errno);
  }
  ~TextFile() {
    if (file_ != nullptr) std::fclose(file_);
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  void add(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) file_error("write", path_, errno);
  }
  void commit() {
    if (std::fclose(std::exchange(file_, nullptr)) != 0) file_error("write", path_, errno);
    pending_.commit(Durable::no);
  }

 private:
  std::string path_;
  PendingFile pending_;
  std::FILE* file_;
};

// An empty extent in USD: the minimum is above the maximum.
std::string extent(const std::vector<Vec3f>& x, float margin) {
  Vec3f box[2] = {Vec3f::Constant(std::numeric_limits<float>::max()),
                  Vec3f::Constant(std::numeric_limits<float>::lowest())};
  for (const Vec3f& p : x) {
    box[0] = box[0].cwiseMin(p - Vec3f::Constant(margin));
    box[1] = box[1].cwiseMax(p + Vec3f::Constant(margin));
  }
  return usd_array(std::span<const Vec3f>(box));
}

std::string indices(const std::vector<Vec3i>& tris) {
  const int* first = tris.empty() ? nullptr : tris.front().data();
  return usd_array(std::span<const int>(first, 3 * tris.size()));
}

constexpr const char* drop_radius = "radius";  // the field of drops that differ in size

struct Attribute {
  std::string declaration;    // type and name
  std::string interpolation;  // empty: none
  bool sampled = true;        // else the first frame's value is valid for all
  std::function<std::string(const PlyMesh&)> value;
};

// From `first`, a mesh that is not empty; the meshes of all frames have the same attributes.
std::vector<Attribute> attributes_of(const Thing& thing, const PlyMesh& first, float width) {
  const bool cloud = is_cloud(thing);
  const bool topology = thing.kind == ThingKind::water;  // whether the triangles change
  const bool moves = thing.moves;
  std::vector<Attribute> all;
  const float margin = cloud ? width / 2 : 0;
  all.push_back({"float3[] extent", "", moves, [=](const PlyMesh& m) { return extent(m.x, margin); }});
  if (!cloud) {
    all.push_back({"int[] faceVertexCounts", "", topology,
                   [](const PlyMesh& m) { return usd_array(std::vector<int>(m.tris.size(), 3)); }});
    all.push_back({"int[] faceVertexIndices", "", topology, [](const PlyMesh& m) { return indices(m.tris); }});
  }
  all.push_back({"point3f[] points", "", moves, [](const PlyMesh& m) { return usd_array(m.x); }});
  if (!first.normals.empty())
    all.push_back({"normal3f[] normals", "vertex", moves, [](const PlyMesh& m) { return usd_array(m.normals); }});
  if (!first.v.empty() && moves)
    all.push_back({"vector3f[] velocities", "", moves, [](const PlyMesh& m) { return usd_array(m.v); }});
  std::vector<std::string> names;
  for (const PlyField& f : first.fields) names.push_back(f.name);
  const std::vector<std::string> primvars = usd_identifiers(names, {"displayColor", "displayOpacity"});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool width = cloud && names[i] == drop_radius;
    all.push_back(
        {"float[] " + (width ? "widths" : "primvars:" + primvars[i]), "vertex", moves, [i, width](const PlyMesh& m) {
           if (m.x.empty()) return std::string("[]");
           std::vector<float> values = m.fields.at(i).values;
           for (float& v : values) v *= width ? 2 : 1;
           return usd_array(values);
         }});
  }
  return all;
}

// All frames of a thing must have the same attributes: files of two runs may have been mixed.
void check_alike(const Thing& thing, const PlyMesh& first, const PlyMesh& mesh, int frame) {
  if (mesh.x.empty() && thing.kind != ThingKind::body) return;  // no liquid yet, or none left
  const bool fixed = thing.kind == ThingKind::body || thing.kind == ThingKind::solid;
  if (mesh.normals.empty() != first.normals.empty() || mesh.v.empty() != first.v.empty() ||
      mesh.fields.size() != first.fields.size() ||
      (fixed && (mesh.x.size() != first.x.size() || mesh.tris != first.tris)))
    throw RunError(
        fmt::format("frame {} of {} has another mesh than the first frame; run the scene again with --overwrite", frame,
                    thing.name));
}

struct Layers {
  const Replay& replay;
  const std::vector<int>& frames;
  std::string root = "run";

  std::string metadata(const std::string& doc, const std::string& more = "") const {
    const std::string fps = usd_number(replay.scene.time.fps);
    return fmt::format(R"(#usda 1.0
(
    defaultPrim = "{}"
    doc = {}
    endTimeCode = {}
    framesPerSecond = {}
    metersPerUnit = 1
    startTimeCode = {}
{}    timeCodesPerSecond = {}
    upAxis = "Y"
)

)",
                       root, usd_string(doc), frames.back(), fps, frames.front(), more, fps);
  }

  // Calls `step` after every sample.
  void write(const std::string& path, const Thing& thing, const std::string& prim, const UsdLook& look,
             const std::function<void(double)>& step) const;
  void write_smoke(const std::string& path, const Thing& thing, const std::string& prim, const UsdLook& look,
                   const std::function<void(double)>& step) const;
};

void Layers::write(const std::string& path, const Thing& thing, const std::string& prim, const UsdLook& look,
                   const std::function<void(double)>& step) const {
  const bool cloud = is_cloud(thing), drops = thing.kind == ThingKind::drops;
  const double dx = scene_grid(replay.scene.domain).dx;
  const float width = float(drops ? 2 * lone_drop_radius * dx : dx / 2);  // eight particles fill a cell
  PlyMesh first = read_thing(replay, thing, frames.front());
  for (std::size_t f = 1; f < frames.size() && first.x.empty(); ++f) first = read_thing(replay, thing, frames[f]);
  const std::string material = fmt::format("/{}/materials/{}", root, prim);

  TextFile file(path);
  file.add(metadata(replay.scene.title + (replay.scene.title.empty() ? "" : ": ") + thing.name));
  file.add(fmt::format("def Xform \"{}\"\n{{\n    def {} \"{}\" (\n", root, cloud ? "Points" : "Mesh", prim));
  file.add("        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {\n");
  if (!cloud) file.add("        uniform bool doubleSided = 1\n        uniform token subdivisionScheme = \"none\"\n");
  const auto constant = [&](const std::string& declaration, const std::string& value) {
    file.add(
        fmt::format("        {} = {} (\n            interpolation = \"constant\"\n        )\n", declaration, value));
  };
  if (cloud && !first.field(drop_radius)) constant("float[] widths", usd_array(std::vector<float>{width}));
  constant("color3f[] primvars:displayColor", usd_array(std::vector<Vec3f>{look.color}));
  if (look.opacity < 1) constant("float[] primvars:displayOpacity", usd_array(std::vector<float>{look.opacity}));
  file.add(fmt::format("        rel material:binding = <{}>\n", material));

  // One attribute after another, with all its samples: the files are read once per attribute.
  const std::vector<Attribute> attributes = attributes_of(thing, first, width);
  double done = 0;
  for (const Attribute& a : attributes) {
    std::string line = "        " + a.declaration;
    if (!a.sampled) line += " = " + a.value(first);
    const std::string meta = a.interpolation.empty()
                                 ? ""
                                 : fmt::format(" (\n            interpolation = \"{}\"\n        )", a.interpolation);
    if (!a.sampled || !meta.empty()) file.add(line + meta + "\n");
    if (a.sampled) {
      file.add("        " + a.declaration + ".timeSamples = {\n");
      for (std::size_t f = 0; f < frames.size(); ++f) {
        const PlyMesh mesh = read_thing(replay, thing, frames[f]);
        check_alike(thing, first, mesh, frames[f]);
        file.add(fmt::format("            {}: {},\n", frames[f], a.value(mesh)));
        step((done + double(f + 1) / double(frames.size())) / double(attributes.size()));
      }
      file.add("        }\n");
    }
    step(++done / double(attributes.size()));
  }
  file.add("    }\n\n    def Scope \"materials\"\n    {\n" + usd_material(look, prim, material) + "    }\n}\n");
  file.commit();
}

// USD keeps no volumes itself: it names OpenVDB files, which are copied beside the layer.
void Layers::write_smoke(const std::string& path, const Thing& thing, const std::string& prim, const UsdLook& look,
                         const std::function<void(double)>& step) const {
  const Grid grid = scene_grid(replay.scene.domain);
  const std::vector<Vec3f> box = {grid.origin.cast<float>(), grid.upper().cast<float>()};
  std::string files;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::string name = fmt::format("{}.{:04}.vdb", prim, frames[f]);
    copy_file(usable_file(replay, {thing.file, "vdb", frames[f]}),
              (std::filesystem::path(path).parent_path() / name).string());
    files += fmt::format("                {}: @./{}@,\n", frames[f], name);
    step(double(f + 1) / double(frames.size()));
  }
  std::string fields, relations;
  for (const char* field : {"density", "temperature"}) {
    relations += fmt::format("        rel field:{0} = </{1}/{2}/{0}>\n", field, root, prim);
    fields += fmt::format(
        "\n        def OpenVDBAsset \"{0}\"\n        {{\n            token fieldName = \"{0}\"\n"
        "            asset filePath.timeSamples = {{\n{1}            }}\n        }}\n",
        field, files);
  }
  write_atomically(
      path, metadata(replay.scene.title + (replay.scene.title.empty() ? "" : ": ") + thing.name) +
                fmt::format("def Xform \"{}\"\n{{\n    def Volume \"{}\"\n    {{\n        float3[] extent = {}\n"
                            "        color3f[] primvars:displayColor = {} (\n            interpolation = \"constant\"\n"
                            "        )\n{}{}    }}\n}}\n",
                            root, prim, usd_array(box), usd_array(std::vector<Vec3f>{look.color}), relations, fields));
}

}  // namespace

void write_usd(const Replay& replay, const std::vector<Thing>& things, const std::vector<int>& frames,
               const std::string& path, const ExportProgress& progress) {
  CHECK(!frames.empty() && !things.empty());
  const std::filesystem::path root(path);
  const std::string folder = usd_identifiers({root.stem().string()})[0] + "_layers";
  const std::string layers_at = (root.parent_path() / folder).string();
  make_directories(layers_at);

  std::vector<std::string> names;
  names.reserve(things.size());
  for (const Thing& thing : things) names.push_back(thing.name);
  const std::vector<std::string> prims = usd_identifiers(names, {"materials"});
  const Layers layers{replay, frames};
  std::string list = "    subLayers = [\n";
  std::map<ThingKind, int> before;  // things of each kind
  for (std::size_t i = 0; i < things.size(); ++i) {
    const UsdLook look = usd_look(replay.scene, things[i], before[things[i].kind]++);
    const auto step = [&](double share) {
      if (progress) progress(things[i].name, (double(i) + share) / double(things.size()));
    };
    const std::string layer = fmt::format("{}/{}.usda", layers_at, prims[i]);
    if (things[i].kind == ThingKind::smoke)
      layers.write_smoke(layer, things[i], prims[i], look, step);
    else
      layers.write(layer, things[i], prims[i], look, step);
    list += fmt::format("        @./{}/{}.usda@{}\n", folder, prims[i], i + 1 < things.size() ? "," : "");
  }
  const std::string& title = replay.scene.title;
  write_atomically(path, layers.metadata(title.empty() ? "coracle" : title, list + "    ]\n") +
                             fmt::format("def Xform \"{}\" (\n    kind = \"component\"\n)\n{{\n}}\n", layers.root));
}

}  // namespace coracle
