// Preview colours: one UsdPreviewSurface per thing, and the same as display colour.
#pragma once

#include "coracle/show/things.h"

#include <string>

namespace coracle {

struct UsdLook {
  Vec3f color = Vec3f::Constant(0.5f);  // linear
  float opacity = 1, roughness = 0.5f, ior = 1.5f;
};

// The scene's own colours, as in pictures. `nth`: number of the thing within its kind.
UsdLook usd_look(const Scene& scene, const Thing& thing, int nth);

// A Material prim of this name, with the shader in it; `path` is the material's own.
std::string usd_material(const UsdLook& look, const std::string& name, const std::string& path);

}  // namespace coracle
