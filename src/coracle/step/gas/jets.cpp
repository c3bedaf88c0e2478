#include "coracle/step/gas/jets.h"

#include "coracle/base/random.h"

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

std::vector<Jet> make_jets(const Scene& scene) {
  std::vector<Jet> jets;
  int inflow = int(scene.solids.size() + scene.inflows.size());
  for (const JetOptions& o : scene.jets)
    jets.push_back({.region = Region(o.shape),
                    .solid = blows(o) ? inflow++ : -1,
                    .options = o,
                    .seed = mix(std::uint64_t(scene.gas.seed) + jets.size())});
  return jets;
}

Vec3 jet_velocity(const Jet& jet, double time) {
  const Vec3& v = jet.options.velocity;
  const double speed = v.norm();
  if (jet.options.noise == 0 || speed == 0) return v;
  // The noise changes in the time that gas takes to pass the mouth.
  const Vec3 side = jet.region.bounds().hi - jet.region.bounds().lo;
  const double size = std::cbrt(side.prod());
  return v + jet.options.noise * speed * noise(jet.seed, (time - jet.options.start) * speed / size);
}

double fastest(const Jet& jet, double time) {
  if (time < jet.options.start || time > jet.options.end) return 0;
  return jet.options.velocity.norm() * (1 + std::sqrt(3.0) * jet.options.noise);
}

void blow_jets(const std::vector<Jet>& jets, double time, double dt, std::vector<Solid>& solids) {
  for (const Jet& jet : jets) {
    if (jet.solid < 0) continue;
    Solid& nozzle = solids[jet.solid];
    if (!nozzle.flow_is_set) nozzle.flow = jet_velocity(jet, time + 0.5 * dt);
    nozzle.v.assign(nozzle.x.size(), nozzle.flow);
  }
}

}  // namespace coracle
