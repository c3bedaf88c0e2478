#include "coracle/world/animation_warnings.h"

#include "coracle/shape/character.h"
#include "coracle/shape/self_overlap.h"
#include "coracle/world/build.h"
#include "coracle/world/motion.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {
namespace {

constexpr int looks_over_run = 49;              // at where the solid is
constexpr int most_looks = 25;                  // at the poses of the clip
constexpr std::size_t most_triangles = 500000;  // of all these poses: about half a second

std::string at(const Vec3& x) { return fmt::format("({:.3g}, {:.3g}, {:.3g})", x.x(), x.y(), x.z()); }

std::string self_overlap_warning(const Solid& solid, double duration) {
  const int looks = std::clamp(int(most_triangles / solid.rest->tris.size()), 5, most_looks);
  SelfOverlap worst;
  double when = 0;
  std::vector<Vec3> x, v;
  for (const double time : sampled_times(*solid.character, solid.playback, looks)) {
    if (time > duration) continue;
    solid_at(solid, time, x, v);
    if (const SelfOverlap now = self_overlap(x, solid.rest->tris); now.pairs > worst.pairs) worst = now, when = time;
  }
  if (worst.pairs == 0) return "";
  return fmt::format(
      "the animated solid '{}' passes through itself, most at {:.3g} s, where {} pairs of triangles cross, around {}: "
      "fluid next to that place may be wrong; change its weights or its clip there",
      solid.name, when, worst.pairs, at(worst.at));
}

std::string domain_warning(const Solid& solid, const Grid& grid, bool slab, double duration) {
  double most = 0, when = 0;
  Vec3 where = Vec3::Zero();
  std::vector<Vec3> x, v;
  for (int i = 0; i < looks_over_run; ++i) {
    const double time = duration * i / (looks_over_run - 1);
    solid_at(solid, time, x, v);
    for (const Vec3& p : x) {
      Vec3 beyond = (grid.origin - p).cwiseMax(p - grid.upper());
      if (slab) beyond.z() = 0;
      if (beyond.maxCoeff() > most) most = beyond.maxCoeff(), when = time, where = p;
    }
  }
  if (most <= grid.dx) return "";
  return fmt::format("the animated solid '{}' leaves the domain: at {:.3g} s it reaches {:.3g} m beyond it, at {}",
                     solid.name, when, most, at(where));
}

std::string jump_warning(const Solid& solid, double dx) {
  const double length = solid.character->clip.length;
  if (!solid.playback.loop || !(solid.playback.speed > 0)) return "";
  std::vector<Vec3> first, last, v;
  pose(*solid.character, {.start = 0, .speed = 1, .loop = false}, 0, first, v);
  pose(*solid.character, {.start = 0, .speed = 1, .loop = false}, length, last, v);
  double jump = 0;
  for (std::size_t i = 0; i < first.size(); ++i) jump = std::max(jump, (first[i] - last[i]).norm());
  if (jump <= 0.1 * dx) return "";
  return fmt::format(
      "the animated solid '{}' jumps by {:.3g} m each time its clip begins again: the first and the last pose of a "
      "loop "
      "must be the same",
      solid.name, jump);
}

}  // namespace

std::vector<std::string> animation_warnings(const Scene& scene, const std::vector<Solid>& solids) {
  const Grid grid = scene_grid(scene.domain);
  const double duration = scene.time.frames / scene.time.fps;
  std::vector<std::string> warnings;
  for (const Solid& solid : solids) {
    if (!solid.character) continue;
    warnings.push_back(self_overlap_warning(solid, duration));
    if (!solid.container) warnings.push_back(domain_warning(solid, grid, scene.domain.slab > 0, duration));
    warnings.push_back(jump_warning(solid, grid.dx));
  }
  std::erase(warnings, "");
  return warnings;
}

}  // namespace coracle
