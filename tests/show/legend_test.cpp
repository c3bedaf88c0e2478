#include "coracle/show/legend.h"

#include "../out/temporary_directory.h"
#include "coracle/show/font.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace coracle {
namespace {

// CIE L* of an sRGB colour.
double lightness(const Vec3& srgb) {
  const Vec3f c = linear_of(srgb);
  const double y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

TEST(ColorMap, lightness_rises_all_the_way_and_about_evenly) {
  const double whole = lightness(map_color(1)) - lightness(map_color(0));
  EXPECT_GT(whole, 70);
  double before = lightness(map_color(0));
  for (int i = 1; i <= 32; ++i) {
    const double now = lightness(map_color(i / 32.0));
    EXPECT_GT(now - before, 0.5 * whole / 32) << i;
    EXPECT_LT(now - before, 1.6 * whole / 32) << i;
    before = now;
  }
  EXPECT_EQ(map_color(-3), map_color(0));
  EXPECT_EQ(map_color(7), map_color(1));
}

TEST(ColorMap, linear_light_and_srgb_are_inverse) {
  for (float s = 0; s <= 1; s += 0.05f) EXPECT_NEAR(srgb_of(linear_of(s)), s, 1e-5f);
}

Picture grey_picture() { return {320, 180, std::vector<std::uint8_t>(std::size_t(320) * 180 * 3, 128)}; }

TEST(Legend, shows_both_ends_of_the_colours_and_says_its_numbers) {
  Picture a = grey_picture(), b = a, plain = a;
  draw_legend(a, {0, 2.5}, "speed, m/s");
  draw_legend(b, {0, 2.75}, "speed, m/s");
  EXPECT_NE(a.rgb, b.rgb) << "other numbers, other digits";
  for (const double t : {0.0, 1.0}) {
    int found = 0;
    for (std::size_t i = 0; i < a.rgb.size(); i += 3) {
      bool same = true;
      for (int c = 0; c < 3; ++c) same = same && a.rgb[i + c] == std::lround(255 * map_color(t)[c]);
      found += same;
    }
    EXPECT_GT(found, 0) << t;
  }
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 160; ++x)
      ASSERT_EQ(a.at(x, y)[0], plain.at(x, y)[0]) << "outside of its corner nothing changes";
}

TEST(Font, every_letter_that_a_legend_needs_is_there_and_differs_from_the_others) {
  const std::string needed = "0123456789.-+eabcdfghijklmnopqrstuvwxyz,/()_PM";
  std::set<std::vector<std::uint8_t>> drawn;
  for (const char c : needed) {
    Picture p = grey_picture();
    draw_text(p, 3, 3, 1, std::string(1, c), Vec3::Zero());
    EXPECT_NE(p.rgb, grey_picture().rgb) << c;
    drawn.insert(p.rgb);
  }
  EXPECT_EQ(drawn.size(), needed.size());
}

TEST(Png, reads_back_to_the_same_bytes) {
  const TemporaryDirectory dir;
  Picture p{7, 5, std::vector<std::uint8_t>(7 * 5 * 3)};
  for (std::size_t i = 0; i < p.rgb.size(); ++i) p.rgb[i] = std::uint8_t(i * 37);
  write_png(dir / "a.png", p);
  const Picture again = read_png(dir / "a.png");
  EXPECT_EQ(again.width, 7);
  EXPECT_EQ(again.height, 5);
  EXPECT_EQ(again.rgb, p.rgb);
  write_atomically(dir / "b.png", "no picture");
  EXPECT_NE(message_of<RunError>([&] { read_png(dir / "b.png"); }).find("b.png"), std::string::npos);
}

}  // namespace
}  // namespace coracle
