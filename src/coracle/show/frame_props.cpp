#include "coracle/show/frame_props.h"
#include "coracle/world/build.h"

#include "coracle/scene/layers.h"
#include "coracle/shape/tri_mesh.h"
#include "coracle/show/picture.h"
#include "coracle/show/smoke.h"
#include "coracle/world.h"

#include <array>
#include <cmath>
#include <numbers>

namespace coracle {
namespace {

// sRGB; warm colours first, because the liquid is blue.
constexpr double palette[][3] = {{0.90, 0.38, 0.20}, {0.95, 0.75, 0.25}, {0.49, 0.70, 0.33},
                                 {0.72, 0.36, 0.62}, {0.93, 0.87, 0.78}, {0.36, 0.42, 0.76}};
constexpr float grey = 0.42f, body_gloss = 0.8f, solid_gloss = 0.3f, matte_liquid_gloss = 0.6f;
constexpr float wetting_film = 6e-5f;  // m; five times as thick, it looks all wet

Prop prop_of(const PlyMesh& mesh, const Material& material) {
  return {.material = material, .x = mesh.x, .tris = mesh.tris, .normals = mesh.normals};
}

void add_box(Prop& prop, const Vec3& lo, const Vec3& hi) {
  const TriMesh box = box_mesh(lo, hi);
  const Vec3i first = Vec3i::Constant(int(prop.x.size()));
  for (const Vec3& x : box.x) prop.x.push_back(x.cast<float>());
  for (const Vec3i& t : box.tris) prop.tris.push_back(t + first);
}

// exp(−absorption · depth) is the liquid's colour. With false colours, absorption is weaker.
Material water_of(const Scene& scene, const Coloring& coloring) {
  const Grid grid = scene_grid(scene.domain);
  const Vec3 side = grid.upper() - grid.origin;
  const double usual = scene.domain.slab > 0 ? 2 * side.z() : side.maxCoeff();
  const double depth = scene.look.liquid_depth > 0 ? scene.look.liquid_depth : usual;
  Material water{.finish = Finish::water};
  water.absorption = -linear_of(scene.look.liquid_color).array().log() / float(depth);
  if (coloring.field != ColorField::none) water.absorption *= 0.2f;
  return water;
}

// Matte and coloured by speed or by the kinds of liquid, or as water.
void add_wet(std::vector<Prop>& props, const Scene& scene, const PlyMesh& mesh, const Coloring& coloring) {
  const bool by_speed = coloring.field == ColorField::speed;
  std::vector<Vec3f> colors;
  if (by_speed)
    colors = field_colors(field_values(mesh, coloring.field), coloring.range);
  else
    for (const Vec3f& own : colors_of(mesh)) colors.push_back(linear_of(own.cast<double>()));
  props.push_back(prop_of(mesh, colors.empty() ? water_of(scene, coloring) : Material{.gloss = matte_liquid_gloss}));
  props.back().colors = std::move(colors);
}

}  // namespace

const char* color_name(ColorField field) {
  constexpr const char* names[] = {"none", "speed", "pressure", "von_mises", "film"};
  return names[int(field)];
}

const char* color_unit(ColorField field) {
  constexpr const char* units[] = {"", "m/s", "Pa", "Pa", "m"};
  return units[int(field)];
}

float wetness(float film) { return 1 - std::exp(-std::max(film, 0.0f) / wetting_film); }

std::vector<float> field_values(const PlyMesh& mesh, ColorField field) {
  if (field == ColorField::speed) {
    std::vector<float> speed;
    for (const Vec3f& v : mesh.v) speed.push_back(v.norm());
    return speed;
  }
  const PlyField* found = mesh.field(color_name(field));
  return found ? found->values : std::vector<float>();
}

std::vector<Vec3f> field_colors(const std::vector<float>& values, const ColorRange& range) {
  std::vector<Vec3f> colors;
  colors.reserve(values.size());
  for (const float v : values) colors.push_back(linear_of(map_color(range.share(v))));
  return colors;
}

Vec3f body_color(const Scene& scene, std::size_t n) {
  const double* p = palette[n % std::size(palette)];
  return linear_of(scene.bodies[n].color.value_or(Vec3(p[0], p[1], p[2])));
}

Vec3f solid_color(const Scene& scene, std::size_t n) {
  const std::optional<Vec3>& own = scene.solids[n].color;
  return own ? linear_of(*own) : Vec3f::Constant(grey);
}

void add_liquid(std::vector<Prop>& props, const Scene& scene, const PlyMesh& mesh, const Coloring& coloring) {
  if (!mesh.tris.empty()) add_wet(props, scene, mesh, coloring);
}

void add_drops(std::vector<Prop>& props, const Scene& scene, const PlyMesh& drops, const Coloring& coloring) {
  if (drops.x.empty()) return;
  add_wet(props, scene, drops, coloring);
  props.back().radius = float(lone_drop_radius * scene_grid(scene.domain).dx);
  if (const PlyField* radii = drops.field("radius")) props.back().radii = radii->values;
}

void add_bodies(std::vector<Prop>& props, const Scene& scene, const std::vector<PlyMesh>& bodies,
                const Coloring& coloring) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    props.push_back(prop_of(
        bodies[b], {.color = body_color(scene, b), .gloss = body_gloss, .opacity = float(scene.bodies[b].opacity)}));
    if (coloring.field != ColorField::none)
      props.back().colors = field_colors(field_values(bodies[b], coloring.field), coloring.range);
  }
}

