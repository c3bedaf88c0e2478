#include "coracle/world/make_skins.h"

#include "coracle/error.h"
#include "coracle/scene/layers.h"
#include "coracle/scene/sizes.h"
#include "coracle/world/skin_shell.h"

#include <fmt/format.h>

#include <new>

namespace coracle {

std::vector<WetSkin> make_skins(const Scene& scene, const std::vector<Solid>& solids, const Grid& grid) {
  std::vector<WetSkin> skins;
  for (std::size_t s = 0; s < scene.solids.size(); ++s) {
    if (!has_film(scene, scene.solids[s])) continue;
    const SkinOptions& o = scene.solids[s].skin;
    const double edge = shell_edge(o, grid.dx), thickness = shell_thickness(o, grid.dx);
    WetSkin& skin = skins.emplace_back();
    skin.solid = int(s);
    try {
      skin.shell = std::make_shared<const SkinShell>(make_skin_shell(*solids[s].rest, edge, thickness));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      throw SceneError(
          {{o.place, fmt::format("the solid '{}' cannot have a skin with tets of {:.3g} m, {:.3g} m thick: "
                                 "{}; change 'edge' or 'thickness'",
                                 scene.solids[s].name, edge, thickness, error.what())}});
    }
    const std::size_t tets = skin.shell->tets.size(), tris = solids[s].rest->tris.size();
    skin.tets = {.volume = std::vector<double>(tets, 0), .v = std::vector<Vec3>(tets, Vec3::Zero())};
    skin.film = {.volume = std::vector<double>(tris, 0),
                 .pendant = std::vector<double>(tris, 0),
                 .v = std::vector<Vec3>(tris, Vec3::Zero())};
    skin.submerged.assign(tris, 0);
    if (o.fur.along > 0) skin.soaked.assign(tets, 0);
  }
  return skins;
}

}  // namespace coracle
