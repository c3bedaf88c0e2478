#include "coracle/scene/animation.h"

#include "coracle/shape/character.h"
#include "coracle/shape/read_character.h"
#include "coracle/shape/tri_mesh.h"

namespace coracle {

void choose_clip(SolidOptions& solid) {
  if (solid.shape.kind != ShapeKind::mesh || !solid.clip.empty() || !has_skin(solid.shape.file)) return;
  if (const std::vector<std::string> names = clip_names(solid.shape.file); names.size() == 1) solid.clip = names[0];
}

bool is_animated(const SolidOptions& solid) {
  return solid.shape.kind == ShapeKind::mesh && (!solid.clip.empty() || is_sequence(solid.shape.file));
}

bool moves(const SolidOptions& solid) { return is_animated(solid) || !solid.motions.empty(); }

Playback playback_of(const SolidOptions& solid) {
  return {.start = solid.clip_start, .speed = solid.speed, .loop = solid.loop};
}

Character read_character(const SolidOptions& solid) {
  const ShapeOptions& shape = solid.shape;
  Character character =
      is_sequence(shape.file) ? read_sequence(shape.file, solid.fps) : read_skin(shape.file, solid.clip);
  place(character, shape.scale, rotation_xyz(shape.rotate), shape.translate);
  return character;
}

TriMesh first_pose(const SolidOptions& solid) {
  Character character = read_character(solid);
  TriMesh mesh;
  std::vector<Vec3> v;
  pose(character, playback_of(solid), 0, mesh.x, v);
  mesh.tris = std::move(character.rest.tris);
  return mesh;
}

}  // namespace coracle