void add_solids(std::vector<Prop>& props, const Scene& scene, const std::vector<PlyMesh>& solids,
                const Coloring& coloring) {
  for (std::size_t s = 0; s < solids.size(); ++s) {
    const bool container = scene.solids[s].container;
    if (container && scene.look.tank == TankLook::none) continue;
    const std::vector<float> film = field_values(solids[s], ColorField::film);
    Prop& prop = props.emplace_back(prop_of(solids[s], {.finish = container ? Finish::pane : Finish::matte,
                                                        .color = solid_color(scene, s),
                                                        .gloss = film.empty() ? solid_gloss : 0.0f}));
    if (coloring.field == ColorField::film)
      prop.colors = field_colors(film, coloring.range);
    else
      for (const float f : film) prop.wet.push_back(wetness(f));
  }
}

void add_tank(std::vector<Prop>& props, const Scene& scene) {
  if (scene.look.tank != TankLook::glass) return;
  const Grid grid = scene_grid(scene.domain);
  const Vec3 lo = grid.origin, hi = grid.upper();
  const double bar = 0.002 * (hi - lo).maxCoeff();

  // Twelve bars along the edges, outside the domain.
  Prop edges{.material = {.finish = Finish::line, .color = 0.6f * linear_of(scene.look.background)}};
  for (int axis = 0; axis < 3; ++axis)
    for (int corner = 0; corner < 4; ++corner) {
      Vec3 from = lo - Vec3::Constant(bar), to = hi + Vec3::Constant(bar);
      for (int i = 0; i < 2; ++i) {
        const int a = (axis + 1 + i) % 3;
        (corner >> i & 1 ? from[a] : to[a]) = corner >> i & 1 ? hi[a] : lo[a];
      }
      add_box(edges, from, to);
    }
  props.push_back(edges);
}

Studio scene_studio(const Scene& scene) {
  const LookOptions& look = scene.look;
  const Grid grid = scene_grid(scene.domain);
  const Vec3 lo = grid.origin, hi = grid.upper();
  const double longest = (hi - lo).maxCoeff();
  Studio studio;
  studio.light = look.light.normalized().cast<float>();
  studio.light_cosine = std::cos(12 * std::numbers::pi_v<float> / 180);
  studio.irradiance = 3.2f * Vec3f(1.0f, 0.97f, 0.92f);
  studio.nadir = Vec3f(0.16f, 0.18f, 0.20f);
  studio.zenith = Vec3f(0.86f, 0.93f, 1.0f);
  const Vec3f backdrop = linear_of(look.background);
  studio.backdrop_low = backdrop;
  studio.backdrop_high = 0.6f * backdrop;
  studio.middle = Vec3(0.5 * (lo.x() + hi.x()), lo.y(), 0.5 * (lo.z() + hi.z())).cast<float>();
  studio.fade = float(2.5 * longest);
  studio.wet_gap = float(grid.dx);
  if (look.tank == TankLook::none) return studio;
  studio.floor = float(look.floor.value_or(lo.y()) - 0.002 * longest);
  // Where it is not in shadow, the floor is as bright as the backdrop.
  const Vec3f lit = studio.irradiance * std::max(0.2f, studio.light.y()) / std::numbers::pi_v<float> + studio.nadir +
                    5.0f / 6 * (studio.zenith - studio.nadir);
  studio.floor_color = backdrop.cwiseQuotient(lit).cwiseMin(0.9f);
  return studio;
}

std::shared_ptr<const Smoke> scene_smoke(const Scene& scene, const Volume& volume, const Stage& stage,
                                         const Studio& studio) {
  auto smoke = std::make_shared<Smoke>(smoke_of(volume, smoke_depth(scene)));
  if (is_clear(*smoke)) return nullptr;
  light_smoke(stage, studio, linear_of(scene.look.smoke_color), *smoke);
  return smoke;
}

double smoke_depth(const Scene& scene) {
  const Grid grid = scene_grid(scene.domain);
  return scene.look.smoke_depth > 0 ? scene.look.smoke_depth : (grid.upper() - grid.origin).maxCoeff() / 20;
}

}  // namespace coracle
