// A small bitmap font for legends and charts.
#pragma once

#include "coracle/show/picture.h"

#include <string>

namespace coracle {

inline constexpr int letter_height = 7;  // dots

// From the upper left corner (x, y), each dot `scale` pixels wide. Knows digits, letters and . , - + / ( ) _ % : = ² ³
void draw_text(Picture& picture, int x, int y, int scale, const std::string& text, const Vec3& srgb);
// Width of the text in pixels.
int text_width(int scale, const std::string& text);

// Blends a colour over the pixels [x0, x1) × [y0, y1) that are inside the picture.
void fill(Picture& picture, int x0, int y0, int x1, int y1, const Vec3& srgb, double opacity = 1);

}  // namespace coracle
