#include "coracle/scene/layers.h"

#include "coracle/scene/animation.h"

#include <algorithm>

namespace coracle {
namespace {

constexpr Layer liquid_layers[] = {
    {.kind = LayerKind::surface,
     .name = "water",
     .file = "surface",
     .extension = "ply",
     .paraview = true,
     .option = "surface",
     .switched_on = &OutputOptions::surface},
    {.kind = LayerKind::drops,
     .name = "drops",
     .file = "drops",
     .extension = "ply",
     .option = "surface",
     .switched_on = &OutputOptions::surface},
    {.kind = LayerKind::volume,
     .name = "liquid",
     .file = "liquid",
     .extension = "vdb",
     .option = "volume",
     .switched_on = &OutputOptions::volume},
    {.kind = LayerKind::particles,
     .name = "particles",
     .file = "particles",
     .extension = "ply",
     .paraview = true,
     .option = "particles",
     .switched_on = &OutputOptions::particles},
};

constexpr Layer gas_layers[] = {
    {.kind = LayerKind::volume,
     .name = "smoke",
     .file = "smoke",
     .extension = "vdb",
     .option = "smoke",
     .switched_on = &OutputOptions::smoke},
    {.kind = LayerKind::smoke,
     .name = "smoke",
     .file = "smoke",
     .extension = "nrrd",
     .option = "smoke",
     .switched_on = &OutputOptions::smoke},
};

constexpr FluidKind all_fluids[] = {FluidKind::none, FluidKind::liquid, FluidKind::gas, FluidKind::sph};

std::span<const Layer> layers_of(FluidKind fluid) {
  switch (fluid) {
    case FluidKind::none:
      return {};
    case FluidKind::liquid:
    case FluidKind::sph:
      return liquid_layers;
    case FluidKind::gas:
      return gas_layers;
  }
  return {};
}

}  // namespace

FluidKind fluid_kind(const Scene& scene) {
  if (has_liquid(scene)) return scene.method == Method::proxy ? FluidKind::sph : FluidKind::liquid;
  return has_gas(scene) ? FluidKind::gas : FluidKind::none;
}

bool is_on_grid(const Scene& scene) {
  const FluidKind fluid = fluid_kind(scene);
  return fluid == FluidKind::liquid || fluid == FluidKind::gas;
}

std::span<const Layer> fluid_layers(const Scene& scene) { return layers_of(fluid_kind(scene)); }

std::vector<Layer> written_layers(const Scene& scene) {
  std::vector<Layer> written;
  for (const Layer& layer : fluid_layers(scene))
    if (scene.output.*layer.switched_on) written.push_back(layer);
  return written;
}

bool has_layer(const Scene& scene, LayerKind kind) {
  const std::span<const Layer> layers = fluid_layers(scene);
  return std::any_of(layers.begin(), layers.end(), [&](const Layer& layer) { return layer.kind == kind; });
}

const Layer* written_layer(const Scene& scene, LayerKind kind) {
  for (const Layer& layer : fluid_layers(scene))
    if (layer.kind == kind && scene.output.*layer.switched_on) return &layer;
  return nullptr;
}

bool is_read_back(LayerKind kind) { return kind != LayerKind::volume; }

bool has_velocity(LayerKind kind) {
  return kind == LayerKind::surface || kind == LayerKind::drops || kind == LayerKind::particles;
}

bool has_film(const Scene& scene, const SolidOptions& solid) {
  return scene.method == Method::skinned && fluid_kind(scene) == FluidKind::liquid && solid.skin.on;
}

bool changes(const Scene& scene, const SolidOptions& solid) { return moves(solid) || has_film(scene, solid); }

bool is_layer_file(std::string_view file, std::string_view extension) {
  for (const FluidKind fluid : all_fluids)
    for (const Layer& layer : layers_of(fluid))
      if (is_read_back(layer.kind) && file == layer.file && extension == layer.extension) return true;
  return false;
}

Conserved conserved_amount(const Scene& scene) {
  switch (fluid_kind(scene)) {
    case FluidKind::none:
      return Conserved::nothing;
    case FluidKind::liquid:
    case FluidKind::sph:
      return Conserved::volume;
    case FluidKind::gas:
      return Conserved::smoke;
  }
  return Conserved::nothing;
}

}  // namespace coracle
