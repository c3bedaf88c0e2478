#include "coracle/show/trace.h"

#include "coracle/show/optics.h"
#include "coracle/show/smoke.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace coracle {
namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float lacquer = 0.04f;       // reflectance at normal incidence, n = 1.5
constexpr float shininess = 150;       // Blinn's exponent of the light's reflection in lacquer
constexpr int light_crossings = 2;     // after more, paths do not hit the light: rare hits would show as dots
constexpr float clear_share = 0.98f;   // behind smoke that transmits more, a surface is smoothed as in clear air
constexpr float least_weight = 1e-3f;  // paths with less weight end

struct Path {
  Ray ray;
  Vec3f weight = Vec3f::Ones();
  int bounces = 0, crossings = 0;
  const Material* water = nullptr;  // that the path is in
  bool sees_light = true;           // may hit the light: not after a matte surface, which samples it by a shadow ray
  bool dimmed = false;              // by smoke
  bool sees_backdrop = true;        // instead of the sky: up to the first reflection
};

// Two directions at right angles to n.
std::pair<Vec3f, Vec3f> tangents(const Vec3f& n) {
  const Vec3f a = (std::abs(n.x()) < 0.7f ? Vec3f::UnitX() : Vec3f::UnitY()).cross(n).normalized();
  return {a, n.cross(a)};
}

Vec3f around(const Vec3f& axis, float cosine, float turn) {
  const auto [a, b] = tangents(axis);
  const float sine = std::sqrt(std::max(0.0f, 1 - cosine * cosine)), angle = 2 * pi * turn;
  return cosine * axis + sine * (std::cos(angle) * a + std::sin(angle) * b);
}

struct Tracer {
  const Stage& stage;
  const Studio& studio;
  const Depth& depth;
  Samples& samples;
  Seen* seen;

  Vec3f backdrop(const Vec3f& d) const {
    const float up = std::clamp(d.y() * 1.5f, 0.0f, 1.0f);
    return (1 - up) * studio.backdrop_low + up * studio.backdrop_high;
  }

  Vec3f light_disc() const { return studio.irradiance / (2 * pi * (1 - studio.light_cosine)); }

  // Radiance of a ray that hits nothing.
  Vec3f beyond(const Path& path) const {
    const Vec3f& d = path.ray.direction;
    if (path.sees_light && path.crossings <= light_crossings && d.dot(studio.light) > studio.light_cosine)
      return sky(studio, d) + light_disc();
    return path.sees_backdrop ? backdrop(d) : sky(studio, d);
  }

  // The floor is visible only from above.
  bool floor_hit(const Ray& ray, float most, Hit& hit) const {
    if (!studio.floor || ray.direction.y() >= 0) return false;
    const float t = (*studio.floor - ray.origin.y()) / ray.direction.y();
    if (!(t > 0 && t < most)) return false;
    static const Material material;
    hit = {t, ray.origin + t * ray.direction, Vec3f::UnitY(), Vec3f::UnitY(), studio.floor_color, &material, {}};
    return true;
  }

  // Only the smoke before t = most. There is none in water.
  void look_through_smoke(Path& path, float most, Vec3f& sum) {
    if (!studio.smoke || path.water) return;
    const Veil before = veil(*studio.smoke, path.ray, most, samples.next().x);
    sum += path.weight.cwiseProduct(before.added);
    path.weight *= before.share;
    path.dimmed = path.dimmed || before.share < clear_share;
  }

  Vec3f light_through(const Ray& ray) {
    const Vec3f through = stage.light_through(ray);
    if (!studio.smoke || through.maxCoeff() == 0) return through;
    return transmittance(*studio.smoke, ray, infinity, samples.next().x) * through;
  }

  bool touches(const Path& path, const Hit& hit) const {
    const float cosine = std::max(0.2f, path.ray.direction.dot(hit.face)), most = studio.wet_gap / cosine;
    const Ray on = stage.leaving(hit, path.ray.direction);
    Hit ignored;
    return floor_hit(on, most, ignored) || stage.blocked(on, most);
  }

