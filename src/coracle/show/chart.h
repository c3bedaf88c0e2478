// Line charts: figures of a run over time, or computed values against known ones.
#pragma once

#include "coracle/base/polyline.h"
#include "coracle/show/drawing.h"

#include <string>
#include <vector>

namespace coracle {

enum class Mark { line, dots, dotted_line };  // dotted_line: dashes with a dot per point

// Of the series of a chart, from the first on.
const char* palette_color(std::size_t series);

struct Series {
  std::string name;  // in the legend; empty: not listed
  Points points;     // one that is not finite breaks the line
  Mark mark = Mark::line;
  std::string color = {};  // empty: the next of the palette
};

struct Chart {
  std::string title, x_label, y_label;
  std::vector<Series> series;
  bool log = false;  // both axes
};

// Row by row, in `columns` columns.
Drawing draw_charts(const std::vector<Chart>& charts, int columns);
std::string charts_svg(const std::vector<Chart>& charts, int columns = 1);
// One row per value of x, one column per series; a cell is empty where a series has no finite value.
std::string charts_csv(const std::vector<Chart>& charts);

// All on one page, in a file whose name ends in .svg, .png or .csv.
inline constexpr int page_columns = 2;
void write_charts(const std::string& file, const std::vector<Chart>& charts);

}  // namespace coracle
