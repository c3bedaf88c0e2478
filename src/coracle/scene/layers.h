// The files that a frame has for the fluid: one layer per series of files, as plain data.
// out/, show/ and app/ loop over layers and never depend on the kind of fluid. A new kind of fluid adds its layers
// to the table in layers.cpp.
#pragma once

#include "coracle/scene.h"

#include <span>
#include <string_view>
#include <vector>

namespace coracle {

enum class FluidKind { none, liquid, gas, sph };  // a scene has one fluid at most; sph: liquid of smoothed particles
FluidKind fluid_kind(const Scene& scene);
// Whether the fluid lives in cells, which thin bodies do not part.
bool is_on_grid(const Scene& scene);
inline bool has_fluid(const Scene& scene) { return fluid_kind(scene) != FluidKind::none; }

enum class LayerKind {
  surface,    // triangles with velocity
  drops,      // points with velocity: liquid outside the surface; missing in runs of older versions
  particles,  // points with velocity and pressure
  smoke,      // one density per cell
  volume,     // fields for other programs; coracle does not read them back
};

// The radius of a drop, in cells of the simulation: the volume of a particle.
inline constexpr double lone_drop_radius = 0.31;

struct Layer {
  LayerKind kind = LayerKind::surface;
  const char* name = "";                       // shown to users: "water"
  const char* file = "";                       // frame 12 is frames/<file>.0012.<extension>
  const char* extension = "";                  // without a dot
  bool paraview = false;                       // also written as VTP files, listed in frames/<file>.pvd
  const char* option = "";                     // name of the option in [output] that switches it on
  bool OutputOptions::*switched_on = nullptr;  // the same option
};

// All layers that the fluid of the scene can have.
std::span<const Layer> fluid_layers(const Scene& scene);
// Those that [output] asks for.
std::vector<Layer> written_layers(const Scene& scene);

bool has_layer(const Scene& scene, LayerKind kind);
// The first of its kind that [output] asks for; null if there is none.
const Layer* written_layer(const Scene& scene, LayerKind kind);

bool is_read_back(LayerKind kind);  // by coracle itself, from the files of a frame
bool has_velocity(LayerKind kind);  // per point

// Whether the solid holds liquid on its skin: then its files have the field "film".
bool has_film(const Scene& scene, const SolidOptions& solid);
// Whether the solid has a file in every frame, because it moves or has a film; else in frame 0 only.
bool changes(const Scene& scene, const SolidOptions& solid);

// Whether a layer of any fluid has frame files of this name that coracle reads back.
bool is_layer_file(std::string_view file, std::string_view extension);

// The amount that statistics compare with the expected one.
enum class Conserved { nothing, volume, smoke };
Conserved conserved_amount(const Scene& scene);

}  // namespace coracle
