#include "coracle/show/usd_look.h"

#include "coracle/show/frame_props.h"
#include "coracle/show/picture.h"
#include "coracle/show/usd_text.h"

#include <fmt/format.h>

namespace coracle {

UsdLook usd_look(const Scene& scene, const Thing& thing, int nth) {
  switch (thing.kind) {
    case ThingKind::water:
    case ThingKind::drops:
      return {linear_of(scene.look.liquid_color), 0.35f, 0.02f, 1.33f};
    case ThingKind::particles:
      return {linear_of(scene.look.liquid_color)};
    case ThingKind::body:
      return {body_color(scene, std::size_t(nth)), float(scene.bodies[std::size_t(nth)].opacity)};
    case ThingKind::smoke:
      return {linear_of(scene.look.smoke_color)};
    case ThingKind::solid:
      if (thing.container) return {Vec3f::Constant(0.5f), 0.15f};
      return {solid_color(scene, std::size_t(nth))};
  }
  return {};
}

std::string usd_material(const UsdLook& look, const std::string& name, const std::string& path) {
  return fmt::format(R"(        def Material "{0}"
        {{
            token outputs:surface.connect = <{1}/surface.outputs:surface>

            def Shader "surface"
            {{
                uniform token info:id = "UsdPreviewSurface"
                color3f inputs:diffuseColor = ({2}, {3}, {4})
                float inputs:ior = {5}
                float inputs:opacity = {6}
                float inputs:roughness = {7}
                token outputs:surface
            }}
        }}
)",
                     name, path, look.color.x(), look.color.y(), look.color.z(), look.ior, look.opacity,
                     look.roughness);
}

}  // namespace coracle
