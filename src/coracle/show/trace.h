// Light along a ray, by path tracing [Kajiya86].
//
// A studio: a soft light (a disc on the sky), a sky that is brighter above, a floor that fades into the backdrop.
// A matte surface of colour a under irradiance E has radiance a E / π in every direction; one shadow ray samples the
// light, one further ray the sky. Water splits light by Fresnel and refracts it by Snell; light in water decays by
// Beer–Lambert. Smoke dims what is behind it, adds light of its own, and dims the light on surfaces (show/smoke.h).
//
// Not computed: reflections in glass panes, lacquer and films, except of the sky and, in films, of the light;
// refraction of the light that reaches matte surfaces through water (no caustics).
#pragma once

#include "coracle/show/samples.h"
#include "coracle/show/stage.h"

#include <memory>
#include <optional>

namespace coracle {

struct Smoke;

// Radiances, linear; a white matte surface under a whole sky of 1 has radiance 1.
struct Studio {
  Vec3f light = Vec3f::UnitY();                                       // direction to it, of unit length
  float light_cosine = 0.98f;                                         // cosine of its angular radius
  Vec3f irradiance = Vec3f::Zero();                                   // on a surface that faces the light
  Vec3f nadir = Vec3f::Ones(), zenith = Vec3f::Ones();                // the sky in lighting and reflections
  Vec3f backdrop_low = Vec3f::Ones(), backdrop_high = Vec3f::Ones();  // the backdrop that the camera sees
  std::optional<float> floor;                                         // m, height of the floor
  Vec3f floor_color = Vec3f::Constant(0.5f);
  Vec3f middle = Vec3f::Zero();                  // m, where the floor has its full colour
  float fade = 1;                                // m: at this distance the floor is half backdrop
  float wet_gap = 0;                             // m: water that ends this close to a matte surface touches it
  std::shared_ptr<const Smoke> smoke = nullptr;  // none: clear air
};

// The direction to a point of the light's disc, from a point of the unit square.
Vec3f toward_light(const Studio& studio, const Sample2& at);

// Radiance of the sky in direction d, linear in height.
inline Vec3f sky(const Studio& studio, const Vec3f& d) {
  return studio.nadir + 0.5f * (1 + d.y()) * (studio.zenith - studio.nadir);
}
// Radiance of a white matte surface under the open sky: ∫ sky(ω) cos θ dω / π.
inline Vec3f sky_on(const Studio& studio, const Vec3f& n) {
  return studio.nadir + (0.5f + n.y() / 3) * (studio.zenith - studio.nadir);
}

struct Depth {
  int bounces = 2;     // off matte surfaces
  int crossings = 12;  // of water's surface and of panes
};

// The first thing that the camera sees, if it is matte and not in smoke.
struct Seen {
  const Material* matte = nullptr;  // none: something else, or nothing
  Vec3f x = Vec3f::Zero(), n = Vec3f::Zero(), color = Vec3f::Zero();
};

Vec3f radiance(const Stage& stage, const Studio& studio, const Ray& ray, const Depth& depth, Samples& samples,
               Seen* seen = nullptr);

}  // namespace coracle
