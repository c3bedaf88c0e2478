#include "coracle/step/liquid/spray.h"

namespace coracle {

void mark_spray(const Grid& grid, const Array3<double>& liquid_phi, const Surfaces& surfaces, const SolidField& field,
                const Particles& particles, std::vector<std::uint8_t>& spray) {
  const SolidViews views(surfaces, field);
  const SolidsView solids = views.view();
  spray.resize(particles.size());
  for_each_index(spray.size(), [&](std::size_t p) {
    spray[p] = is_spray(grid, liquid_phi, particles.x[p]) && !inside_inflow(solids, particles.x[p]);
  });
}

void accelerate_spray(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                      const std::vector<std::uint8_t>& spray, const Vec3& gravity_dv,
                      const std::vector<Vec3>& positions, Particles& particles) {
  const SolidViews views(surfaces, field);
  const SolidsView solids = views.view();
  for_each_index(spray.size(), [&](std::size_t p) {
    if (!spray[p]) return;
    const Vec3 v = particles.v[p].cast<double>();
    particles.v[p] = accelerated_spray(grid, solids, gravity_dv, positions[p], v).cast<float>();
    if (!particles.c.empty()) particles.c[p].setZero();
  });
}

}  // namespace coracle
