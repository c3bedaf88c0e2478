// The legend of a picture's colours.
#pragma once

#include "coracle/show/color_map.h"
#include "coracle/show/picture.h"

#include <string>

namespace coracle {

// A bar of all colours in the lower right corner, the numbers at its ends, and `title` above it: "speed, m/s".
void draw_legend(Picture& picture, const ColorRange& range, const std::string& title);

}  // namespace coracle
