// Smoke in the air of a picture: what it dims, and what light it adds.
//
// Radiative transfer along a ray, scattering alike into all directions [FedkiwStamJensen01]:
//   L(0) = T(t) L(t) + ∫₀ᵗ T(s) σ S ds,   T(s) = exp(−∫₀ˢ σ),   σ = smoke / depth,   S = a (E τ / 4π + J)
//   a the smoke's colour (albedo), E the light's irradiance, τ what is left of it behind smoke and solids, J the mean
//   over all directions of what comes from the sky, the floor and the smoke itself.
// σ and σS lie at cell centres and are linear between them: where there is no smoke, as within solids, S does not
// count. They are found once a frame:
//   τ  by marching from each cell to a few points of the light;
//   J  by discrete ordinates: light goes from cell to cell along the 26 directions to a cell's neighbours, whose
//      weights integrate polynomials of degree 7 over the sphere exactly [Lebedev76]; each pass adds a scattering.
//
// Not computed: solids do not shade the smoke from the sky, and send it no light; the floor under it is lit as if
// nothing stood there; scattering does not prefer the forward direction.
#pragma once

#include "coracle/out/nrrd.h"
#include "coracle/show/trace.h"

namespace coracle {

struct Smoke {
  Grid grid;
  Array3<float> extinction;  // σ, 1/m
  Array3<Vec3f> emission;    // σS
  Array3<char> dense;        // of blocks of cells: whether any there, or next to them, has smoke
};

// Not lit yet. `depth`, m: so much smoke of 1 lets 1/e of the light through.
Smoke smoke_of(const Volume& volume, double depth);
bool is_clear(const Smoke& smoke);
// Light of the studio, shaded by the stage. `albedo` is linear.
void light_smoke(const Stage& stage, const Studio& studio, const Vec3f& albedo, Smoke& smoke);

// `jitter`, in [0, 1), shifts the points that are looked at.
struct Veil {
  float share = 1;              // of the light from behind that comes through
  Vec3f added = Vec3f::Zero();  // radiance
};
Veil veil(const Smoke& smoke, const Ray& ray, float most, float jitter);
float transmittance(const Smoke& smoke, const Ray& ray, float most, float jitter);

}  // namespace coracle
