#include "coracle/show/font.h"

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr int letter_width = 5, advance = 6;  // dots

constexpr char latin = '\xc2';  // in UTF-8, the byte before ² and ³

struct Letter {
  char name;
  std::uint8_t rows[letter_height];  // from the top; the highest of five bits is the leftmost dot
};

// clang-format off
constexpr Letter letters[] = {
    {'0', {14, 17, 19, 21, 25, 17, 14}},
    {'1', {4, 12, 4, 4, 4, 4, 14}},
    {'2', {14, 17, 1, 6, 8, 16, 31}},
    {'3', {30, 1, 1, 14, 1, 1, 30}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},
    {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {6, 8, 16, 30, 17, 17, 14}},
    {'7', {31, 1, 2, 4, 8, 8, 8}},
    {'8', {14, 17, 17, 14, 17, 17, 14}},
    {'9', {14, 17, 17, 15, 1, 2, 12}},
    {'a', {0, 0, 14, 1, 15, 17, 15}},
    {'b', {16, 16, 30, 17, 17, 17, 30}},
    {'c', {0, 0, 14, 16, 16, 17, 14}},
    {'d', {1, 1, 15, 17, 17, 17, 15}},
    {'e', {0, 0, 14, 17, 31, 16, 14}},
    {'f', {6, 9, 8, 28, 8, 8, 8}},
    {'g', {0, 15, 17, 17, 15, 1, 14}},
    {'h', {16, 16, 22, 25, 17, 17, 17}},
    {'i', {4, 0, 12, 4, 4, 4, 14}},
    {'j', {2, 0, 6, 2, 2, 18, 12}},
    {'k', {16, 16, 18, 20, 24, 20, 18}},
    {'l', {12, 4, 4, 4, 4, 4, 14}},
    {'m', {0, 0, 26, 21, 21, 21, 21}},
    {'n', {0, 0, 22, 25, 17, 17, 17}},
    {'o', {0, 0, 14, 17, 17, 17, 14}},
    {'p', {0, 0, 30, 17, 30, 16, 16}},
    {'q', {0, 0, 15, 17, 15, 1, 1}},
    {'r', {0, 0, 22, 25, 16, 16, 16}},
    {'s', {0, 0, 15, 16, 14, 1, 30}},
    {'t', {8, 8, 28, 8, 8, 9, 6}},
    {'u', {0, 0, 17, 17, 17, 19, 13}},
    {'v', {0, 0, 17, 17, 17, 10, 4}},
    {'w', {0, 0, 17, 21, 21, 21, 10}},
    {'x', {0, 0, 17, 10, 4, 10, 17}},
    {'y', {0, 0, 17, 17, 15, 1, 14}},
    {'z', {0, 0, 31, 2, 4, 8, 31}},
    {'A', {14, 17, 17, 31, 17, 17, 17}},
    {'B', {30, 17, 17, 30, 17, 17, 30}},
    {'C', {14, 17, 16, 16, 16, 17, 14}},
    {'D', {30, 17, 17, 17, 17, 17, 30}},
    {'E', {31, 16, 16, 30, 16, 16, 31}},
    {'F', {31, 16, 16, 30, 16, 16, 16}},
    {'G', {14, 17, 16, 23, 17, 17, 15}},
    {'H', {17, 17, 17, 31, 17, 17, 17}},
    {'I', {14, 4, 4, 4, 4, 4, 14}},
    {'J', {7, 2, 2, 2, 2, 18, 12}},
    {'K', {17, 18, 20, 24, 20, 18, 17}},
    {'L', {16, 16, 16, 16, 16, 16, 31}},
    {'M', {17, 27, 21, 21, 17, 17, 17}},
    {'N', {17, 17, 25, 21, 19, 17, 17}},
    {'O', {14, 17, 17, 17, 17, 17, 14}},
    {'P', {30, 17, 17, 30, 16, 16, 16}},
    {'Q', {14, 17, 17, 17, 21, 18, 13}},
    {'R', {30, 17, 17, 30, 20, 18, 17}},
    {'S', {15, 16, 16, 14, 1, 1, 30}},
    {'T', {31, 4, 4, 4, 4, 4, 4}},
    {'U', {17, 17, 17, 17, 17, 17, 14}},
    {'V', {17, 17, 17, 17, 17, 10, 4}},
    {'W', {17, 17, 17, 21, 21, 21, 10}},
    {'X', {17, 17, 10, 4, 10, 17, 17}},
    {'Y', {17, 17, 10, 4, 4, 4, 4}},
    {'Z', {31, 1, 2, 4, 8, 16, 31}},
    {'%', {24, 25, 2, 4, 8, 19, 3}},
    {':', {0, 12, 12, 0, 12, 12, 0}},
    {'=', {0, 0, 31, 0, 31, 0, 0}},
    {'\xb2', {28, 4, 28, 16, 28, 0, 0}},  // ²
    {'\xb3', {28, 4, 12, 4, 28, 0, 0}},   // ³
    {'.', {0, 0, 0, 0, 0, 12, 12}},
    {',', {0, 0, 0, 0, 12, 4, 8}},
    {'-', {0, 0, 0, 31, 0, 0, 0}},
    {'+', {0, 4, 4, 31, 4, 4, 0}},
    {'/', {1, 2, 2, 4, 8, 8, 16}},
    {'(', {2, 4, 8, 8, 8, 4, 2}},
    {')', {8, 4, 2, 2, 2, 4, 8}},
    {'_', {0, 0, 0, 0, 0, 0, 31}},
};
// clang-format on

}  // namespace

void fill(Picture& picture, int x0, int y0, int x1, int y1, const Vec3& srgb, double opacity) {
  for (int y = std::max(y0, 0); y < std::min(y1, picture.height); ++y)
    for (int x = std::max(x0, 0); x < std::min(x1, picture.width); ++x)
      for (int c = 0; c < 3; ++c) {
        std::uint8_t& byte = picture.at(x, y)[c];
        byte = std::uint8_t(std::lround((1 - opacity) * byte + opacity * 255 * std::clamp(srgb[c], 0.0, 1.0)));
      }
}

void draw_text(Picture& picture, int x, int y, int scale, const std::string& text, const Vec3& srgb) {
  for (const char c : text) {
    if (c == latin) continue;
    const auto* letter =
        std::find_if(std::begin(letters), std::end(letters), [&](const Letter& l) { return l.name == c; });
    for (int row = 0; row < letter_height && letter != std::end(letters); ++row)
      for (int dot = 0; dot < letter_width; ++dot)
        if (letter->rows[row] >> (letter_width - 1 - dot) & 1)
          fill(picture, x + dot * scale, y + row * scale, x + (dot + 1) * scale, y + (row + 1) * scale, srgb);
    x += advance * scale;
  }
}

int text_width(int scale, const std::string& text) {
  return int(text.size() - std::count(text.begin(), text.end(), latin)) * advance * scale;
}

}  // namespace coracle
