#include "coracle/base/place/host.h"

#include <gtest/gtest.h>

namespace coracle {
namespace {

// As memory of a GPU: of vectors, too, which Eigen leaves as they are.
TEST(HostArray, new_values_are_zero_and_old_ones_stay) {
  for (int again = 0; again < 20; ++again) {
    Host::Array<Vec3f> values;
    values.resize(1000);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(values.data()[i], Vec3f::Zero());
      values.data()[i] = Vec3f::Constant(7);
    }
    values.resize(1500);
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values.data()[i], Vec3f(i < 1000 ? Vec3f::Constant(7) : Vec3f::Zero()));
  }
}

}  // namespace
}  // namespace coracle
