#include "coracle/base/amounts.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

TEST(Amounts, are_written_for_people) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(2.5e8), "250 MB");
  EXPECT_EQ(size_text(9.996e8), "1 GB");
  EXPECT_EQ(size_text(1.26e9), "1.26 GB");
  EXPECT_EQ(count_text(725), "725");
  EXPECT_EQ(count_text(4096), "4096");
  EXPECT_EQ(count_text(12345), "12.3 thousand");
  EXPECT_EQ(count_text(1.68e6), "1.68 million");
  EXPECT_EQ(count_text(1e12), "1 trillion");
}

TEST(Amounts, of_time_are_written_as_on_a_clock) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1:00");
  EXPECT_EQ(duration_text(3599.6), "1:00:00");
  EXPECT_EQ(duration_text(360000), "100:00:00");
}

TEST(Amounts, of_length_have_a_unit_that_fits) {
  EXPECT_EQ(length_text(0), "0 m");
  EXPECT_EQ(length_text(12.3), "12 m");
  EXPECT_EQ(length_text(1234.0), "1234 m");
  EXPECT_EQ(length_text(0.9999), "1 m");
  EXPECT_EQ(length_text(0.125), "125 mm");
  EXPECT_EQ(length_text(0.00123), "1.2 mm");
  EXPECT_EQ(length_text(-3.4e-5), "-34 µm");
  EXPECT_EQ(length_text(9.996e-7), "1 µm");
  EXPECT_EQ(length_text(2e-10), "0.2 nm");
}

}  // namespace
}  // namespace coracle
