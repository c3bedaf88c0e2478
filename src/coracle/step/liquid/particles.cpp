#include "coracle/step/liquid/particles.h"

#include "coracle/step/liquid/paths.h"

#include <algorithm>
#include <cmath>

namespace coracle {

void sort_by_cell(const Grid& grid, Particles& particles, CellStart& start) {
  CellOrder sorted = order_by_cell(grid, particles.x);
  reorder(sorted.order, particles.x);
  reorder(sorted.order, particles.v);
  reorder(sorted.order, particles.c);
  start.swap(sorted.start);
}

namespace {

// Whether the share of liquid may exceed `crowded_share` anywhere in a cell.
bool crowded(const Array3<double>& share, const Vec3i& c) {
  const Vec3i lo = (c.array() - 1).max(0), hi = (c.array() + 1).min(share.n.array() - 1);
  for (int k = lo.z(); k <= hi.z(); ++k)
    for (int j = lo.y(); j <= hi.y(); ++j) {
      const double* row = share.data.data() + share.index(0, j, k);
      for (int i = lo.x(); i <= hi.x(); ++i)
        if (row[i] >= crowded_share) return true;
    }
  return false;
}

}  // namespace

void advect_particles(const Grid& grid, const FlowAround& flow, const CellStart& start,
                      const std::vector<std::uint8_t>& spray, double dt, const LiquidOptions& options,
                      const std::vector<Vec3>& x_before, Particles& particles) {
  particles.x.resize(x_before.size());
  const Paths<FlowAround> paths(grid, flow, dt, options.runge_kutta);
  for_filled_cells(grid, start, [&](const Vec3i& c, std::size_t begin, std::size_t end) {
    const bool spread = crowded(flow.share, c);
    const LinearVelocity nearby(grid, c, flow.u);
    for (std::size_t p = begin; p < end; ++p)
      particles.x[p] = spray[p] ? paths.flown(particles.v[p].cast<double>(), x_before[p])
                                : paths.carried(nearby, spread, x_before[p]);
  });
}

namespace {

template <class F>
double fastest_of(const Particles& particles, F&& counts) {
  return max_blocks(particles.size(), 0.0, [&](std::size_t begin, std::size_t end) {
    float fastest = 0;
    for (std::size_t p = begin; p < end; ++p)
      if (counts(p)) fastest = std::max(fastest, particles.v[p].squaredNorm());
    return std::sqrt(double(fastest));
  });
}

}  // namespace

double max_speed(const Particles& particles) {
  return fastest_of(particles, [](std::size_t) { return true; });
}

double max_speed(const Particles& particles, const std::vector<std::uint8_t>& spray) {
  return fastest_of(particles, [&](std::size_t p) { return !spray[p]; });
}

}  // namespace coracle
