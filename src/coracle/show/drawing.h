// Strokes, dots and labels on a white page: what charts are made of. Written as SVG, or painted into a picture.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace coracle {

struct Picture;

// Lengths are in units of the page, about a pixel; y runs down. Colours are "#rrggbb".
struct Stroke {
  std::vector<std::vector<std::pair<double, double>>> lines;
  std::string color;
  double width = 1;
  bool dashed = false;
};
struct Dot {
  double x = 0, y = 0;
  std::string color;
};
enum class Anchor { start, middle, end };  // which end of the text stands at x
struct Label {
  double x = 0, y = 0;  // y: of the letters' feet
  std::string text;
  Anchor anchor = Anchor::start;
  bool upwards = false;  // reads from below to above
  bool large = false;
};

struct Drawing {
  double width = 0, height = 0;
  std::vector<std::variant<Stroke, Dot, Label>> marks;  // later ones cover earlier ones
};

// `part` with its upper left corner at (x, y).
void place(Drawing& drawing, double x, double y, const Drawing& part);

std::string as_svg(const Drawing& drawing);
// `scale` pixels per unit of the page.
Picture as_picture(const Drawing& drawing, int scale);

}  // namespace coracle
