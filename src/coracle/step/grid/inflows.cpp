#include "coracle/step/grid/inflows.h"

#include "coracle/base/parallel.h"

#include <algorithm>

namespace coracle {

bool inside(const SolidGeometry& g, const Vec3& x) {
  return enclosed(g.tree.view(), g.tree.lower(), g.tree.upper(), x);
}

bool has_inflows(const Surfaces& surfaces) {
  return std::any_of(surfaces.begin(), surfaces.end(), [](const Surface& s) { return s.inflow; });
}

bool inside_inflow(const Surfaces& surfaces, const SolidField& field, const Vec3& x) {
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (surfaces[s].inflow && surfaces[s].present && inside(field.each[s], x)) return true;
  return false;
}

void set_inflow_velocity(const Grid&, const Surfaces& surfaces, const SolidField& field, FaceField<double>& u,
                         FaceField<std::uint8_t>& valid) {
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (!surfaces[s].inflow || !surfaces[s].present) continue;
    const Array3<double>& phi = field.each[s].phi;
    for (int a = 0; a < 3; ++a)
      for_each_index(u[a].size(), [&](std::size_t i) {
        if (!inside_inflow(phi, a, u[a].cell(i))) return;
        u[a].data[i] = surfaces[s].flow[a];
        valid[a].data[i] = 1;
      });
  }
}

}  // namespace coracle
