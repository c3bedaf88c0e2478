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

}  // namespace
}  // namespace coracle
