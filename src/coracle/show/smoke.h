// Smoke in a picture: it dims what is behind it and adds scattered light.
//
// Radiative transfer along a ray with isotropic scattering [FedkiwStamJensen01]:
//   L(0) = T(t) L(t) + ∫₀ᵗ T(s) σ S ds,   T(s) = exp(−∫₀ˢ σ),   σ = smoke / depth,   S = a (E τ / 4π + J)
//   a the smoke's colour (albedo), E the light's irradiance, τ the share of it that passes smoke and solids, J the mean
//   over all directions of the radiance from the sky, the floor and the smoke itself.
// σ and σS are stored at cell centres and interpolated linearly: where there is no smoke, as inside solids, S has no
// effect. They are computed once per frame:
//   τ  by marching from each cell to a few points of the light;
//   J  by discrete ordinates: light travels from cell to cell along the 26 directions to a cell's neighbours, whose
//      weights integrate polynomials of degree 7 over the sphere exactly [Lebedev76]; each pass adds a scattering.
//
// Not computed: shadows of solids in the light of the sky; light from solids to the smoke; shadows on the floor that
// lights the smoke; forward scattering.
#pragma once

#include "coracle/out/nrrd.h"
#include "coracle/show/trace.h"

namespace coracle {

struct Smoke {
  Grid grid;
  Array3<float> extinction;  // σ, 1/m
  Array3<Vec3f> emission;    // σS
  Array3<char> dense;        // per block of cells: whether any cell in it or next to it has smoke
};

// Not lit yet. `depth`, m: smoke of 1 transmits 1/e of the light over this length.
Smoke smoke_of(const Volume& volume, double depth);
bool is_clear(const Smoke& smoke);
// Lights the smoke by the studio, with shadows of the stage. `albedo` is linear.
void light_smoke(const Stage& stage, const Studio& studio, const Vec3f& albedo, Smoke& smoke);

// What smoke does to a ray up to t = most. `jitter`, in [0, 1), shifts the sample points.
struct Veil {
  float share = 1;              // of the light from behind that is transmitted
  Vec3f added = Vec3f::Zero();  // radiance
};
Veil veil(const Smoke& smoke, const Ray& ray, float most, float jitter);
float transmittance(const Smoke& smoke, const Ray& ray, float most, float jitter);

}  // namespace coracle
