#include "coracle/show/drawing.h"

#include "coracle/show/font.h"
#include "coracle/show/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace coracle {
namespace {

constexpr double dot_radius = 3, dash = 2, dash_gap = 3;
constexpr const char* anchor_words[] = {"start", "middle", "end"};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string svg_of(const Stroke& s) {
  std::string path;
  for (const auto& line : s.lines)
    for (std::size_t i = 0; i < line.size(); ++i)
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", line[i].first, line[i].second);
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\"{}{}/>\n", path, s.color,
                     s.width == 1 ? "" : fmt::format(" stroke-width=\"{}\"", s.width),
                     s.dashed ? fmt::format(" stroke-dasharray=\"{} {}\"", dash, dash_gap) : "");
}

std::string svg_of(const Dot& d) {
  return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"/>\n", d.x, d.y, dot_radius, d.color);
}

std::string svg_of(const Label& l) {
  const std::string at = l.upwards ? fmt::format("transform=\"translate({:.1f} {:.1f}) rotate(-90)\"", l.x, l.y)
                                   : fmt::format("x=\"{:.1f}\" y=\"{:.1f}\"", l.x, l.y);
  return fmt::format("<text {}{}{}>{}</text>\n", at,
                     l.anchor == Anchor::start ? "" : fmt::format(" text-anchor=\"{}\"", anchor_words[int(l.anchor)]),
                     l.large ? " font-size=\"14\"" : "", escaped(l.text));
}

Vec3 color_of(const std::string& hex) {
  Vec3 color;
  const int bytes = std::stoi(hex.substr(1), nullptr, 16);
  for (int c = 0; c < 3; ++c) color[c] = (bytes >> (16 - 8 * c) & 255) / 255.0;
  return color;
}

// Blends a colour over the pixels around a segment, whose ends are round; the edges are smooth.
void paint_segment(Picture& picture, const Eigen::Vector2d& a, const Eigen::Vector2d& b, double radius,
                   const Vec3& color) {
  const Eigen::Vector2d lo = a.cwiseMin(b).array() - radius - 1, hi = a.cwiseMax(b).array() + radius + 1;
  const Eigen::Vector2d along = b - a;
  for (int y = std::max(0, int(lo.y())); y <= std::min(picture.height - 1, int(hi.y())); ++y)
    for (int x = std::max(0, int(lo.x())); x <= std::min(picture.width - 1, int(hi.x())); ++x) {
      const Eigen::Vector2d p(x + 0.5, y + 0.5);
      const double length = along.squaredNorm();
      const double share = length > 0 ? std::clamp((p - a).dot(along) / length, 0.0, 1.0) : 0.0;
      const double cover = std::clamp(radius + 0.5 - (p - a - share * along).norm(), 0.0, 1.0);
      if (cover > 0) fill(picture, x, y, x + 1, y + 1, color, cover);
    }
}

void paint(Picture& picture, int scale, const Stroke& s) {
  const Vec3 color = color_of(s.color);
  for (const auto& line : s.lines) {
    double gone = 0;  // along the line, for dashes
    for (std::size_t i = 1; i < line.size(); ++i) {
      const Eigen::Vector2d a(line[i - 1].first, line[i - 1].second), b(line[i].first, line[i].second);
      const double length = (b - a).norm();
      const auto part = [&](double from, double to) {
        const Eigen::Vector2d along = length > 0 ? Eigen::Vector2d((b - a) / length) : Eigen::Vector2d::Zero();
        paint_segment(picture, scale * (a + from * along), scale * (a + to * along), 0.5 * scale * s.width, color);
      };
      if (!s.dashed) {
        part(0, length);
        continue;
      }
      for (double at = -std::fmod(gone, dash + dash_gap); at < length; at += dash + dash_gap)
        if (at + dash > 0) part(std::max(at, 0.0), std::min(at + dash, length));
      gone += length;
    }
  }
}

void paint(Picture& picture, int scale, const Dot& d) {
  const Eigen::Vector2d at(scale * d.x, scale * d.y);
  paint_segment(picture, at, at, scale * dot_radius, color_of(d.color));
}

void paint(Picture& picture, int scale, const Label& l) {
  const Vec3 ink(0, 0, 0);
  const int wide = text_width(scale, l.text), high = letter_height * scale;
  const int back = l.anchor == Anchor::start ? 0 : l.anchor == Anchor::middle ? wide / 2 : wide;
  const int x = int(std::lround(scale * l.x)), y = int(std::lround(scale * l.y));
  if (!l.upwards) return draw_text(picture, x - back, y - high, scale, l.text, ink);
  Picture flat{wide, high, std::vector<std::uint8_t>(std::size_t(3 * wide * high), 255)};
  draw_text(flat, 0, 0, scale, l.text, ink);
  for (int row = 0; row < high; ++row)
    for (int column = 0; column < wide; ++column)
      if (flat.at(column, row)[0] == 0) {
        const int px = x - high + row, py = y + back - column;
        fill(picture, px, py, px + 1, py + 1, ink);
      }
}

}  // namespace

void place(Drawing& drawing, double x, double y, const Drawing& part) {
  for (auto mark : part.marks) {
    if (Stroke* stroke = std::get_if<Stroke>(&mark)) {
      for (auto& line : stroke->lines)
        for (auto& [px, py] : line) px += x, py += y;
    } else if (Dot* dot = std::get_if<Dot>(&mark)) {
      dot->x += x, dot->y += y;
    } else if (Label* label = std::get_if<Label>(&mark)) {
      label->x += x, label->y += y;
    }
    drawing.marks.push_back(std::move(mark));
  }
}

std::string as_svg(const Drawing& drawing) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      drawing.width, drawing.height);
  for (const auto& mark : drawing.marks) svg += std::visit([](const auto& m) { return svg_of(m); }, mark);
  return svg + "</svg>\n";
}

Picture as_picture(const Drawing& drawing, int scale) {
  Picture picture{int(std::ceil(scale * drawing.width)), int(std::ceil(scale * drawing.height)), {}};
  picture.rgb.assign(std::size_t(3) * picture.width * picture.height, 255);
  for (const auto& mark : drawing.marks) std::visit([&](const auto& m) { paint(picture, scale, m); }, mark);
  return picture;
}

}  // namespace coracle
