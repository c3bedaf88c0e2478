// Rules for animated meshes.
#include "coracle/scene/animation.h"
#include "coracle/scene/checker.h"
#include "coracle/scene/nearest.h"
#include "coracle/shape/character.h"
#include "coracle/shape/read_character.h"

#include <algorithm>
#include <new>

namespace coracle {
namespace {

constexpr int looks = 25;         // at poses over the clip
constexpr double too_large = 10;  // times the domain: the file is in another unit
constexpr double too_small = 2e-3;
constexpr std::size_t longest_reason = 300;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + in_quotes(name);
  return text;
}

struct Unit {
  const char* name;
  double metres;
};

// The unit in which a mesh of this size was drawn, if it is meant to fit the domain.
Unit likely_unit(double times) { return times > 300 ? Unit{"millimetres", 1e-3} : Unit{"centimetres", 1e-2}; }

}  // namespace

bool Checker::check_animation(const SolidOptions& solid) {
  const ShapeOptions& shape = solid.shape;
  if (shape.kind != ShapeKind::mesh) return false;
  const bool sequence = is_sequence(shape.file), skin = has_skin(shape.file);
  const std::vector<std::string> names = clip_names(shape.file);
  const auto refuse = [&](const char* key, const std::string& what) {
    problem(solid.place, key, "the mesh '{}' of the solid '{}' {}", shape.file, solid.name, what);
    return true;
  };
  const SolidOptions usual;
  if (!sequence && solid.fps != usual.fps)
    return refuse("fps", "is no sequence of files, such as 'walk_####.obj', and only those have 'fps'");
  if (sequence && !solid.clip.empty())
    return refuse("clip", "is a sequence of files, which has no clips; leave it out");
  if (!solid.clip.empty() && !skin)
    return refuse("clip",
                  fmt::format("has no skin: a clip moves a mesh that bones carry (a skinned glTF file); {}",
                              names.empty() ? "leave 'clip' out, or move the solid with a [[solid.motion]]"
                                            : "parent the mesh to an armature with weights and export it again"));
  if (!solid.clip.empty() && std::find(names.begin(), names.end(), solid.clip) == names.end())
    return refuse("clip", names.empty() ? fmt::format("has no clips, and so none called {}", in_quotes(solid.clip))
                                        : fmt::format("has no clip {}; it has {}{}", in_quotes(solid.clip),
                                                      listed(names), did_you_mean(solid.clip, names)));
  if (solid.clip.empty() && skin && names.size() > 1)
    return refuse("file", fmt::format("has several clips; choose one: clip = {}", listed(names)));
  if (!is_animated(solid)) {
    const char* key = solid.clip_start != usual.clip_start ? "clip_start"
                      : solid.speed != usual.speed         ? "speed"
                      : solid.loop != usual.loop           ? "loop"
                                                           : nullptr;
    return key && refuse(key, fmt::format("is not animated, so that it has no '{}'; leave it out", key));
  }
  check_poses(solid);
  return true;
}

void Checker::check_poses(const SolidOptions& solid) try {
  const ShapeOptions& shape = solid.shape;
  const auto refuse = [&](const char* key, const std::string& what) {
    problem(shape.place, key, "the mesh '{}' of the solid '{}' {}", shape.file, solid.name, what);
  };
  const Character character = read_character(solid);
  const Playback playback = playback_of(solid);
  TriMesh mesh{.x = {}, .tris = character.rest.tris};
  std::vector<Vec3> v;
  Bounds first, all;
  bool enters = false;
  for (const double time : sampled_times(character, playback, looks)) {
    pose(character, playback, time, mesh.x, v);
    if (!std::all_of(mesh.x.begin(), mesh.x.end(), [](const Vec3& x) { return x.allFinite(); }))
      return refuse("file", fmt::format("has coordinates that are not finite at {:.3g} s", time));
    if (all.lo.x() > all.hi.x()) {  // the first look
      for (const Vec3& x : mesh.x) first.extend(x);
      TriMesh turned = mesh;
      for (Vec3i& t : turned.tris) std::swap(t[1], t[2]);
      const bool inside_out = enclosed_volume(mesh) < 0;
      if (const std::string wrong = closedness_problem(inside_out ? turned : mesh); !wrong.empty())
        return refuse("file", wrong);
      if (inside_out)
        return refuse("file",
                      "is turned inside out: its normals point inward; flip them (in Blender: Mesh > Normals > Flip)");
    }
    if (const double volume = enclosed_volume(mesh); !(volume > 0))
      return refuse("file",
                    fmt::format("is turned inside out by its clip: at {:.3g} s it encloses {:.3g} m³", time, volume));
    Bounds now;
    for (const Vec3& x : mesh.x) now.extend(x);
    all.extend(now.lo), all.extend(now.hi);
    enters = enters || (domain && !misses_domain(now));
  }
  if (!domain) return;
  const Vec3 size = first.hi - first.lo;
  const double times = size.maxCoeff() / (domain->hi - domain->lo).head(axes()).maxCoeff();
  if (times > too_large) {
    const Unit unit = likely_unit(times);
    return refuse(places.given(shape.place, "scale") ? "scale" : "file",
                  fmt::format("is {:.3g} m high, and {:.3g} times as large as the domain; is it in {}? scale = {:.6g}",
                              size.y(), times, unit.name, shape.scale * unit.metres));
  }
  if (times < too_small) check_units(shape, first, fmt::format("the solid '{}'", solid.name));
  if (!enters && solid.motions.empty())
    problem(shape.place, "shape", "the solid '{}' lies wholly outside the domain, at all times", solid.name);
} catch (const std::bad_alloc&) {
  throw;
} catch (const std::exception& error) {
  problem(solid.shape.place, "file", "the mesh '{}' of the solid '{}' cannot be read: {}", solid.shape.file, solid.name,
          one_line(error.what(), longest_reason));
}

}  // namespace coracle
