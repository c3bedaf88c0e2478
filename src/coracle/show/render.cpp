#include "coracle/show/render.h"
#include "coracle/world/build.h"

#include "coracle/base/files.h"
#include "coracle/error.h"
#include "coracle/scene/layers.h"
#include "coracle/show/legend.h"
#include "coracle/show/movie.h"
#include "coracle/show/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace coracle {
namespace {

constexpr double outermost = 0.001;  // share of values ignored at each end of a range: single drops

// Particles without a colour are shown by speed.
ColorField shown_field(const RenderOptions& options) {
  return options.show == Shown::particles && options.color == ColorField::none ? ColorField::speed : options.color;
}

bool fluid_has_velocity(const Scene& scene) {
  const std::span<const Layer> layers = fluid_layers(scene);
  return std::any_of(layers.begin(), layers.end(), [](const Layer& layer) { return has_velocity(layer.kind); });
}

// Refuse a field that nothing in the picture has.
void check_color(const Replay& replay, const RenderOptions& options) {
  const auto refuse = [&](const std::string& why) {
    throw SceneError({{{fmt::format("--color {}", color_name(options.color)), 0, 0}, why}});
  };
  if (options.color == ColorField::none) return;
  if (options.show == Shown::cut_cells || options.show == Shown::tets)
    refuse("cut_cells and tets have colours of their own; leave out --color or --show");
  if (options.color == ColorField::film) {
    const Scene& scene = replay.scene;
    if (std::none_of(scene.solids.begin(), scene.solids.end(), [&](const auto& s) { return has_film(scene, s); }))
      refuse(fmt::format("only solids with a [solid.skin] carry film, under method = 'skinned', and {} has none",
                         replay.dir));
    if (!scene.output.solids) refuse("the run kept no solids; run the scene with --set output.solids=true");
    return;
  }
  if (!fluid_has_velocity(replay.scene) && replay.scene.bodies.empty())
    refuse(fmt::format("only liquid and deformable bodies carry {}, and {} has neither", color_name(options.color),
                       replay.dir));
  const bool particles = options.show == Shown::particles && options.color != ColorField::von_mises;
  if (options.color != ColorField::speed && !particles && replay.scene.bodies.empty())
    refuse(fmt::format("only deformable bodies carry {}, and {} has none; choose speed", color_name(options.color),
                       replay.dir));
}

std::vector<float> all_values(const Replay& replay, const RenderOptions& options, ColorField field, int frame) {
  std::vector<float> values;
  const auto add = [&](const PlyMesh& mesh) {
    const std::vector<float> more = field_values(mesh, field);
    values.insert(values.end(), more.begin(), more.end());
  };
  if (options.show == Shown::particles) add(read_particles(replay, frame));
  const ReplayFrame read = read_frame(replay, frame);
  if (field == ColorField::speed && options.show == Shown::surfaces) add(read.liquid);
  for (const PlyMesh& body : read.bodies) add(body);
  if (field == ColorField::film)
    for (const PlyMesh& solid : read.solids) add(solid);
  return values;
}

std::vector<Prop> props_of(const Replay& replay, const ReplayFrame& read, const RenderOptions& options,
                           const Coloring& coloring) {
  const Scene& scene = replay.scene;
  const int frame = read.number;
  std::vector<Prop> props;
  switch (options.show) {
    case Shown::surfaces:
      add_liquid(props, scene, read.liquid, coloring);
      add_drops(props, scene, read.drops, coloring);
      add_bodies(props, scene, read.bodies, coloring);
      add_solids(props, scene, read.solids, coloring);
      break;
    case Shown::particles:
      add_particles(props, replay, read_particles(replay, frame), coloring);
      add_bodies(props, scene, read.bodies, coloring);
      add_solids(props, scene, read.solids, coloring);
      break;
    case Shown::cut_cells: {
      World world = build_world(scene);
      add_cut_cells(props, replay, frame, world);
      break;
    }
    case Shown::tets:
      add_tets(props, replay, read);
      add_solids(props, scene, read.solids, coloring);
      break;
  }
  add_tank(props, scene);
  return props;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

Quality draft_quality() { return {640, 360, 16, {1, 10}}; }
Quality final_quality() { return {1280, 720, 64, {3, 16}}; }

ColorRange find_range(const Replay& replay, const RenderOptions& options, ColorField field) {
  double low = 0, high = 0;
  for (const int frame : options.frames) {
    stop_if_asked(options.stop);
    std::vector<float> values = all_values(replay, options, field, frame);
    if (values.empty()) continue;
    const auto nth = [&](double share) {
      const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
      std::nth_element(values.begin(), at, values.end());
      return double(*at);
    };
    low = std::min(low, nth(outermost));
    high = std::max(high, nth(1 - outermost));
  }
  return {low, high > low ? high : low + 1};
}

Coloring choose_coloring(const Replay& replay, const RenderOptions& options) {
  check_color(replay, options);
  Coloring coloring{shown_field(options), {}};
  if (coloring.field != ColorField::none)
    coloring.range = options.range ? *options.range : find_range(replay, options, coloring.field);
  return coloring;
}

Picture render_frame(const Replay& replay, int frame, const RenderOptions& options, const Coloring& coloring) {
  const Quality& q = options.quality;
  const ReplayFrame read = read_frame(replay, frame);
  const Stage stage(props_of(replay, read, options, coloring), float(scene_grid(replay.scene.domain).dx));
  Studio studio = scene_studio(replay.scene);
  if (options.show == Shown::surfaces) studio.smoke = scene_smoke(replay.scene, read.smoke, stage, studio);
  Picture picture =
      take_picture(stage, studio, scene_camera(replay.scene, q.width, q.height), q.depth, q.samples, options.stop);
  if (coloring.field != ColorField::none)
    draw_legend(picture, coloring.range, fmt::format("{}, {}", color_name(coloring.field), color_unit(coloring.field)));
  return picture;
}

void render(const Replay& replay, const RenderOptions& options, const std::function<void(int)>& on_frame) {
  const bool film = ends_with(options.out, ".mp4"), folder = ends_with(options.out, "/");
  const Coloring coloring = choose_coloring(replay, options);
  if (folder) make_directories(options.out);
  std::unique_ptr<Movie> movie;
  if (film)
    movie = std::make_unique<Movie>(options.out, options.quality.width, options.quality.height,
                                    replay.scene.time.fps / replay.scene.output.every);
  int done = 0;
  for (const int frame : options.frames) {
    const Picture picture = render_frame(replay, frame, options, coloring);
    if (film)
      movie->add(picture);
    else
      write_png(folder ? fmt::format("{}frame.{:04}.png", options.out, frame) : options.out, picture);
    on_frame(++done);
  }
  if (film) movie->finish();
}

}  // namespace coracle
