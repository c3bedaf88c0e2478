#include "coracle/world/fibres.h"

#include "coracle/error.h"
#include "coracle/shape/region.h"

#include <fmt/format.h>

#include <algorithm>

namespace coracle {
namespace {

// The centre of a tet at rest; none for elements that are no tets.
std::vector<Vec3> tet_centres(const BodyRest& rest) {
  std::vector<Vec3> centres;
  const auto add = [&](const auto& corners) {
    centres.push_back(0.25 * (rest.x[corners[0]] + rest.x[corners[1]] + rest.x[corners[2]] + rest.x[corners[3]]));
  };
  if (const auto* tets = std::get_if<Tets>(&rest.elements))
    for (const Vec4i& t : tets->tets) add(t);
  if (const auto* tets = std::get_if<QuadraticTets>(&rest.elements))
    for (const auto& t : tets->nodes) add(t);
  return centres;
}

}  // namespace

void find_fibres(const BodyOptions& options, BodyRest& rest) {
  if (options.muscles.empty()) return;
  const std::vector<Vec3> centres = tet_centres(rest);
  for (std::size_t m = 0; m < options.muscles.size(); ++m) {
    const MuscleOptions& muscle = options.muscles[m];
    const std::vector<Region> regions(muscle.regions.begin(), muscle.regions.end());
    const std::size_t before = rest.fibres.size();
    for (std::size_t e = 0; e < centres.size(); ++e) {
      const auto contains = [&](const Region& r) { return r.contains(centres[e]); };
      if (!regions.empty() && std::none_of(regions.begin(), regions.end(), contains)) continue;
      rest.fibres.push_back({.muscle = int(m),
                             .element = int(e),
                             .along = muscle.fibre.normalized(),
                             .place = muscle.along.normalized().dot(centres[e])});
    }
    if (rest.fibres.size() == before)
      throw SceneError({{muscle.place, fmt::format("the muscle '{}' contains no element of '{}'; check its regions",
                                                   muscle.name, options.name)}});
  }
}

}  // namespace coracle
