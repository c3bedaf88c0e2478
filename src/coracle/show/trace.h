// Light along a ray, by path tracing [Kajiya86].
//
// A studio: a soft light (a disc on the sky), a sky that is brighter above, a floor that fades into the backdrop.
// A matte surface of colour a under irradiance E sends a E / π into every direction; the light's part is asked by one
// shadow ray, the sky's by one ray further. Water splits light by Fresnel and bends it by Snell; in it light fades by
// Beer and Lambert. Smoke before a thing dims it and adds light of its own, and dims the light that comes to it
// (show/smoke.h).
//
// Not computed: what glass panes and lacquer mirror is the sky alone; light that comes to matte surfaces through water
// comes straight (no caustics).
#pragma once

#include "coracle/show/samples.h"
#include "coracle/show/stage.h"

#include <memory>
#include <optional>

namespace coracle {

struct Smoke;

// Radiances, linear; a white matte surface that faces all of a sky of 1 has radiance 1.
struct Studio {
  Vec3f light = Vec3f::UnitY();                                       // towards it, of unit length
  float light_cosine = 0.98f;                                         // of its angular radius
  Vec3f irradiance = Vec3f::Zero();                                   // of a surface that faces it
  Vec3f nadir = Vec3f::Ones(), zenith = Vec3f::Ones();                // the sky, as it lights and is mirrored
  Vec3f backdrop_low = Vec3f::Ones(), backdrop_high = Vec3f::Ones();  // as it is seen
  std::optional<float> floor;                                         // m, its height
  Vec3f floor_color = Vec3f::Constant(0.5f);
  Vec3f middle = Vec3f::Zero();                  // m, where the floor has its full colour
  float fade = 1;                                // m: so far off, half of it is backdrop
  float wet_gap = 0;                             // m: where water ends this near to something matte, it touches it
  std::shared_ptr<const Smoke> smoke = nullptr;  // in the air; none: it is clear
};

// From a point of the unit square to one of the light's disc, of unit length.
Vec3f toward_light(const Studio& studio, const Sample2& at);

// Linear in height.
inline Vec3f sky(const Studio& studio, const Vec3f& d) {
  return studio.nadir + 0.5f * (1 + d.y()) * (studio.zenith - studio.nadir);
}
// What a white matte surface sends back of it where nothing is in the way: ∫ sky(ω) cos θ dω / π.
inline Vec3f sky_on(const Studio& studio, const Vec3f& n) {
  return studio.nadir + (0.5f + n.y() / 3) * (studio.zenith - studio.nadir);
}

struct Depth {
  int bounces = 2;     // off matte surfaces
  int crossings = 12;  // of water's surface and of panes
};

// What the eye meets first, where that is matte and not in smoke.
struct Seen {
  const Material* matte = nullptr;  // none: something else, or nothing
  Vec3f x = Vec3f::Zero(), n = Vec3f::Zero(), color = Vec3f::Zero();
};

Vec3f radiance(const Stage& stage, const Studio& studio, const Ray& ray, const Depth& depth, Samples& samples,
               Seen* seen = nullptr);

}  // namespace coracle
