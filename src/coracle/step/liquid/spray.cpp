#include "coracle/step/liquid/spray.h"

#include "coracle/step/grid/inflows.h"

#include <algorithm>

namespace coracle {

void mark_spray(const Grid& grid, const Array3<double>& liquid_phi, const Surfaces& surfaces, const SolidField& field,
                const Particles& particles, std::vector<std::uint8_t>& spray) {
  spray.resize(particles.size());
  for_each_index(spray.size(), [&](std::size_t p) {
    spray[p] = is_spray(grid, liquid_phi, particles.x[p]) && !inside_inflow(surfaces, field, particles.x[p]);
  });
}

void accelerate_spray(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                      const std::vector<std::uint8_t>& spray, const Vec3& gravity_dv,
                      const std::vector<Vec3>& positions, Particles& particles) {
  constexpr double touch = 0.05;  // cells: nearer than this a solid stops the approach
  for_each_index(spray.size(), [&](std::size_t p) {
    if (!spray[p]) return;
    const Vec3& x = positions[p];
    const Vec3 q = grid.to_cells(x);
    Vec3 v = particles.v[p].cast<double>() + gravity_dv;
    for (int a = 0; a < 3; ++a) {
      if (q[a] < touch) v[a] = std::max(v[a], 0.0);
      if (q[a] > grid.n[a] - touch) v[a] = std::min(v[a], 0.0);
    }
    if (!surfaces.empty() && sample_cells(field.phi, q) < grid.dx)
      for (std::size_t s = 0; s < surfaces.size(); ++s) {
        if (surfaces[s].inflow || !surfaces[s].present || sample_cells(field.each[s].phi, q) > grid.dx) continue;
        const double out = surfaces[s].container ? -1 : 1;
        const ClosestPoint near = field.each[s].tree.closest(x, grid.dx);
        if (near.tri < 0 || out * near.distance > touch * grid.dx) continue;
        const Vec3 wall = surfaces[s].at(surfaces[s].v, near.tri, near.bary);
        const Vec3 n = out * near.normal;
        v -= std::min((v - wall).dot(n), 0.0) * n;
      }
    particles.v[p] = v.cast<float>();
    if (!particles.c.empty()) particles.c[p].setZero();
  });
}

}  // namespace coracle
