// What a picture shows, prepared for rays: meshes and balls with materials in a bounding volume hierarchy (Embree).
#pragma once

#include "coracle/types.h"

#include <memory>
#include <optional>
#include <vector>

namespace coracle {

enum class Finish {
  matte,  // scatters evenly
  water,  // refracts and absorbs; a closed surface, normals outward
  pane,   // a thin sheet of glass: light passes straight through
  line,   // a drawing aid in its plain colour: no light, no shadow, no reflection
};

// Colours are linear.
struct Material {
  Finish finish = Finish::matte;
  Vec3f color = Vec3f::Constant(0.5f);  // matte: reflected share of the light
  float gloss = 0;                      // matte: strength of a clear coat, 1: lacquer
  float opacity = 1;                    // matte: share of the light that it stops; the rest passes straight
  Vec3f absorption = Vec3f::Zero();     // water: 1/m
  float line = 0;                       // m: width of dark lines along every triangle's sides
};

// One object.
struct Prop {
  Material material = {};
  std::vector<Vec3f> x = {};        // m
  std::vector<Vec3i> tris = {};     // none: balls at the points
  std::vector<Vec3f> normals = {};  // per point; none: flat triangles
  std::vector<Vec3f> colors = {};   // per point; none: the material's
  float radius = 0;                 // m, of balls
  std::vector<float> radii = {};    // m, per ball instead; none: all have the same
  std::vector<float> wet = {};      // matte: 0 dry, 1 under a film of water, per point; none: it does not get wet
};

struct Ray {
  Vec3f origin, direction;
};

struct Hit {
  float t;      // m along the ray
  Vec3f x;      // m
  Vec3f face;   // outward normal of the surface itself
  Vec3f n;      // the same, smoothed if the surface is smooth
  Vec3f color;  // of a matte surface
  const Material* material;
  std::optional<float> wet;  // none: it does not get wet
};

class Stage {
 public:
  // `size`, m: of the smallest relevant detail, a cell; rays start a thousandth of it off the surface they leave.
  Stage(std::vector<Prop> props, float size);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // The nearest hit, with lines or without; false if there is none.
  bool hit(const Ray& ray, bool lines, Hit& hit) const;
  // Whether anything matte and opaque lies before t = most.
  bool blocked(const Ray& ray, float most) const;
  // The share of light that comes straight along the ray to its origin: zero if something opaque is in the way; water
  // absorbs and reflects light, but does not bend it.
  Vec3f light_through(const Ray& ray) const;

  float size() const { return size_; }
  // A ray that leaves a surface on the side that its direction points to.
  Ray leaving(const Hit& hit, const Vec3f& direction) const {
    const float side = direction.dot(hit.face) > 0 ? 1.0f : -1.0f;
    return {hit.x + side * 1e-3f * size_ * hit.face, direction};
  }

 private:
  struct Trees;
  std::vector<Prop> props_;
  float size_;
  std::unique_ptr<Trees> trees_;
};

}  // namespace coracle
