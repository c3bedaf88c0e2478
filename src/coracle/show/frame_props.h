// Makes the props of a picture from a frame of a run.
#pragma once

#include "coracle/out/replay.h"
#include "coracle/show/color_map.h"
#include "coracle/show/trace.h"

#include <memory>
#include <string>
#include <vector>

namespace coracle {

enum class ColorField { none, speed, pressure, von_mises, film };

// The field that the colours show, if any.
struct Coloring {
  ColorField field = ColorField::none;
  ColorRange range;
};

const char* color_name(ColorField field);  // "von_mises"
const char* color_unit(ColorField field);  // "Pa"
// From 0, dry, to 1: how wet a surface looks under a film, m thick.
float wetness(float film);

// A field's values at a mesh's points; empty if the mesh does not have the field.
std::vector<float> field_values(const PlyMesh& mesh, ColorField field);
// Linear colours of values.
std::vector<Vec3f> field_colors(const std::vector<float>& values, const ColorRange& range);

// Colour of the n-th body or solid, linear.
Vec3f body_color(const Scene& scene, std::size_t n);
Vec3f solid_color(const Scene& scene, std::size_t n);

void add_liquid(std::vector<Prop>& props, const Scene& scene, const PlyMesh& mesh, const Coloring& coloring);
void add_drops(std::vector<Prop>& props, const Scene& scene, const PlyMesh& drops, const Coloring& coloring);
void add_bodies(std::vector<Prop>& props, const Scene& scene, const std::vector<PlyMesh>& bodies,
                const Coloring& coloring);
// Solids with a film on them look wet, or are coloured by its thickness.
void add_solids(std::vector<Prop>& props, const Scene& scene, const std::vector<PlyMesh>& solids,
                const Coloring& coloring);
// The domain's sides, if look.tank asks for them.
void add_tank(std::vector<Prop>& props, const Scene& scene);

// Light, backdrop and floor as the scene's [look] says.
Studio scene_studio(const Scene& scene);

// The lit smoke of a frame; none if it is invisible.
std::shared_ptr<const Smoke> scene_smoke(const Scene& scene, const Volume& smoke, const Stage& stage,
                                         const Studio& studio);
// Length in m over which smoke of 1 transmits 1/e of the light: look.smoke_depth, or its default.
double smoke_depth(const Scene& scene);

}  // namespace coracle
