#include "coracle/step/particles/push_out.h"

#include "coracle/base/parallel.h"

namespace coracle {

std::size_t push_out(const Grid& grid, const Surfaces& surfaces, const SolidField& field,
                     const std::vector<Vec3>& x_before, double dt, std::vector<Vec3>& places) {
  if (surfaces.empty()) return 0;
  const SolidViews views(surfaces, field);
  const SolidsView solids = views.view();
  return std::size_t(sum_blocks(places.size(), [&](std::size_t begin, std::size_t end) {
    double moved = 0;
    for (std::size_t p = begin; p < end; ++p) moved += push_out(grid, solids, x_before[p], dt, places[p]);
    return moved;
  }));
}

std::size_t remove_particles(Particles& particles, const std::vector<std::uint8_t>& gone) {
  const auto keep = [&](auto& values) {
    if (values.empty()) return;
    std::size_t kept = 0;
    for (std::size_t p = 0; p < values.size(); ++p)
      if (!gone[p]) values[kept++] = values[p];
    values.resize(kept);
  };
  const std::size_t before = particles.size();
  keep(particles.v);
  keep(particles.c);
  keep(particles.x);
  return before - particles.size();
}

void remove_particles(Particles& particles, std::span<const std::uint32_t> gone) {
  const auto keep = [&](auto& values) {
    if (values.empty()) return;
    std::size_t first = 0, left = gone.size();  // of the gone: those whose place is still to be filled
    while (first < left) {
      if (values.size() - 1 == gone[left - 1])
        --left;
      else
        values[gone[first++]] = values.back();
      values.pop_back();
    }
  };
  keep(particles.v);
  keep(particles.c);
  keep(particles.x);
}

}  // namespace coracle
