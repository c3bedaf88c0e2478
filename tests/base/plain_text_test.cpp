#include "coracle/base/plain_text.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

TEST(PlainText, text_in_any_language_passes) {
  for (const char* text : {"", "a title", "Öl auf Wasser, 10³ m³", "水の柱", "two\nlines", "🌊"})
    EXPECT_EQ(plain_text(text), text);
}

TEST(PlainText, what_a_terminal_would_obey_does_not) {
  EXPECT_EQ(plain_text("\x1b[31mred\x1b[0m"), "?[31mred?[0m");
  EXPECT_EQ(plain_text("back\b\b, \r, \a, \x7f"), "back??, ?, ?, ?");
  EXPECT_EQ(plain_text("\xc2\x9b"
                       "31m"),
            "?31m")
      << "the same escape code as one character";
  EXPECT_EQ(plain_text("\x9b"
                       "31m"),
            "?31m")
      << "and as one byte";
  EXPECT_EQ(plain_text(std::string("a\0b", 3)), "a?b");
}

TEST(PlainText, bytes_that_are_no_text_are_replaced_one_by_one) {
  EXPECT_EQ(plain_text("\xff\xfe!"), "??!");
  EXPECT_EQ(plain_text("cut \xe6\xb0"), "cut ??");
}

}  // namespace
}  // namespace coracle
