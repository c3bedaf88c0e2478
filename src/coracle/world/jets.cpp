// Jets in time.
#include "coracle/base/random.h"
#include "coracle/world.h"

#include <cmath>

namespace coracle {
namespace {

// Smooth in t, within [-1, 1]: random values at whole t, blended by 3s² − 2s³.
Vec3 noise(std::uint64_t seed, double t) {
  const double whole = std::floor(t), s = t - whole, share = s * s * (3 - 2 * s);
  const auto value = [&](double at, int axis) {
    return 2 * uniform(seed, 3 * std::uint64_t(std::int64_t(at)) + std::uint64_t(axis)) - 1;
  };
  Vec3 n;
  for (int a = 0; a < 3; ++a) n[a] = (1 - share) * value(whole, a) + share * value(whole + 1, a);
  return n;
}

}  // namespace

Vec3 jet_velocity(const Jet& jet, double time) {
  const Vec3& v = jet.options.velocity;
  const double speed = v.norm();
  if (jet.options.noise == 0 || speed == 0) return v;
  // It wavers as fast as what it blows passes its own mouth.
  const Vec3 side = jet.region.bounds().hi - jet.region.bounds().lo;
  const double size = std::cbrt(side.prod());
  return v + jet.options.noise * speed * noise(jet.seed, (time - jet.options.start) * speed / size);
}

void blow_jets(World& world, double dt) {
  for (const Jet& jet : world.jets) {
    if (jet.solid < 0) continue;
    Solid& nozzle = world.solids[jet.solid];
    nozzle.flow = jet_velocity(jet, world.clock.time + 0.5 * dt);
    nozzle.v.assign(nozzle.x.size(), nozzle.flow);
  }
}

}  // namespace coracle
