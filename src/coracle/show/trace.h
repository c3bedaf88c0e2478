// Light along a ray, by path tracing [Kajiya86].
//
// A studio: a soft light (a disc on the sky), a sky that is brighter above, a floor that fades into the backdrop.
// A matte surface of colour a under irradiance E sends a E / π into every direction; the light's part is asked by one
// shadow ray, the sky's by one ray further. Water splits light by Fresnel and bends it by Snell; in it light fades by
// Beer and Lambert.
//
// Not computed: what glass panes and lacquer mirror is the sky alone; light that comes to matte surfaces through water
// comes straight (no caustics).
#pragma once

#include "coracle/show/samples.h"
#include "coracle/show/stage.h"

#include <optional>

namespace coracle {

// Radiances, linear; a white matte surface that faces all of a sky of 1 has radiance 1.
struct Studio {
  Vec3f light = Vec3f::UnitY();                                       // towards it, of unit length
  float light_cosine = 0.98f;                                         // of its angular radius
  Vec3f irradiance = Vec3f::Zero();                                   // of a surface that faces it
  Vec3f nadir = Vec3f::Ones(), zenith = Vec3f::Ones();                // the sky, as it lights and is mirrored
  Vec3f backdrop_low = Vec3f::Ones(), backdrop_high = Vec3f::Ones();  // as it is seen
  std::optional<float> floor;                                         // m, its height
  Vec3f floor_color = Vec3f::Constant(0.5f);
  Vec3f middle = Vec3f::Zero();  // m, where the floor has its full colour
  float fade = 1;                // m: so far off, half of it is backdrop
  float wet_gap = 0;             // m: where water ends this near to something matte, it touches it
};

struct Depth {
  int bounces = 2;     // off matte surfaces
  int crossings = 12;  // of water's surface and of panes
};

// What the eye meets first, where that is matte.
struct Seen {
  const Material* matte = nullptr;  // none: something else, or nothing
  Vec3f x = Vec3f::Zero(), n = Vec3f::Zero(), color = Vec3f::Zero();
};

Vec3f radiance(const Stage& stage, const Studio& studio, const Ray& ray, const Depth& depth, Samples& samples,
               Seen* seen = nullptr);

}  // namespace coracle
