// Pictures of a run: one file, a folder of them, or a film.
#pragma once

#include "coracle/show/frame_props.h"
#include "coracle/show/picture.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

enum class Shown { surfaces, particles, cut_cells, tets };

struct Quality {
  int width = 640, height = 360;  // pixels
  int samples = 8;                // paths per pixel
  Depth depth;
};
Quality draft_quality();
Quality final_quality();

struct RenderOptions {
  std::string out;          // a .png file, a .mp4 file, or a folder if it ends with /
  std::vector<int> frames;  // of replay.frames
  Quality quality;
  Shown show = Shown::surfaces;
  ColorField color = ColorField::none;
  std::optional<ColorRange> range;         // none: from all rendered frames
  const std::atomic<int>* stop = nullptr;  // above 0: end by PictureStopped, and leave no film
};

// SceneError if the options do not fit the run, RunError if files are missing or cannot be written.
// `on_frame` is called after each frame with the number of frames done.
void render(const Replay& replay, const RenderOptions& options, const std::function<void(int)>& on_frame);

// The colours that the options ask for, with their range. SceneError if nothing in the run has the field.
Coloring choose_coloring(const Replay& replay, const RenderOptions& options);

// One frame.
Picture render_frame(const Replay& replay, int frame, const RenderOptions& options, const Coloring& coloring);

// A range that holds zero and the values of all frames, without the lowest and the highest thousandth of each frame.
ColorRange find_range(const Replay& replay, const RenderOptions& options, ColorField field);

}  // namespace coracle
