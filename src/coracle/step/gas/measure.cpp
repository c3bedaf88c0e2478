#include "coracle/step/gas/measure.h"

#include "coracle/base/parallel.h"
#include "coracle/step/gas/smoke.h"

#include <algorithm>
#include <cmath>

namespace coracle {

void measure_gas(const Scene& scene, const Gas& gas, const GasWork& work, GasReport& report) {
  const Grid& grid = gas.grid;
  const Array3<double>& volume = work.solids.cut.volume;
  const double mass = scene.gas.density * grid.cell_volume();
  for (int a = 0; a < 3; ++a) {
    struct Faces {
      double energy = 0, momentum = 0, fastest = 0;
    };
    const Array3<double>& u = gas.u[a];
    const Faces sums = reduce_blocks(
        u.size(), 4096, Faces{},
        [&](std::size_t begin, std::size_t end) {
          Faces f;
          for (std::size_t i = begin; i < end; ++i) {
            Vec3i lo = u.cell(i), hi = lo;
            double share = 0;  // of a cell, that the face represents
            if (--lo[a] >= 0) share += 0.5 * volume[lo];
            if (hi[a] < grid.n[a]) share += 0.5 * volume[hi];
            f.energy += 0.5 * share * u.data[i] * u.data[i];
            f.momentum += share * u.data[i];
            if (share > 0) f.fastest = std::max(f.fastest, std::abs(u.data[i]));
          }
          return f;
        },
        [](const Faces& x, const Faces& y) {
          return Faces{x.energy + y.energy, x.momentum + y.momentum, std::max(x.fastest, y.fastest)};
        });
    report.kinetic_energy += mass * sums.energy;
    report.momentum[a] = mass * sums.momentum;
    report.max_speed = std::max(report.max_speed, sums.fastest);
  }
  report.smoke = total_smoke(volume, gas);
  report.expected_smoke = gas.expected_smoke;
  report.heat = grid.cell_volume() * sum_blocks(volume.size(), [&](std::size_t begin, std::size_t end) {
                  double sum = 0;
                  for (std::size_t i = begin; i < end; ++i) sum += volume.data[i] * gas.temperature.data[i];
                  return sum;
                });
  report.max_temperature =
      largest(volume.size(), [&](std::size_t i) { return volume.data[i] > 0 ? double(gas.temperature.data[i]) : 0.0; });
}

}  // namespace coracle
