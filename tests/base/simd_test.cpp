// Vectors in registers.
#include "coracle/base/simd.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

template <class V>
void expect_the_hat_of_numbers() {
  constexpr int lanes = sizeof(V) / sizeof(float);
  V distance{};
  for (int k = 0; k < lanes; ++k) distance[k] = float(2 * k - lanes) / float(lanes) * 1.3f;  // -1.3 to 1.3
  const V lane_by_lane = hat(distance);
  for (int k = 0; k < lanes; ++k) EXPECT_EQ(lane_by_lane[k], hat(float(distance[k]))) << lanes << " lanes, " << k;
}

TEST(Simd, lanes_have_the_hat_of_numbers_however_long_registers_are) {
  EXPECT_EQ(hat(0.0f), 1);
  EXPECT_EQ(hat(-0.25f), 0.75f);
  EXPECT_EQ(hat(1.5f), 0);
  expect_the_hat_of_numbers<Float4>();
  expect_the_hat_of_numbers<Float8>();
  expect_the_hat_of_numbers<Float16>();
}

}  // namespace
}  // namespace coracle
