// What a picture shows, ready for rays: meshes and balls with their materials, in a bounding volume hierarchy (Embree).
#pragma once

#include "coracle/types.h"

#include <memory>
#include <vector>

namespace coracle {

enum class Finish {
  matte,  // scatters evenly
  water,  // refracts and absorbs; closed, normals out of it
  pane,   // a thin sheet of glass: light goes through straight
  line,   // drawn for the eye, its colour as it is: it lights, shades and mirrors nothing
};

// Colours are linear.
struct Material {
  Finish finish = Finish::matte;
  Vec3f color = Vec3f::Constant(0.5f);  // matte: share of light that comes back
  float gloss = 0;                      // matte: strength of a clear coat, 1: lacquer
  float opacity = 1;                    // matte: share of the light that it stops, the rest goes straight on
  Vec3f absorption = Vec3f::Zero();     // water: 1/m
  float line = 0;                       // m: dark lines of this width along every triangle's sides
};

// One thing.
struct Prop {
  Material material = {};
  std::vector<Vec3f> x = {};        // m
  std::vector<Vec3i> tris = {};     // none: balls about the points
  std::vector<Vec3f> normals = {};  // of the points; none: triangles are flat
  std::vector<Vec3f> colors = {};   // of the points; none: the material's
  float radius = 0;                 // m, of balls
};

struct Ray {
  Vec3f origin, direction;
};

struct Hit {
  float t;      // m along the ray
  Vec3f x;      // m
  Vec3f face;   // normal of the surface itself, out of it
  Vec3f n;      // smoothed where the surface is smooth
  Vec3f color;  // of a matte one
  const Material* material;
};

class Stage {
 public:
  // `size`, m: of the finest thing that matters, a cell; rays start a thousandth of it off the surface they leave.
  Stage(std::vector<Prop> props, float size);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  // The nearest thing, lines among them or not; false where there is none.
  bool hit(const Ray& ray, bool lines, Hit& hit) const;
  // Whether anything matte and opaque lies before t = most.
  bool blocked(const Ray& ray, float most) const;
  // What is left of light that comes straight along the ray to its origin: nothing where something opaque is in the
  // way; water absorbs and reflects, but does not bend it.
  Vec3f light_through(const Ray& ray) const;

  float size() const { return size_; }
  // A ray that leaves a surface on the side that it points to.
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
