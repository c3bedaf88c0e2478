// A run for other programs: coracle export DIR --to FORMAT.
#include "coracle/show/export.h"
#include "app/commands.h"
#include "app/print.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace coracle {
namespace {

// "12:30", or "12" for one frame.
std::pair<int, int> frame_range(const std::string& text) {
  const auto number = [&](const std::string& digits) {
    int n = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (error != std::errc() || end != digits.data() + digits.size() || n < 0)
      throw SceneError({{{"--frame " + text, 0, 0}, "must be FIRST:LAST, such as 0:24, or one number"}});
    return n;
  };
  const std::size_t colon = text.find(':');
  const int first = number(text.substr(0, colon));
  return {first, colon == std::string::npos ? first : number(text.substr(colon + 1))};
}

// One line that is rewritten on a terminal; otherwise a line every ten seconds.
ExportProgress progress_line() {
  using Time = std::chrono::steady_clock;
  return [terminal = isatty(STDERR_FILENO) != 0, shown = Time::now()](const std::string& what, double share) mutable {
    if (Time::now() - shown < (terminal ? std::chrono::milliseconds(100) : std::chrono::seconds(10))) return;
    shown = Time::now();
    const std::string line = fmt::format("{:3.0f} %  {}", 100 * share, what);
    if (terminal)
      fmt::print(stderr, "\r{}\033[K", plain_text(line));
    else
      print(stderr, "{}\n", line);
  };
}

}  // namespace

int export_command(const ExportArguments& arguments) {
  ExportOptions options;
  const auto format = std::find(export_formats.begin(), export_formats.end(), arguments.to);
  if (format == export_formats.end())
    throw SceneError(
        {{{"--to " + arguments.to, 0, 0}, fmt::format("must be one of {}", fmt::join(export_formats, ", "))}});
  options.format = ExportFormat(format - export_formats.begin());
  options.out = arguments.out;
  if (!arguments.frames.empty()) options.range = frame_range(arguments.frames);
  options.particles = !arguments.no_particles;
  options.progress = progress_line();
  const Exported exported = export_run(open_replay(arguments.dir), options);
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K");
  print("{} frame{}: {}\n", exported.frames, exported.frames == 1 ? "" : "s", exported.path);
  return 0;
}

}  // namespace coracle
