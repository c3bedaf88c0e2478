#include "coracle/show/usd_look.h"

#include "coracle/show/usd_text.h"

#include <fmt/format.h>

namespace coracle {
namespace {

const Vec3f body_colors[] = {{0.85f, 0.33f, 0.1f}, {0.93f, 0.69f, 0.13f}, {0.3f, 0.55f, 0.2f}, {0.5f, 0.2f, 0.55f}};

}  // namespace

UsdLook usd_look(const Thing& thing, int nth) {
  switch (thing.kind) {
    case ThingKind::water:
    case ThingKind::drops:
      return {{0.1f, 0.35f, 0.55f}, 0.35f, 0.02f, 1.33f};
    case ThingKind::particles:
      return {{0.3f, 0.55f, 0.8f}};
    case ThingKind::body:
      return {body_colors[nth % std::size(body_colors)]};
    case ThingKind::smoke:
    case ThingKind::solid:
      break;
  }
  return {Vec3f::Constant(0.5f), thing.container ? 0.15f : 1.0f};
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
