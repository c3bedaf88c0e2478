#include "coracle/step/grid/solids_view.h"

namespace coracle {

SolidViews::SolidViews(const Surfaces& surfaces, const SolidField& field) : phi(view_of(field.phi)) {
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const Surface& surface = surfaces[s];
    const SolidGeometry& g = field.each[s];
    each.push_back({.tree = g.tree.view(),
                    .phi = view_of(g.phi),
                    .tris = surface.tris.data(),
                    .v = surface.v.data(),
                    .lower = g.tree.lower(),
                    .upper = g.tree.upper(),
                    .flow = surface.flow,
                    .container = surface.container,
                    .inflow = surface.inflow,
                    .present = surface.present});
  }
}

}  // namespace coracle
