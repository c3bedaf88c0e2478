// Fields of liquid of smoothed particles: volume, velocity and pressure at points, and the surface.
#pragma once

#include "coracle/report.h"
#include "coracle/step/particles/level_set.h"
#include "coracle/step/particles/shown_liquid.h"
#include "coracle/step/sph/sph_work.h"

namespace coracle {

// J of all particles at their places (sph_system.h).
std::vector<double> volume_ratios(const Scene& scene, const World& world, const SphLiquid& liquid,
                                  const SphPairs& pairs);
// Pa, per particle: k (1 − J).
std::vector<double> particle_pressures(const Scene& scene, const SphLiquid& liquid, const std::vector<double>& ratio);

// Σ_j W_j f_j / Σ_j W_j of the particles nearer than the support; zero where there are none.
Vec3 velocity_at(const SphLiquid& liquid, const CellStart& start, const Vec3& x);
double pressure_at(const Scene& scene, const SphLiquid& liquid, const SphWork& work, const Vec3& x);
// sRGB: the mean of the kinds' colours.
Vec3 color_at(const Scene& scene, const SphLiquid& liquid, const CellStart& start, const Vec3& x);
// The velocity at the faces of the grid, m/s.
FaceField<double> face_velocity(const SphLiquid& liquid, const CellStart& start);

// The liquid's level set and what it is made of. Only pictures and probes need it.
struct SphSurface {
  SolidField solids;
  LevelSetWork level_set;
  Array3<double> phi;  // m, < 0 in the liquid
  LiquidShape shape(const SphLiquid& liquid) const { return {liquid.grid, liquid.x, phi, level_set.share, solids}; }
};
SphSurface find_surface(const Scene& scene, const World& world, const SphLiquid& liquid, const CellStart& start);

// Energy, momentum, speed and volume; particles inside inflows have no volume yet.
LiquidReport measure_sph(const Scene& scene, const World& world, const SphLiquid& liquid, const SphWork& work);

}  // namespace coracle
