#include "coracle/show/render.h"
#include "app/commands.h"
#include "app/frames_option.h"
#include "app/print.h"
#include "app/progress.h"
#include "coracle/base/amounts.h"
#include "coracle/base/parallel.h"
#include "coracle/out/frame_check.h"
#include "coracle/out/progress_text.h"
#include "coracle/out/run.h"
#include "coracle/scene/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace coracle {
namespace {

constexpr int largest_side = 16384;  // pixels

[[noreturn]] void refuse(const std::string& option, const std::string& value, const std::string& message) {
  throw SceneError({{{option + " " + value, 0, 0}, message}});
}

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// The index of the value; 0 if it is empty.
int read_choice(const std::string& option, const std::string& value, const std::vector<std::string>& words) {
  if (value.empty()) return 0;
  const auto at = std::find(words.begin(), words.end(), value);
  if (at == words.end() || at->empty())
    refuse(option, value,
           fmt::format("is none of {}{}", fmt::join(words.begin() + words.front().empty(), words.end(), ", "),
                       did_you_mean(value, words)));
  return int(at - words.begin());
}

Quality read_quality(const RenderArguments& arguments) {
  const bool final = read_choice("--preset", arguments.preset, {"draft", "final"}) == 1;
  Quality q = final ? final_quality() : draft_quality();
  if (arguments.samples > 0) q.samples = arguments.samples;
  if (arguments.size.empty()) return q;
  const std::string_view text = arguments.size;
  const std::size_t x = text.find('x');
  if (x == std::string_view::npos || !read_number(text.substr(0, x), q.width) ||
      !read_number(text.substr(x + 1), q.height) || std::min(q.width, q.height) < 1 ||
      std::max(q.width, q.height) > largest_side)
    refuse("--size", arguments.size,
           fmt::format("must be WIDTHxHEIGHT in pixels, such as 1920x1080; {} at most", largest_side));
  return q;
}

ColorRange read_range(const std::string& text) {
  ColorRange range;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || !read_number(std::string_view(text).substr(0, colon), range.low) ||
      !read_number(std::string_view(text).substr(colon + 1), range.high) || !(range.low < range.high))
    refuse("--range", text, "must be two numbers, the lower first, such as 0:2.5");
  return range;
}

// Chooses the file or folder to write, and its frames.
void choose_output(const RenderArguments& arguments, RenderOptions& options) {
  std::string& out = options.out = arguments.out;
  if (out.empty()) out = arguments.dir + (options.frames.size() == 1 ? "/render.png" : "/render.mp4");
  if (out.ends_with(".png")) {
    if (arguments.frame.empty()) options.frames = {options.frames.back()};
    if (options.frames.size() > 1)
      refuse("-o", out,
             fmt::format("is one picture for {} frames; give a folder/ or a .mp4 file", options.frames.size()));
  } else if (!out.ends_with(".mp4") && !out.ends_with("/")) {
    refuse("-o", out, "must end with .png, with .mp4, or with / for a folder of pictures");
  }
}

}  // namespace

int render_command(const RenderArguments& arguments) {
  const ThreadLimit limit(arguments.threads);
  RenderOptions options;
  options.quality = read_quality(arguments);
  options.color = ColorField(read_choice("--color", arguments.color, {"", "speed", "pressure", "von_mises", "film"}));
  options.show = Shown(read_choice("--show", arguments.show, {"", "particles", "cut_cells", "tets"}));
  if (!arguments.range.empty()) options.range = read_range(arguments.range);

  const Replay replay = open_replay(arguments.dir, arguments.overrides);
  const std::vector<int> finished = finished_frames(replay);
  if (frame_files(replay.scene, 0).empty())
    throw RunError(fmt::format(
        "{} keeps no frames that can be drawn; run the scene with --set output.surface=true or output.solids=true",
        arguments.dir));
  if (finished.empty())
    throw RunError(fmt::format("{} has no frames yet; wait for the first one, or continue it: {}", arguments.dir,
                               resume_command(arguments.dir)));
  options.frames = read_frames(arguments.frame, finished);
  choose_output(arguments, options);
  std::vector<FrameFile> files;
  for (const int frame : options.frames)
    for (FrameFile& file : frame_files(replay.scene, frame)) files.push_back(std::move(file));
  require_files(replay, files);

  ProgressLine line(arguments.quiet);
  const int count = int(options.frames.size());
  render(replay, options, [&](int done) {
    if (line.due(true, done == count))
      line.show(fmt::format("{} picture {}/{}  {} left", progress_bar(done / double(count)), done, count,
                            duration_text(line.elapsed() * (count - done) / done)));
  });
  line.end();
  if (!arguments.quiet)
    print("{} picture{} in {}: {}\n", count, count == 1 ? "" : "s", duration_text(line.elapsed()), options.out);
  return 0;
}

}  // namespace coracle
