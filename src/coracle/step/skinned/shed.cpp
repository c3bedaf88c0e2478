#include "coracle/step/skinned/shed.h"

#include "coracle/base/parallel.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace coracle {
namespace {

constexpr double usual_gravity = 9.81;  // m/s², at which `hold` is held

// Between film and pendant; moves with the skin as long as it hangs.
void hang(const SkinFrame& frame, std::size_t i, double held, Film& film) {
  const double more = film.volume[i] - held;
  if (more > 0) {
    film.volume[i] -= more;
    film.pendant[i] += more;
  } else if (film.pendant[i] > 0) {
    const double back = std::min(film.pendant[i], -more);
    settle(frame, i, {.volume = back, .v = frame.v[i]}, film);
    film.pendant[i] -= back;
  }
}

// Liquid leaves a triangle in equal drops, at most as large as a particle, one outside the other.
int fall(const SkinMotion& skin, const SkinFrame& frame, std::size_t i, double particle_volume, Portion liquid,
         Drops& drops) {
  const int count = int(std::ceil(liquid.volume / particle_volume));
  const double radius = std::cbrt(3 * liquid.volume / count / (4 * std::numbers::pi));
  const Vec3 from = centroid_of(skin, i);
  for (int k = 0; k < count; ++k) {
    const double volume = liquid.volume / (count - k);  // the last takes all that is left
    drops.add(from + (2 * k + 1) * radius * frame.normal[i], liquid.v, volume);
    liquid.volume -= volume;
  }
  return count;
}

}  // namespace

double pull_off(const SkinFrame& frame, std::size_t tri, const Vec3& gravity) {
  return std::max(0.0, frame.normal[tri].dot(gravity - frame.a[tri]));
}

double held_thickness(const FilmLaw& law, double pull) {
  return pull > 0 ? law.hold * std::sqrt(usual_gravity / pull) : std::numeric_limits<double>::infinity();
}

double falling_volume(const FilmLaw& law, double pull, double particle_volume) {
  if (pull <= 0) return particle_volume;
  const double square = law.tension / (law.density * pull);  // of the capillary length
  return std::min(particle_volume, 2.5 * square * std::sqrt(square));
}

DripPatches find_drip_patches(const SkinEdges& edges, const SkinFrame& frame, const FilmLaw& law) {
  const double width = 2 * std::numbers::pi * std::sqrt(2 * law.tension / (law.density * usual_gravity));
  const std::size_t tris = edges.of_tri.size();
  DripPatches patches;
  std::vector<char> seen(tris);
  for (std::size_t seed = 0; seed < tris; ++seed) {
    if (seen[seed]) continue;
    // Breadth first, until the patch is full.
    patches.tris.push_back(int(seed));
    seen[seed] = 1;
    double area = frame.area[seed];
    for (std::size_t k = patches.start.back(); k < patches.tris.size(); ++k)
      for (int code : edges.of_tri[patches.tris[k]]) {
        const int next = edges.edges[code / 2].tri[1 - code % 2];
        if (next < 0 || seen[next] || area >= width * width) continue;
        patches.tris.push_back(next);
        seen[next] = 1;
        area += frame.area[next];
      }
    patches.start.push_back(int(patches.tris.size()));
  }
  return patches;
}

int shed(const DripPatches& patches, const SkinMotion& skin, const SkinFrame& frame, const FilmLaw& law,
         const Vec3& gravity, double particle_volume, Film& film, Drops& drops) {
  for_each_index(film.volume.size(), [&](std::size_t i) {
    if (film.volume[i] + film.pendant[i] == 0) return;
    hang(frame, i, held_thickness(law, pull_off(frame, i, gravity)) * frame.area[i], film);
  });

  const auto falls = [&](double volume, int tri) {
    return volume >= falling_volume(law, pull_off(frame, tri, gravity), particle_volume);
  };
  int count = 0;
  for (std::size_t p = 0; p + 1 < patches.start.size(); ++p) {
    const std::span<const int> members(&patches.tris[patches.start[p]], patches.start[p + 1] - patches.start[p]);
    Portion gathered;  // with its momentum in place of v
    int heaviest = -1;
    for (int i : members) {
      const double hanging = film.pendant[i];
      if (hanging == 0) continue;
      if (falls(hanging, i)) {
        film.pendant[i] = 0;
        count += fall(skin, frame, i, particle_volume, {.volume = hanging, .v = film.v[i]}, drops);
        continue;
      }
      gathered.volume += hanging;
      gathered.v += hanging * film.v[i];
      if (heaviest < 0 || hanging > film.pendant[heaviest]) heaviest = i;
    }
    if (heaviest < 0 || !falls(gathered.volume, heaviest)) continue;
    for (int i : members) film.pendant[i] = 0;
    gathered.v /= gathered.volume;
    count += fall(skin, frame, heaviest, particle_volume, gathered, drops);
  }
  return count;
}

}  // namespace coracle
