// Where a run is, as one line for a terminal.
#pragma once

#include <cstdint>
#include <string>

namespace coracle {

// "[####....]"; `width` characters between the brackets.
std::string progress_bar(double share, int width = 20);

struct RunProgress {
  int frame = 0, frames = 0;  // finished, asked
  std::int64_t step = 0;      // finished
  double share = 0;           // of the simulated time
  double in_step = 0;         // s since the last step was finished
  double left = -1;           // s; below 0: not known yet
  double paused = -1;         // s since it was paused; below 0: it is not
  std::string headline;       // StepReport::headline()
};

inline constexpr double long_step = 2;  // s: from here on, the line says how long the step has taken

// At most `columns` characters: the bar becomes shorter or is left out, then the end is cut.
std::string progress_text(const RunProgress& now, int columns);

// The first `columns` characters of a text in UTF-8.
std::string cut_to(const std::string& text, int columns);

}  // namespace coracle
