// Jets: regions that blow gas in, or that only give off smoke and heat.
#pragma once

#include "coracle/shape/region.h"
#include "coracle/world.h"

#include <cstdint>
#include <vector>

namespace coracle {

struct Jet {
  Region region;
  int solid = -1;  // its inflow in World::solids; -1: it does not blow
  JetOptions options;
  std::uint64_t seed = 0;  // of its noise
};

// In the order of the scene. Their inflows are in World::solids in the order of build_world.
std::vector<Jet> make_jets(const Scene& scene);

// The velocity of a jet, m/s; noise makes it vary in time.
Vec3 jet_velocity(const Jet& jet, double time);
// The largest speed that a jet can have at `time`, m/s; zero before its start and after its end.
double fastest(const Jet& jet, double time);
// Set the velocities of the jets' inflows over the dt that follows.
void blow_jets(const std::vector<Jet>& jets, double time, double dt, std::vector<Solid>& solids);

}  // namespace coracle