  Vec3f follow(Path path) {
    Vec3f sum = Vec3f::Zero();
    for (;;) {
      Hit hit{};
      bool any = stage.hit(path.ray, path.sees_backdrop, hit);
      const bool floor = floor_hit(path.ray, any ? hit.t : infinity, hit);
      any = any || floor;
      look_through_smoke(path, any ? hit.t : infinity, sum);
      if (!any) return sum + path.weight.cwiseProduct(beyond(path));
      if (hit.material->finish == Finish::water && path.ray.direction.dot(hit.face) > 0) path.water = hit.material;
      if (path.water) path.weight.array() *= attenuated(path.water->absorption, hit.t).array();
      if (floor && path.bounces == 0) {  // fade the floor
        const float far = (hit.x - studio.middle).norm() / studio.fade, share = 1 / (1 + far * far * far);
        sum += (1 - share) * path.weight.cwiseProduct(backdrop(path.ray.direction));
        path.weight *= share;
      }
      if (hit.material->finish == Finish::line) return sum + path.weight.cwiseProduct(hit.color);
      if (path.weight.maxCoeff() < least_weight) return sum;
      const bool matte = hit.material->finish == Finish::matte;
      if (matte && hit.material->opacity < 1 && samples.next().x >= hit.material->opacity) {
        path.ray = stage.leaving(hit, path.ray.direction);
        if (++path.crossings > depth.crossings) return sum + path.weight.cwiseProduct(beyond(path));
        continue;
      }
      const bool goes_on = matte                                  ? scatter(path, hit, sum)
                           : hit.material->finish == Finish::pane ? pass_pane(path, hit, sum)
                                                                  : cross_water(path, hit, sum);
      if (!goes_on) return sum;
    }
  }

  bool pass_pane(Path& path, const Hit& hit, Vec3f& sum) {
    const Vec3f d = path.ray.direction;
    const float r = pane_reflectance(std::min(1.0f, std::abs(d.dot(hit.face))));
    sum += r * path.weight.cwiseProduct(sky(studio, reflected(d, hit.face)));
    path.weight *= 1 - r;
    path.ray = stage.leaving(hit, d);
    if (++path.crossings <= depth.crossings) return true;
    sum += path.weight.cwiseProduct(beyond(path));
    return false;
  }

  bool cross_water(Path& path, const Hit& hit, Vec3f& sum) {
    const Vec3f d = path.ray.direction;
    const bool enters = d.dot(hit.face) < 0;
    // Between water and something it touches there is no air, even if the meshes leave a gap.
    if (enters ? path.water != nullptr : touches(path, hit)) {
      path.ray = stage.leaving(hit, d);
      path.water = hit.material;
      return ++path.crossings <= depth.crossings;
    }
    const float eta = enters ? water_index : 1 / water_index, side = enters ? 1.0f : -1.0f;
    Vec3f n = side * hit.n;
    if (d.dot(n) > -0.01f) n = side * hit.face;  // the smoothed normal does not face the ray
    const float r = fresnel(std::min(1.0f, -d.dot(n)), eta);
    Vec3f mirrored = reflected(d, n), bent = r < 1 ? refracted(d, n, eta) : mirrored;
    if (mirrored.dot(hit.face) * side <= 0) mirrored = reflected(d, side * hit.face);
    if (bent.dot(hit.face) * side >= 0) bent = d;

    Path mirror = path;
    mirror.ray = stage.leaving(hit, mirrored);
    mirror.water = enters ? nullptr : hit.material;
    mirror.sees_backdrop = false;
    path.ray = stage.leaving(hit, bent);
    path.water = enters ? hit.material : nullptr;
    const bool first = path.crossings == 0 && path.bounces == 0;
    mirror.crossings = ++path.crossings;
    if (path.crossings > depth.crossings) {
      sum += path.weight.cwiseProduct(sky(studio, d));
      return false;
    }
    if (first && r < 1) {  // follow both rays at the first water surface, later one at random
      mirror.weight *= r;
      path.weight *= 1 - r;
      sum += follow(mirror);
    } else if (samples.next().x < r) {
      path = mirror;
    }
    return true;
  }

