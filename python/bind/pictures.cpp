// Pictures, films and charts of runs.
#include "bind/arrays.h"
#include "bind/bind.h"
#include "coracle/base/parallel.h"
#include "coracle/out/frame_check.h"
#include "coracle/out/run_directory.h"
#include "coracle/show/render.h"
#include "coracle/show/run_charts.h"

#include <pybind11/stl.h>

#include <chrono>
#include <future>
#include <optional>
#include <tuple>

namespace coracle {
namespace {

py::array as_array(Picture picture) {
  const auto owner = std::make_shared<Picture>(std::move(picture));
  return read_only(py::array_t<std::uint8_t>({owner->height, owner->width, 3}, owner->rgb.data(), keeper(owner)));
}

// Works in another thread, while this one looks for Ctrl-C.
template <class F>
void watched(Callbacks& inside, F&& work) {
  const Outside others_go_on;
  std::future<void> end = std::async(std::launch::async, std::forward<F>(work));
  while (end.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) inside([] {});
  end.get();
}

// With `out`: writes files and returns nothing. Without: the picture of the one frame.
py::object render_run(const std::string& dir, const std::string& out, std::vector<int> frames,
                      std::tuple<int, int> size, int samples, int color, int show,
                      std::optional<std::pair<double, double>> range, const Pairs& set, bool final, int threads) {
  RenderOptions options;
  options.quality = final ? final_quality() : draft_quality();
  if (std::get<0>(size) > 0) std::tie(options.quality.width, options.quality.height) = size;
  if (samples > 0) options.quality.samples = samples;
  options.color = ColorField(color);
  options.show = Shown(show);
  if (range) options.range = {range->first, range->second};
  options.frames = std::move(frames);
  options.out = out;
  Callbacks inside;
  options.stop = &inside.stop;
  std::optional<Picture> picture;
  const auto draw = [&] {
    const ThreadLimit limit(threads);
    const Replay replay = open_replay(dir, overrides_of(set));
    std::vector<FrameFile> files;
    for (const int frame : options.frames)
      for (FrameFile& file : frame_files(replay.scene, frame)) files.push_back(std::move(file));
    require_files(replay, files);
    if (out.empty())
      picture = render_frame(replay, options.frames.at(0), options, choose_coloring(replay, options));
    else
      render(replay, options, [](int) {});
  };
  try {
    watched(inside, draw);
  } catch (...) {
    inside.rethrow();  // it came first
    throw;
  }
  inside.rethrow();
  if (!picture) return py::none();
  return as_array(std::move(*picture));
}

}  // namespace

void bind_pictures(py::module_& m) {
  m.def("render", &render_run);
  m.def("write_png", [](const std::string& path, const py::array_t<std::uint8_t, py::array::c_style>& rgb) {
    if (rgb.ndim() != 3 || rgb.shape(2) != 3 || rgb.size() == 0)
      throw py::value_error("a picture has rows of pixels of three bytes");
    const Picture picture{int(rgb.shape(1)), int(rgb.shape(0)), {rgb.data(), rgb.data() + rgb.size()}};
    const Outside others_go_on;
    write_png(path, picture);
  });
  // Writes charts to a .svg, .png or .csv file; without a file, returns them as SVG.
  m.def("plot", [](const std::string& dir, const std::string& out) {
    const Outside others_go_on;
    require_run(dir);
    const std::vector<Chart> charts = run_charts(dir, load_scene(scene_file(dir)).probes);
    if (charts.empty()) throw RunError(dir + " has no finished step yet");
    if (out.empty()) return charts_svg(charts, page_columns);
    write_charts(out, charts);
    return std::string();
  });
}

}  // namespace coracle
