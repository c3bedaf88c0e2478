#include "coracle/step/particles/push_out.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace coracle {
namespace {

TEST(RemoveParticles, a_few_go_and_the_others_keep_their_velocities) {
  const std::vector<std::vector<std::uint32_t>> lists{{},        {0},          {9},
                                                      {3, 8, 9}, {0, 1, 2, 7}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
  for (const std::vector<std::uint32_t>& gone : lists) {
    Particles particles;
    for (int i = 0; i < 10; ++i) particles.x.emplace_back(i, 0, 0), particles.v.emplace_back(0.f, float(i), 0.f);
    remove_particles(particles, gone);
    std::vector<int> left, expected;
    for (std::size_t p = 0; p < particles.size(); ++p) {
      left.push_back(int(particles.x[p].x()));
      EXPECT_EQ(particles.v[p].y(), float(left.back()));
    }
    for (std::uint32_t i = 0; i < 10; ++i)
      if (std::find(gone.begin(), gone.end(), i) == gone.end()) expected.push_back(int(i));
    std::sort(left.begin(), left.end());
    EXPECT_EQ(left, expected);
    EXPECT_EQ(particles.v.size(), particles.size());
  }
}

}  // namespace
}  // namespace coracle