  bool scatter(Path& path, const Hit& hit, Vec3f& sum) {
    const Vec3f d = path.ray.direction;
    const float side = d.dot(hit.face) < 0 ? 1.0f : -1.0f;
    const Vec3f face = side * hit.face;
    Vec3f n = side * hit.n;
    if (d.dot(n) >= 0) n = face;

    // A film makes a surface darker and is its coat. What lies in water has none, and is as dark by total reflection,
    // which rays find, and because 1/n² of its radiance leaves the water; for the sky, light gains as much on entering.
    // The last ray takes all further reflections at once.
    constexpr float n2 = water_index * water_index;
    const bool in_water = hit.wet && path.water, last = path.bounces == depth.bounces;
    const float wet = in_water ? 0 : hit.wet.value_or(0);
    const Vec3f color = wet > 0            ? Vec3f((1 - wet) * hit.color + wet * wet_color(hit.color))
                        : in_water && last ? Vec3f(n2 * wet_color(hit.color))
                                           : hit.color;
    const float gloss = in_water ? 0 : (1 - wet) * hit.material->gloss;
    if (seen && path.bounces == 0 && path.crossings == 0 && !path.dimmed) *seen = {hit.material, hit.x, n, color};

    // The coat reflects the sky, and a film the light too; the rest reaches the surface under it.
    const float film = wet > 0 ? wet * fresnel(std::min(1.0f, -d.dot(n)), water_index) : 0;
    const float coat = gloss * (lacquer + (1 - lacquer) * std::pow(1 + d.dot(n), 5.0f)) + film;
    const Vec3f mirrored = reflected(d, n);
    if (coat > 0) sum += coat * path.weight.cwiseProduct(sky(studio, mirrored));
    if (film > 0 && mirrored.dot(studio.light) > studio.light_cosine && mirrored.dot(face) > 0)
      sum += film * path.weight.cwiseProduct(light_disc()).cwiseProduct(light_through(stage.leaving(hit, mirrored)));
    const Vec3f under = (1 - coat) * path.weight.cwiseProduct(color);

    const Vec3f l = toward_light(studio, samples.next());
    if (l.dot(n) > 0 && l.dot(face) > 0 && studio.irradiance.maxCoeff() > 0) {
      const float leaves = in_water ? 1 / n2 : 1;
      const Vec3f e = leaves * l.dot(n) * studio.irradiance.cwiseProduct(light_through(stage.leaving(hit, l)));
      sum += under.cwiseProduct(e) / pi;
      const float shine = std::pow(std::max(0.0f, n.dot((l - d).normalized())), shininess);
      sum += gloss * lacquer * (shininess + 8) / (8 * pi) * shine * path.weight.cwiseProduct(e);
    }

    if (last) {  // an estimate: half of the sky
      sum += 0.5f * under.cwiseProduct(sky_on(studio, n));
      return false;
    }
    // The light of the whole sky is known; one ray samples what blocks it. So there is no noise in the open.
    const Sample2 to = samples.next();
    const Vec3f out = around(n, std::sqrt(1 - to.x), to.y);  // density ∝ cos θ
    sum += under.cwiseProduct(sky_on(studio, n) - sky(studio, out));
    if (out.dot(face) <= 0) return false;
    path.ray = stage.leaving(hit, out);
    path.weight = under;
    ++path.bounces;
    path.sees_light = path.sees_backdrop = false;
    return true;
  }
};

}  // namespace

Vec3f toward_light(const Studio& studio, const Sample2& at) {
  return around(studio.light, 1 - at.x * (1 - studio.light_cosine), at.y);
}

Vec3f radiance(const Stage& stage, const Studio& studio, const Ray& ray, const Depth& depth, Samples& samples,
               Seen* seen) {
  Tracer tracer{stage, studio, depth, samples, seen};
  return tracer.follow({ray});
}

}  // namespace coracle
